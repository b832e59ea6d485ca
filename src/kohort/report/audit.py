"""The page about a table as it stands."""

from __future__ import annotations

from kohort.facts.table_audit import TableAudit
from kohort.plurals import many
from kohort.report.audited import ONE, blank_beside, counted_as, in_all, made_sure, picked_out
from kohort.report.blocks import Block, Section, row, table, text
from kohort.report.charts import HALF, Bar, bars
from kohort.report.glossary import WORDS, glossary
from kohort.report.html import render
from kohort.report.page import Page
from kohort.report.population import IF_SAMPLED, population_figures
from kohort.report.singled_out import known_beside, pairs_said, sets_told
from kohort.report.words import at_most, count, number, one_in, percent, span, unbounded

SETS = 10  # sets of columns told


def audit_html(facts: TableAudit) -> str:
    """Return the audit of a table as one offline page."""
    return render(audit_page(facts))


def audit_page(facts: TableAudit) -> Page:
    """Return the page about a table as it stands, for its holder."""
    sections = [
        Section("classes", "Classes", "How large the classes are", _classes(facts)),
        Section("uniques", "Uniqueness", "What makes people unique", _uniques(facts)),
        Section(
            "sensitive", "Sensitive values", "What classes tell about sensitive values", _sensitive(facts)
        ),
        Section("population", "Population", "In the population", _population(facts)),
        Section("missing", "Missing values", "Missing and suppressed", _missing(facts)),
        Section("words", "Words", WORDS, glossary()),
    ]
    k = facts.k or 0
    return Page(
        title=f"Audit: k = {count(facts.k)}",
        kind="Kohort audit of a table",
        zone="For the holder of the table: not for publication",
        headline=f"This table is {k}-anonymous"
        if k > 1
        else "This table is not k-anonymous for any k above 1",
        holds=k > 1,
        lead=(
            f"{many(facts.records, 'record')} in {many(facts.classes, 'class', 'classes')} over the quasi-identifiers "
            f"{', '.join(facts.quasi)}. Missing values count as values."
        ),
        figures=_figures(facts),
        parts=sections,
        footer="Made by Kohort. The same figures as JSON: kohort audit … --json.",
    )


def _figures(facts: TableAudit) -> list[tuple[str, str, str]]:
    risk, unique, whom = facts.risk, facts.uniqueness, counted_as(facts)
    figures = [
        ("k", count(facts.k), f"{whom} in the smallest class"),
        ("unique", count(unique.unique), f"of {count(facts.people)} {whom}: {percent(unique.share)}"),
        ("highest risk", at_most(risk.highest), f"of any {ONE[whom]}, for a prosecutor"),
        ("average risk", at_most(risk.average), f"over all {whom}, for a prosecutor"),
    ]
    if facts.p is not None:
        figures.append(("p", count(facts.p), "different sensitive values in the class with the fewest"))
    if facts.suppressed:
        figures.append(("suppressed rows", count(facts.suppressed), "left out of these figures"))
    return figures


def _classes(facts: TableAudit) -> list[Block]:
    steps = [step for step in facts.risk.distribution if step.people]
    total = max(sum(step.people for step in steps), 1)
    sizes = [Bar(span(s.least, s.most), s.people / total, percent(s.people / total)) for s in steps]
    risks = [
        Bar(f"above {one_in(line.above)}", line.share, percent(line.share)) for line in facts.risk.at_risk
    ]
    whom = counted_as(facts)
    return [
        text(
            f"{picked_out(facts)} {whom.capitalize()} in several classes count in the smallest."
            if facts.respondent
            else picked_out(facts)
        ),
        row(
            [
                (
                    bars("Size of class", sizes, width=HALF),
                    f"Of {count(total)} {whom}, by the size of their class in {whom}",
                ),
                (
                    bars("Risk", risks, most=1.0, width=HALF),
                    f"Of {count(total)} {whom}, with a risk of being picked out …",
                ),
            ]
        ),
        table(
            (f"class size in {whom}", "classes", whom, f"share of {count(total)}"),
            [
                (
                    span(s.least, s.most),
                    count(s.classes),
                    count(s.people),
                    percent(s.people / total),
                )
                for s in steps
            ],
            (1, 2, 3),
            caption="Sizes as a table",
        ),
        table(
            ("risk of being picked out", whom, f"share of {count(total)}"),
            [(f"above {one_in(r.above)}", count(r.people), percent(r.share)) for r in facts.risk.at_risk],
            (1, 2),
            caption="Risk as a table",
        ),
    ]


