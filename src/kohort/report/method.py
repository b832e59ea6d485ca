"""How the release was made, and how it can be made and checked again."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.facts import Manifest, ReleaseFacts, TableFacts
from kohort.facts.release import Search
from kohort.report.blocks import Block, code, table, text
from kohort.report.words import number, percent

STOPPED = {
    "time_limit": "the time limit of the plan was reached",
    "interrupt": "the search was interrupted",
    "asked": "the search was told to stop",
}


def method(facts: TableFacts, stopped: str | None = None) -> list[Block]:
    """Return the algorithm and the promises with what they guarantee and their papers; why it ended early, if it did."""
    algorithm = facts.algorithm
    rows = [("algorithm", algorithm.name)]
    if algorithm.summary:
        rows.append(("what it does", algorithm.summary))
    rows.append(("guarantee", algorithm.guarantee or "none"))
    rows.append(("released values", "true: exact or generalized" if algorithm.truthful else "perturbed"))
    if algorithm.taxonomy:
        rows.append(("recoding model (Ciriani et al.)", algorithm.taxonomy))
    rows.append(("paper", algorithm.paper))
    own = (
        ""
        if algorithm.by_objective
        else ", by which the release is scored; the search goes by a measure of its own"
    )
    rows.append(("objective", f"{facts.objective}{own}"))
    if stopped is not None:
        rows.append(("ended early", ended_early(stopped)))
    return [
        table(("", ""), rows),
        table(
            ("promise", "what it guarantees", "paper"),
            [(told.promise, told.guarantee, told.paper) for told in facts.promises],
        ),
    ]


def search(told: Search) -> list[Block]:
    """Return what the search did, in figures."""
    found = [
        ("recodings in all", told.nodes),
        ("recodings looked at", told.checked),
        ("of these counted where the rows are, the others from these", told.counted),
        ("nodes visited", None if isinstance(told.visited, tuple) else told.visited),
        ("no recoding can score below", told.bound),
    ]
    rows = [(said, number(figure)) for said, figure in found if figure is not None]
    rows += [] if told.gap is None else [("which lies below this score by", percent(told.gap))]
    return [table(("search", "figure"), rows, (1,), caption="The search in figures")] if rows else []


def ended_early(stopped: str) -> str:
    """Return why a search was over before its end, and what its release is then."""
    return (
        f"{STOPPED.get(stopped, 'it was stopped')}: this is the best that was found by then; every promise is kept, "
        "and what the algorithm guarantees beyond them is true of searches that end by themselves"
    )


def reproduce(facts: ReleaseFacts) -> list[Block]:
    """Return the commands, the plan, the versions and the digests of the files."""
    used = ", ".join(f"{name} {number}" for name, number in facts.versions.items())
    return [
        text(
            "With the private audit beside the released files, every promise can be checked again; without it, what they show:"
        ),
        code("kohort verify RELEASE            # the directory that was released"),
        text(
            "Such a release can be made again from this plan; what is drawn to hide people, the order of the rows first of all, is "
            "new each time:"
        ),
        code(facts.plan_toml),
        text(f"Versions: {used}."),
        *_files(facts.files),
    ]


def check(public: Manifest) -> list[Block]:
    """Return how anyone can check the release and this page, with the public plan and the digests of the files."""
    return [
        text("Whoever has the released files can check again what they show:"),
        code("kohort verify RELEASE            # the directory that holds this page"),
        text(
            f"This page and manifest.json follow from the released files and this plan: Kohort {public.kohort} makes them "
            "again, byte for byte. Paths, the seed and columns that are not released do not stand in it."
        ),
        code(public.plan_toml),
        *_files(public.files),
    ]


def _files(files: Mapping[str, str]) -> list[Block]:
    told = list(files.items())
    return [table(("file", "SHA-256"), told, caption="Files of the release")] if told else []
