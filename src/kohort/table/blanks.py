"""Texts in which a reader sees nothing: they are missing values, wherever a table comes from.

`""`, `" "`, a tab, a zero-width space: whoever reads a release takes each of them for no value. Were they values of their
own, a class of nothing but blanks and missing values would be diverse. So there is one value of nothing, in every column
of every file and frame, released tables that are judged included.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

# Blanks, control and format characters, fillers, selectors of variants: what `plain_form` (kohort.table.alike) takes away.
_UNSEEN = (
    r"\s\x00-\x1f\x7f-\x9f\p{Z}\p{Cf}\x{034f}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180b}-\x{180f}\x{2800}\x{3164}"
    r"\x{fe00}-\x{fe0f}\x{ffa0}\x{e0100}-\x{e01ef}"
)
BLANK = rf"\A[{_UNSEEN}]*\z"  # as RE2 spells it, which Arrow and DuckDB both have


def blank(texts: pa.Array) -> pa.Array:
    """Mark the texts in which nothing is seen; of a missing one that is not known.

    >>> blank(pa.array(["flu", "", " ", "\u200b", "-"])).to_pylist()
    [False, True, True, True, False]
    """
    return pc.match_substring_regex(texts, BLANK)


def is_blank(text: str) -> bool:
    """Say whether nothing is seen in one text."""
    if "!" <= text[:1] <= "~":  # nearly every text: seen at once
        return False
    return bool(blank(pa.array([text], pa.string()))[0].as_py())


def without_blanks(values: pa.Array) -> pa.Array:
    """Return the values with a missing one for every blank text, as they are where there is none."""
    if not pa.types.is_string(values.type):
        return values
    found = blank(values)
    if not pc.any(found).as_py():
        return values
    return pc.if_else(found, pa.scalar(None, values.type), values)
