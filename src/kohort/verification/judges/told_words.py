"""Truth values and numbers of quasi-identifiers as other programs write them: `True` for `true`, `1000.0` for `1000`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from kohort.hierarchy import Hierarchy, Label
from kohort.hierarchy.spelling import Spelling
from kohort.verification.judges.same_values import TRUTHS, Style, is_decimal, ways


def has_words(hierarchy: Hierarchy) -> bool:
    """Say whether a hierarchy has labels that programs write in several ways."""
    return any(_is_truth(label) or is_decimal(label) for label in _labels_of(hierarchy))


def in_words_told(hierarchy: Hierarchy, told: Iterable[Label]) -> Hierarchy:
    """Return a hierarchy with its truth values and numbers as the labels of a column spell them, all in one way.

    That way is one choice for the whole column, so it tells nobody apart. Where the labels are the hierarchy's own, where they
    have several ways, or where two labels of the hierarchy would be spelled alike, it is returned as it is: a label that it does
    not have means nothing.

    >>> ward = Hierarchy.from_rows("smoker", [["true", "*"], ["false", "*"]])
    >>> in_words_told(ward, ["True", "*"]).ground, in_words_told(ward, ["True", "FALSE"]).ground
    (('True', 'False'), ('true', 'false'))
    >>> in_words_told(ward, ["True"]).encode(["false"]).tolist()
    [1]
    >>> pay = Hierarchy.from_rows("pay", [["1000", "*"], ["2.50", "*"]])
    >>> in_words_told(pay, ["1000.0", "2.5"]).ground, in_words_told(pay, ["1000.0", "2.50"]).ground
    (('2.5', '1000.0'), ('2.50', '1000'))
    """
    labels = [label for label in told if label is not None]
    truths, numbers = {label for label in labels if _is_truth(label)}, set(filter(is_decimal, labels))
    hierarchy = _in_one_way(hierarchy, truths, _is_truth, TRUTHS)
    return _in_one_way(hierarchy, numbers, is_decimal, list(ways(numbers)))


def _in_one_way(
    hierarchy: Hierarchy, told: set[str], kind: Callable[[Label], bool], ways: Sequence[Style]
) -> Hierarchy:
    own = {label for label in _labels_of(hierarchy) if label is not None and kind(label)}
    if told <= own:
        return hierarchy
    for style in ways:
        words: dict[Label, str] = {label: style(label) for label in own}
        distinct = set(words.values())
        if told <= distinct and len(distinct) == len(words):
            return _called(hierarchy, words)
    return hierarchy


def _called(hierarchy: Hierarchy, words: Mapping[Label, str]) -> Hierarchy:
    """Return the hierarchy with other words for some of its labels; the texts of the original mean what they did."""
    levels = tuple(
        replace(level, labels=tuple(words.get(label, label) for label in level.labels))
        for level in hierarchy.levels
    )
    ground = {
        text: word for text, word in words.items() if text is not None and text in hierarchy.levels[0].code_of
    }
    own = {word: text for text, word in ground.items()}
    spellings = tuple(
        Spelling(partial(_serves, spelling, own), partial(_built, spelling, words))
        for spelling in hierarchy.spellings
    )
    return replace(hierarchy, levels=levels, coded={**hierarchy.coded, **ground}, spellings=spellings)


def _serves(spelling: Spelling, own: Mapping[str, str], text: str) -> bool:
    return spelling.serves(own.get(text, text))


def _built(spelling: Spelling, words: Mapping[Label, str]) -> Hierarchy:
    return _called(spelling.hierarchy, words)


def _labels_of(hierarchy: Hierarchy) -> Iterable[Label]:
    return (label for level in hierarchy.levels for label in level.labels)


def _is_truth(label: Label) -> bool:
    return label is not None and any(label in (style("true"), style("false")) for style in TRUTHS)
