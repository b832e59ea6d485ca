"""What is told of the population that a table is from: counted where it is at hand, else estimated with an interval."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.facts.table_audit import Estimated, Estimates, Population, Sampled
from kohort.report.words import at_most, between, count, estimates, number, percent

IF_SAMPLED = (
    "Estimated from the sampling fraction: if the table is a simple random sample, the mean of 1/F over people of the table, "
    "F being how many of the population share their quasi-identifiers. Intervals are of 95 % and assume nothing else of the "
    "population."
)


def population_figures(told: Population) -> Iterator[tuple[str, str]]:
    """Yield figures and their values."""
    if told.people is not None:
        yield "people of the population" + (", by the fraction" if told.sampled else ""), count(told.people)
    if told.journalist is not None:
        yield (
            "journalist's risk, one of those who fit picked blindly, highest",
            percent(told.journalist.highest),
        )
        yield "the same on average, which is the marketer's risk", percent(told.journalist.average)
    if told.sampled is not None:
        yield from _sampled(told.sampled)
    if told.estimates is not None:
        yield from _uniques(told.estimates)


def _sampled(told: Sampled) -> Iterator[tuple[str, str]]:
    small = f"people in classes of {count(told.smallest_class)}"
    yield "journalist's risk, estimated, average over all people", _estimated(told.average)
    yield f"the same over the {count(told.smallest.people)} {small}", _estimated(told.smallest)
    yield "nobody's is above, with 95 % confidence for all at once", at_most(told.at_most)


def _estimated(told: Estimated) -> str:
    ends = between(told.low, told.high)
    if told.estimate is None:
        return f"no model fits; 95 % interval {ends}"
    return f"{percent(told.estimate)} by {told.model}; 95 % interval {ends}"


def _uniques(told: Estimates) -> Iterator[tuple[str, str]]:
    ends = f"95 % interval {number(int(told.low))} to {number(-int(-told.high // 1))}"
    found = (
        "no estimate, for the model contradicts the sample"
        if told.estimate is None
        else f"{round(told.estimate):,} ({percent(told.share)}) by {told.chosen}"
    )
    others = ", ".join(f"{name} {_by_model(estimate, told)}" for name, estimate in estimates(told))
    yield "unique in the population, estimated", f"{found}; {ends}; by each model: {others}"


def _by_model(estimate: float | None, told: Estimates) -> str:
    """Return what a model says, which is no estimate where it is infinite or the interval excludes it."""
    if estimate is None or not told.low <= estimate <= told.high:
        return "did not fit"
    return number(estimate)
