"""What is said of one record of the original, and of what columns cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kohort.facts import ReleaseFacts
from kohort.facts.explanation import ColumnCost, RowExplained
from kohort.plurals import many, people
from kohort.report.words import count, percent

FATES = {
    "released": "is released",
    "left out": "was left out",
    "blank": "stands in the table with * in every quasi-identifier",
}


def said_of_row(told: RowExplained, facts: ReleaseFacts) -> Iterator[str]:
    """Yield what became of a row and why, in lines."""
    yield f"row {told.row:,} {FATES[told.fate]}"
    yield f"  {_shared(told, facts)}"
    for promise in told.promises:
        kept = "kept" if promise.kept else "broken"
        achieved = "" if promise.achieved is None else f" (this class alone achieves {promise.achieved:.4g})"
        yield f"  {promise.promise}: {kept} by that class{achieved}"
    if told.fate != "released":
        yield from (f"  {line}" for line in _taken(told))
    else:
        yield f"  {_released(told, facts)}"


def _shared(told: RowExplained, facts: ReleaseFacts) -> str:
    who = people(told.people) if facts.counted == "people" else many(told.people, "record")
    rows = f" in {many(told.rows, 'row')}" if told.rows != told.people else ""
    if told.by_levels:
        return f"its class at the released levels holds {who}{rows}, itself included"
    return f"{who}{rows}, itself included, share its quasi-identifiers as exactly as the plan allows them to be told"


def _taken(told: RowExplained) -> Iterator[str]:
    """Yield what it would have taken to keep the row."""
    if all(promise.kept for promise in told.promises):
        yield "no promise is broken by that class: the search gave the row up for the score, or for the sake of others"
    enough = [step for step in told.coarser if step.kept]
    for step in enough:
        levels = "one level" if step.steps == 1 else f"{step.steps} levels"
        yield (
            f"it would have taken: {step.column} told {levels} more coarsely ({step.level}), all else as it is; then "
            f"{count(step.people)} would share its class, and every promise would be kept"
        )
    if not enough:
        yield "no single column, however coarsely it is told, would have kept it; several together, or a weaker promise, might"
    achieved = [
        f"{p.promise} at {p.achieved:.4g}" for p in told.promises if not p.kept and p.achieved is not None
    ]
    if achieved:
        yield f"or weaker promises: what its class achieves is {', '.join(achieved)}"


def _released(told: RowExplained, facts: ReleaseFacts) -> str:
    if told.by_levels:
        return "with these rows it stands in the release as one class"
    method = facts.algorithm
    least = min((sizes.least for sizes in facts.class_sizes), default=0)
    if not method.truthful:
        return f"{method.name} perturbs: its quasi-identifiers are told as values that stand for a group, and need not be true"
    if facts.apart is not None:
        return (
            f"{method.name} tells its quasi-identifiers as they are, and {facts.apart.column} by groups of at least "
            f"{many(facts.apart.least, 'row')}; in which group it is was not kept"
        )
    return f"{method.name} decides row by row: in which class it stands was not kept; the smallest holds {count(least)}"


def said_of_columns(costs: Sequence[ColumnCost], facts: ReleaseFacts, seconds: float) -> Iterator[str]:
    """Yield what each column costs, the costliest first, and how that was computed."""
    if not costs:
        yield "there is one quasi-identifier: without it nothing would be lost"
        return
    yield (
        f"what each column costs: the plan's own search ({facts.algorithm.name}) without it, at most {seconds:g} s each; detail "
        "lost is the mean over the other columns, rows left out counted as lost"
    )
    for cost in costs:
        yield f"  {cost.column}: {_cost(cost, facts)}"


def _cost(cost: ColumnCost, facts: ReleaseFacts) -> str:
    if cost.without is None:
        return f"not known, because {cost.because}"
    stopped = "; stopped at the time limit: a longer search may lose less" if cost.stopped else ""
    return (
        f"the others lose {percent(cost.others)} with it and {percent(cost.without)} without it; rows left out "
        f"{count(facts.suppressed)} and {count(cost.left_out or 0)}{stopped}"
    )