def _uniques(facts: TableAudit) -> list[Block]:
    told = facts.uniqueness
    sets, which = sets_told(told, SETS)
    columns, whom = told.columns, counted_as(facts)
    blocks: list[Block] = []
    if sets:
        blocks += [
            text(f"Few facts suffice: columns on which people are unique. {which}"),
            table(
                (
                    "columns together",
                    f"{whom} unique on them",
                    f"share of {count(facts.people)}",
                    "unique on no fewer",
                ),
                [(", ".join(s.columns), count(s.unique), percent(s.share), count(s.minimal)) for s in sets],
                (1, 2, 3),
            ),
        ]
    if len(columns) > 1:
        blocks += [
            text(
                "What leaving out a column would do. Last, which share of the score of unique combinations (SUDA) is of sets "
                "with the column: every smallest set of columns on which somebody is unique scores, smaller ones more."
            ),
            table(
                (
                    "without",
                    f"k in {whom}",
                    f"unique of {count(facts.people)}",
                    "average of 1 / class size",
                    "share of the score",
                ),
                [
                    (
                        c.column,
                        count(c.k),
                        count(c.unique),
                        percent(c.average_risk),
                        percent(c.score_share),
                    )
                    for c in columns
                ],
                (1, 2, 3, 4),
            ),
        ]
    return [*blocks, *_beside(facts)]


def _beside(facts: TableAudit) -> list[Block]:
    told = facts.beside
    if told is None:
        return []
    rows = [(said, count(found.unique), percent(found.share)) for said, found in known_beside(told)]
    return [
        text(
            "Whoever knows sensitive values of somebody as well may find more people unique."
            + blank_beside(facts)
            + pairs_said(told.pairs_looked_at, told.pairs)
        ),
        table(
            ("the quasi-identifiers", f"unique {counted_as(facts)}", f"share of {in_all(facts)}"),
            rows,
            (1, 2),
        ),
    ]


def _sensitive(facts: TableAudit) -> list[Block]:
    told = facts.sensitive
    if not told:
        return []
    distances = ("equal", "ordered", "hierarchical")
    return [
        text(
            "For the worst class: how many different values it holds, how far its distribution is from the whole table's (t), "
            f"and the largest share of one value (α). Last, the share of all {counted_as(facts)} in classes with a single "
            "value. t, ordered: values are as far apart as their ranks, which texts do not have that nobody put in an order (–)."
            f"{made_sure(facts)}"
        ),
        table(
            ("column", "distinct l", "entropy l", "recursive l (c = 3)", "α", "β", "δ", "single-valued"),
            [
                (
                    name,
                    count(s.distinct_l),
                    number(s.entropy_l),
                    count(s.recursive_l["3"]),
                    percent(s.alpha),
                    unbounded(s.beta),
                    unbounded(s.delta),
                    percent(s.homogeneous_share),
                )
                for name, s in told.items()
            ],
            tuple(range(1, 8)),
        ),
        table(
            ("column", *(f"t, {distance}" for distance in distances)),
            [
                (name, *(unbounded(s.t[d]) if d in s.t else "–" for d in distances))
                for name, s in told.items()
            ],
            (1, 2, 3),
        ),
    ]


def _population(facts: TableAudit) -> list[Block]:
    told = facts.population
    if told is None:
        return []
    rows = list(population_figures(told))
    return [
        *([text(IF_SAMPLED)] if told.sampled is not None else []),
        *([text(f"Not estimated: {told.left_out}.")] if told.left_out else []),
        *([table(("figure", "value"), rows, (1,))] if rows else []),
    ]


def _missing(facts: TableAudit) -> list[Block]:
    rows = [(name, count(n)) for name, n in facts.missing.items() if n]
    blocks = [table(("column", "missing values"), rows, (1,))] if rows else []
    if facts.with_suppressed is not None:
        blocks.append(
            text(
                f"{many(facts.suppressed, 'row shows', 'rows show')} * in every quasi-identifier, left out above; counted as one "
                f"class they would make k = {count(facts.with_suppressed.k)}, and the highest risk "
                f"{at_most(facts.with_suppressed.risk.highest)}."
            )
        )
    return blocks
