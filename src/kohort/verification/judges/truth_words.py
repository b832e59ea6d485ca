"""Truth values of quasi-identifiers in the words of other programs: `True` or `TRUE` where the original has `true`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from kohort.hierarchy import Hierarchy, Label

# as Kohort, as data frames and as spreadsheets write them
_STYLES: tuple[Callable[[str], str], ...] = (str.lower, str.title, str.upper)


def has_truths(hierarchy: Hierarchy) -> bool:
    """Say whether a hierarchy has truth values among its labels."""
    return any(map(_is_truth, _labels_of(hierarchy)))


def in_words_told(hierarchy: Hierarchy, told: Iterable[Label]) -> Hierarchy:
    """Return a hierarchy with its truth values as the labels of a column spell them, all in one way.

    That way is one choice for the whole column, so it tells nobody apart. Where the labels are the hierarchy's own, where they
    have several ways, or the hierarchy itself has, it is returned as it is: a label that it does not have means nothing.

    >>> ward = Hierarchy.from_rows("smoker", [["true", "*"], ["false", "*"]])
    >>> in_words_told(ward, ["True", "*"]).ground, in_words_told(ward, ["True", "FALSE"]).ground
    (('True', 'False'), ('true', 'false'))
    >>> in_words_told(ward, ["True"]).encode(["false"]).tolist()
    [1]
    """
    own, truths = set(_labels_of(hierarchy)), {label for label in told if _is_truth(label)}
    if truths <= own:
        return hierarchy
    for style in _STYLES:
        words = {label: style(label) for label in own if label is not None and _is_truth(label)}
        if truths <= set(words.values()) and len(set(words.values())) == len(words):
            return _called(hierarchy, words)
    return hierarchy


def _called(hierarchy: Hierarchy, words: dict[str, str]) -> Hierarchy:
    """Return the hierarchy with other words for some of its labels; the texts of the original mean what they did."""
    levels = tuple(
        replace(level, labels=tuple(words.get(label or "", label) for label in level.labels))
        for level in hierarchy.levels
    )
    ground = {text: word for text, word in words.items() if text in hierarchy.levels[0].code_of}
    return replace(hierarchy, levels=levels, coded={**hierarchy.coded, **ground})


def _labels_of(hierarchy: Hierarchy) -> Iterable[Label]:
    return (label for level in hierarchy.levels for label in level.labels)


def _is_truth(label: Label) -> bool:
    return label is not None and any(label in (style("true"), style("false")) for style in _STYLES)
