"""Which value of the original a released one is: the same text, or the same decimal or truth value as other programs write it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from functools import partial

import numpy as np

from kohort.arrays import IntArray

Style = Callable[[str], str]

# truth values as Kohort, as data frames and as spreadsheets write them
TRUTHS: tuple[Style, ...] = (str.lower, str.title, str.upper)
# as R, Python and DuckDB write exponents
_SCALED = re.compile(r"-?[1-9](?:\.[0-9]+)?e[+-](?:[0-9]{2}|[1-9][0-9]{2})")
_QUANTITY = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")  # other digits are a code


def codes_among(texts: Sequence[str | None], known: Sequence[str | None]) -> IntArray:
    """Return the place of each of some distinct texts among the known ones, -1 for one that is not there.

    A data frame tells `1234.50` of a file as 1234.5, and what it tells is as true. But it tells each value in one way:
    two spellings of one value would tell people apart who have the same, so that only the original's own is there. And it tells
    all values of a column by one rule: were each free to have as many zeros as somebody likes, their number could name a person.

    >>> codes_among(["1234.5", "07", None], ["7", None, "1234.50"]).tolist()
    [2, -1, 1]
    >>> codes_among(["1000", "1000.0"], ["1000"]).tolist()
    [0, -1]
    >>> codes_among(["0", "1"], ["true", "false", None]).tolist(), codes_among(["0", "true"], ["true"]).tolist()
    ([1, 0], [-1, 0])
    >>> codes_among(["1000.0", "2.00"], ["1000", "2"]).tolist()
    [-1, -1]
    """
    texts = _truths_of_bits(texts, known)
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


def _truths_of_bits(texts: Sequence[str | None], known: Sequence[str | None]) -> list[str | None]:
    """Return 0 and 1 as truth values, where the known ones are such and all of a column is told so, as SQLite tells it."""
    bits = set(texts) <= {"0", "1", None} and {text and bare(text) for text in known} <= {
        "false",
        "true",
        None,
    }
    return [text and ("true" if text == "1" else "false") for text in texts] if bits else list(texts)


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

    Numbers are written in one of the `ways`, which leave no choice for a single one.
    """
    truths = [text for text in texts if text.lower() in ("true", "false")]
    if not any(all(text == style(text) for text in truths) for style in TRUTHS):
        return False
    numbers = [text for text in texts if is_decimal(text)]
    return any(all(text == way(text) for text in numbers) for way in ways(numbers))


def ways(numbers: Iterable[str]) -> Iterator[Style]:
    """Yield the ways in which a program may write all numbers of a column.

    They have the decimals that they need, none or one at least, or all as many; or exponents where data frames or R write them.
    """
    yield from (bare, with_a_point)
    decimals = {len(text.partition(".")[2]) for text in numbers}
    yield from (partial(with_decimals, number=number) for number in decimals if len(decimals) == 1)
    yield from (as_data_frames, as_r)


def is_decimal(text: str | None) -> bool:
    """Say whether a text is a number without a sign but that of one below zero, with an exponent only as programs write it."""
    if text is None or not text.isascii():
        return False
    return text.replace(".", "", 1).removeprefix("-").isdigit() or _SCALED.fullmatch(text) is not None


def bare(text: str) -> str:
    """Return a decimal without exponent and the zeros at its end, a truth value as Kohort writes it; any other text as it is."""
    if text.lower() in ("true", "false"):
        return text.lower()
    if _SCALED.fullmatch(text):
        text = f"{Decimal(text):f}"
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


def as_data_frames(text: str) -> str:
    """Return a number as data frames of Python write it: with an exponent where it is very small or great.

    >>> as_data_frames("0.00001"), as_data_frames("100000"), as_data_frames("00000000000000001")
    ('1e-05', '100000.0', '00000000000000001.0')
    """
    scaled = repr(float(text)) if _QUANTITY.fullmatch(bare(text)) else ""
    return scaled if "e" in scaled else with_a_point(text)


def as_r(text: str) -> str:
    """Return a number as R writes it: with an exponent where that is shorter.

    >>> as_r("100000"), as_r("120000"), as_r("0.0001"), as_r("2500.5"), as_r("0")
    ('1e+05', '120000', '1e-04', '2500.5', '0')
    """
    plain = bare(text)
    if not _QUANTITY.fullmatch(plain):
        return plain
    sign, digits, _ = Decimal(plain).as_tuple()
    told = "".join(map(str, digits)).strip("0") or "0"
    mantissa = ".".join(filter(None, (told[0], told[1:])))
    scaled = f"{'-' * sign}{mantissa}e{Decimal(plain).adjusted():+03d}"
    return scaled if len(scaled) < len(plain) else plain
