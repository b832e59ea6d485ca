"""Which value of the original a released one is: the same text, or the same decimal or truth value as other programs write it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from kohort.arrays import IntArray

_TRUTHS = ("True", "False", "TRUE", "FALSE")  # as data frames and spreadsheets write them


def codes_among(texts: Sequence[str | None], known: Sequence[str | None]) -> IntArray:
    """Return the place of each of some distinct texts among the known ones, -1 for one that is not there.

    A data frame tells `1234.50` of a file as 1234.5, and what it tells is as true. But it tells each value in one way:
    two spellings of one value would tell people apart who have the same, so that only the original's own is there.

    >>> codes_among(["1234.5", "07", None], ["7", None, "1234.50"]).tolist()
    [2, -1, 1]
    >>> codes_among(["1000", "1000.0"], ["1000"]).tolist()
    [0, -1]
    """
    exact = {text: code for code, text in enumerate(known)}
    bare = {_bare(text): code for code, text in enumerate(known)}
    found = [exact.get(text, bare.get(_bare(text), -1)) for text in texts]
    told = Counter(found)
    return np.array(
        [code if told[code] == 1 or text in exact else -1 for text, code in zip(texts, found, strict=True)],
        np.int32,
    )


def codes_in_use(codes: IntArray, texts: Sequence[str | None], known: Sequence[str | None]) -> IntArray:
    """Return for each cell the place of its text among the known ones; `texts` may list some that no cell has.

    Files that are laid beside each other share one list of texts: the original's own spelling is no second one.

    >>> codes_in_use(np.array([1, 1]), ["7", "7.0"], ["7"]).tolist()
    [0, 0]
    """
    used, place = np.unique(codes, return_inverse=True)
    return np.asarray(codes_among([texts[code] for code in used], known)[place], np.int32)


def _bare(text: str | None) -> str | None:
    """Return a decimal without the zeros at its end, a truth value as Kohort writes it; any other text as it is."""
    if text in _TRUTHS:
        return text.lower()
    if text is None or "." not in text or not text.replace(".", "", 1).removeprefix("-").isdigit():
        return text
    return text.rstrip("0").rstrip(".")
