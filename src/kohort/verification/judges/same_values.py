"""Which value of the original a released one is: the same text, or the same decimal or truth value as other programs write it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from kohort.arrays import IntArray

# truth values as Kohort, as data frames and as spreadsheets write them
_TRUTHS: tuple[Callable[[str], str], ...] = (str.lower, str.title, str.upper)


def codes_among(texts: Sequence[str | None], known: Sequence[str | None]) -> IntArray:
    """Return the place of each of some distinct texts among the known ones, -1 for one that is not there.

    A data frame tells `1234.50` of a file as 1234.5, and what it tells is as true. But it tells each value in one way:
    two spellings of one value would tell people apart who have the same, so that only the original's own is there. And it tells
    all values of a column by one rule: were each free to have as many zeros as somebody likes, their number could name a person.

    >>> codes_among(["1234.5", "07", None], ["7", None, "1234.50"]).tolist()
    [2, -1, 1]
    >>> codes_among(["1000", "1000.0"], ["1000"]).tolist()
    [0, -1]
    >>> codes_among(["1000.0", "2.00"], ["1000", "2"]).tolist()
    [-1, -1]
    """
    exact = {text: code for code, text in enumerate(known)}
    bare = {_bare(text): code for code, text in enumerate(known)}
    found = [exact.get(text, bare.get(_bare(text), -1)) for text in texts]
    told, ruled = Counter(found), by_one_rule([text for text in texts if text is not None])
    return np.array(
        [
            code if text in exact or (ruled and told[code] == 1) else -1
            for text, code in zip(texts, found, strict=True)
        ],
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


def by_one_rule(texts: Sequence[str]) -> bool:
    """Say whether a program may have written all numbers and truth values of a column by one choice for the column.

    Numbers have no zeros at their end (but perhaps one, where nothing else would follow the point), or all as many decimals.
    """
    truths = [text for text in texts if text.lower() in ("true", "false")]
    if not any(all(text == style(text) for text in truths) for style in _TRUTHS):
        return False
    numbers = [text for text in texts if _is_decimal(text)]
    return (
        all(text == _bare(text) for text in numbers)
        or all(text == _with_a_point(text) for text in numbers)
        or len({len(text.partition(".")[2]) for text in numbers}) == 1
    )


def _is_decimal(text: str) -> bool:
    return text.isascii() and text.replace(".", "", 1).removeprefix("-").isdigit()


def _with_a_point(text: str) -> str:
    """Return a number with the decimals that it needs, one at least, as data frames write it."""
    bare = str(_bare(text))
    return bare if "." in bare else f"{bare}.0"


def _bare(text: str | None) -> str | None:
    """Return a decimal without the zeros at its end, a truth value as Kohort writes it; any other text as it is."""
    if text is None or text.lower() in ("true", "false"):
        return text and text.lower()
    if "." not in text or not _is_decimal(text):
        return text
    return text.rstrip("0").rstrip(".")
