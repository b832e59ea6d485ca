"""Text cells that a spreadsheet would run as a formula, made harmless and made whole again.

The rule: a text that begins with `=`, `+`, `-`, `@`, their full-width forms, a tab or a line break, after blanks and
quotes if any, gets an apostrophe in front, unless it reads as a number (`-5`, `+1.5e3`). A text that already begins
with apostrophes before such a sign gets one more, so that taking one away restores every text exactly.

Programs cut lines at signs of their own choice, quoted or not: what follows a comma, a semicolon, a bar, a tab or a line break
within a text may begin a cell. So there, too, `=`, `+`, `-` and `@` get an apostrophe, blanks and quotes between aside,
unless nothing but numbers follows, and words after them (`[-10, -5) or missing`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc

_BLANKS = r"\t-\r\x1c-\x20\x{85}\p{Z}"  # Arrow's `\s` is less than Python's
_BEGIN = r"[=+\-@＝＋－＠]"
_SIGNS = r"[=+\-@＝＋－＠\t\r\n]"
_STARTS_FORMULA = rf"""\A[{_BLANKS}"']*{_SIGNS}"""
_NUMBER = rf"\A[{_BLANKS}]*[+-](?:\d+(?:[.,]\d*)?|\.\d+)(?:[eE][+-]?\d+)?[{_BLANKS}]*\z"
_ESCAPED = rf"""\A'([{_BLANKS}"']*{_SIGNS})"""

_MAY_BE_CUT = rf"""[,;|\t\r\n][,;|"{_BLANKS}]*'*{_BEGIN}"""
_MAY_BE_ESCAPED = rf"""[,;|\t\r\n][,;|"{_BLANKS}]*'+{_BEGIN}"""
_DIGITS = r"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_ENDING_NUMBER = rf"""[+-]{_DIGITS}(?:[,;]\s*[+-]?{_DIGITS})*[\])}}"]*(?:\s[a-z\s]*)?\Z"""
_CUT = re.compile(rf"""([,;|\t\r\n][,;|"\s]*)('*)(?!{_ENDING_NUMBER})(?={_BEGIN})""")


def escaped(texts: pa.Array) -> pa.Array:
    """Return the texts with an apostrophe before whatever would start a formula."""
    texts = _each(texts, _MAY_BE_CUT, lambda text: _CUT.sub(r"\1'\2", text))
    risky = pc.and_not(
        pc.match_substring_regex(texts, _STARTS_FORMULA), pc.match_substring_regex(texts, _NUMBER)
    )
    if not pc.any(risky).as_py():
        return texts
    return pc.if_else(risky, pc.binary_join_element_wise("'", texts, ""), texts)


def unescaped(texts: pa.Array) -> pa.Array:
    """Return the texts as they were before `escaped`."""
    whole = pc.replace_substring_regex(texts, _ESCAPED, r"\1", max_replacements=1)
    return _each(whole, _MAY_BE_ESCAPED, lambda text: _CUT.sub(_one_less, text))


def _one_less(found: re.Match[str]) -> str:
    return found[1] + found[2][1:]


def _each(texts: pa.Array, pattern: str, changed: Callable[[str], str]) -> pa.Array:
    """Return the texts with those changed that a pattern is found in: few, if any."""
    found = pc.match_substring_regex(texts, pattern)
    if not pc.any(found).as_py():
        return texts
    pairs = zip(texts.to_pylist(), found.to_pylist(), strict=True)
    return pa.array([changed(text) if hit else text for text, hit in pairs], texts.type)
