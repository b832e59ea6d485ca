"""The pages about a release of sets: the promise and the verdict first, then what is told and what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kohort.report.blocks import Block, Section, chart, code, table, text
from kohort.report.charts import Bar, bars
from kohort.report.words import brief, count, many, percent, verdict_line

SHOWN = 30  # labels that are drawn; the table below lists more
LISTED = 1000
SIZES = 20
NOT_PROMISED = (
    "Promised is what whoever knows some items of a person can find. Not promised is anything against who knows more items than m, "
    "what a person does not hold, or the whole set; rare large sets may be recognised by their size."
)


def public_page(public: Mapping[str, Any]) -> dict[str, Any]:
    """Return the page about released sets, for everybody."""
    return _page(
        public,
        zone="Public: computed from the released table and the plan alone",
        lead=f"{_sets(public)} What it cost is told in the holder's private report.",
        figures=_figures(public),
        parts=[*_released(public), _method(public), _check(public)],
        footer=f"Made by Kohort {public['kohort']}. Every number on this page stands in manifest.json beside it, and "
        "whoever holds the table can compute both again.",
    )


def release_page(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the page about released sets and what they cost, for the holder of the original."""
    cost = ("NCP", brief(facts["losses"]["ncp"]), "0 as exact as before, 1 nothing told")
    return _page(
        facts,
        zone="Private version, for the holder of the original: not for publication",
        lead=f"{_sets(facts)} The promises were checked on the bytes that were written, by code that has no part in making them.",
        figures=[*_figures(facts), cost],
        parts=[_told(facts), _method(facts), _reproduce(facts)],
        footer=f"Made by Kohort {facts['versions']['kohort']}. Every number on this page stands in audit.json beside it.",
    )


def _page(
    facts: Mapping[str, Any],
    zone: str,
    lead: str,
    figures: Sequence[tuple[str, str, str]],
    parts: Sequence[Section],
    footer: str,
) -> dict[str, Any]:
    holds = all(verdict["holds"] for verdict in facts["verdicts"])
    promise = " and ".join(told["promise"] for told in facts["promises"])
    return {
        "title": f"Release report: {promise}",
        "kind": "Kohort release report",
        "zone": zone,
        "headline": promise,
        "holds": holds,
        "verdict": "Kept, and verified on the files as written" if holds else "Not kept",
        "lead": lead,
        "verdicts": [verdict_line(verdict) for verdict in facts["verdicts"]],
        "notices": [],
        "figures": figures,
        "sections": parts,
        "footer": footer,
    }


def _sets(facts: Mapping[str, Any]) -> str:
    return f"The sets of {count(facts['people'])} people are released, told by {many(len(facts['labels']), 'label')}."


def _figures(facts: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    least = [verdict["achieved"] for verdict in facts["verdicts"] if verdict.get("achieved") is not None]
    return [
        ("people", count(facts["people"]), "one set each"),
        ("labels", count(len(facts["labels"])), "by which items are told"),
        *([("smallest crowd", count(min(least)), "who share a combination of labels")] if least else []),
    ]


def _released(public: Mapping[str, Any]) -> list[Section]:
    held = [(one["label"], one["people"]) for one in public["labels"]]
    sizes = [Bar(many(s["labels"], "label"), s["people"], count(s["people"])) for s in public["sizes"]]
    drawn = bars("People by the number of labels in their set", sizes[:SIZES])
    caption = f"People by the number of labels in their set{', up to ' + str(SIZES) + ' numbers' if len(sizes) > SIZES else ''}"
    return [
        Section(
            "labels", "Labels", "Which labels are released, and how often", _labels(held, public["people"])
        ),
        Section("sizes", "Sizes", "How large the sets are", [chart(drawn, caption), text(NOT_PROMISED)]),
    ]


def _labels(held: Sequence[tuple[str, int]], people: int) -> list[Block]:
    if not held:
        return [text("Nobody holds anything.")]
    drawn = [Bar(label, n, f"{count(n)} ({percent(n / people)})") for label, n in held[:SHOWN]]
    rows = [(label, count(n)) for label, n in held[:LISTED]]
    more = len(held) - len(rows)
    return [
        chart(
            bars("People who hold each label", drawn),
            "People who hold each label, those that most hold first",
        ),
        table(("label", "people"), rows, (1,), caption=f"All labels{f' but {count(more)}' if more else ''}"),
    ]


def _told(facts: Mapping[str, Any]) -> Section:
    rows = [(one["label"], count(one["items"]), count(one["people"])) for one in facts["labels"][:LISTED]]
    said = (
        f"{many(facts['items'], 'item')} occur in the original, of {count(facts['known'])} that the hierarchy knows; "
        f"{count(facts['holding'])} of {count(facts['people'])} people hold any."
    )
    return Section(
        "labels",
        "Labels",
        "By which labels items are told",
        [text(said), table(("label", "items under it", "people"), rows, (1, 2)), text(NOT_PROMISED)],
    )


def _method(facts: Mapping[str, Any]) -> Section:
    algorithm = facts["algorithm"]
    rows = [
        ("algorithm", algorithm["name"]),
        ("what it does", algorithm["summary"]),
        ("guarantee", algorithm["guarantee"]),
        ("released values", "true, if less exact: every item by one label, the same in all sets"),
        ("paper", algorithm["paper"]),
    ]
    told = [(one["promise"], one["guarantee"], one["paper"]) for one in facts["promises"]]
    blocks = [table(("", ""), rows), table(("promise", "what it guarantees", "paper"), told)]
    return Section("method", "Method", "How it was done", blocks)


def _check(public: Mapping[str, Any]) -> Section:
    blocks = [
        text("Anyone can check the promises again from the released files:"),
        code("kohort verify RELEASE            # the directory that holds this page"),
        text(
            f"This page and manifest.json follow from the released table and this plan: Kohort {public['kohort']} makes them "
            "again, byte for byte. Paths, the seed and columns that are not released do not stand in it."
        ),
        code(public["plan_toml"]),
        table(("file", "SHA-256"), list(public["files"].items()), caption="Files of the release"),
    ]
    return Section("check", "Check", "How to check it", blocks)


def _reproduce(facts: Mapping[str, Any]) -> Section:
    used = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    blocks = [
        text("Such a release can be made again from this plan; the order of the rows is new each time:"),
        code(facts["plan_toml"]),
        text(f"Versions: {used}."),
    ]
    return Section("reproduce", "Reproduce", "How to reproduce and check it", blocks)
