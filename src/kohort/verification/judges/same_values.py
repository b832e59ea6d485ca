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
    short = {text and bare(text): code for code, text in enumerate(known)}
    found = [exact.get(text, short.get(text and bare(text), -1)) for text in texts]
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
    numbers = [text for text in texts if is_decimal(text)]
    return (
        all(text == bare(text) for text in numbers)
        or all(text == with_a_point(text) for text in numbers)
        or len({len(text.partition(".")[2]) for text in numbers}) == 1
    )


def is_decimal(text: str | None) -> bool:
    """Say whether a text is a number without exponent and without a sign but that of one below zero."""
    return text is not None and text.isascii() and text.replace(".", "", 1).removeprefix("-").isdigit()


def bare(text: str) -> str:
    """Return a decimal without the zeros at its end, a truth value as Kohort writes it; any other text as it is."""
    if text.lower() in ("true", "false"):
        return text.lower()
    if "." not in text or not is_decimal(text):
        return text
    return text.rstrip("0").rstrip(".")


def with_a_point(text: str) -> str:
    """Return a number with the decimals that it needs, one at least, as data frames write it."""
    short = bare(text)
    return short if "." in short else f"{short}.0"


def with_decimals(text: str, number: int) -> str:
    """Return a number with so many decimals, or with those that it needs, where these are more.

    >>> with_decimals("1000", 2), with_decimals("2.5", 2), with_decimals("2.125", 2), with_decimals("7.00", 0)
    ('1000.00', '2.50', '2.125', '7')
    """
    whole, _, part = bare(text).partition(".")
    part = part.ljust(number, "0")
    return f"{whole}.{part}" if part else whole
