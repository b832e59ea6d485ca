"""`harmless`: a text without signs that a terminal or a page would obey; names and values of strangers' files may hold them."""

from __future__ import annotations

import unicodedata

_KEPT = "\n\t"


def harmless(text: str, kept: str = _KEPT) -> str:
    r"""Return the text with control signs, bidi overrides and the like spelled out.

    >>> harmless("na\x1b[2Jme\a")
    'na\\x1b[2Jme\\x07'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(sign if sign in kept or _shows(sign) else _spelled(sign) for sign in text)


def _shows(sign: str) -> bool:
    return unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _spelled(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
