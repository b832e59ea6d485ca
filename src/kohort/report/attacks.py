"""What the attacks of the literature came to, in words a data protection officer can use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from pathlib import Path
from shlex import quote

from kohort.facts import ReleaseFacts
from kohort.facts.promises import AttackFacts
from kohort.plurals import many
from kohort.report.blocks import Block, chart, table, text
from kohort.report.charts import Bar, bars
from kohort.report.words import percent
from kohort.toml import toml_value

SHARE = "share"  # the measure of most attacks
TRUE = "true, and no more than chance gives"
KNOWN = f"Attacks that learn what is {TRUE}"
THOUGH = "where values are dealt at random as much is learnt, and what is told is true of these people all the same"
CHANCE = "Attacks that found no more than chance gives"
FOUND = "each would have found a rise as large as its power, four times in five"
UNSEEN = "Attacks that could not have told"
UNKNOWN = "nothing in a plan is known to close it for certain"
TO_ACT_ON = (
    "To act on, the gravest first, each with the change of the plan that would make it smaller or close it."
)
NOTHING = "Nothing to act on: what these attacks found is no more than chance gives, or than the promises let through."
BECAUSE = (
    "chance reaches as far as success can, or not all that could tell was looked at, as its words say; that nothing was found "
    "says nothing"
)


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
    known = [one for one in told if not gains(one) and one.certain]
    others = [one for one in told if not gains(one) and not one.certain]
    unseen = [one for one in others if powerless(one)]
    chance = [one for one in others if not powerless(one)]
    shares = [one for one in told if one.measure == SHARE]
    return [
        *_first(to_act_on(found)),
        text(
            "The attacks of the literature, run against this release. Baseline: what an intruder reaches by chance or without "
            "the release. Control: the same attack where nothing can be right by knowledge, and how far chance takes it. "
            "Power: the least rise over the control that the attack would have found, four times in five; smaller ones may be "
            "there. None: no rise that can exist would have been found so often, or not all was looked at. The greatest gain "
            "stands first."
        ),
        *([_drawn(shares)] if shares else []),
        *([_table(gained)] if gained else []),
        *([_table(known, f"{KNOWN} ({len(known)}): {THOUGH}")] if known else []),
        *([_table(chance, f"{CHANCE} ({len(chance)}): {FOUND}")] if chance else []),
        *([_table(unseen, f"{UNSEEN} ({len(unseen)}): {BECAUSE}")] if unseen else []),
        *_reasons("not applicable, because", idle),
        *_reasons("not run, it needs", facts.attacks_not_run),
    ]


def to_act_on(found: Iterable[AttackFacts]) -> list[AttackFacts]:
    """Return what is learnt, beyond chance or for certain, that no promise lets through: the gravest first."""
    told = [one for one in found if (gains(one) or one.certain) and not one.promised]
    return sorted(told, key=lambda one: (gains(one), _gain(one)), reverse=True)


def urgent_line(found: Iterable[AttackFacts], directory: Path, unpromised: Sequence[str] = ()) -> str:
    """Return how much there is to act on, for the last line of a release; `unpromised` are columns that no promise is about.

    >>> urgent_line([AttackFacts("homogeneity", 0.5, 0.0, gained=True)], Path("out"))
    'attacks by the release alone: 1 finding to act on, in the private report; all attacks: kohort attack out'
    >>> urgent_line([], Path("out"), ["hiv"])
    'attacks by the release alone: nothing to act on, but no promise is made about hiv; all attacks: kohort attack out'
    """
    urgent = len(to_act_on(found))
    told = f"{many(urgent, 'finding')} to act on, in the private report" if urgent else "nothing to act on"
    told += f", but no promise is made about {', '.join(unpromised)}" if unpromised else ""
    return f"attacks by the release alone: {told}; all attacks: kohort attack {quote(str(directory))}"


def remedy(told: AttackFacts) -> str:
    """Return what would close a finding: in words, and as the plan spells it.

    >>> from kohort.facts.promises import Advice
    >>> advice = Advice("let every class hold 2 values", {"model": "l-diversity", "column": "ill", "l": 2})
    >>> remedy(AttackFacts("homogeneity", 0.5, 0.0, advice=advice))
    'let every class hold 2 values: add [[require]] model = "l-diversity", column = "ill", l = 2'
    >>> remedy(AttackFacts("row-order", 0.5, 0.0, advice=Advice("shuffle", settings={"output.shuffle": True})))
    'shuffle: set output.shuffle = true'
    """
    advice = told.advice
    if advice is None:
        return f"{UNKNOWN}; {told.lessened or 'leave out what is learnt'}"
    promise = ", ".join(f"{name} = {toml_value(value)}" for name, value in advice.require.items())
    set_to = [
        f"{key} = {toml_value(value)}" for key, value in advice.settings.items() if value not in (None, {})
    ]
    left_out = [key for key, value in advice.settings.items() if value in (None, {})]
    steps = [
        *([f"add [[require]] {promise}"] if promise else []),
        *([f"set {', '.join(set_to)}"] if set_to else []),
        *([f"leave out {', '.join(left_out)}"] if left_out else []),
    ]
    return f"{advice.words}: {'; '.join(steps)}"


def gains(told: AttackFacts) -> bool:
    """Say whether success is above baseline and control by more than chance; in older audits, above the baseline."""
    return told.success > told.baseline if told.gained is None else told.gained


def powerless(told: AttackFacts) -> bool:
    """Say whether no rise that can exist would have been found: chance, or the power, reaches what success cannot pass.

    Audits older than `gained` told no power.
    """
    if told.gained is None:
        return False
    control, margin = told.control or 0.0, told.margin or 0.0
    return told.smallest_effect is None or control + max(margin, told.smallest_effect) >= 1


def power(told: AttackFacts) -> str:
    """Return the least rise that would have been found; none where no rise would.

    >>> power(AttackFacts("linking", 0.25, 0.0, 0.0, gained=True, smallest_effect=0.1))
    '10 %'
    >>> power(AttackFacts("skewness", 0.66, 0.0, 0.65, gained=False, margin=0.35))
    'none'
    """
    return "none" if powerless(told) else figure(told, told.smallest_effect)


def figure(told: AttackFacts, value: float | None) -> str:
    """Return a figure of an attack as its measure is spelled: a share in per cent, a correlation as a number.

    >>> one = AttackFacts("row-order", 0.25, 0.0, measure="rank correlation")
    >>> figure(one, 0.25), figure(AttackFacts("linking", 0.25, 0.0), 0.25)
    ('0.250', '25 %')
    """
    if value is None:
        return "–"
    return percent(value) if told.measure == SHARE else f"{value:.3f}"


def controlled(told: AttackFacts) -> str:
    """Return the control of an attack, and up to where chance alone takes it.

    >>> controlled(AttackFacts("skewness", 0.58, 0.03, 0.03, margin=0.59))
    '3 %, by chance up to 62 %'
    """
    control = figure(told, told.control)
    if told.margin is None:
        return control
    furthest = (told.control or 0.0) + told.margin
    return f"{control}, by chance up to {figure(told, min(furthest, 1.0) if told.measure == SHARE else furthest)}"


def reached(told: AttackFacts) -> str:
    """Return the success of an attack; where it is a bound, as one, rounded up.

    >>> reached(AttackFacts("linking", 0.0241, 0.0, bound=True)), reached(AttackFacts("linking", 0.0241, 0.0))
    ('at most 2.5 %', '2.4 %')
    >>> reached(AttackFacts("linking", 0.2, 0.0, details={"if": "everybody had one row"}))
    '20 % if everybody had one row'
    """
    if told.bound:
        return f"at most {ceil(1000 * told.success - 1e-6) / 10:g} %"
    supposed = told.details.get("if")
    return figure(told, told.success) + ("" if supposed is None else f" if {supposed}")


def _first(told: Sequence[AttackFacts]) -> list[Block]:
    """Return what to act on, before all else."""
    if not told:
        return [text(NOTHING)]
    headings = ("to act on", "success", "baseline", "control", "what would close it")
    rows = [
        (_named(one), reached(one), figure(one, one.baseline), controlled(one), remedy(one)) for one in told
    ]
    return [text(TO_ACT_ON), table(headings, rows, (1, 2, 3))]


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


def _named(told: AttackFacts) -> str:
    return told.attack if told.measure == SHARE else f"{told.attack} ({told.measure})"


def _row(told: AttackFacts) -> tuple[str, ...]:
    return (
        _named(told),
        reached(told),
        figure(told, told.baseline),
        controlled(told),
        "exact" if told.interval is None else " to ".join(figure(told, end) for end in told.interval),
        power(told),
        f"{told.n:,}",
        told.sentence,
    )


def _reasons(heading: str, reasons: Mapping[str, str]) -> list[Block]:
    return [table(("attack", heading), list(reasons.items()))] if reasons else []


def _gain(told: AttackFacts) -> float:
    return told.success - told.baseline
