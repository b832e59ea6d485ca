"""What a table achieves: every model's parameter, the risks, and what points at single people.

An audit is a plain dict of numbers that JSON can hold; it quotes no cell. An infinite figure is None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import isfinite
from typing import Any

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes, classes_of_columns, group
from kohort.classes.alone import Counting
from kohort.errors import InputError
from kohort.hierarchy import SUPPRESSED, Hierarchy
from kohort.models import Attribute, Reference
from kohort.risk.columns import leaving_out
from kohort.risk.crowds import crowds
from kohort.risk.diversity import diversity_facts
from kohort.risk.known_beside import beside_facts, unique_in
from kohort.risk.picking import exposed
from kohort.risk.reidentification import (
    at_risk,
    distribution,
    either_picker,
    journalist,
    marketer,
    prosecutor,
    row_picker,
)
from kohort.risk.sampling import check_fraction, sampling_facts
from kohort.risk.uniques import sample_uniques
from kohort.table import Table

SUBSETS_TOLD = 25
SEVERAL = "people with rows in several classes are no simple random sample of classes"


@dataclass(frozen=True, eq=False)
class Counted:
    """A table as an audit looks at it: its values with their counts, and the classes of its tuples."""

    table: Table  # whose rows are not looked at
    classes: Classes  # of the quasi-identifiers, in the codes of the table's own values
    people: int  # rows, where nobody is named
    unique: Counting | None = None  # with sensitive columns, where there are such

    @classmethod
    def of(
        cls, table: Table, quasi: Sequence[str], sensitive: Sequence[str], respondent: str | None
    ) -> Counted:
        """Count a table that is in memory."""
        columns = [table[name].codes for name in quasi]
        watched = {name: (table[name].codes, len(table[name].values)) for name in sensitive}
        who = None if respondent is None else table[respondent].codes
        people = table.n_rows if who is None else len(np.unique(who))
        unique = None
        if sensitive:
            every = [table[name].codes for name in (*quasi, *sensitive)]
            unique = unique_in(classes_of_columns(every, respondents=who)[0], len(quasi), sensitive)
        return cls(table, classes_of_columns(columns, watched, who)[0], people, unique)


def audit_facts(
    table: Table,
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    respondent: str | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    *,
    sampling_fraction: float | None = None,
    population: Table | None = None,
    subset_size: int = 3,
) -> dict[str, Any]:
    """Return what a table in memory achieves; `counted_facts` says more."""
    check_roles(quasi, sensitive, respondent)
    told = None
    if population is not None:
        who = respondent if respondent in population.columns else None
        told = Counted.of(population, quasi, (), who)
    return counted_facts(
        Counted.of(_with_rows(table), quasi, sensitive, respondent),
        quasi,
        sensitive,
        respondent,
        hierarchies,
        sampling_fraction=sampling_fraction,
        population=told,
        subset_size=subset_size,
    )


def counted_facts(
    counted: Counted,
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    respondent: str | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    *,
    sampling_fraction: float | None = None,
    population: Counted | None = None,
    subset_size: int = 3,
) -> dict[str, Any]:
    """Return what a table achieves, judged by its own cells, whoever counted them.

    A missing value counts as a value. A row whose quasi-identifiers are all `*` is suppressed: it tells
    nothing by them, but if such rows are few they stand out together. So they are counted, the figures at the top
    leave them out, and `with_suppressed` judges the table with them as the one class that they look like.
    Distributions are compared with that of all rows. `hierarchies` of sensitive columns give the ordered
    and hierarchical distances; a population gives the journalist's risk, and a sampling fraction estimates of it.
    """
    table, classes = _with_rows(counted.table), counted.classes
    reference = _reference(counted, sensitive, hierarchies or {})
    blank = suppressed_classes(counted, quasi)
    told = _without(classes, blank) if blank.any() else classes
    facts: dict[str, Any] = {
        "rows": table.n_rows,
        "quasi": list(quasi),
        "sensitive_columns": list(sensitive),
        "respondent": respondent,
        "respondents": None if respondent is None else counted.people,
        "missing": {name: _missing(table, name) for name in (*quasi, *sensitive)},
        "suppressed": int(classes.rows[blank].sum()),
    }
    facts |= judged(told, reference)
    facts["population"] = _population(told, table, quasi, sampling_fraction, population)
    facts["uniqueness"] = uniqueness_facts(told, quasi, subset_size)
    facts["beside"] = (
        None if counted.unique is None else beside_facts(counted.unique, sensitive, counted.people)
    )
    facts["with_suppressed"] = judged(classes, reference) if blank.any() else None
    plain: dict[str, Any] = _plain(facts)
    return plain


def judged(classes: Classes, reference: Reference) -> dict[str, Any]:
    """Return k, the risks and every diversity figure of the classes."""
    found, risk = crowds(classes), prosecutor(classes)
    several = classes.n_rows > found.total
    diversity = {
        name: diversity_facts(classes, name, reference)
        for name in classes.sensitive
        if name in reference.attributes  # not an objective's target
    }
    return {
        "records": classes.n_rows,
        "people": found.total,
        "classes": len(classes),
        "k": int(classes.sizes.min()) if len(classes) else None,
        "largest_class": int(classes.sizes.max()) if len(classes) else None,
        "risk": {
            "prosecutor": asdict(risk),
            "rows": asdict(row_picker(classes)) if several else None,
            "either": asdict(either_picker(classes)) if several else None,
            "marketer": marketer(classes),
            "at_risk": [
                {"above": float(t), "people": count, "share": count / max(found.total, 1)}
                for t, count in at_risk(exposed(classes)).items()
            ],
            "distribution": distribution(classes),
        },
        "p": min((facts["distinct_l"] for facts in diversity.values() if facts), default=None),
        "sensitive": diversity,
    }


def uniqueness_facts(classes: Classes, names: Sequence[str], size: int = 3) -> dict[str, Any]:
    """Return how many people are unique, on which columns, and what leaving each column out would do."""
    found, total = sample_uniques(classes, names, size), max(crowds(classes).total, 1)
    return {
        "unique": found.unique,
        "share": found.unique / total,
        "pointed_at": found.pointed_at,
        "subsets_up_to": found.size,
        "subsets_looked_at": len(found.subsets),
        "subsets": [
            {"columns": list(s.columns), "unique": s.unique, "share": s.unique / total, "minimal": s.minimal}
            for s in found.subsets[:SUBSETS_TOLD]
        ],
        "columns": [
            {**asdict(left), "score_share": found.shares[left.column]} for left in leaving_out(classes, names)
        ],
    }


def suppressed_classes(counted: Counted, quasi: Sequence[str]) -> BoolArray:
    """Mark the classes that show `*` in every quasi-identifier."""
    blank = np.ones(len(counted.classes), np.bool_)
    for j, name in enumerate(quasi):
        stars = np.array([text == SUPPRESSED for text in counted.table[name].texts], np.bool_)
        blank &= stars[counted.classes.codes[:, j]]
    return blank


def _without(classes: Classes, blank: BoolArray) -> Classes:
    """Return the classes of all other rows, and of the people whom these are about."""
    left = classes.kept(~blank)
    if left.respondents is None or int(left.respondents.totals().max(initial=0)) < 2:
        return replace(left, holders={})
    return replace(left, holders={name: held.compacted() for name, held in left.holders.items()})


def _population(
    classes: Classes,
    table: Table,
    quasi: Sequence[str],
    fraction: float | None,
    population: Counted | None,
) -> dict[str, Any] | None:
    """Return the journalist's and the marketer's risk by a population, or what a sample lets one estimate of them."""
    if population is not None:
        faced = _matching(classes, table, population, quasi)
        return {
            "people": population.people,
            "journalist": asdict(journalist(classes, faced)),
            "marketer": marketer(classes, faced),
            "larger_than_population": int((classes.sizes > faced).sum()),
            "unique_classes": int((np.maximum(faced, classes.sizes) == 1).sum()),
        }
    if fraction is None:
        return None
    check_fraction(fraction)
    if int(classes.sizes.sum()) > crowds(classes).total:
        return {"left_out": SEVERAL}
    return sampling_facts(classes.sizes, fraction)


def _matching(classes: Classes, table: Table, population: Counted, quasi: Sequence[str]) -> IntArray:
    """Return the people of the population that fit each class: rows where it does not name people."""
    columns = []
    for j, name in enumerate(quasi):
        code_of = {text: code for code, text in enumerate(table[name].texts)}
        mapped = np.array([code_of.get(text, -1) for text in population.table[name].texts], np.int32)
        columns.append(mapped[population.classes.codes[:, j]])
    tuples = np.column_stack(columns)
    fitting = (tuples >= 0).all(axis=1)
    both, place = group(np.concatenate([tuples[fitting], classes.codes]).astype(np.int32))
    found = int(fitting.sum())
    people = np.bincount(place[:found], population.classes.sizes[fitting], minlength=len(both))
    return np.asarray(people.astype(np.int64)[place[found:]])


def _reference(counted: Counted, sensitive: Sequence[str], hierarchies: Mapping[str, Hierarchy]) -> Reference:
    """Return the distributions of the whole table, of people where some have several rows."""
    n_rows = counted.table.n_rows
    attributes = {name: _attribute(counted, name, hierarchies.get(name)) for name in sensitive}
    return Reference(n_rows, attributes, people=None if counted.people == n_rows else counted.people)


def _attribute(counted: Counted, name: str, hierarchy: Hierarchy | None) -> Attribute:
    column = counted.table[name]
    ground = None if hierarchy is None else hierarchy.encode(column.texts, column.counts())
    held = counted.classes.holders.get(name)
    pairs = None if held is None else held.pairs
    return Attribute(name, column.texts, column.counts(), hierarchy, ground, pairs)


def _missing(table: Table, name: str) -> int:
    column = table[name]
    return sum(int(c) for text, c in zip(column.texts, column.counts(), strict=True) if text is None)


def check_roles(quasi: Sequence[str], sensitive: Sequence[str], respondent: str | None) -> None:
    """Refuse an audit that names no quasi-identifier, or a column twice."""
    if not quasi:
        raise InputError(
            "audit: no quasi-identifier is named; say which columns could identify a person",
            code="audit.columns",
        )
    named = [*quasi, *sensitive, *([] if respondent is None else [respondent])]
    twice = sorted(name for name, times in Counter(named).items() if times > 1)
    if twice:
        raise InputError(
            f"audit: {', '.join(map(repr, twice))} is named more than once; a column is quasi-identifier, "
            "sensitive or respondent",
            code="audit.columns",
            columns=twice,
        )


def _with_rows(table: Table) -> Table:
    if table.n_rows == 0:
        raise InputError("audit: the table has no rows", code="table.empty")
    return table


def _plain(value: Any) -> Any:
    """Return the value with numpy's numbers as Python's and infinite ones as None."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not isfinite(value) else value
