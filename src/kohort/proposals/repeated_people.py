"""Whether people seem to have several rows though no column names them: rows agree in their lasting traits more than by chance.

It is said where that is strong: of a birth with a sex or a place, or of a column that may name people, or a birth, which two
others go with that have nothing to do with each other. That a column repeats is too little, as most columns do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice, product

from kohort.plurals import many
from kohort.proposals.agreeing import Agreeing, Tuples, bound_by, rows_agreeing, tuples_of
from kohort.proposals.concepts import concept_of
from kohort.proposals.evidence import Evidence
from kohort.proposals.proposal import Proposal
from kohort.proposals.respondent import NAMING, asks_whose
from kohort.proposals.traits import BIRTH, PLACE, SEX, Trait, trait_of, traits_of
from kohort.table import Table

_SHOWN = 5  # columns in a warning
_BESIDE = 8  # columns of a plan that are looked at beside a birth
_TRIED = 6  # of the combinations of traits, the likeliest first
_MEANS = "people seem to have several rows, and promises count rows as long as no column names the person"
# What goes with a column that names no people: a ward, a shop or a school has a place.
_OF_PLACES = ("a place", "a postal code", "a nationality or country", "countries", "an institution")
_OF_PLACES_TOO = (
    "somebody who teaches, treats or advises",
    "a branch of industry",
    "a ward or clinic, and so often a diagnosis",
)


def repeated_people(table: Table, proposals: Sequence[Proposal]) -> list[str]:
    """Return a warning where people seem to have several rows and nothing is proposed to count them by; else nothing."""
    if any(found.respondent for found in proposals):
        return []
    evidence = [Evidence(table[found.column]) for found in proposals]
    asked = [
        found.column
        for found, values in zip(proposals, evidence, strict=True)
        if asks_whose(found) and not values.is_counted and (found.concept is None or found.concept in NAMING)
    ]
    beside = [found.column for found in proposals if found.concept not in (*_OF_PLACES, *_OF_PLACES_TOO)]
    dated = {values.column.name for values in evidence if values.date_format is not None}
    traits = traits_of(proposals, evidence)
    said = _agreeing(tuples_of(table), traits, dated) or _bound(
        lambda name: tuples_of(table, name), (*_born(traits, dated), *asked), beside
    )
    return [f"{said}; {_to_do(asked)}"] if said else []


def repeated_in(
    table: Table,
    names: Sequence[str],
    tuples: Tuples,
    naming: Sequence[str] = (),
    agreeing: Agreeing | None = None,
) -> str:
    """Return what in the columns of a plan without a respondent speaks for people with several rows; "" for nothing.

    Of columns whose rows are elsewhere, `tuples` counts. Columns that are `naming` somebody may tell whose rows are, and
    `agreeing` how these go with others.
    """
    evidence = {name: Evidence(table[name]) for name in names}
    concepts = {name: _concept(name, values) for name, values in evidence.items()}
    found = (trait_of(name, concepts[name], values) for name, values in evidence.items())
    traits = [trait for trait in found if trait is not None]
    dated = {name for name, values in evidence.items() if values.date_format is not None}
    beside = [name for name, concept in concepts.items() if concept not in (*_OF_PLACES, *_OF_PLACES_TOO)]
    others = [name for name in beside if name not in dated][:_BESIDE]
    return (
        _agreeing(tuples, traits, dated)
        or _bound(lambda _: tuples, naming, names[:_BESIDE], agreeing)
        or _bound(lambda _: tuples, _born(traits, dated), others)
    )


def _concept(name: str, values: Evidence) -> str:
    concept = concept_of(name)
    return concept.name if concept is not None else values.kind.name if values.kind is not None else ""


def _agreeing(tuples: Tuples, traits: Sequence[Trait], dated: Collection[str]) -> str:
    """Return that rows agree in a birth with a sex or a place, and what that means; "" where they do not."""
    for key in islice(_keys(traits), _TRIED):
        if rows := rows_agreeing(tuples, key, dated):
            names = " and ".join([", ".join(key[:-1]), key[-1]])
            return f"{many(rows, 'row agrees', 'rows agree')} with another one in {names}, far more than by chance: {_MEANS}"
    return ""


def _bound(
    tuples: Callable[[str], Tuples],
    names: Sequence[str],
    beside: Sequence[str],
    agreeing: Agreeing | None = None,
) -> str:
    """Return that two columns go with one that may tell people apart, and what that means; "" where they do not."""
    for name in names:
        if both := bound_by(tuples(name), name, [other for other in beside if other != name], agreeing):
            said = f"rows that agree in {name} agree in {both[0]} and {both[1]} too"
            return f"{said}, far more than by chance: {_MEANS}"
    return ""


def _born(traits: Sequence[Trait], dated: Collection[str]) -> list[str]:
    """Return the columns that may be days of birth."""
    return [trait.column for trait in traits if trait.kind == BIRTH and trait.column in dated]


def _to_do(asked: Sequence[str]) -> str:
    which = f"if one of {', '.join(asked[:_SHOWN])} does, name it" if asked else "add one, and name it"
    return f"{which} as [input] respondent"


def _keys(traits: Sequence[Trait]) -> Iterator[tuple[str, ...]]:
    """Yield what may tell people apart: one trait of each kind, always one of birth; that which is known first."""
    births, sexes, places = (
        sorted((t for t in traits if t.kind == kind), key=lambda t: t.likely) for kind in (BIRTH, SEX, PLACE)
    )
    for kinds in ((births, sexes, places), (births, sexes), (births, places)):
        if all(kinds):
            yield from (tuple(trait.column for trait in found) for found in product(*kinds))
