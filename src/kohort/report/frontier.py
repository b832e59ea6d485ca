"""The frontier: what each value of a parameter costs, and what risk remains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from kohort.report.blocks import Block, chart, table, text
from kohort.report.charts import line
from kohort.report.words import count, number, percent

STYLE = (
    "<style>svg{font:13px system-ui,sans-serif;background:#fff}.label,.value{fill:#334155}.axis{stroke:#64748b}"
    ".line{fill:none;stroke:#0f766e;stroke-width:2}.dot{fill:#0f766e}</style>"
)


def frontier(facts: Mapping[str, Any]) -> list[Block]:
    """Return the frontier as picture and table, where it was asked for."""
    points = facts.get("frontier") or []
    if not points:
        return []
    name = _parameter(points)
    rows = [
        (
            f"{name} = {point['value']}",
            *(
                (
                    number(point["score"]),
                    percent(point["highest_risk"]),
                    percent(point["average_risk"]),
                    count(point["suppressed"]),
                )
                if point["feasible"]
                else ("no solution", "–", "–", "–")
            ),
        )
        for point in points
    ]
    return [
        text("More protection costs detail. Each point is the best release for one value of the parameter."),
        chart(_drawn(points), f"Loss for each value of {name}, with the highest risk that remains"),
        table(("", "loss", "highest risk", "average risk", "suppressed"), rows, (1, 2, 3, 4)),
    ]


def frontier_svg(points: Sequence[dict[str, Any]]) -> str:
    """Return the best score for each value of the parameter, with the highest risk that remains, as an SVG file."""
    return str(_drawn(points)).replace("<title>", f"{STYLE}<title>", 1)


def _drawn(points: Sequence[Mapping[str, Any]]) -> Markup:
    reached = [point for point in points if point["feasible"]]
    name = _parameter(points)
    unit = reached[0]["objective"] if reached else "no solution"
    return line(
        f"{unit} by {name}",
        [
            (f"{name} = {p['value']}", f"risk {percent(p['highest_risk'])}", p["score"], f"{p['score']:.3g}")
            for p in reached
        ],
        unit,
    )


def _parameter(points: Sequence[Mapping[str, Any]]) -> str:
    return str(points[0]["parameter"].rsplit(".", 1)[-1])
