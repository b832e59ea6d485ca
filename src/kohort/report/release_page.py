"""The private page about a release: the promise and the verdict first, then the evidence."""

from __future__ import annotations

from kohort.facts import ReleaseFacts
from kohort.report.blocks import Block, Figure, Section, notice
from kohort.report.classes import class_sizes
from kohort.report.columns import column_levels
from kohort.report.company import company
from kohort.report.compliance import compliance
from kohort.report.context import CONTEXT, context
from kohort.report.detail_lost import kept
from kohort.report.flow import data_flow
from kohort.report.frontier import frontier
from kohort.report.glossary import WORDS, glossary
from kohort.report.left_out import left_out, shows_blank
from kohort.report.method import method, reproduce, search
from kohort.report.notices import notices, several_rows
from kohort.report.page import Page, checked, release_report
from kohort.report.plain import COUNTED, in_plain_words
from kohort.report.public_page import REGULATORS
from kohort.report.remaining_risk import remaining_risk
from kohort.report.scores import measures
from kohort.report.sensitive import sensitive_values
from kohort.report.why import why
from kohort.report.words import brief, count, percent


def release_page(facts: ReleaseFacts) -> Page:
    """Return the page about a release and what it cost, for the holder of the original."""
    of = f"{count(facts.released)} of {count(facts.rows)} rows are released{_blank(facts)}"
    return release_report(
        facts,
        zone="Private version, for the holder of the original: not for publication",
        lead=f"{of}, {company(facts).where(facts)} {checked(facts)}",
        notices=[*notices(facts, facts.attacks), *_several(facts), *_warned(facts)],
        figures=_figures(facts),
        plain=in_plain_words(facts, company(facts).plainly(facts), COUNTED[facts.counted]),
        parts=_parts(facts),
        footer=f"Made by Kohort {facts.versions['kohort']}. "
        "Every number on this page stands in audit.json beside it or follows from those that do.",
    )


def _several(facts: ReleaseFacts) -> list[Block]:
    """Return that promises count rows, and people seem to have several."""
    said = several_rows(facts.several_rows)
    return (
        [notice("People may have several rows", f"{said[0].upper()}{said[1:]}.")]
        if facts.several_rows
        else []
    )


def _warned(facts: ReleaseFacts) -> list[Block]:
    """Return what was noticed on the way: values that look alike, keys of the plan that nothing went by."""
    return (
        [notice("Noticed", " ".join(f"{warning}." for warning in facts.warnings))] if facts.warnings else []
    )


def _parts(facts: ReleaseFacts) -> list[Section]:
    names = company(facts).names
    told = f"What {names} tell about sensitive values"
    return [
        Section("flow", "Data flow", "From the original to the release", data_flow(facts)),
        Section("left-out", "Left out", "Who was left out, and why", [*left_out(facts), *why(facts)]),
        Section("columns", "Columns", "What happened to each column", column_levels(facts)),
        Section("classes", names.capitalize(), f"How large the {names} are", class_sizes(facts)),
        Section("sensitive", "Sensitive values", told, sensitive_values(facts)),
        Section("kept", "Detail kept", "What detail was lost, and what is kept", kept(facts)),
        Section("frontier", "Frontier", "What more or less protection would cost", frontier(facts.frontier)),
        Section("risk", "Remaining risk", "What remains at risk", remaining_risk(facts)),
        Section("method", "Method", "How it was done", _method(facts)),
        Section("compliance", "Regulators", REGULATORS, compliance(facts)),
        Section("context", "Context", CONTEXT, context(facts.asked, every=True)),
        Section("reproduce", "Reproduce", "How to reproduce and check it", reproduce(facts)),
        Section("words", "Words", WORDS, glossary()),
    ]


def _blank(facts: ReleaseFacts) -> str:
    """Return that suppressed rows stand in the table, where they do."""
    blank = shows_blank(facts)
    return f", and {count(facts.suppressed)} more with * in every quasi-identifier" if blank else ""


def _method(facts: ReleaseFacts) -> list[Block]:
    return [*method(facts, facts.search.stopped), *search(facts.search)]


def _figures(facts: ReleaseFacts) -> list[Figure]:
    told, proved = company(facts), "proved optimal" if facts.optimal else "not proved optimal"
    scored = told.scored and measures(facts, facts.objective)
    return [
        ("rows released", count(facts.released), f"of {count(facts.rows)}"),
        (
            "suppressed",
            count(facts.suppressed),
            f"of {count(facts.rows)}: {percent(facts.suppressed / facts.rows)}",
        ),
        *told.protection(facts),
        *([] if facts.risk is None else told.picked_out(facts.risk, facts.counted)),
        *([(facts.objective, brief(facts.score), proved)] if scored else []),
    ]
