"""What is promised, in plain words: what stands under the title, for a reader who never heard of the promises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kohort.facts.head import Head

COUNTED = {
    "people": "People are counted, however many rows they have.",
    "rows": "People are counted, however many rows they have.",
    "records": "Every row is taken for one person.",
}


@dataclass(frozen=True)
class Plain:
    """The promises of a release, each in a sentence, between what must be known first and who is counted."""

    before: str = ""
    promises: Sequence[tuple[str, str]] = ()
    after: str = ""


def in_plain_words(facts: Head, before: str = "", after: str = "") -> Plain:
    """Return the promises of a release of any shape; in older audits, what they guarantee."""
    told = [(one.promise, f"{one.plain or one.guarantee}.") for one in facts.promises]
    return Plain(before, told, after)
