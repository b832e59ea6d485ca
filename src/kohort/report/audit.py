"""The page about a table as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Block, Section, chart, table, text
from kohort.report.charts import Bar, bars
from kohort.report.html import render
from kohort.report.words import count, number, percent


def audit_html(facts: Mapping[str, Any]) -> str:
    """Return the audit of a table as one offline page."""
    return render(
        {
            "title": f"Audit: k = {facts['k']}",
            "kind": "Kohort audit of a table",
            "headline": f"This table is {facts['k']}-anonymous"
            if (facts["k"] or 0) > 1
            else "This table is not k-anonymous",
            "lead": (
                f"{count(facts['records'])} records in {count(facts['classes'])} classes over the quasi-identifiers "
                f"{', '.join(facts['quasi'])}. Missing values count as values. For the holder of the table: not for publication."
            ),
            "zone": "",
            "verdict": "",
            "verdicts": [],
            "notices": [],
            "figures": _figures(facts),
            "sections": [
                Section("classes", "Classes", "In what company people are", _classes(facts)),
                Section("uniques", "Uniqueness", "What makes people unique", _uniques(facts)),
                *(
                    [
                        Section(
                            "sensitive",
                            "Sensitive values",
                            "What classes tell about sensitive values",
                            _sensitive(facts),
                        )
                    ]
                    if facts["sensitive"]
                    else []
                ),
                *(
                    [Section("population", "Population", "In the population", _population(facts))]
                    if facts.get("population")
                    else []
                ),
            ],
            "footer": "Made by Kohort.",
        }
    )


def _figures(facts: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    risk = facts["risk"]
    return [
        ("k", count(facts["k"]), "size of the smallest class"),
        ("unique", count(facts["uniqueness"]["unique"]), percent(facts["uniqueness"]["share"])),
        ("highest risk", percent(risk["prosecutor"]["highest"]), "of picking the right record"),
        ("average risk", percent(risk["prosecutor"]["average"]), "over all records"),
        ("suppressed rows", count(facts["suppressed"]), "left out of these figures"),
        ("p", "–" if facts["p"] is None else count(facts["p"]), "distinct sensitive values, worst class"),
    ]


def _classes(facts: Mapping[str, Any]) -> list[Block]:
    steps = [step for step in facts["risk"]["distribution"] if step["people"]]
    total = max(sum(step["people"] for step in steps), 1)
    entries = [
        Bar(f"{count(s['least'])} to {count(s['most'])}" if s["least"] < s["most"] else count(s["least"]),
            s["people"] / total, f"{percent(s['people'] / total)} in {count(s['classes'])} classes")
        for s in steps
    ]  # fmt: skip
    at_risk = [
        (f"above {percent(r['above'])}", count(r["people"]), percent(r["share"]))
        for r in facts["risk"]["at_risk"]
    ]
    return [
        chart(bars("People by size of their class", entries), "Share of people by the size of their class."),
        table(("risk of re-identification", "people", "share"), at_risk, (1, 2)),
    ]


def _uniques(facts: Mapping[str, Any]) -> list[Block]:
    told = facts["uniqueness"]
    subsets = [
        (", ".join(s["columns"]), count(s["unique"]), percent(s["share"])) for s in told["subsets"][:10]
    ]
    columns = [
        (c["column"], count(c["k"]), count(c["unique"]), percent(c["score_share"])) for c in told["columns"]
    ]
    return [
        text("Columns that together single people out, and what leaving a column out would do."),
        table(("columns together", "people unique on them", "share"), subsets, (1, 2)),
        table(
            ("without the column", "k would be", "unique", "share in unique combinations"), columns, (1, 2, 3)
        ),
    ]


def _sensitive(facts: Mapping[str, Any]) -> list[Block]:
    rows = [
        (
            name,
            count(s["distinct_l"]),
            number(s["entropy_l"]),
            *(number(s["t"].get(kind)) for kind in ("equal", "ordered", "hierarchical")),
            percent(s["alpha"]),
            number(s["beta"]),
            number(s["delta"]),
            percent(s["homogeneous_share"]),
        )
        for name, s in facts["sensitive"].items()
    ]
    headings = (
        "column",
        "distinct l",
        "entropy l",
        "t equal",
        "t ordered",
        "t hierarchical",
        "α",
        "β",
        "δ",
        "one value",
    )
    return [table(headings, rows, tuple(range(1, 10))), text("– stands for no finite value.")]


def _population(facts: Mapping[str, Any]) -> list[Block]:
    rows = [
        (name.replace("_", " "), number(value))
        for name, value in facts["population"].items()
        if isinstance(value, int | float)
    ]
    return [table(("estimate", "value"), rows, (1,))]
