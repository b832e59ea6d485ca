"""Ways of recoding side by side, in words and as a page."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from kohort.facts.comparison import FOUND, INFEASIBLE, NOT_TRIED, REFUSED, Trial, less_with_more
from kohort.plurals import many
from kohort.report.blocks import Block, Section, chart, heading, table, text
from kohort.report.charts import Bar, bars
from kohort.report.html import render
from kohort.report.page import Page
from kohort.report.words import at_most, brief, count, number, percent

PRIVATE = "computed from the original: private, not for publication"
NARROW = ("suppressed", "classes", "highest", "average", "gone", "seconds")
MARKS = "highest, average: risk; gone: columns of which nothing is left; +: stopped before its end"
HEADINGS = (
    "algorithm",
    "suppressed",
    "classes",
    "highest risk",
    "average risk",
    "nothing left of",
    "seconds",
)
WITHOUT = {INFEASIBLE: "no solution", REFUSED: "refused", NOT_TRIED: "not tried"}
UNLIKE = (
    "Where cells, boxes or groups are recoded, the values of one column overlap (34 beside 30 to 39), which is more work to "
    "analyse than whole columns at one level."
)


def comparison_html(trials: Sequence[Trial]) -> str:
    """Return a comparison as one offline page."""
    return render(comparison_page(trials))


def comparison_page(trials: Sequence[Trial]) -> Page:
    """Return the page about ways of recoding side by side, for the holder of the table."""
    measure = measure_of(trials)
    return Page(
        title="Ways of recoding compared",
        kind="Kohort comparison of ways",
        zone="For the holder of the table: not for publication",
        headline=_headline(trials),
        holds=True,
        lead=f"{PRIVATE.capitalize()}.",
        figures=[],
        parts=[
            Section("ways", "Ways", f"What each way comes to, by {measure}", _ways(trials)),
            Section("columns", "Columns", "What is lost of each column", _columns(trials)),
            Section("without", "Without figures", "Ways that came to nothing", _without(trials)),
        ],
        footer="Made by Kohort. The same figures as JSON: kohort compare … --json. They are computed from the original.",
    )


def measure_of(trials: Sequence[Trial]) -> str:
    """Return by what all trials are scored."""
    return next((trial.objective for trial in trials if trial.status == FOUND), "score")


def strengths(trials: Sequence[Trial]) -> list[tuple[str, list[Trial]]]:
    """Return the trials of each k under its name, those that found something first, the least score before others."""
    found: dict[int | None, list[Trial]] = {}
    for trial in trials:
        found.setdefault(trial.k, []).append(trial)
    return [("" if k is None else f"k = {k}", sorted(each, key=_place)) for k, each in found.items()]


def _place(trial: Trial) -> tuple[bool, float]:
    return trial.status != FOUND, trial.score or 0.0


def cells(trial: Trial) -> tuple[str, ...]:
    """Return a line of the table: the algorithm, its score, who is left out, classes, risks, columns that are gone."""
    if trial.status != FOUND:
        return called(trial), WITHOUT.get(trial.status, trial.status), "", "", "", "", "", ""
    return (
        called(trial),
        number(trial.score) + ("*" if trial.less_at_k else ""),
        suppressed(trial),
        count(trial.classes),
        at_most(trial.highest_risk),
        at_most(trial.average_risk),
        ", ".join(trial.gone) or "–",
        seconds(trial) + (" (stopped)" if trial.stopped else ""),
    )


def short_cells(trial: Trial) -> tuple[str, ...]:
    """Return the same of a way that found something for a narrow terminal.

    The columns that are gone are counted, and a plus marks what was stopped.
    """
    gone = f"{len(trial.gone)} of {len(trial.lost)}"
    share = percent((trial.suppressed or 0) / (trial.rows or 1))
    stopped = "+" if trial.stopped else ""
    name, score, _, classes, highest, average, *_ = cells(trial)
    return name, score, share, classes, highest, average, gone, seconds(trial) + stopped


def called(trial: Trial) -> str:
    """Return the name of the algorithm, and whether it is the plan's."""
    return f"{trial.algorithm} (plan)" if trial.own else trial.algorithm


def seconds(trial: Trial) -> str:
    """Return how long the search took."""
    return "–" if trial.seconds is None else f"{trial.seconds:.1f}"


def suppressed(trial: Trial) -> str:
    """Return how many rows are left out, and which share of all that is."""
    share = (trial.suppressed or 0) / (trial.rows or 1)
    return f"{count(trial.suppressed)} ({percent(share)})" if trial.suppressed else "0"


def meaning(trials: Sequence[Trial]) -> str:
    """Return what the figures are, and of whom."""
    first = next((trial for trial in trials if trial.status == FOUND), None)
    if first is None:
        return "None of the ways that were tried came to a release."
    whom = first.counted
    one = "person" if whom == "people" else "record"
    either = ", a row or a person being picked, whichever is likelier to be right" if whom == "people" else ""
    return (
        f"All ways keep the same promises and are measured by the same {first.objective}, of which less is better. Risks are "
        f"bounds, rounded up, of picking out somebody known to be in the table by quasi-identifiers (prosecutor){either}: the "
        f"highest of any {one}, and the average over all {whom} in the release. Suppressed are rows, of the "
        f"{count(first.rows)} of the original; single cells that are left out count in the {first.objective}. Searches that "
        f"were stopped might have found better. Seconds are the clock's, of the search, which alone the time limit bounds, and of "
        f"recoding and counting what it found. {_by_chance(trials)}{_undercut(trials)}{UNLIKE}"
    )


