"""The audit of a table as plain text, made for 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from kohort.facts.figures import Diversity
from kohort.facts.table_audit import Population, TableAudit
from kohort.plurals import many
from kohort.report.audited import blank_beside, counted_as, in_all, made_sure, picked_out
from kohort.report.population import IF_SAMPLED, population_figures
from kohort.report.singled_out import known_beside, pairs_said, sets_told
from kohort.report.words import at_most, count, number, one_in, percent, share_of, span, unbounded
from kohort.signs import harmless

WIDTH = 80
SIDE_BY_SIDE = 4  # sensitive columns in one table
SETS = 8  # sets of columns told
NO_RANKS = "– ordered: texts that nobody put in an order have no ranks; a plan declares one by a hierarchy of the column"
BAR = 24  # characters of the longest bar


def audit_lines(facts: TableAudit, width: int = WIDTH) -> Iterator[str]:
    """Return the lines; headings stand at the margin, all else is indented."""
    yield from _summary(facts, width)
    yield from _risk(facts, width)
    yield from _sizes(facts)
    if facts.sensitive:
        yield from _sensitive(facts, width)
    yield from _uniques(facts, width)
    yield from _left_out(facts, width)
    if facts.population is not None:
        yield from _population(facts.population, width)


def _summary(facts: TableAudit, width: int) -> Iterator[str]:
    yield f"k = {count(facts.k)}" + ("" if facts.p is None else f", p = {count(facts.p)}")
    whose = f" of {many(facts.people, 'person', 'people')}" if facts.respondent else ""
    said = f"{many(facts.records, 'record')}{whose} in {many(facts.classes, 'class', 'classes')} over {', '.join(facts.quasi)}"
    yield from _wrapped(said, width)
    missing = {name: n for name, n in facts.missing.items() if n}
    if missing:
        told = ", ".join(f"{name} {count(n)}" for name, n in missing.items())
        yield from _wrapped(f"missing values count as values: {told}", width)
    if facts.with_suppressed is not None:
        told = f"{many(facts.suppressed, 'suppressed row')} (all quasi-identifiers *) are left out of these figures; "
        yield from _wrapped(
            told + f"as one class they would make k = {count(facts.with_suppressed.k)}, and the highest risk "
            f"{at_most(facts.with_suppressed.risk.highest)}",
            width,
        )


def _risk(facts: TableAudit, width: int) -> Iterator[str]:
    risk, unique = facts.risk, facts.uniqueness
    whom = counted_as(facts)
    yield ""
    yield f"Risk of being picked out, in {whom}"
    yield from _wrapped(
        f"at most {at_most(risk.highest)}, on average {at_most(risk.average)}; unique: "
        f"{share_of(unique.unique, facts.people, whom)}",
        width,
    )
    yield from _wrapped(picked_out(facts), width)
    if risk.rows is not None:
        for said, pick in (("a row of theirs", risk.rows), ("one of the people", risk.prosecutor)):
            yield f"  picking {said}: {at_most(pick.highest)}, on average {at_most(pick.average)}"
    rows = [
        (
            f"above {one_in(line.above)}",
            count(line.people),
            percent(line.share),
            _bar(line.share),
        )
        for line in facts.risk.at_risk
    ]
    yield from _table(("risk", whom, f"of {count(facts.people)}", ""), rows)


def _sizes(facts: TableAudit) -> Iterator[str]:
    steps = [step for step in facts.risk.distribution if step.people]
    total = max(sum(step.people for step in steps), 1)
    whom = counted_as(facts)
    yield ""
    yield f"Sizes of classes, in {whom}"
    rows = [
        (
            span(step.least, step.most),
            count(step.classes),
            count(step.people),
            percent(step.people / total),
            _bar(step.people / total),
        )
        for step in steps
    ]
    yield from _table(("size", "classes", whom, f"of {count(total)}", ""), rows)


def _sensitive(facts: TableAudit, width: int) -> Iterator[str]:
    told = list(facts.sensitive.items())
    for start in range(0, len(told), SIDE_BY_SIDE):
        part = told[start : start + SIDE_BY_SIDE]
        room = (width - 30) // len(part) - 2
        yield ""
        yield f"Sensitive values, each in its worst class; shares of {counted_as(facts)}"
        columns = [_figures(figures) for _, figures in part]
        rows = [(label, *(column[label] for column in columns)) for label in columns[0]]
        yield from _table(("", *(_clean(name, room) for name, _ in part)), rows)
    if told and made_sure(facts):
        yield from _wrapped(made_sure(facts).strip(), width)
    if any("ordered" not in figures.t for _, figures in told):
        yield from _wrapped(NO_RANKS, width)


def _figures(told: Diversity) -> dict[str, str]:
    distances = told.t
    return {
        "distinct l": count(told.distinct_l),
        "entropy l": number(told.entropy_l),
        "recursive l, c = 3": count(told.recursive_l["3"]),
        "t, equal distance": unbounded(distances["equal"]),
        "t, ordered distance": unbounded(distances["ordered"]) if "ordered" in distances else "–",
        "t, hierarchical": unbounded(distances["hierarchical"]) if "hierarchical" in distances else "–",
        "α, largest share": percent(told.alpha),
        "β": unbounded(told.beta),
        "δ": unbounded(told.delta),
        "in single-valued classes": percent(told.homogeneous_share),
    }


def _uniques(facts: TableAudit, width: int) -> Iterator[str]:
    unique, whom = facts.uniqueness, counted_as(facts)
    sets, which = sets_told(unique, SETS)
    yield from _beside(facts, width)
    if not sets:
        return
    yield ""
    yield "Columns that together single people out"
    yield from _wrapped(which, width)
    rows = [
        (
            _clean(", ".join(found.columns), width - 48),
            count(found.unique),
            percent(found.share),
            count(found.minimal),
        )
        for found in sets
    ]
    yield from _table(("columns", f"unique {whom}", f"of {count(facts.people)}", "on no fewer"), rows)


def _beside(facts: TableAudit, width: int) -> Iterator[str]:
    told = facts.beside
    if told is None:
        return
    yield ""
    yield "Unique by the quasi-identifiers and sensitive values"
    rows = [
        (_clean(said, width - 32), count(found.unique), percent(found.share))
        for said, found in known_beside(told)
    ]
    yield from _table(("known as well", f"unique {counted_as(facts)}", f"of {in_all(facts)}"), rows)
    said = (blank_beside(facts) + pairs_said(told.pairs_looked_at, told.pairs)).strip()
    if said:
        yield from _wrapped(said, width)


def _left_out(facts: TableAudit, width: int) -> Iterator[str]:
    columns = facts.uniqueness.columns
    if len(columns) < 2:
        return
    yield ""
    yield f"Without a column, in {counted_as(facts)}"
    rows = [
        (_clean(c.column, width - 54), count(c.k), count(c.unique), percent(c.average_risk)) for c in columns
    ]
    yield from _table(("left out", "k", f"unique of {count(facts.people)}", "average 1/size"), rows)


def _population(told: Population, width: int) -> Iterator[str]:
    yield ""
    yield "In the population"
    if told.left_out:
        yield from _wrapped(f"not estimated: {told.left_out}", width)
    if told.sampled is not None:
        yield from _wrapped(IF_SAMPLED, width)
    for figure, value in population_figures(told):
        yield from _wrapped(f"{figure}: {value}", width)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Return the lines of a table: the first column flush left, bars as they are, all else flush right."""
    widths = [max(len(row[i]) for row in (headings, *rows)) for i in range(len(headings))]
    for row in (headings, *rows):
        cells = [row[0].ljust(widths[0])]
        cells += [
            cell if i == len(row) - 1 and not headings[-1] else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(row[1:], widths[1:], strict=True), 1)
        ]
        yield ("  " + "  ".join(cells)).rstrip()


def _wrapped(said: str, width: int) -> list[str]:
    return textwrap.wrap(
        _clean(said, 100_000), width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
    )


def _bar(share: float) -> str:
    return "█" * round(share * BAR) or ("▏" if share else "")


def _clean(name: str, most: int) -> str:
    """Return a name that fits, signs that a terminal would obey spelled out."""
    shown = harmless(name, kept="")
    return shown if len(shown) <= most else shown[: max(most - 1, 1)] + "…"
