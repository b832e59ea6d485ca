"""What spreadsheets make of cells that they take for something else: dates, powers of ten, errors of formulas."""

from __future__ import annotations

import re

_MONTH = "(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*"
_FORMS: dict[str, re.Pattern[str]] = {
    "date": re.compile(
        rf"[0-9]{{1,2}}[-. /]{{1,2}}{_MONTH}\.?(?:[- /.][0-9]{{2,4}})?|{_MONTH}\.?[- /][0-9]{{2,4}}"
        r"|[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{2,4}|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T]00:00(?::00)?)?",
        re.IGNORECASE,
    ),
    "power": re.compile(r"[+-]?[0-9](?:[.,][0-9]+)?E[+-]?[0-9]+"),
    "error": re.compile(
        r"#(?:NAME\?|NAME|REF!|REF|VALUE!|WERT!|DIV/0!|N/A|NV|NUM!|ZAHL!|NULL!|BEZUG!|####*)"
    ),
}
SPOILT = {  # what such cells are, and what to do
    "date": (
        "dates, as a spreadsheet makes them of ranges and codes",
        "import all columns as text, and write these cells again",
    ),
    "power": (
        "powers of ten, as a spreadsheet makes them of long codes",
        "import all columns as text, and write these cells again",
    ),
    "error": ("errors of formulas", "write these cells again"),
}


def spoilt_as(cell: str) -> str | None:
    """Return what a spreadsheet may have made of a cell; None where it looks like nothing of that.

    >>> [spoilt_as(cell) for cell in ("05. Okt", "May-10", "1,23E+11", "#REF!", "10-19", "May")]
    ['date', 'date', 'power', 'error', None, None]
    """
    return next((how for how, form in _FORMS.items() if form.fullmatch(cell.strip())), None)
