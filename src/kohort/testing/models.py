"""`check_model`: what every privacy model must keep."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from math import isinf

import numpy as np

from kohort.classes import Classes
from kohort.errors import InfeasibleError, InputError
from kohort.models import Monotone, PrivacyModel, Reference, sizes_decide
from kohort.models.model import guards_of
from kohort.pipeline import anonymize
from kohort.plan import Plan
from kohort.plurals import many
from kohort.testing.contract import ContractError, demand, demand_card
from kohort.testing.documented import check_documented
from kohort.testing.worlds import COLUMNS, SENSITIVE, World, merged, people, untold, world
from kohort.third_parties import offered
from kohort.typed import typed
from kohort.verification.judges.definitions import Finding
from kohort.verification.judges.second_opinion import second_opinion

SEARCHES = ("mingen", "mondrian")  # one level for every column, and boxes


def check_model(model: PrivacyModel, worlds: int = 200, seed: int = 0) -> None:
    """Demand of a model, with the parameters that it has here, all that searches and judges trust.

    Random classes are judged, merged and judged again: `failing`, `holds` and `achieved` agree, the order of classes does
    not matter, the monotone flags and the demand are true, the card says truly what is counted; people with several
    rows count once. Its definition, `judge(counted)`, says the same of the same classes. Then it is required of
    releases, which must be verified by both. Models that read a guard, or count a
    population, need worlds of their own and are refused. The values in the worlds are categories: a model about numbers
    is not served.
    """
    card = demand_card(type(model))
    demand(bool(card.guarantee), f"{card.name}: the guarantee on its card says what is promised")
    check_documented(type(model))
    if guards_of(model) or card.counts == "population":
        raise InputError(
            f"check_model does not serve {card.name}: it reads a guard or a population, which no world here has",
            code="package.not-checked",
            model=card.name,
        )
    demand(
        all(column in model.label for column in model.reads),
        f"{card.name}: the label names the columns that it reads",
    )
    _check_parameters(model)
    rng = np.random.default_rng(seed)
    drawn = [world(rng, sorted(model.reads), several) for several in (False, True) for _ in range(worlds)]
    seen = {_check_world(model, found, rng) for found in drawn}
    demand(
        seen == {True, False},
        f"{card.name}: {model.label} {'always' if True in seen else 'never'} held in {2 * worlds} random worlds, so nothing "
        "was shown; check it with other parameters (the values in these worlds are categories, so a model about numbers is "
        "not served)",
    )
    for found in drawn:
        _check_judge(model, found)
    _check_unknown(model)
    _check_releases(model, rng)


def _check_parameters(model: PrivacyModel) -> None:
    told = {f.name: getattr(model, f.name) for f in dataclasses.fields(model) if f.init}  # type: ignore[arg-type]
    again = typed(
        model.card.name, type(model), {name: value for name, value in told.items() if value is not None}
    )
    demand(again == model, f"{model.card.name}: made again from its own parameters it is another model")


def _check_world(model: PrivacyModel, found: World, rng: np.random.Generator) -> bool:
    name, classes = model.card.name, found.classes
    bound = model.bind(found.reference)
    failing = bound.failing(classes)
    demand(
        failing.dtype == np.bool_ and failing.shape == (len(classes),),
        f"{name}: failing must be a mask of the classes",
    )
    holds = bound.holds(classes)
    demand(holds == (not failing.any()), f"{name}: holds and failing contradict each other")
    demand(isinstance(bound.achieved(classes), float), f"{name}: achieved must be a float")
    _check_nothing(bound, classes)
    _check_order(bound, classes, rng)
    _check_demand(bound, classes)
    _check_monotone(bound, classes, merged(rng, classes))
    return bool(holds)


def _check_nothing(bound: PrivacyModel, classes: Classes) -> None:
    nothing = classes.kept(np.zeros(len(classes), np.bool_))
    name = bound.card.name
    demand(len(bound.failing(nothing)) == 0 and bound.holds(nothing), f"{name}: no classes break nothing")
    demand(isinf(bound.achieved(nothing)), f"{name}: what no classes achieve is infinite")


def _check_judge(model: PrivacyModel, found: World) -> None:
    """The definition that the verifier decides by is there, and says of all classes, and of none, what the model does."""
    name, bound = model.card.name, model.bind(found.reference)
    nothing = np.zeros(len(found.class_of), np.bool_)
    for classes, counted in (
        (found.classes, found.counted()),
        (found.classes.kept(np.zeros(len(found.classes), np.bool_)), found.counted(nothing)),
    ):
        second = second_opinion(model, counted)
        if second is None:
            raise ContractError(
                f"{name}: it has no judge(counted: Counted) -> Finding, the definition once more, by which the verifier decides"
            )
        first = Finding(bound.holds(classes), bound.achieved(classes))
        demand(
            first.agrees(second),
            f"{name}: the model and its judge contradict each other: {_said(first)} and {_said(second)}, of "
            f"{many(len(classes), 'class', 'classes')}",
        )


def _said(finding: Finding) -> str:
    return f"{'kept' if finding.holds else 'broken'} ({finding.achieved:g})"


def _check_order(bound: PrivacyModel, classes: Classes, rng: np.random.Generator) -> None:
    name, order = bound.card.name, rng.permutation(len(classes))
    turned = classes.kept(order)
    failing = bound.failing(classes)
    demand(
        bool((bound.failing(turned) == failing[order]).all()),
        f"{name}: its verdicts depend on the order of classes",
    )
    if bound.card.classwise:
        some = order[: len(order) // 2 + 1]
        alike = bound.failing(classes.kept(some)) == failing[some]
        demand(bool(alike.all()), f"{name}: a class is judged by others, and its card says classwise")
    if bound.card.counts == "people":
        bare = dataclasses.replace(classes, sensitive={}, holders={})
        demand(
            bool((bound.failing(bare) == failing).all()),
            f"{name}: sizes do not decide, and its card says they do",
        )
    if sizes_decide([bound]):
        demand(
            bool((failing == (classes.sizes < bound.demand.crowd)).all()),
            f"{name}: its card says that people are all it counts, and a class of {bound.demand.crowd} or more fails",
        )


def _check_demand(bound: PrivacyModel, classes: Classes) -> None:
    name, asked = bound.card.name, bound.demand
    kept = classes.kept(~bound.failing(classes))
    demand(
        bool((kept.sizes >= asked.least_size).all()),
        f"{name}: a class keeps the promise with fewer people than its demand says ({asked.least_size})",
    )
    for gain in asked.gains:
        held = kept.sensitive[gain.column].distinct()
        demand(
            bool((held >= gain.least).all()),
            f"{name}: a class keeps the promise with fewer values than its demand says",
        )


def _check_monotone(bound: PrivacyModel, fine: Classes, coarse: Classes) -> None:
    name = bound.card.name
    before, after = bound.failing(fine), bound.failing(coarse)
    if Monotone.GENERALIZATION in bound.monotone and not before.any():
        demand(not after.any(), f"{name}: merging broke the promise, and it says Monotone.GENERALIZATION")
    if Monotone.SUPPRESSION in bound.monotone:
        demand(
            bool(coarse.rows[after].sum() <= fine.rows[before].sum()),
            f"{name}: merging raised what must be suppressed, and it says Monotone.SUPPRESSION",
        )


def _check_unknown(model: PrivacyModel) -> None:
    """A column that the table does not have is refused by name."""
    if not model.reads:
        return
    try:
        bound = model.bind(Reference(4))
        bound.failing(world(np.random.default_rng(1), []).classes)
    except InputError as refusal:
        demand(
            any(column in str(refusal) for column in model.reads),
            f"{model.card.name}: the refusal names no column",
        )
        return
    raise ContractError(f"{model.card.name}: a column that is not there is not refused with InputError")


def _check_releases(model: PrivacyModel, rng: np.random.Generator, tables: int = 3) -> None:
    released = 0
    for search in SEARCHES[:1] if model.card.levels else SEARCHES:
        for _ in range(tables):
            released += _released(model, search, rng)
    demand(
        released > 0,
        f"{model.card.name}: no release of random people kept {model.label}; check it with other parameters",
    )


def _released(model: PrivacyModel, search: str, rng: np.random.Generator) -> bool:
    sensitive: Sequence[str] = sorted(model.reads)
    columns = COLUMNS | dict.fromkeys(sensitive, SENSITIVE)
    recode = {"algorithm": search, "max_suppression": 0.9}
    try:
        with offered("kohort.models", type(model)):
            plan = Plan.from_dict({"columns": columns, "require": [model], "recode": recode})
            release = anonymize(people(rng, 40, sensitive), plan)
    except InfeasibleError as none:
        demand(untold(str(none)), f"{model.card.name}: a message quotes a cell")
        return False
    kept = [verdict for verdict in release.verdicts if model.label in verdict.promise]
    demand(
        bool(kept) and all(verdict.holds for verdict in release.verdicts),
        f"{model.card.name}: a release is not verified",
    )
    return True
