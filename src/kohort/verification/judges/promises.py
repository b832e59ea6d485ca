"""Judges the promises of a release from its cells, twice: by the model that the search used, and by its definition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Classes, Pairs, classes_of_columns
from kohort.errors import InputError, VerificationError
from kohort.hierarchy.cover import Cover
from kohort.models import Attribute, PrivacyModel, Reference, scale_of
from kohort.models.k_map import people_matching
from kohort.models.model import guards_of
from kohort.table import Column, Table
from kohort.third_parties import package_of
from kohort.verification.judges.definitions import Counted, Finding, Population, counted_rows
from kohort.verification.judges.matching import covering
from kohort.verification.judges.same_values import codes_among
from kohort.verification.judges.second_opinion import judges_itself, second_opinion, whole_of
from kohort.verification.judges.twice import Twice
from kohort.verification.judges.verdict import Verdict

GUARDED = "not judged: what people want guarded is not released, and only who made the release knows whose row is whose"
UNKNOWN = "not judged: it takes the original table, or the private audit, to tell"
DISAGREE = "the two judges of {} disagree ({}): a bug, please report it"
ITSELF = "judged by the model itself, which the search used"
POPULATION_UNKNOWN = "not judged: it takes the population table, or the private audit, to tell"


def judge_promises(
    released: Table,
    quasi: Sequence[str],
    models: Sequence[PrivacyModel],
    reference: Reference | None = None,
    respondents: IntArray | None = None,
) -> list[Verdict]:
    """Return a verdict for each promise, from nothing but the released cells.

    Classes are formed by the released quasi-identifier values as they are spelled; a missing value is a
    value. `reference` is the original table's distribution for the models that compare with it; without it
    they are not judged: how far classes are from the release's own distribution is told, and is something else.
    `respondents` names the person of each released row; without it rows are counted.
    """
    alone = reference is None
    reference = reference or own_reference(released, models, respondents)
    twice = Twice(
        released_classes(released, quasi, reference, respondents),
        released_counts(released, quasi, models, reference, respondents),
    )
    return judge_classes(twice, released, models, reference, alone)


def judge_classes(
    twice: Twice,
    labels: Table,
    models: Sequence[PrivacyModel],
    reference: Reference,
    alone: bool = False,
) -> list[Verdict]:
    """Return a verdict for each promise about classes that were counted elsewhere, by the model and by its definition.

    `labels` holds the released values in the coding of the classes; its rows are not looked at. `alone` says
    that the reference is the release's own.
    """
    population = None
    if reference.population is not None:
        covers = _covers(labels, reference)
        named = reference.population.respondents
        pairs = None if named is None else (named.owners, named.values)
        population = Population(reference.population.codes, reference.population.sizes, covers, pairs)
        reference = replace(reference, matching=partial(people_matching, reference.population, covers))
    known = replace(
        twice.counted,
        wholes={name: whole_of(attribute) for name, attribute in reference.attributes.items()},
        guards={name: attribute.labels for name, attribute in reference.guards.items()},
        population=population,
    )
    return [
        judged_by(model, _judge(model, reference, Twice(twice.classes, known), alone)) for model in models
    ]


def judged_by(model: PrivacyModel, verdict: Verdict) -> Verdict:
    """Return the verdict with the package whose code judged it, where that is not Kohort's own, and whether it did so once only."""
    alone = verdict.holds is not None and judges_itself(model)
    note = "; ".join(filter(None, (verdict.note, ITSELF if alone else "")))
    return replace(verdict, package=package_of(type(model)), note=note)


def asks_population(model: PrivacyModel) -> bool:
    """Whether it is a population that tells if the promise is kept, and not the original."""
    return model.card.counts == "population"


def _judge(model: PrivacyModel, reference: Reference, twice: Twice, alone: bool) -> Verdict:
    if guards_of(model) - set(twice.classes.sensitive):
        return Verdict(model.label, None, note=GUARDED)
    try:
        bound = model.bind(reference)
        found = Finding(bound.holds(twice.classes), bound.achieved(twice.classes))
    except InputError:  # it takes a population, a hierarchy or a column that is not at hand
        return Verdict(model.label, None, note=POPULATION_UNKNOWN if asks_population(model) else UNKNOWN)
    verdict = _compared(model, found, second_opinion(model, twice.counted), alone)
    return replace(verdict, note="; ".join(filter(None, (scale_of(bound), verdict.note))))


