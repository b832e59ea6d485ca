"""How the release was made, and how it can be made and checked again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Block, code, table, text
from kohort.report.words import number, percent

SEARCH = {
    "nodes": "recodings in all",
    "checked": "recodings looked at",
    "visited": "nodes visited",
    "bound": "no recoding can score below",
    "gap": "which is below this score by at most",
}

STOPPED = {
    "time_limit": "the time limit of the plan was reached",
    "interrupt": "the search was interrupted",
    "asked": "the search was told to stop",
}


def method(facts: Mapping[str, Any]) -> list[Block]:
    """Return the algorithm and the promises with what they guarantee and their papers."""
    algorithm = facts["algorithm"]
    rows = [("algorithm", algorithm["name"])]
    if algorithm.get("summary"):
        rows.append(("what it does", algorithm["summary"]))
    rows.append(("guarantee", algorithm["guarantee"] or "none"))
    rows.append(("released values", "true, if less exact" if algorithm["truthful"] else "perturbed"))
    if algorithm["taxonomy"]:
        rows.append(("recoding model (Ciriani et al.)", algorithm["taxonomy"]))
    rows.append(("paper", algorithm["paper"]))
    rows.append(("objective", facts["objective"]))
    if facts.get("stopped"):
        rows.append(("ended early", ended_early(facts)))
    found = [
        (said, percent(facts[key]) if key == "gap" else number(facts[key]))
        for key, said in SEARCH.items()
        if isinstance(facts.get(key), int | float)
    ]
    return [
        table(("", ""), rows),
        table(
            ("promise", "what it guarantees", "paper"),
            [(told["promise"], told["guarantee"], told["paper"]) for told in facts["promises"]],
        ),
        *([table(("search", "figure"), found, (1,), caption="The search in figures")] if found else []),
    ]


def ended_early(facts: Mapping[str, Any]) -> str:
    """Return why a search was over before its end, and what its release is then."""
    return (
        f"{STOPPED.get(facts['stopped'], 'it was stopped')}: this is the best that was found by then; every promise is kept, "
        "and what the algorithm guarantees beyond them is true of searches that end by themselves"
    )


def reproduce(facts: Mapping[str, Any]) -> list[Block]:
    """Return the commands, the plan, the versions and the digests of the files."""
    used = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    return [
        *_verified("kohort verify RELEASE            # the directory that was released"),
        text(
            "Such a release can be made again from this plan; what is drawn to hide people, the order of the rows first of all, is "
            "new each time:"
        ),
        code(facts["plan_toml"]),
        text(f"Versions: {used}."),
        *_files(facts),
    ]


def check(public: Mapping[str, Any]) -> list[Block]:
    """Return how anyone can check the release and this page, with the public plan and the digests of the files."""
    return [
        *_verified("kohort verify RELEASE            # the directory that holds this page"),
        text(
            f"This page and manifest.json follow from the released files and this plan: Kohort {public['kohort']} makes them "
            "again, byte for byte. Paths, the seed and columns that are not released do not stand in it."
        ),
        code(public["plan_toml"]),
        *_files(public),
    ]


def _verified(command: str) -> list[Block]:
    return [text("Anyone can check the promises again from the released files:"), code(command)]


def _files(facts: Mapping[str, Any]) -> list[Block]:
    files = list(facts.get("files", {}).items())
    return [table(("file", "SHA-256"), files, caption="Files of the release")] if files else []
