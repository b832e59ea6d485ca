"""What came out of a table, for the terminal and for scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from kohort.facts import ReleaseFacts
from kohort.metrics import Adds, metrics_that_add
from kohort.plurals import many
from kohort.report.columns import generalized
from kohort.report.company import company
from kohort.report.left_out import hardest_hit, shows_blank
from kohort.report.notices import several_rows, shared_values, unpromised
from kohort.report.scores import measures
from kohort.tables.cautions import PERTURBED, columns_gone, what_to_do_about

SHOWN = (
    "rows", "released", "suppressed", "classes", "levels", "objective", "score", "optimal", "verdicts", "losses",
    "seconds", "algorithm", "ledger", "task", "warnings", "several_rows",
)  # fmt: skip


def summary(facts: ReleaseFacts) -> dict[str, Any]:
    """Return what `--json` prints: the facts that scripts ask for first, and what the search did."""
    told = facts.to_dict()
    search = {name: figure for name, figure in told["search"].items() if name != "figures"}
    asked = {name: told[name] for name in SHOWN} | search
    return {name: figure for name, figure in asked.items() if figure not in (None, "")}


def outcome(facts: ReleaseFacts, plan: Path | None = None) -> Iterator[object]:
    """Yield what came out, line by line: rows, levels, the score, and what must not be overlooked.

    `plan` is the file that asked for it, for commands that name it.
    """
    yield _rows(facts)
    hit = hardest_hit(facts)
    if hit:
        yield Text(hit)
    if facts.levels:
        yield _levels(facts, facts.levels)
    if company(facts).scored and measures(facts, facts.objective):
        yield (
            f"{facts.objective} {facts.score:.6g}, less being better{_mean(facts.objective)} ({facts.algorithm.name}, "
            f"{_proved(facts)})"
        )
    if facts.search.stopped is not None:
        yield escape(_stopped(facts, facts.search.stopped))
    yield from map(Text, _cautions(facts))
    task = facts.task
    if task is not None:
        yield Text(
            f"predicting {task.target} of {task.tested_on:,} rows: {task.original:.1%} right from the original, {task.release:.1%} "
            f"from the release, {task.baseline:.1%} by always saying the most frequent value"
        )
    if facts.undeclared:
        yield Text(f"not released, because the plan does not name them: {', '.join(facts.undeclared)}")
    if unpromised(facts):
        yield Text(f"{unpromised(facts)}; a [[require]] of diversity or closeness would")
    if gone := columns_gone(facts):
        yield Text(what_to_do_about(gone, plan))
    if facts.several_rows:
        yield Text(several_rows(facts.several_rows))


def _rows(facts: ReleaseFacts) -> str:
    share, told = facts.suppressed / max(facts.rows, 1), company(facts)
    blank, counted = (
        (", with * in every quasi-identifier", " (with the blank ones)") if shows_blank(facts) else ("", "")
    )
    return (
        f"{facts.released:,} of {facts.rows:,} rows released in {many(told.number(facts), told.name, told.names)}{counted}; "
        f"{facts.suppressed:,} suppressed ({share:.1%}){blank}{_cells(facts)}"
    )


def _cells(facts: ReleaseFacts) -> str:
    """Return how many cells of released rows are told as *, where an algorithm suppresses single ones."""
    stars = facts.search.figures.get("suppressed_cells", 0)
    return f"; {many(stars, 'single cell')} suppressed" if stars else ""


def _levels(facts: ReleaseFacts, levels: Mapping[str, int]) -> Table:
    table = Table("column", "level", "of", "detail lost", box=None, pad_edge=False)
    columns = generalized(facts)
    for name, level in levels.items():
        column = columns[name]
        table.add_row(escape(name), str(level), str(column.height), f"{column.loss:.0%}")
    return table


def _mean(objective: str) -> str:
    """Return that a score is no plain mean of what stands above it, where it is a geometric one."""
    return ", a geometric mean over columns" if objective in metrics_that_add((Adds.PRODUCT,)) else ""


def _proved(facts: ReleaseFacts) -> str:
    """Return how near to the best possible score the search is known to have come."""
    if facts.optimal:
        return "proved optimal"
    bound, gap = facts.search.bound, facts.search.gap
    if bound is None:
        return "not proved optimal"
    told = "" if gap is None else f", a gap of {gap:.1%}"
    return f"not proved optimal; nothing can score below {bound:.6g}{told}"


def _stopped(facts: ReleaseFacts, stopped: str) -> str:
    """Return why the search was over before its end, and what was released."""
    why = {"time_limit": "at the time limit", "interrupt": "by Ctrl-C"}.get(stopped, "as asked")
    gap, seconds = facts.search.gap, facts.seconds["search"]
    known = "how near to the best possible it is, is not known" if gap is None else f"gap {gap:.1%}"
    return f"stopped {why} after {seconds:.1f} s: the best so far is verified and released, {known}"


def _noise(facts: ReleaseFacts) -> list[str]:
    """Return what noise was promised and how much there is of it, and which cells stand for others."""
    if not facts.noise:
        return []
    scales = ", ".join(f"{name} ±{scale:.3g}" for name, scale in facts.noise.items())
    told = [
        facts.algorithm.guarantee,
        f"noise on the mean of a group, on average: {scales}; larger groups have less, and no released mean leaves the declared "
        "bounds, however large the noise",
    ]
    for name, cells in facts.displaced.items():
        if cells.unread or cells.outside:
            told.append(
                f"{name}: {many(cells.unread, 'record is', 'records are')} missing or no number and counted as declared for these; "
                f"{cells.outside:,} lie outside the bounds and count as the nearest"
            )
    return told


def _cautions(facts: ReleaseFacts) -> list[str]:
    """Return what must not be overlooked: values that are not true, groups that tell."""
    told = []
    if not facts.algorithm.truthful:
        told.append(PERTURBED)
    told += [*_noise(facts), *company(facts).cautions(facts)]
    told += [
        f"{shared}: whoever finds it knows the value; a promise of diversity would prevent that"
        for shared in shared_values(facts, company(facts).name)
    ]
    return told
