"""The frontier as a picture of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kohort.report.charts import line

STYLE = (
    "<style>svg{font:13px system-ui,sans-serif;background:#fff}.label,.value{fill:#334155}.axis{stroke:#94a3b8}"
    ".line{fill:none;stroke:#0f766e;stroke-width:2}.dot{fill:#0f766e}</style>"
)


def frontier_svg(points: Sequence[dict[str, Any]]) -> str:
    """Return the best score for each value of the parameter, with the highest risk that remains, as an SVG file."""
    reached = [point for point in points if point["feasible"]]
    name = points[0]["parameter"].rsplit(".", 1)[-1]
    unit = reached[0]["objective"] if reached else "no solution"
    drawn = line(
        f"{unit} by {name}",
        [
            (f"{name} = {p['value']} (risk {p['highest_risk']:.0%})", p["score"], f"{p['score']:.3g}")
            for p in reached
        ],
        unit,
    )
    return str(drawn).replace("<title>", f"{STYLE}<title>", 1)