def _compared(model: PrivacyModel, found: Finding, second: Finding | None, alone: bool) -> Verdict:
    """Return the verdict that both judges give; what they do not agree on does not hold."""
    # How near a guard came to its breach would tell that somebody guards just that.
    achieved = None if guards_of(model) else found.achieved
    if second is not None and not found.agrees(second):
        figures = "" if achieved is None else f", {found.achieved:g} and {second.achieved:g}"
        said = " and ".join("kept" if one.holds else "broken" for one in (found, second))
        return Verdict(model.label, False, note=DISAGREE.format(made_by(model), f"{said}{figures}"))
    if alone and model.card.compares:
        return Verdict(model.label, None, note=UNKNOWN, in_itself=achieved)
    return Verdict(model.label, found.holds, achieved)


def made_by(model: PrivacyModel) -> str:
    """Return whose model it is, in words."""
    package = package_of(type(model))
    return f"the package {package}" if package else "Kohort"


def released_classes(
    released: Table, quasi: Sequence[str], reference: Reference, respondents: IntArray | None = None
) -> Classes:
    """Return the classes of the released rows; sensitive values are coded as in `reference`."""
    columns = [released[name].codes for name in quasi]
    sensitive = {
        name: (codes_in(released[name], attribute)[released[name].codes], len(attribute.labels))
        for name, attribute in {**reference.attributes, **reference.guards}.items()
        if name in released.columns
    }
    return classes_of_columns(columns, sensitive, respondents)[0]


def released_counts(
    released: Table,
    quasi: Sequence[str],
    models: Sequence[PrivacyModel],
    reference: Reference,
    respondents: IntArray | None = None,
) -> Counted:
    """Return the same classes as the definitions count them, with the columns that models read."""
    read: set[str] = set().union(*(model.reads for model in models))
    values = {
        name: codes_in(released[name], attribute)[released[name].codes]
        for name, attribute in {**reference.attributes, **reference.guards}.items()
        if name in read and name in released.columns
    }
    return counted_rows([released[name].codes for name in quasi], values, respondents)


def _covers(released: Table, reference: Reference) -> tuple[Cover, ...]:
    """Return which ground values each released label means, for every quasi-identifier."""
    covers = []
    for hierarchy in reference.hierarchies:
        cover = covering(released[hierarchy.name], hierarchy)
        if cover is None:
            raise VerificationError(
                f"column {hierarchy.name!r} holds released values that its hierarchy does not know",
                code="verify.failed",
                column=hierarchy.name,
            )
        covers.append(cover)
    return tuple(covers)


def own_reference(
    released: Table, models: Sequence[PrivacyModel], respondents: IntArray | None = None
) -> Reference:
    """Return the release's own distribution, for judging without the original."""
    read: set[str] = set().union(*(model.reads for model in models))
    for model in models:
        read -= guards_of(model)
    several = respondents is not None and len(np.unique(respondents)) < released.n_rows
    who = respondents if several else None
    return Reference(
        released.n_rows,
        {name: _own(released[name], who) for name in sorted(read) if name in released.columns},
        people=None if who is None else len(np.unique(who)),
    )


def with_guards(released: Table, original: Table, names: Sequence[str], rows: IntArray) -> Table:
    """Return the released table with the guards of its rows beside it, for whoever knows which rows these are."""
    guards = [Column(name, original[name].codes[rows], original[name].values) for name in names]
    return Table.of((*released, *guards), released.n_rows)


def _own(column: Column, who: IntArray | None) -> Attribute:
    pairs = None if who is None else Pairs.of(who, column.codes, len(column.values))[0]
    return Attribute(column.name, column.texts, column.counts(), pairs=pairs)


def codes_in(column: Column, attribute: Attribute) -> IntArray:
    """Return the code that `attribute` has for each distinct value of a released column."""
    codes = codes_among(column.texts, attribute.labels)
    if (codes < 0).any():
        raise foreign_value(column.name)
    return codes


def foreign_value(column: str) -> VerificationError:
    """Return what is said of a release with a value that cannot come from its original."""
    return VerificationError(
        f"the release holds values of {column!r} that the original does not have, or in a spelling that is neither its own nor "
        "one rule's for the whole column (numbers, truth values, a mark for missing that the plan does not list)",
        code="verify.failed",
        column=column,
    )
