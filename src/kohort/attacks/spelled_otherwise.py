"""Whether known people can fit a release at all: values that are written otherwise match nothing, whoever was released."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from kohort.attacks.matching import told_by
from kohort.attacks.target import Outside, Target
from kohort.hierarchy import SUPPRESSED, Label
from kohort.hierarchy.numerals import numbers_of

_DAY = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}([ T].*)?")
_ISO = re.compile(r"\d{4}-\d\d-\d\d([ T].*)?")
OTHER = "they are other words or codes, or a kind of people of whom none was released"
SAME: dict[str, Callable[[str], str]] = {
    "they have blanks around them": str.strip,
    "they differ in capitals": str.casefold,
    "they differ in zeros at the front": lambda text: text.lstrip("0"),
}


def unmatched(target: Target, people: Outside, on: Sequence[str] | None = None) -> str:
    """Return why nobody can fit: a column none of whose values any label of the release stands for; nothing where people can.

    Labels that stand for everything, such as `*`, match whatever is written, and are left aside, unless the original shows
    that the values are written as they were.
    """
    for name in people.on if on is None else on:
        if not told_by(target, people.table[name], name) and not _blanked(target, people, name):
            return _reason(target, people, name)
    return ""


def incomparable(target: Target, people: Outside) -> str:
    """Return why nobody is nearer to one record than to another: the release holds numbers, or words, that people do not."""
    for name in people.on:
        one, other = people.table[name].texts, target.released[name].texts
        if not _numbers_both(one, other) and not told_by(target, people.table[name], name):
            return _reason(target, people, name)
    return ""


def _numbers_both(one: Sequence[Label], other: Sequence[Label]) -> bool:
    """Tell whether values of both sides are numbers, but for missing and suppressed ones."""
    return numbers_of([text for text in {*one, *other} if text not in {None, SUPPRESSED}]) is not None


def _blanked(target: Target, people: Outside, name: str) -> bool:
    """Tell whether values of the original are among those of people: then they fit what is suppressed, and may be there."""
    if target.original is None or name not in target.original.columns:
        return False
    held = {*people.table[name].texts} & {*target.original[name].texts} - {None}
    return bool(held) and SUPPRESSED in target.released[name].texts


def _reason(target: Target, people: Outside, name: str) -> str:
    """Say which column it is and what is different, never which value."""
    held = [text for text in people.table[name].texts if text is not None]
    hierarchy = target.hierarchies.get(name)
    ground = () if hierarchy is None else hierarchy.ground
    beside = {None, SUPPRESSED, *held}
    known = ({*ground} - beside) or ({*target.released[name].texts} - beside)
    whose = "the outside table" if target.outside is not None else "what is known of people"
    blank = SUPPRESSED in target.released[name].texts
    return (
        f"no value of {name} in {whose} is one that a label of the release stands for{', * aside' if blank else ''}, so that "
        f"nobody can fit{' but by what is suppressed' if blank else ''}: {_otherwise(held, [str(text) for text in known])}"
    )


def _otherwise(held: Sequence[str], known: Sequence[str]) -> str:
    if not held:
        return "all are missing"
    for difference, same in SAME.items():
        if {same(text) for text in held} & {same(text) for text in known}:
            return difference
    if all(map(_DAY.fullmatch, held)) and not all(map(_ISO.fullmatch, held)):
        return "they are dates in another format, or one that cannot be read as the release's"
    if numbers_of(held) is None and numbers_of([text.replace(",", ".") for text in held]) is not None:
        return "they are numbers with a decimal comma"
    if known and numbers_of(known) is not None and numbers_of(held) is None:
        return "they are not numbers, and those of the release are"
    return OTHER
