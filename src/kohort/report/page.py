"""`Page`: what a page says from its title to its footer, and what every page about a release begins with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kohort.facts.head import Head
from kohort.facts.promises import VerdictFacts
from kohort.report.blocks import Block, Figure, Section
from kohort.report.plain import Plain
from kohort.report.words import verdict_line


@dataclass(frozen=True)
class Page:
    """A page; sections in which nothing stands are left out."""

    title: str
    kind: str
    zone: str
    headline: str
    holds: bool
    lead: str
    figures: Sequence[Figure]
    parts: Sequence[Section]
    footer: str
    verdict: str = ""
    verdicts: Sequence[dict[str, Any]] = ()
    notices: Sequence[Block] = ()
    plain: Plain | None = None

    @property
    def sections(self) -> list[Section]:
        """The parts that say something."""
        return [part for part in self.parts if part.blocks]


def release_report(
    facts: Head,
    zone: str,
    lead: str,
    notices: Sequence[Block],
    figures: Sequence[Figure],
    parts: Sequence[Section],
    footer: str,
    plain: Plain,
    public: bool = False,
) -> Page:
    """Return the page about a release of any shape: the promise and the verdict first, then its parts."""
    holds = all(verdict.holds for verdict in facts.verdicts)
    promise = listed([told.promise for told in facts.promises])
    return Page(
        title=f"Release report: {promise}",
        kind="Kohort release report",
        zone=zone,
        headline=promise,
        holds=holds,
        verdict=_shown(facts) if public and holds else _verdict(holds, bool(facts.files)),
        lead=lead,
        verdicts=[verdict_line(verdict) for verdict in facts.verdicts],
        notices=notices,
        figures=figures,
        parts=parts,
        footer=footer,
        plain=plain,
    )


def listed(promises: Sequence[str]) -> str:
    """Return promises as one phrase.

    >>> listed(["5-anonymity", "3-diversity of ill", "3-diversity of pay"])
    '5-anonymity, 3-diversity of ill and 3-diversity of pay'
    """
    return " and ".join(filter(None, [", ".join(promises[:-1]), *promises[-1:]]))


def checked(facts: Head) -> str:
    """Return on what the promises were checked: a release that is in memory yet has no bytes."""
    what = "bytes that were written" if facts.files else "tables in memory, and will be on what is written"
    return f"The promises were checked on the {what}, by code that has no part in making them."


def _shown(facts: Head) -> str:
    """Return who can check what: the badge of a public page, whose reader has the files and not the original."""
    claimed = sum(_claimed(verdict) for verdict in facts.verdicts)
    if not claimed:
        return "Kept, as whoever has the files can check"
    shown = len(facts.verdicts) - claimed
    is_are = "is" if claimed == 1 else "are"
    return f"Kept: {claimed} of {shown + claimed} checks {is_are} the holder's word, {shown} anyone can make again on the files"


def _claimed(verdict: VerdictFacts) -> bool:
    """Tell whether a public verdict is the holder's word: what the files show has a figure, or needs no note."""
    return verdict.achieved is None and bool(verdict.note)


def _verdict(holds: bool, written: bool) -> str:
    where = "verified on the files as written" if written else "verified in memory; nothing is written yet"
    return f"Kept, and {where}" if holds else "Not kept"