def _by_chance(trials: Sequence[Trial]) -> str:
    """Return which searches draw, where the plan has no seed."""
    names = dict.fromkeys(trial.algorithm for trial in trials if trial.by_chance and trial.status == FOUND)
    if not names:
        return ""
    return f"Without [recode] seed, another run of {', '.join(names)} may come to somewhat other figures: it draws. "


def _undercut(trials: Sequence[Trial]) -> str:
    """Return what an asterisk means, where there is one."""
    if not any(trial.less_at_k for trial in trials):
        return ""
    return f"*: with a larger k the same way came to less {measure_of(trials)}, and what it found there keeps this k too. "


def best_of(trials: Sequence[Trial]) -> list[str]:
    """Return, for each k, which way has the least score, beside that of the plan's own way and of any with a larger k."""
    return [
        f"{said}{_with_more(each[0], trials)}"
        for name, each in strengths(trials)
        if (said := _best(name, each))
    ]


def _with_more(best: Trial, trials: Sequence[Trial]) -> str:
    """Return which way came to less than the best for a k with a larger one, which keeps the smaller too."""
    found = min(less_with_more(best, trials), key=lambda trial: trial.score or 0.0, default=None)
    if found is None:
        return ""
    return f"; yet {found.algorithm} with k = {found.k} came to {number(found.score)}, and that keeps k = {best.k} too"


def _best(name: str, trials: Sequence[Trial]) -> str:
    """Return which of the ways for one k has the least score; nothing where none came to a release."""
    best, where = trials[0], f"With {name}, " if name else "Here "
    if best.status != FOUND:
        return ""
    own = next(trial for trial in trials if trial.own)
    if own.status != FOUND:
        return (
            f"{where}the plan's own way, {own.algorithm}, comes to nothing; the least {best.objective} is {number(best.score)}, by "
            f"{best.algorithm}"
        )
    if best.score == own.score:
        return f"{where}none has less {best.objective} than the plan's own way, {own.algorithm} ({number(own.score)})"
    return (
        f"{where}{best.algorithm} has the least {best.objective}, {number(best.score)}, against {number(own.score)} by the plan's "
        f"own way, {own.algorithm}{' as far as it came' if own.stopped else ''}{_kept(own, best)}"
    )


def _kept(own: Trial, best: Trial) -> str:
    """Return which columns the plan's own way leaves nothing of and the other does."""
    saved = [name for name in own.gone if name not in best.gone]
    return (
        f"; it keeps some of {', '.join(saved)}, of which the plan's own way leaves nothing" if saved else ""
    )


def to_go(trials: Sequence[Trial]) -> str:
    """Return how to go another way than the plan's own."""
    others = [trial for trial in trials if trial.status == FOUND and not trial.own]
    if not others:
        return ""
    return (
        'To go another way: put its name under [recode], as algorithm = "…", and take generalize, suppress and options out '
        "there."
    )


def refusals(trials: Sequence[Trial]) -> list[tuple[str, str, str]]:
    """Return which ways came to nothing, for which k, and why; what is said of every k stands once."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for trial in trials:
        if trial.status != FOUND:
            key = trial.algorithm, WITHOUT.get(trial.status, trial.status), trial.reason
            found.setdefault(key, []).append(str(trial.k))
    every = len(strengths(trials))
    return [
        (name, status if len(ks) == every else f"{status} for k = {', '.join(ks)}", reason)
        for (name, status, reason), ks in found.items()
    ]


def _headline(trials: Sequence[Trial]) -> str:
    ways = len({(trial.algorithm, trial.own) for trial in trials})
    return f"{many(ways, 'way')} of recoding, side by side"


def _ways(trials: Sequence[Trial]) -> list[Block]:
    blocks: list[Block] = [text(f"{said}.") for said in best_of(trials)]
    if told := to_go(trials):
        blocks.append(text(told))
    measure = measure_of(trials)
    for name, each in strengths(trials):
        blocks += [heading(name)] if name else []
        if drawn := [trial for trial in each if trial.status == FOUND]:
            blocks.append(
                chart(_drawn(measure, drawn), f"{measure.capitalize()} of each way; less is better")
            )
        headings = (HEADINGS[0], measure, *HEADINGS[1:])
        blocks.append(table(headings, [cells(trial) for trial in each], (1, 2, 3, 4, 5, 7)))
    described = table(("algorithm", "how it recodes"), list(_described(trials).items()))
    return [*blocks, heading("What the figures mean"), text(meaning(trials)), described]


def _described(trials: Sequence[Trial]) -> dict[str, str]:
    return {trial.algorithm: trial.way for trial in trials}


def _drawn(measure: str, trials: Sequence[Trial]) -> Markup:
    entries = [Bar(called(trial), trial.score or 0.0, brief(trial.score)) for trial in trials]
    return bars(f"{measure} of each way", entries, label=32)


def _columns(trials: Sequence[Trial]) -> list[Block]:
    """Return, for each k, the share of its detail that each column loses by each way."""
    blocks: list[Block] = []
    for name, each in strengths(trials):
        found = [trial for trial in each if trial.status == FOUND]
        if not found:
            continue
        blocks += [heading(name)] if name else []
        rows = [
            (column, *(percent(trial.lost[column]) for trial in found))
            for column in dict.fromkeys(column for trial in found for column in trial.lost)
        ]
        headings = ("column", *(called(trial) for trial in found))
        blocks.append(table(headings, rows, tuple(range(1, len(headings)))))
    if not blocks:
        return []
    said = "0 % is as exact as before, 100 % is nothing told; of a suppressed row all detail is lost."
    return [text(said), *blocks]


def _without(trials: Sequence[Trial]) -> list[Block]:
    told = refusals(trials)
    return [table(("algorithm", "", "because"), told)] if told else []
