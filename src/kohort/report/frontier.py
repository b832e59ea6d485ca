"""The frontier: what each value of a parameter costs, and what risk remains."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from kohort.facts.release import Point
from kohort.report.blocks import Block, chart, table, text
from kohort.report.charts import line
from kohort.report.words import at_most, count, number, percent
from kohort.signs import harmless

STYLE = (
    "<style>svg{font:13px system-ui,sans-serif;background:#fff}.label,.value{fill:#334155}.axis{stroke:#64748b}"
    ".line{fill:none;stroke:#0f766e;stroke-width:2}.dot{fill:#0f766e}</style>"
)


def frontier(points: Sequence[Point]) -> list[Block]:
    """Return the frontier as picture and table, where it was asked for."""
    if not points:
        return []
    name, lost = _parameter(points), scored_by(points)
    return [
        text(
            "What the plan's algorithm finds for each value of the parameter; where it does not prove its "
            f"optimum, there may be better. {meaning(points)}"
        ),
        chart(_drawn(points), f"{lost} for each value of {name}, with the highest risk that remains"),
        table(
            ("", lost, "highest risk (prosecutor)", "average risk (prosecutor)", "rows suppressed"),
            [(f"{name} = {point.value}", *_figures(point)) for point in points],
            (1, 2, 3, 4),
        ),
    ]


def scored_by(points: Sequence[Point]) -> str:
    """Return by what the points are scored; that each has a score of its own where objectives differ."""
    found = {point.objective for point in points if point.feasible}
    return found.pop() if len(found) == 1 else "score, each by its own objective"


def meaning(points: Sequence[Point]) -> str:
    """Return whose the figures are, and what they are shares of."""
    whom = next((point.counted for point in points if point.counted), "records")
    rows = next((f"{count(point.rows)} " for point in points if point.rows), "")
    one = {"people": "person", "records": "record"}.get(whom, whom)
    either = ", a row or a person being picked, whichever is likelier to be right" if whom == "people" else ""
    return (
        f"{_better(points)} Risks are bounds, rounded up, of picking out somebody known to be in the table by "
        f"quasi-identifiers (prosecutor){either}: the highest of any {one}, and the average over all {whom} in the release. "
        f"Suppressed are rows, of the {rows}of the original.{_unlike(points)}"
    )


def _better(points: Sequence[Point]) -> str:
    """Return that less is better, of what the points are scored by."""
    found = {point.objective for point in points if point.feasible}
    return f"Less {found.pop()} is better." if len(found) == 1 else "Of each score less is better."


def _unlike(points: Sequence[Point]) -> str:
    """Return what the figures do not say of releases that are no generalized table."""
    said = ""
    if any(point.perturbed for point in points):
        said += " Values are perturbed: the score is that of the groups as if they were told by intervals, not of what is released."
    if any(point.apart for point in points):
        said += (
            " Quasi-identifiers stand as they are, beside groups of sensitive values: classes and risks are those of the exact "
            "quasi-identifiers, not of the groups, and no promise bounds them."
        )
    return said


def _figures(point: Point) -> tuple[str, str, str, str]:
    if not point.feasible:
        return without(point.feasible, point.code), "–", "–", "–"
    risks = at_most(point.highest_risk), at_most(point.average_risk)
    return number(point.score), *risks, suppressed(point)


def suppressed(point: Point) -> str:
    """Return how many rows were suppressed, and which share of all that is, where these were counted."""
    if point.suppressed is None or not point.rows:
        return count(point.suppressed)
    return f"{count(point.suppressed)} ({percent(point.suppressed / point.rows)})"


def without(feasible: bool | None, code: str) -> str:
    """Return what is told where a value has no release: that there is none, or only that none was found."""
    if code == "search.unfinished":
        return "stopped before any was found"
    return "none found" if feasible is None else "no solution"


def frontier_svg(points: Sequence[Point]) -> str:
    """Return the best score for each value of the parameter, with the highest risk that remains, as an SVG file."""
    return harmless(str(_drawn(points))).replace("<title>", f"{STYLE}<title>", 1)


def _drawn(points: Sequence[Point]) -> Markup:
    reached = [point for point in points if point.feasible]
    name = _parameter(points)
    unit = scored_by(points) if reached else "nothing found"
    return line(
        f"{unit} by {name}",
        [
            (f"{name} = {p.value}", f"highest risk {at_most(p.highest_risk)}", score, f"{score:.3g}")
            for p in reached
            if (score := p.score) is not None
        ],
        unit,
    )


def _parameter(points: Sequence[Point]) -> str:
    return points[0].parameter.rsplit(".", 1)[-1]
