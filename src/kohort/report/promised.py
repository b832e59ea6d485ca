"""Which promise bounds what: the risk of being linked, a sensitive column, the journalist; by what the plan asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kohort.facts import TableFacts
from kohort.models import AVAILABLE_MODELS
from kohort.report.words import at_most, columns_of

UNMEASURED = "not measured here, since the release does not show whose the rows are"
FITTING = (
    "Picking one of those in the population table who fit a record, of somebody who may be in the released table or not "
    "(journalist)"
)


def linking_unmeasured(facts: TableFacts) -> str:
    """Return what bounds the risk of being picked out where people, who are not shown, were counted."""
    return f"{_bounded([name for name, spec in _asked(facts) if _of_crowds(spec)])}; {UNMEASURED}"


def inference_unmeasured(facts: TableFacts) -> str:
    """Return for each sensitive column what bounds it, and that nothing does where nothing does."""
    told = (
        f"{column}: {_bounded([name for name, spec in _asked(facts) if column in _columns(spec)])}"
        for column in columns_of(facts, "sensitive")
    )
    return f"{'; '.join(told)}; {UNMEASURED}"


def journalist_rows(facts: TableFacts) -> list[tuple[str, str, str]]:
    """Return the risk of whoever faces the population, where the fewest that fit a record were counted in it."""
    fewest = {verdict.promise: verdict.achieved for verdict in facts.verdicts}
    return [
        (FITTING, at_most(1 / people), "–")
        for name, spec in _asked(facts)
        if _of_population(spec) and (people := fewest.get(name))
    ]


def adversaries(facts: TableFacts) -> str:
    """Return whom the figures and the promises are about."""
    faced = [
        "journalist (does not know who is in the table, and faces the population, of which "
        f"{spec['k']} or more fit every record by {name})"
        for name, spec in _asked(facts)
        if _of_population(spec)
    ]
    return ", ".join(["prosecutor (knows who is in the table)", "marketer (wants everybody)", *faced])


def _of_population(spec: Mapping[str, Any]) -> bool:
    """Tell whether a promise counts those of the population who fit."""
    model = AVAILABLE_MODELS.get(spec["model"])
    return model is not None and model.card.counts == "population"


def _asked(facts: TableFacts) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the name of every promise with what the plan says of it."""
    yield from zip((told.promise for told in facts.promises), facts.asked.get("require", ()), strict=True)


def _of_crowds(spec: Mapping[str, Any]) -> bool:
    """Tell whether a promise is about how many people a released combination points at."""
    return AVAILABLE_MODELS[spec["model"]].card.counts != "values" or spec.get("k", 1) > 1


def _columns(spec: Mapping[str, Any]) -> list[str]:
    return [*spec.get("columns", ()), *([spec["column"]] if "column" in spec else [])]


def _bounded(promises: list[str]) -> str:
    return (
        f"bounded by {', '.join(promises)}, which the holder checked in people"
        if promises
        else "bounded by no promise"
    )
