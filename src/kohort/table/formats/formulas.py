"""Text cells that a spreadsheet would run as a formula, made harmless and made whole again.

The rule: a text that begins with `=`, `+`, `-`, `@`, their full-width forms, a tab or a line break gets
an apostrophe in front, unless it reads as a number (`-5`, `+1.5e3`). A text that already begins with
apostrophes before such a sign gets one more, so that taking one away restores every text exactly.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

_SIGNS = r"[=+\-@＝＋－＠\t\r\n]"
_STARTS_FORMULA = rf"\A'*{_SIGNS}"
_NUMBER = r"\A[+-](?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?\z"
_ESCAPED = rf"\A'('*{_SIGNS})"


def escaped(texts: pa.Array) -> pa.Array:
    """Return the texts with an apostrophe before each that would start a formula."""
    risky = pc.and_not(
        pc.match_substring_regex(texts, _STARTS_FORMULA), pc.match_substring_regex(texts, _NUMBER)
    )
    if not pc.any(risky).as_py():
        return texts
    return pc.if_else(risky, pc.binary_join_element_wise("'", texts, ""), texts)


def unescaped(texts: pa.Array) -> pa.Array:
    """Return the texts as they were before `escaped`."""
    return pc.replace_substring_regex(texts, _ESCAPED, r"\1", max_replacements=1)
