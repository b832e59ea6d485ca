"""What a table achieves: every model's parameter, the risks, and what points at single people.

`audit_facts` is a plain dict of numbers that JSON can hold; it quotes no cell. An infinite figure is None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes, Pairs, classes_of_rows, columns_of
from kohort.errors import InputError
from kohort.hierarchy import SUPPRESSED, Hierarchy
from kohort.models import Attribute, Reference
from kohort.risk.columns import leaving_out
from kohort.risk.crowds import crowds
from kohort.risk.diversity import diversity_facts
from kohort.risk.population import population_uniques
from kohort.risk.reidentification import at_risk, distribution, journalist, marketer, prosecutor
from kohort.risk.uniques import sample_uniques
from kohort.table import Table

SUBSETS_TOLD = 25


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
    """Return what the table achieves, judged by its own cells.

    A missing value counts as a value. A row whose quasi-identifiers are all `*` is suppressed: it tells
    nothing by them, but if such rows are few they stand out together. So they are counted, the figures at the top
    leave them out, and `with_suppressed` judges the table with them as the one class that they look like.
    Distributions are compared with that of all rows. `hierarchies` of sensitive columns give the ordered
    and hierarchical distances; a population table or a sampling fraction gives the journalist's risk.
    """
    _check(table, quasi, sensitive, respondent)
    codes = columns_of([table[name].codes for name in quasi])
    watched = {name: (table[name].codes, len(table[name].values)) for name in sensitive}
    people = None if respondent is None else table[respondent].codes
    reference = _reference(table, sensitive, people, hierarchies or {})
    blank = suppressed_rows(table, quasi)
    facts: dict[str, Any] = {
        "rows": table.n_rows,
        "quasi": list(quasi),
        "sensitive_columns": list(sensitive),
        "respondent": respondent,
        "respondents": None if people is None else len(np.unique(people)),
        "missing": {name: _missing(table, name) for name in (*quasi, *sensitive)},
        "suppressed": int(blank.sum()),
    }

    def classes_where(kept: BoolArray | None) -> Classes:
        if kept is None:
            return classes_of_rows(codes, watched, people)[0]
        held = {name: (values[kept], size) for name, (values, size) in watched.items()}
        return classes_of_rows(codes[kept], held, None if people is None else people[kept])[0]

    told = classes_where(~blank if blank.any() else None)
    facts |= judged(told, reference)
    facts["population"] = _population(told, table, quasi, respondent, sampling_fraction, population)
    facts["uniqueness"] = uniqueness_facts(told, quasi, subset_size)
    facts["with_suppressed"] = judged(classes_where(None), reference) if blank.any() else None
    plain: dict[str, Any] = _plain(facts)
    return plain


def judged(classes: Classes, reference: Reference) -> dict[str, Any]:
    """Return k, the risks and every diversity figure of the classes."""
    found, risk = crowds(classes), prosecutor(classes)
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
            "marketer": marketer(classes),
            "at_risk": [
                {"above": float(t), "people": count, "share": count / max(found.total, 1)}
                for t, count in at_risk(found).items()
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


def suppressed_rows(table: Table, quasi: Sequence[str]) -> BoolArray:
    """Mark the rows that show `*` in every quasi-identifier."""
    blank = np.ones(table.n_rows, np.bool_)
    for name in quasi:
        stars = np.array([text == SUPPRESSED for text in table[name].texts], np.bool_)
        if not stars.any():
            return np.zeros(table.n_rows, np.bool_)
        blank &= stars[table[name].codes]
    return blank


def _population(
    classes: Classes,
    table: Table,
    quasi: Sequence[str],
    respondent: str | None,
    fraction: float | None,
    population: Table | None,
) -> dict[str, Any] | None:
    """Return the journalist's and the marketer's risk, and the people unique in the population."""
    if population is not None:
        faced, total = _matching(classes, table, population, quasi, respondent)
        return {
            "people": total,
            "journalist": asdict(journalist(classes, faced)),
            "marketer": marketer(classes, faced),
            "larger_than_population": int((classes.sizes > faced).sum()),
            "unique_classes": int((np.maximum(faced, classes.sizes) == 1).sum()),
        }
    if fraction is None:
        return None
    risks = {"journalist": asdict(journalist(classes, fraction)), "marketer": marketer(classes, fraction)}
    if len(classes) == 0:
        return {**risks, "estimates": None}
    uniques = population_uniques(classes.sizes, fraction)
    return {
        "people": uniques.population,
        **risks,
        "estimates": {**asdict(uniques), "estimate": uniques.estimate, "share": uniques.share},
    }


def _matching(
    classes: Classes, table: Table, population: Table, quasi: Sequence[str], respondent: str | None
) -> tuple[IntArray, int]:
    """Return the people of the population that fit each class, and all of them: rows where it does not name people."""
    columns = []
    for name in quasi:
        code_of = {text: code for code, text in enumerate(table[name].texts)}
        mapped = np.array([code_of.get(text, -1) for text in population[name].texts], np.int32)
        columns.append(mapped[population[name].codes] if population.n_rows else np.zeros(0, np.int32))
    rows = np.column_stack(columns)
    fitting = (rows >= 0).all(axis=1)
    named = respondent is not None and respondent in population.columns
    who = population[str(respondent)].codes if named else np.arange(population.n_rows)
    # Each class stands among the population as one person more, so that it is found there.
    strangers = int(who.max(initial=-1)) + 1 + np.arange(len(classes))
    codes = np.concatenate([rows[fitting], classes.codes]).astype(np.int32)
    both, class_of = classes_of_rows(codes, respondents=np.concatenate([who[fitting], strangers]))
    own = class_of[len(codes) - len(classes) :]
    return np.asarray(both.sizes[own] - 1), len(np.unique(who))


def _reference(
    table: Table, sensitive: Sequence[str], people: IntArray | None, hierarchies: Mapping[str, Hierarchy]
) -> Reference:
    """Return the distributions of the whole table, of people where some have several rows."""
    number = None if people is None else len(np.unique(people))
    who = None if number == table.n_rows else people
    attributes = {name: _attribute(table, name, who, hierarchies.get(name)) for name in sensitive}
    return Reference(table.n_rows, attributes, people=None if who is None else number)


def _attribute(table: Table, name: str, who: IntArray | None, hierarchy: Hierarchy | None) -> Attribute:
    column = table[name]
    ground = None if hierarchy is None else hierarchy.encode(column.texts, column.counts())
    pairs = None if who is None else Pairs.of(who, column.codes, len(column.values))[0]
    return Attribute(name, column.texts, column.counts(), hierarchy, ground, pairs)


def _missing(table: Table, name: str) -> int:
    column = table[name]
    return sum(int(c) for text, c in zip(column.texts, column.counts(), strict=True) if text is None)


def _check(table: Table, quasi: Sequence[str], sensitive: Sequence[str], respondent: str | None) -> None:
    if not quasi:
        raise InputError("audit: no quasi-identifier is named; say which columns could identify a person")
    if table.n_rows == 0:
        raise InputError("audit: the table has no rows")
    named = [*quasi, *sensitive, *([] if respondent is None else [respondent])]
    twice = sorted({name for name in named if named.count(name) > 1})
    if twice:
        raise InputError(
            f"audit: {', '.join(map(repr, twice))} is named more than once; a column is quasi-identifier, "
            "sensitive or respondent"
        )
    for name in named:
        table[name]  # raises where there is no such column


def _plain(value: Any) -> Any:
    """Return the value with numpy's numbers as Python's and infinite ones as None."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not isfinite(value) else value
