"""The frontier: what each value of a parameter costs, and what risk remains."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from kohort.facts.release import Point
from kohort.report.blocks import Block, chart, table, text
from kohort.report.charts import line
from kohort.report.words import at_most, count, number

STYLE = (
    "<style>svg{font:13px system-ui,sans-serif;background:#fff}.label,.value{fill:#334155}.axis{stroke:#64748b}"
    ".line{fill:none;stroke:#0f766e;stroke-width:2}.dot{fill:#0f766e}</style>"
)


def frontier(points: Sequence[Point]) -> list[Block]:
    """Return the frontier as picture and table, where it was asked for."""
    if not points:
        return []
    name = _parameter(points)
    return [
        text(
            "What the plan's algorithm finds for each value of the parameter; where it does not prove its "
            "optimum, there may be better."
        ),
        chart(_drawn(points), f"Loss for each value of {name}, with the highest risk that remains"),
        table(
            ("", "loss", "highest risk", "average risk", "suppressed"),
            [(f"{name} = {point.value}", *_figures(point)) for point in points],
            (1, 2, 3, 4),
        ),
    ]


def _figures(point: Point) -> tuple[str, str, str, str]:
    if not point.feasible:
        return "no solution", "–", "–", "–"
    risks = at_most(point.highest_risk), at_most(point.average_risk)
    return number(point.score), *risks, count(point.suppressed)


def frontier_svg(points: Sequence[Point]) -> str:
    """Return the best score for each value of the parameter, with the highest risk that remains, as an SVG file."""
    return str(_drawn(points)).replace("<title>", f"{STYLE}<title>", 1)


def _drawn(points: Sequence[Point]) -> Markup:
    reached = [point for point in points if point.feasible]
    name = _parameter(points)
    unit = reached[0].objective if reached else "no solution"
    return line(
        f"{unit} by {name}",
        [
            (f"{name} = {p.value}", f"risk {at_most(p.highest_risk)}", score, f"{score:.3g}")
            for p in reached
            if (score := p.score) is not None
        ],
        unit,
    )


def _parameter(points: Sequence[Point]) -> str:
    return points[0].parameter.rsplit(".", 1)[-1]
