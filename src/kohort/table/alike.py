"""Texts that differ in nothing a reader would see: blanks, case, the width of letters, the spelling of a number."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc


def alike(values: pa.Array | pa.ChunkedArray) -> int:
    """Return how many of some distinct texts equal another one but for blanks, case and compatible forms of letters.

    Nothing is merged: `P1` and `p1 ` may be two people. Numbers and dates are never alike.

    >>> alike(pa.array(["P1", "p1 ", "P2", "Ｐ２", "P3"]))
    4
    """
    if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
        return 0
    plain = pc.utf8_normalize(values.drop_null(), form="NFKC")
    bare = pc.replace_substring_regex(plain, pattern=r"[\s\p{Z}\p{Cf}]+", replacement="")
    counts = pc.value_counts(pc.utf8_lower(pc.utf8_upper(bare))).field("counts")
    return int(pc.sum(pc.if_else(pc.greater(counts, 1), counts, 0)).as_py() or 0)


def alike_warning(column: str, number: int) -> list[str]:
    """Return what is to be said of a respondent column with so many names alike: nothing for none."""
    if not number:
        return []
    return [
        f"respondent column {column!r}: {number:,} names equal another one but for blanks, upper case or the form of "
        "letters, and count as people of their own; if they are the same people, every promise counts too many: "
        "clean the column first"
    ]


def alike_warnings(
    respondent: str | None,
    names: pa.Array | pa.ChunkedArray | None,
    sensitive: Mapping[str, pa.Array | pa.ChunkedArray],
) -> list[str]:
    """Return what is to be said of the names of people, where a column holds them, and of sensitive values."""
    people = [] if respondent is None or names is None else alike_warning(respondent, alike(names))
    return people + [told for column, values in sensitive.items() for told in alike_values(column, values)]


def alike_values(column: str, values: pa.Array | pa.ChunkedArray) -> list[str]:
    """Return what is to be said of a sensitive column some of whose values a reader would take for the same."""
    number = alike(values) + same_numbers(values)
    if not number:
        return []
    return [
        f"sensitive column {column!r}: {number:,} values equal another one but for blanks, upper case, the form of letters or "
        "the spelling of a number, and count as values of their own; a reader takes them for the same, so every promise "
        "of diversity counts too many: clean the column first"
    ]


def same_numbers(values: pa.Array | pa.ChunkedArray) -> int:
    """Return how many of some distinct texts are the number that another one is, spelled otherwise.

    >>> same_numbers(pa.array(["7", "7.0", "8", "x"]))
    2
    """
    if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
        return 0
    texts = values.drop_null()
    numeric = pc.match_substring_regex(texts, r"^[+-]?\d{1,15}(\.\d{1,15})?$")
    numbers = pc.cast(pc.filter(texts, numeric), pa.float64())
    counts = pc.value_counts(pc.add(numbers, 0.0)).field("counts")
    return int(pc.sum(pc.if_else(pc.greater(counts, 1), counts, 0)).as_py() or 0)
