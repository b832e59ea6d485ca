"""What to change in a plan so that a finding is gone or smaller: each of these follows from what the promise guarantees."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Any

from kohort.attacks.target import Target
from kohort.facts.promises import Advice
from kohort.models import crowd_of, sizes_decide
from kohort.toml import toml_key


def larger_crowds(target: Target, success: float) -> Advice | None:
    """Return the k under which a pick among those who look alike is right less often than now.

    A pick among at least k records is right with a chance of at most 1/k. Nothing is advised where people have several rows:
    there a crowd of k people may hold more rows of one of them than 1/k.
    """
    if target.apart is not None or target.owners is not None or target.scattered or not success > 0:
        return None
    k = floor(1 / min(success, 1.0) + 1e-9) + 1
    if k <= crowd_of(target.promises) or k > target.n_records:
        return None
    words = f"hide everybody among {k} or more: whoever picks one of them is right in at most 1 of {k} cases"
    crowds = [i for i, model in enumerate(target.promises) if sizes_decide([model]) and hasattr(model, "k")]
    if crowds:
        return Advice(words, settings={f"require.{crowds[0]}.k": k})
    return Advice(words, require={"model": "k-anonymity", "k": k})


def within_crowds(target: Target, highest: float) -> bool:
    """Say whether nobody is found with a greater chance than the crowds promised let through."""
    crowd = crowd_of(target.promises)
    return target.apart is None and crowd > 1 and highest <= 1 / crowd + 1e-9


def different_values(target: Target, column: str, least: int) -> Advice | None:
    """Return the promise that every class holds so many different values of a column; all classes together do."""
    if target.apart is not None:
        return None
    words = f"let every class hold {least} or more different values of {column}"
    asked: dict[str, Any] = {"model": "l-diversity", "column": column, "l": least}
    for i, model in enumerate(target.promises):
        told = {name: getattr(model, name, None) for name in ("column", "l", "variant")}
        if model.card.name == asked["model"] and told["column"] == column and told["variant"] == "distinct":
            return Advice(words, settings={f"require.{i}.l": least})
    return Advice(words, require=asked)


def different_headings(target: Target, column: str, level: int) -> Advice | None:
    """Return the promise that the values of a column fall under several labels of a level in every class."""
    if target.apart is not None:
        return None
    return Advice(
        f"let the values of {column} in every class fall under 2 or more headings",
        require={"model": "extended-p-sensitive", "column": column, "p": 2, "level": level},
    )


def nearer_shares(target: Target, column: str, rise: float) -> Advice | None:
    """Return the promise that no value's share in a class is further from its share in the table than half the rise found."""
    t = floor(50 * rise) / 100
    if target.apart is not None or t <= 0:
        return None
    most = f"{100 * t:.0f} percentage points"
    words = f"let no value of {column} be more frequent in a class than in the table by more than {most}"
    return Advice(words, require={"model": "t-closeness", "column": column, "t": t, "distance": "equal"})


def declared(target: Target, columns: Sequence[str]) -> Advice | None:
    """Return that columns which single people out are quasi-identifiers, and so hidden in crowds; of 2 where none are promised."""
    if target.apart is not None or not columns:
        return None
    words = f"declare {', '.join(columns)} as quasi, with a hierarchy, or leave it out, if others can know it"
    settings = {f"{section_key(name)}.role": "quasi" for name in columns}
    crowds = {} if crowd_of(target.promises) > 1 else {"model": "k-anonymity", "k": 2}
    return Advice(words, require=crowds, settings=settings)


def section_key(name: str) -> str:
    """Return the key of a column's entry as TOML and `--set` take it, quoted where it has to be.

    >>> section_key("age"), section_key("a.b")
    ('columns.age', 'columns."a.b"')
    """
    return f"columns.{toml_key(name)}"


WHOLE_COLUMNS = Advice(
    "generalize whole columns alike, so that no row shows what others hide",
    settings={
        "recode.generalize": "attribute",
        "recode.suppress": "tuple",
        "recode.algorithm": None,
        "recode.options": {},
    },
)
SHUFFLE = Advice("release the rows shuffled", settings={"output.shuffle": True})
