"""What the long tests counted: each records its figures in a file, and `python -m tests.trust.figures` prints the table.

Recording is all that a test does here; nothing is judged by it, and a test that fails records nothing.
"""

from __future__ import annotations

import io
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import coverage

PLACE = Path(__file__).parents[2] / "build" / "trust"
Figure = int | float | str


def record(name: str, part: str = "", **figures: Figure) -> None:
    """Note what a long test, or a part of it, counted; a later run of the same replaces it."""
    PLACE.mkdir(parents=True, exist_ok=True)
    told = {"name": name, "day": datetime.now(UTC).date().isoformat(), "figures": figures}
    file = "".join(sign if sign.isalnum() else "-" for sign in f"{name} {part}".strip())
    (PLACE / f"{file}.json").write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")


def recorded() -> dict[str, tuple[str, dict[str, Figure]]]:
    """Return the last day and the figures of each test; those of its parts are added up."""
    found: dict[str, tuple[str, dict[str, Figure]]] = {}
    for path in sorted(PLACE.glob("*.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        day, figures = found.get(told["name"], ("", {}))
        for name, value in told["figures"].items():
            figures[name] = figures[name] + value if name in figures else value
        found[told["name"]] = (max(day, told["day"]), figures)
    return found


def table() -> str:
    """Return the figures as a Markdown table."""
    rows = ["| test | figures | day |", "|---|---|---|"]
    for name, (day, figures) in recorded().items():
        words = ", ".join(f"{_spelled(value)} {what.replace('_', ' ')}" for what, value in figures.items())
        rows.append(f"| {name} | {words} | {day} |")
    return "\n".join(rows)


def _spelled(value: Figure) -> str:
    return value if isinstance(value, str) else f"{value:,}"


def record_coverage() -> None:
    """Note what `make coverage` measured last."""
    measured = coverage.Coverage(data_file="build/coverage/data")
    measured.load()
    judges = measured.report(
        include=[f"src/kohort/{room}/*" for room in ("verification/judges", "models", "sets/judges")],
        file=io.StringIO(),
    )
    whole = measured.report(file=io.StringIO())
    record("branch coverage", percent_of_the_judges=round(judges, 2), percent_of_the_whole=round(whole, 2))


if __name__ == "__main__":
    if sys.argv[1:] == ["coverage"]:
        record_coverage()
    else:
        sys.stdout.write(table() + "\n")
