"""The page about a release: the promise and the verdict first, then the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Block, Section, notice
from kohort.report.classes import class_sizes
from kohort.report.columns import column_levels
from kohort.report.compliance import compliance
from kohort.report.flow import data_flow
from kohort.report.frontier import frontier
from kohort.report.kept import kept
from kohort.report.method import method, reproduce
from kohort.report.remaining_risk import remaining_risk
from kohort.report.sensitive import sensitive_values
from kohort.report.words import brief, count, number, people, percent, torn


def release_page(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the page as a dict: headline, verdicts, notices, key figures, sections."""
    holds = all(verdict["holds"] for verdict in facts["verdicts"])
    promise = " and ".join(told["promise"] for told in facts["promises"])
    public = facts.get("zone") == "public"
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
        "zone": "Public version: small counts are hidden"
        if public
        else "Private version, for the holder of the original: not for publication",
        "headline": promise,
        "holds": holds,
        "verdict": "Kept, and verified on the files as written" if holds else "Not kept",
        "lead": _lead(facts),
        "verdicts": [_verdict(verdict) for verdict in facts["verdicts"]],
        "notices": _notices(facts),
        "figures": _figures(facts),
        "sections": [section for section in sections if section.blocks],
        "footer": f"Made by Kohort {facts['versions']['kohort']}. "
        f"Every number on this page stands in {'manifest' if public else 'audit'}.json beside it.",
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


def _notices(facts: Mapping[str, Any]) -> list[Block]:
    """Return what a reader must know before any figure: values that are not true, columns that are not hidden."""
    found, name = [], "group" if torn(facts) else "class"
    if not facts["algorithm"]["truthful"]:
        found.append(
            notice(
                "Perturbed values",
                "Quasi-identifiers were replaced by averages of groups. A released value need not be true of the person; "
                "use the table for statistics, not for single records.",
            )
        )
    if torn(facts):
        column = facts["column"]
        found.append(
            notice(
                "Quasi-identifiers are exact",
                "Nobody is hidden: people can be recognised in the first table, the average one with a chance of "
                f"{percent(facts['risk']['prosecutor']['average'])}. Only {column} is hidden, among the values of a group. "
                f"{_inference(facts)} Release it once: whoever has two dealings of the same people knows what both groups of a "
                "person have in common.",
            )
        )
    shared = [
        f"{percent(told['homogeneous_share'])} of records share their {column} with everybody in their {name}"
        for column, told in facts["sensitive"].items()
        if told and told["homogeneous_share"] > 0
    ]
    if shared:
        found.append(
            notice(
                "Not every sensitive value is hidden",
                f"{'; '.join(shared)}: whoever finds the {name} knows the value. A promise of diversity would prevent that.",
            )
        )
    return found


def _inference(facts: Mapping[str, Any]) -> str:
    """Return what is known of deFinetti's attack, which learns across groups."""
    column, l = facts["column"], facts["l"]  # noqa: E741
    told = next((a for a in facts.get("attacks") or [] if "finetti" in str(a["attack"]).lower()), None)
    said = f"A model trained on both tables can guess {column} better than the promised 1 in {l} (Kifer 2009)"
    if told is None:
        return f"{said}; how much better was not measured here."
    return f"{said}: measured here, {percent(told['success'])} of guesses are right."


def _verdict(verdict: Mapping[str, Any]) -> dict[str, Any]:
    achieved = verdict.get("achieved")
    said = [] if achieved is None else [f"achieved {number(achieved)}"]
    return {
        "promise": verdict["promise"],
        "holds": verdict["holds"],
        "text": "; ".join([*said, *([verdict["note"]] if verdict.get("note") else [])]),
    }


def _figures(facts: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    suppressed, proved = facts["suppressed"], "proved optimal" if facts["optimal"] else "not proved optimal"
    risk = facts["risk"]["prosecutor"]
    share = percent(suppressed / facts["rows"]) if isinstance(suppressed, int) else "fewer than k"
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
