"""What remains at risk, in words a data protection officer can use."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.facts import ReleaseFacts, TableFacts
from kohort.facts.figures import Risk
from kohort.facts.promises import AttackFacts
from kohort.report.blocks import Block, chart, table, text
from kohort.report.charts import Bar, bars
from kohort.report.company import company
from kohort.report.singled_out import singling_out
from kohort.report.words import at_most, percent

KNOWN = (
    "These are bounds, rounded up, for an intruder who goes by quasi-identifiers, be it everybody's, and by nothing else that a "
    "row shows. Whoever knows values of other columns, or how these go with quasi-identifiers, may do better."
)


def remaining_risk(facts: ReleaseFacts) -> list[Block]:
    """Return the risks that were measured, what no figure covers, and what attacks came to."""
    return [*measured_risk(facts), *_attacks(facts.attacks)]


def measured_risk(facts: TableFacts) -> list[Block]:
    """Return the risks that follow from the released classes, and what no figure covers."""
    rows, told = _measured(facts), company(facts)
    bounded = bool(rows) and not told.caveat
    ends = ("at most, for anybody", "at most, on average") if bounded else ("for anybody", "on average")
    return [
        text(
            f"No release is without risk. The promises bound {told.bounded()}; they say "
            "nothing about columns that were wrongly declared harmless, about other releases of the same people, or about what "
            "can be inferred about groups."
        ),
        *([table(("what an intruder might do", *ends), rows, (1, 2))] if rows else []),
        *([text(KNOWN)] if bounded else []),
        *_guessed(facts),
        *singling_out(facts),
    ]


def _measured(facts: TableFacts) -> list[tuple[str, str, str]]:
    risk, told = facts.risk, company(facts)
    if risk is None:  # people, who are not shown, were counted
        return []
    whole = f"Naming everybody in the table at once (marketer){told.caveat}"
    return [*_picked(risk, told.caveat), (whole, "–", at_most(risk.marketer))]


def _picked(risk: Risk, caveat: str) -> list[tuple[str, str, str]]:
    """Return the risk of somebody known to be in the table; where people have several rows, by row and by person."""
    known = "of somebody known to be in the table (prosecutor)"
    if risk.rows is None:
        told = risk.prosecutor
        return [(f"Picking the right record {known}{caveat}", at_most(told.highest), at_most(told.average))]
    picks = [  # in this order: in every class somebody has as many rows as are a person's on average
        (f"Picking a row {known}{caveat}", risk.rows),
        (f"Picking blindly one of the people of the class {known}{caveat}", risk.prosecutor),
    ]
    return [(said, at_most(told.highest), at_most(told.average)) for said, told in picks]


def _guessed(facts: TableFacts) -> list[Block]:
    """Return what a class tells of sensitive values by itself."""
    name = company(facts).name
    rows = [
        (column, percent(found.alpha), percent(found.homogeneous_share))
        for column, found in facts.sensitive.items()
    ]
    headings = (f"guessed from a {name} alone", f"largest share in a {name}", "in one with a single value")
    return [table(headings, rows, (1, 2))] if rows else []


def _attacks(found: Sequence[AttackFacts]) -> list[Block]:
    if not found:
        return [
            text(
                "The attacks of the literature have not been run on this release yet: kohort attack RELEASE --all."
            )
        ]
    attacks = sorted(found, key=_gain, reverse=True)
    drawn = [
        Bar(told.attack, told.success, percent(told.success), told.baseline, percent(told.baseline))
        for told in attacks
    ]
    gained = [told for told in attacks if _gain(told) > 0]
    others = [told for told in attacks if _gain(told) <= 0]
    return [
        text(
            "The attacks of the literature, run against this release. Baseline: what an intruder reaches by chance or without "
            "the release. Control: the same attack where there is nothing to find. The greatest gain stands first."
        ),
        chart(
            bars("Success of attacks beside their baselines", drawn, most=1.0, label=40),
            "Success with the release (thick), and by chance or without it (thin, grey)",
        ),
        *([_told(gained)] if gained else []),
        *([_told(others, f"Attacks that gained nothing ({len(others)})")] if others else []),
    ]


def _told(attacks: Sequence[AttackFacts], caption: str = "") -> Block:
    rows = [
        (
            told.attack,
            percent(told.success),
            percent(told.baseline),
            percent(told.control),
            "–" if told.interval is None else " to ".join(map(percent, told.interval)),
            told.sentence,
        )
        for told in attacks
    ]
    headings = ("attack", "success", "baseline", "control", "95 % interval", "in words")
    return table(headings, rows, (1, 2, 3, 4), caption)


def _gain(told: AttackFacts) -> float:
    return told.success - told.baseline
