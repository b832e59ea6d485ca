"""The public page about a release: what its tables show, and nothing that they do not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Block, Section, notice, text
from kohort.report.classes import class_sizes
from kohort.report.compliance import compliance
from kohort.report.method import check, method
from kohort.report.notices import notices
from kohort.report.released import distributions, released_columns
from kohort.report.remaining_risk import measured_risk
from kohort.report.sensitive import sensitive_values
from kohort.report.words import count, people, percent, torn, verdict_line

PRIVATE = "How much was suppressed, lost or searched is told in the holder's private report."


def public_page(public: Mapping[str, Any]) -> dict[str, Any]:
    """Return the page as a dict, as `release_page` does."""
    holds = all(verdict["holds"] for verdict in public["verdicts"])
    promise = " and ".join(told["promise"] for told in public["promises"])
    name = "groups" if torn(public) else "classes"
    sections = [
        Section("values", "Values", "Which values are released, and how often", distributions(public)),
        Section("columns", "Columns", "What is released of each column", released_columns(public)),
        Section("classes", name.capitalize(), f"How large the {name} are", class_sizes(public)),
        Section(
            "sensitive",
            "Sensitive values",
            f"What {name} tell about sensitive values",
            _sensitive(public),
        ),
        Section("risk", "Remaining risk", "What remains at risk", _risk(public)),
        Section("method", "Method", "How it was done", method(public)),
        Section(
            "compliance", "Regulators", "For the file: GDPR, HIPAA, EMA and Health Canada", compliance(public)
        ),
        Section("check", "Check", "How to check it", check(public)),
    ]
    return {
        "title": f"Release report: {promise}",
        "kind": "Kohort release report",
        "zone": "Public: computed from the released table and the plan alone",
        "headline": promise,
        "holds": holds,
        "verdict": "Kept, and verified on the files as written" if holds else "Not kept",
        "lead": _lead(public),
        "verdicts": [verdict_line(verdict) for verdict in public["verdicts"]],
        "notices": [*notices(public), *_people(public)],
        "figures": _figures(public),
        "sections": [section for section in sections if section.blocks],
        "footer": f"Made by Kohort {public['kohort']}. Every number on this page stands in manifest.json beside it, and "
        "whoever holds the table can compute both again.",
    }


def _lead(public: Mapping[str, Any]) -> str:
    if torn(public):
        column = public["column"]
        where = (
            f"in {count(public['groups'])} groups: one table holds every column but {column}, another how often each value of "
            f"{column} occurs in each group."
        )
    else:
        where = (
            f"in {count(public['classes'])} classes of {people(public)} that share their quasi-identifiers."
        )
    return f"{count(public['rows'])} rows are released, {where} {PRIVATE}"


def _people(public: Mapping[str, Any]) -> list[Block]:
    if public["counted"] != "rows":
        return []
    return [
        notice(
            "One person may have several rows",
            "The promises count people. The release does not show which rows are one person's, so the figures on this page count "
            "rows, and risks are not among them.",
        )
    ]


def _figures(public: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    figures = [("rows released", count(public["rows"]), "in the table"), *_company(public)]
    if public["risk"] is None:
        return figures
    risk = public["risk"]["prosecutor"]
    of = "of being recognised: nobody is hidden" if torn(public) else "of picking the right one"
    return [
        *figures,
        ("highest risk", percent(risk["highest"]), of),
        ("average risk", percent(risk["average"]), f"over all {people(public)}"),
    ]


def _company(public: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    if torn(public):
        told = public["sensitive"].get(public["column"]) or {}
        return [
            ("groups", count(public["groups"]), "each with its own values"),
            ("largest share", percent(told.get("alpha")), f"of one {public['column']} in a group"),
        ]
    smallest = min((step["from"] for step in public["class_sizes"]), default=0)
    return [
        ("classes", count(public["classes"]), "combinations of values"),
        ("smallest class", count(smallest), people(public)),
    ]


def _sensitive(public: Mapping[str, Any]) -> list[Block]:
    blocks = sensitive_values(public)
    if not blocks:
        return []
    said = "Compared with the distribution of the released table itself; promises compare with the original's, which is private."
    return [*blocks, text(said)]


def _risk(public: Mapping[str, Any]) -> list[Block]:
    said = (
        "The holder can run the attacks of the literature on the release and the original (kohort attack); what they came to "
        "is in the private report."
    )
    return [*measured_risk(public), text(said)]
