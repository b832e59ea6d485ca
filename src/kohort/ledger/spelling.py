"""Values and columns of two releases that are the same to whoever reads both, though plans or programs spelled them otherwise.

Within one release nothing is the same that is written otherwise: `AA` and `aa` are two genotypes, and everybody sees which.
So a spelling says that two *releases* tell the same only where none of them holds both (`kohort.ledger.recognised`).
"""

from __future__ import annotations

import re
import unicodedata

from kohort.table.alike import plain_form

_JOINTS = ("Z", "C", "Pd", "Pc")  # kinds of signs: blanks, signs without width, dashes, underscores
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:t?00:00(?::00(?:\.0+)?)?z?)?$")
_DAY_FIRST = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})$")
_POINTS = re.compile(r"([+-]?\d{1,3}(?:\.\d{3})+),(\d+)$|([+-]?\d{1,3}(?:\.\d{3}){2,})$")


def same_value(text: str) -> str:
    """Return a value without what people and programs write differently.

    Beyond what `plain_form` ignores: how a date is written where that leaves no doubt, and points between thousands.

    >>> [same_value(text) for text in ("31.3.2020", "2020/03/31", "2020-03-31 00:00:00", "1.234,50", "03/04/2020")]
    ['2020-03-31', '2020-03-31', '2020-03-31', '1234.5', '03/04/2020']
    """
    plain = plain_form(text)
    if (found := _YEAR_FIRST.match(plain)) is not None:
        year, _, month, day = found.groups()
    elif (found := _DAY_FIRST.match(plain)) is not None:
        day, month, year = found.groups()
    elif (found := _POINTS.match(plain)) is not None:
        whole, part, bare = found.groups()
        return plain_form((bare or f"{whole},{part}").replace(".", "").replace(",", "."))
    else:
        return plain
    return f"{year}-{int(month):02}-{int(day):02}"


def plain_name(name: str) -> str:
    """Return the name of a column without case, forms of letters, blanks, hyphens, underscores and points.

    >>> [plain_name(name) for name in ("Age", " age", "Zip-Code", "zip_code", "zip.code", "_")]
    ['age', 'age', 'zipcode', 'zipcode', 'zipcode', '_']
    """
    letters = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    kept = (sign for sign in letters if sign != "." and not unicodedata.category(sign).startswith(_JOINTS))
    return "".join(kept) or name
