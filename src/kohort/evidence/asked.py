"""The plan as outsiders may see it: what was declared, without where things are and what was left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args, get_type_hints

from kohort.models import PrivacyModel
from kohort.models.model import guards_of
from kohort.plan import Plan
from kohort.plan.context import said
from kohort.plan.rules import DEFAULT
from kohort.preparation.named_columns import released_options
from kohort.typed import Named

UNTOLD = "(not told)"  # stands for the name of a column that is not released
_HIDDEN = {"recode": ("seed",), "output": ("ledger", "together"), "options": ("seed", "path")}


def public_plan(plan: Plan) -> dict[str, Any]:
    """Return the plan as a dict that is itself a plan, and its own public plan.

    Not told: the input and its path, where the ledger and level files are, the seed, and the names of columns
    that are not released. That people were counted is told, and by which column is not; a column that a
    promise reads and that is not released is called `(not told)` too; options that name one are left out.
    """
    told = _stripped(plan)
    return _stripped(Plan.from_dict(told))  # numbers are spelled as a reader of the manifest will find them


def _stripped(plan: Plan) -> dict[str, Any]:
    told = plan.to_dict()
    promises = told.get("require", [])
    aliases = _aliases(plan, promises)
    recode = _unnamed(plan, _without(told.get("recode", {}), _HIDDEN["recode"]), "target")
    if "options" in recode:
        recode["options"] = _without(released_options(plan), _HIDDEN["options"])
    public = {
        "input": _input(plan),
        "columns": {
            aliases.get(name, name): _column(column)
            for name, column in told.get("columns", {}).items()
            if name in plan.released or name in aliases
        },
        "require": [
            _promise(entry, model, aliases) for entry, model in zip(promises, plan.require, strict=True)
        ],
        "recode": recode,
        "output": _unnamed(plan, _without(told.get("output", {}), _HIDDEN["output"]), "task"),
        "context": _context(plan),
        **plan.rules.public(plan),
    }
    return {section: content for section, content in public.items() if content}


def _input(plan: Plan) -> dict[str, Any]:
    """Return the shape, where it is not a table, and that people are counted, where they are."""
    shape = {} if plan.input.shape == DEFAULT else {"shape": plan.input.shape}
    return shape | ({} if plan.input.respondent is None else {"respondent": _fresh(plan, 0)})


def _context(plan: Plan) -> dict[str, Any]:
    """Return what the holder says of the release and wants told; all else of it is private."""
    told, public = said(plan.context), plan.context.public
    return {name: told[name] for name in told if name in public} | (
        {"public": list(public)} if public else {}
    )


def _aliases(plan: Plan, promises: list[dict[str, Any]]) -> dict[str, str]:
    """Return what the columns are called that a promise reads and the release does not hold."""
    both = list(zip(promises, plan.require, strict=True))
    read = {name for entry, model in both for name in _read(entry, model)}
    named = [
        name for entry, model in both for name in _texts([entry.get(key) for key in _naming(type(model))])
    ]
    known = [name for name in plan.columns if name in read or name in named]
    hidden = [name for name in dict.fromkeys([*known, *named]) if name not in plan.released]
    return {name: _fresh(plan, place) for place, name in enumerate(hidden, 1)}


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in what a parameter holds, in order."""
    if isinstance(value, str):
        yield value
    for one in value if isinstance(value, list | dict) else ():
        yield from _texts(one)


def _read(entry: Mapping[str, Any], model: PrivacyModel) -> Iterable[str]:
    """Return the columns that a promise reads; of another shape's, which may not tell, whatever it says."""
    if not hasattr(model, "reads"):
        return (value for value in entry.values() if isinstance(value, str))
    return model.reads | guards_of(model)


def _fresh(plan: Plan, place: int) -> str:
    """Return a name that no released column has; the same for the public plan as for the whole one."""
    name = f"{UNTOLD} {place}" if place else UNTOLD
    while name in plan.released:
        name += "'"
    return name


def _promise(entry: Mapping[str, Any], model: PrivacyModel, aliases: Mapping[str, str]) -> dict[str, Any]:
    """Return what is asked of a model, which names no column that is not released; a watched value may be called like one."""
    naming = _naming(type(model)) & entry.keys() or entry.keys() - {"model"}
    return {key: _renamed(value, aliases) if key in naming else value for key, value in entry.items()}


def _naming(kind: type[PrivacyModel]) -> set[str]:
    """Return the parameters that are declared to name columns; a package's model may declare none, and then any may."""
    hints = get_type_hints(kind, include_extras=True)
    return {name for name, hint in hints.items() if _names(hint)}


def _names(hint: Any) -> bool:
    return hint == Named or any(map(_names, get_args(hint)))


def _renamed(value: Any, aliases: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_renamed(one, aliases) for one in value]
    if isinstance(value, Mapping):
        return {_renamed(name, aliases): _renamed(held, aliases) for name, held in value.items()}
    return aliases.get(value, value) if isinstance(value, str) else value


def _column(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is asked of a column; of a level file that it is one, for it is not part of the plan."""
    hierarchy = told.get("hierarchy", {})
    return {**told, "hierarchy": {"kind": hierarchy["kind"]}} if "path" in hierarchy else dict(told)


def _unnamed(plan: Plan, told: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return a section without the column that a key of it names, where that is not released."""
    return {name: value for name, value in told.items() if name != key or value in plan.released}


def _without(told: Mapping[str, Any], hidden: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in told.items() if key not in hidden}
