"""Which promise bounds what: the risk of being linked, a sensitive column, the journalist; by what the plan asks."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.facts import TableFacts
from kohort.models import AVAILABLE_MODELS, PrivacyModel, bounds_linking
from kohort.report.words import at_most, columns_of
from kohort.typed import typed

UNMEASURED = "not measured here, since the release does not show whose the rows are"
PERSON_PICKED = "the chance of picking blindly the right one of the people who fit is "
ROW_PICKED = ", not that of picking a row of theirs, which is right the more often the more of the rows that fit are one person's"
FITTING = (
    "Picking one of those in the population table who fit a record, of somebody who may be in the released table or not "
    "(journalist)"
)


def linking_unmeasured(facts: TableFacts) -> str:
    """Return what bounds the risk of being picked out where people, who are not shown, were counted."""
    promises = [name for name, model in _asked(facts) if bounds_linking(model)]
    return f"{PERSON_PICKED if promises else ''}{_bounded(promises)}{ROW_PICKED if promises else ''}; {UNMEASURED}"


def inference_unmeasured(facts: TableFacts) -> str:
    """Return for each sensitive column what bounds it, and that nothing does where nothing does."""
    told = (
        f"{column}: {_bounded([name for name, model in _asked(facts) if column in model.reads])}"
        for column in columns_of(facts, "sensitive")
    )
    return f"{'; '.join(told)}; {UNMEASURED}"


def journalist_rows(facts: TableFacts) -> list[tuple[str, str, str]]:
    """Return the risk of whoever faces the population, where the fewest that fit a record were counted in it."""
    fewest = {verdict.promise: verdict.achieved for verdict in facts.verdicts}
    return [
        (FITTING, at_most(1 / people), "–")
        for name, model in _asked(facts)
        if _of_population(model) and (people := fewest.get(name))
    ]


def adversaries(facts: TableFacts) -> str:
    """Return whom the figures and the promises are about."""
    faced = [
        "journalist (does not know who is in the table, and faces the population, of which "
        f"{model.demand.population} or more fit every record by {name})"
        for name, model in _asked(facts)
        if _of_population(model)
    ]
    return ", ".join(["prosecutor (knows who is in the table)", "marketer (wants everybody)", *faced])


def _of_population(model: PrivacyModel) -> bool:
    """Tell whether a promise counts those of the population who fit."""
    return model.card.counts == "population"


def _asked(facts: TableFacts) -> Iterator[tuple[str, PrivacyModel]]:
    """Yield the name of every promise with the model that the plan asks for: what it bounds, it says itself."""
    names = [told.promise for told in facts.promises]
    for name, asked in zip(names, facts.asked.get("require", ()), strict=True):
        parameters = {key: value for key, value in asked.items() if key != "model"}
        yield name, typed(f"[[require]] {asked['model']}", AVAILABLE_MODELS[asked["model"]], parameters)


def _bounded(promises: list[str]) -> str:
    return (
        f"bounded by {', '.join(promises)}, which the holder checked in people"
        if promises
        else "bounded by no promise"
    )
