"""The private page about a release: the promise and the verdict first, then the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Section
from kohort.report.classes import class_sizes
from kohort.report.columns import column_levels
from kohort.report.compliance import compliance
from kohort.report.flow import data_flow
from kohort.report.frontier import frontier
from kohort.report.kept import kept
from kohort.report.method import method, reproduce
from kohort.report.notices import notices
from kohort.report.remaining_risk import remaining_risk
from kohort.report.sensitive import sensitive_values
from kohort.report.words import brief, count, people, percent, torn, verdict_line


def release_page(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the page as a dict: headline, verdicts, notices, key figures, sections."""
    holds = all(verdict["holds"] for verdict in facts["verdicts"])
    promise = " and ".join(told["promise"] for told in facts["promises"])
    name = "groups" if torn(facts) else "classes"
    sections = [
        Section("flow", "Data flow", "From the original to the release", data_flow(facts)),
        Section("columns", "Columns", "What happened to each column", column_levels(facts)),
        Section("classes", name.capitalize(), f"How large the {name} are", class_sizes(facts)),
        Section(
            "sensitive",
            "Sensitive values",
            f"What {name} tell about sensitive values",
            sensitive_values(facts),
        ),
        Section("kept", "Detail kept", "What detail was lost, and what is kept", kept(facts)),
        Section("frontier", "Frontier", "What more or less protection would cost", frontier(facts)),
        Section("risk", "Remaining risk", "What remains at risk", remaining_risk(facts)),
        Section("method", "Method", "How it was done", method(facts)),
        Section(
            "compliance", "Regulators", "For the file: GDPR, HIPAA, EMA and Health Canada", compliance(facts)
        ),
        Section("reproduce", "Reproduce", "How to reproduce and check it", reproduce(facts)),
    ]
    return {
        "title": f"Release report: {promise}",
        "kind": "Kohort release report",
        "zone": "Private version, for the holder of the original: not for publication",
        "headline": promise,
        "holds": holds,
        "verdict": "Kept, and verified on the files as written" if holds else "Not kept",
        "lead": _lead(facts),
        "verdicts": [verdict_line(verdict) for verdict in facts["verdicts"]],
        "notices": notices(facts),
        "figures": _figures(facts),
        "sections": [section for section in sections if section.blocks],
        "footer": f"Made by Kohort {facts['versions']['kohort']}. "
        "Every number on this page stands in audit.json beside it.",
    }


def _lead(facts: Mapping[str, Any]) -> str:
    if torn(facts):
        where = (
            f"in {count(facts['groups'])} groups: one table holds every column but {facts['column']}, another how often each "
            f"value of {facts['column']} occurs in each group."
        )
    else:
        where = f"in {count(facts['classes'])} classes of {people(facts)} that share their quasi-identifiers."
    return (
        f"{count(facts['released'])} of {count(facts['rows'])} rows are released, {where} The promises were checked on the "
        "bytes that were written, by code that has no part in making them."
    )


def _figures(facts: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    suppressed, proved = facts["suppressed"], "proved optimal" if facts["optimal"] else "not proved optimal"
    risk = facts["risk"]["prosecutor"]
    share = percent(suppressed / facts["rows"])
    figures = [
        ("rows released", count(facts["released"]), f"of {count(facts['rows'])}"),
        ("suppressed", count(suppressed), share),
    ]
    if torn(facts):
        told = facts["sensitive"].get(facts["column"]) or {}
        return [
            *figures,
            ("groups", count(facts["groups"]), "each with its own values"),
            ("largest share", percent(told.get("alpha")), f"of one {facts['column']} in a group"),
            ("highest risk", percent(risk["highest"]), "of being recognised: nobody is hidden"),
            ("average risk", percent(risk["average"]), f"over all {people(facts)}"),
        ]
    return [
        *figures,
        ("classes", count(facts["classes"]), "combinations of values"),
        ("highest risk", percent(risk["highest"]), "of picking the right one"),
        ("average risk", percent(risk["average"]), f"over all {people(facts)}"),
        (facts["objective"], brief(facts["score"]), proved),
    ]
