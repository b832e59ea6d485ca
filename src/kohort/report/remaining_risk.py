"""What remains at risk, in words a data protection officer can use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Block, chart, table, text
from kohort.report.charts import Bar, bars
from kohort.report.words import percent, torn


def remaining_risk(facts: Mapping[str, Any]) -> list[Block]:
    """Return the risks that were measured, what no figure covers, and what attacks came to."""
    return [*measured_risk(facts), *_attacks(facts.get("attacks") or [])]


def measured_risk(facts: Mapping[str, Any]) -> list[Block]:
    """Return the risks that follow from the released classes, and what no figure covers."""
    rows = _measured(facts)
    headings = ("what an intruder might do", "in the worst case", "on average")
    return [
        text(
            f"No release is without risk. The promises bound {_bounded(facts)}; they say "
            "nothing about columns that were wrongly declared harmless, about other releases of the same people, or about what "
            "can be inferred about groups."
        ),
        *([table(headings, rows, (1, 2))] if rows else []),
    ]


def _bounded(facts: Mapping[str, Any]) -> str:
    if torn(facts):
        return f"how much of {facts['column']} a group tells by itself, and do not hide who is in the table"
    return "what can be learnt from the declared quasi-identifiers"


def _measured(facts: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    risk, name = facts["risk"], "group" if torn(facts) else "class"
    if risk is None:  # people, who are not shown, were counted
        return []
    exact = ": not bounded by any promise, for quasi-identifiers are exact" if torn(facts) else ""
    rows = [
        (
            f"Picking the right record of somebody known to be in the table (prosecutor){exact}",
            percent(risk["prosecutor"]["highest"]),
            percent(risk["prosecutor"]["average"]),
        ),
        (f"Naming everybody in the table at once (marketer){exact}", "–", percent(risk["marketer"])),
    ]
    for column, told in facts["sensitive"].items():
        if told:
            rows.append((f"Guessing {column} from the {name} alone", percent(told["alpha"]), "–"))
            rows.append(
                (
                    f"Being in a {name} with a single value of {column}",
                    "–",
                    percent(told["homogeneous_share"]),
                )
            )
    return rows


def _attacks(attacks: list[Mapping[str, Any]]) -> list[Block]:
    if not attacks:
        return [
            text(
                "The attacks of the literature have not been run on this release yet: kohort attack RELEASE --all."
            )
        ]
    attacks = sorted(attacks, key=_gain, reverse=True)
    drawn = [
        Bar(
            str(told["attack"]),
            told["success"],
            percent(told["success"]),
            told["baseline"],
            percent(told["baseline"]),
        )
        for told in attacks
        if isinstance(told["success"], int | float) and isinstance(told.get("baseline"), int | float)
    ]
    pictured = (
        [
            chart(
                bars("Success of attacks beside their baselines", drawn, most=1.0, label=40),
                "Success with the release (thick), and by chance or without it (thin, grey)",
            )
        ]
        if drawn
        else []
    )
    gained = [told for told in attacks if _gain(told) > 0]
    others = [told for told in attacks if _gain(told) <= 0]
    return [
        text(
            "The attacks of the literature, run against this release. Baseline: what an intruder reaches by chance or without "
            "the release. Control: the same attack where there is nothing to find. The greatest gain stands first."
        ),
        *pictured,
        *([_told(gained)] if gained else []),
        *([_told(others, f"Attacks that gained nothing ({len(others)})")] if others else []),
    ]


def _told(attacks: list[Mapping[str, Any]], caption: str = "") -> Block:
    rows = [
        (
            told["attack"],
            percent(told["success"]),
            percent(told["baseline"]),
            percent(told.get("control")),
            "–" if told.get("interval") is None else " to ".join(map(percent, told["interval"])),
            told["sentence"],
        )
        for told in attacks
    ]
    headings = ("attack", "success", "baseline", "control", "95 % interval", "in words")
    return table(headings, rows, (1, 2, 3, 4), caption)


def _gain(told: Mapping[str, Any]) -> float:
    return float(told["success"] or 0) - float(told.get("baseline") or 0)
