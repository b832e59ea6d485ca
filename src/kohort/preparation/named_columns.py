"""Which columns the options of an algorithm name: the plan is public, so they name none that is not released.

Options say by their types what in them names a column (`Named`): a text, the entries of a list, the keys of a table. What else
stands in them are words, which a column may be called like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from kohort.algorithms import algorithm
from kohort.algorithms.taxonomy import TINY, choose
from kohort.errors import InputError
from kohort.plan import Plan
from kohort.plan.rules import DEFAULT
from kohort.typed import Named

Hides = Callable[[Any, str], bool]  # whether a text of a type names a column that is not released
GONE = object()  # stands for a text that does


def refuse_hidden(plan: Plan, kind: type) -> None:
    """Refuse options of an algorithm that name a column which is not released; the plan alone is looked at."""
    declared = _declared(kind)
    hides = _hides(plan, declared)
    for option, told in plan.recode.options.items():
        for name in (
            _found(declared.get(option, Any), told, hides) if any(map(_naming, declared.values())) else ()
        ):
            raise InputError(
                f"[recode.options] {option} names {name!r}, which is not released, and the plan is public; the released columns "
                f"are: {', '.join(plan.released)}",
                code="algorithm.unknown-column",
                algorithm=str(plan.recode.algorithm),
                option=option,
                column=name,
                allowed=plan.released,
            )


def released_options(plan: Plan) -> dict[str, Any]:
    """Return the options without what names a column that is not released.

    Where nothing says which texts are names, as in a package's algorithm that declares none, all may be that equal one.
    """
    told = dict(plan.recode.options)
    for declared in map(_declared, _kinds(plan)) if told else ():
        hides = _hides(plan, declared)
        kept = {option: _without(declared.get(option, Any), value, hides) for option, value in told.items()}
        told = {option: value for option, value in kept.items() if value is not GONE}
    return told


def _kinds(plan: Plan) -> list[type | None]:
    """Return the algorithms that the options may be of; None where it is not installed."""
    recode = plan.recode
    if plan.input.shape != DEFAULT:
        searches: Mapping[str, type] = getattr(plan.rules, "algorithms", dict)()
        return [searches.get(recode.algorithm)] if recode.algorithm else [*searches.values()] or [None]
    if recode.algorithm is None:
        return [algorithm(choose(recode.generalize, recode.suppress, rows)) for rows in (TINY, TINY + 1)]
    try:
        return [algorithm(recode.algorithm)]
    except InputError:
        return [None]


def _declared(kind: type | None) -> dict[str, Any]:
    return {} if kind is None else get_type_hints(kind, include_extras=True)


def _hides(plan: Plan, declared: Mapping[str, Any]) -> Hides:
    released, known = set(plan.released), {*plan.columns, plan.input.respondent}
    if any(map(_naming, declared.values())):
        return lambda hint, text: _is_name(hint) and text not in released
    return lambda hint, text: bool({str, Any} & set(_either(hint))) and text in known - released


def _found(hint: Any, told: Any, hides: Hides) -> Iterator[str]:
    if isinstance(told, str):
        yield from [told] if hides(hint, told) else []
    elif isinstance(told, Mapping):
        key, value = _inner(hint, Mapping)
        for name, held in told.items():
            yield from (*_found(key, name, hides), *_found(value, held, hides))
    elif isinstance(told, list | tuple):
        for entry in told:
            yield from _found(_inner(hint, Sequence)[0], entry, hides)


def _without(hint: Any, told: Any, hides: Hides) -> Any:
    if isinstance(told, str):
        return GONE if hides(hint, told) else told
    if isinstance(told, Mapping):
        key, value = _inner(hint, Mapping)
        kept = {
            name: _without(value, held, hides)
            for name, held in told.items()
            if _without(key, name, hides) is not GONE
        }
        return {name: held for name, held in kept.items() if held is not GONE}
    if isinstance(told, list | tuple):
        kept_entries = [_without(_inner(hint, Sequence)[0], entry, hides) for entry in told]
        return [entry for entry in kept_entries if entry is not GONE]
    return told


def _inner(hint: Any, kind: type) -> tuple[Any, ...]:
    """Return the types of what a mapping or a sequence holds; anything where that is not said."""
    for one in _either(hint):
        origin = get_origin(one)
        if isinstance(origin, type) and issubclass(origin, kind):
            return get_args(one)
    return Any, Any


def _either(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _is_name(hint: Any) -> bool:
    return Named in _either(hint)


def _naming(hint: Any) -> bool:
    """Tell whether something in a type names a column."""
    return hint == Named or any(map(_naming, get_args(hint)))
