"""What the attacks of the literature came to, in words a data protection officer can use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from kohort.facts import ReleaseFacts
from kohort.facts.promises import AttackFacts
from kohort.report.blocks import Block, chart, table, text
from kohort.report.charts import Bar, bars
from kohort.report.words import percent

SHARE = "share"  # the measure of most attacks


def attacks(facts: ReleaseFacts) -> list[Block]:
    """Return what attacks came to, those that gained first, and which could not be run or could not gain."""
    found, idle = facts.attacks, facts.attacks_not_applicable
    if not found and not idle:
        return [
            text(
                "The attacks of the literature have not been run on this release yet: kohort attack RELEASE --all."
            )
        ]
    told = sorted(found, key=_gain, reverse=True)
    gained = [one for one in told if gains(one)]
    others = [one for one in told if not gains(one)]
    shares = [one for one in told if one.measure == SHARE]
    caption = f"Attacks that found no more than chance gives ({len(others)}): each would have found a rise as large as told"
    return [
        text(
            "The attacks of the literature, run against this release. Baseline: what an intruder reaches by chance or without "
            "the release. Control: the same attack where nothing can be right by knowledge, and how far chance takes it. "
            "Power: the least rise over the control that the attack would have found, four times in five; smaller ones may be "
            "there. The greatest gain stands first."
        ),
        *([_drawn(shares)] if shares else []),
        *([_table(gained)] if gained else []),
        *([_table(others, caption)] if others else []),
        *_reasons("not applicable, because", idle),
        *_reasons("not run, it needs", facts.attacks_not_run),
    ]


def gains(told: AttackFacts) -> bool:
    """Say whether success is above baseline and control by more than chance; in older audits, above the baseline."""
    return told.success > told.baseline if told.gained is None else told.gained


def figure(told: AttackFacts, value: float | None) -> str:
    """Return a figure of an attack as its measure is spelled: a share in per cent, a correlation as a number.

    >>> one = AttackFacts("row-order", 0.25, 0.0, measure="rank correlation")
    >>> figure(one, 0.25), figure(AttackFacts("linking", 0.25, 0.0), 0.25)
    ('0.250', '25 %')
    """
    if value is None:
        return "–"
    return percent(value) if told.measure == SHARE else f"{value:.3f}"


def reached(told: AttackFacts) -> str:
    """Return the success of an attack; where it is a bound, as one, rounded up.

    >>> reached(AttackFacts("linking", 0.0241, 0.0, bound=True)), reached(AttackFacts("linking", 0.0241, 0.0))
    ('at most 2.5 %', '2.4 %')
    """
    return (
        f"at most {ceil(1000 * told.success - 1e-6) / 10:g} %" if told.bound else figure(told, told.success)
    )


def _drawn(shares: Sequence[AttackFacts]) -> Block:
    entries = [
        Bar(told.attack, told.success, reached(told), told.baseline, percent(told.baseline))
        for told in shares
    ]
    return chart(
        bars("Success of attacks beside their baselines", entries, most=1.0, label=40),
        "Success with the release (thick), and by chance or without it (thin, grey)",
    )


def _table(attacks: Sequence[AttackFacts], caption: str = "") -> Block:
    headings = ("attack", "success", "baseline", "control", "95 % interval", "power", "tried on", "in words")
    return table(headings, [_row(told) for told in attacks], (1, 2, 3, 4, 5, 6), caption)


def _row(told: AttackFacts) -> tuple[str, ...]:
    chance = "" if told.margin is None else f" ± {figure(told, told.margin)}"
    return (
        told.attack if told.measure == SHARE else f"{told.attack} ({told.measure})",
        reached(told),
        figure(told, told.baseline),
        figure(told, told.control) + chance,
        "exact" if told.interval is None else " to ".join(figure(told, end) for end in told.interval),
        figure(told, told.smallest_effect),
        f"{told.n:,}",
        told.sentence,
    )


def _reasons(heading: str, reasons: Mapping[str, str]) -> list[Block]:
    return [table(("attack", heading), list(reasons.items()))] if reasons else []


def _gain(told: AttackFacts) -> float:
    return told.success - told.baseline
