"""What spreadsheets make of cells that they take for something else: dates, powers of ten, errors of formulas."""

from __future__ import annotations

import re

_MONTHS = (  # how they begin in English, German, French, Spanish, Italian and Dutch
    ("jan", "jän", "ene", "gen"), ("feb", "fév", "fev"), ("mar", "mär", "mrz", "mrt", "maa"), ("apr", "avr", "abr"),
    ("may", "mai", "mei", "mag"), ("jun", "juin", "giu"), ("jul", "juil", "lug"), ("aug", "aoû", "aou", "ago"), ("sep", "set"),
    ("oct", "okt", "ott"), ("nov",), ("dec", "dez", "déc", "dic"),
)  # fmt: skip
_MONTH = f"(?:{'|'.join(start for starts in _MONTHS for start in starts)})[^\\W0-9_]*"
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
_AGAIN = "import all columns as text, and write these cells again"
SPOILT = {  # what one such cell is, what several are, and what to do
    "date": (
        "a date, as a spreadsheet makes it of a range or code",
        "dates, as a spreadsheet makes them of ranges and codes",
        _AGAIN,
    ),
    "written": (
        "a date as a spreadsheet shows it, and not as it was",
        "dates as a spreadsheet shows them, and not as they were",
        _AGAIN,
    ),
    "serial": (
        "the number of a day, as a spreadsheet makes it of a range or date",
        "numbers of days, as a spreadsheet makes them of ranges and dates",
        _AGAIN,
    ),
    "zeros": (
        "a number without the zeros or the last digits that the label has",
        "numbers without the zeros or the last digits that the labels have",
        _AGAIN,
    ),
    "power": (
        "a power of ten, as a spreadsheet makes it of a long code",
        "powers of ten, as a spreadsheet makes them of long codes",
        _AGAIN,
    ),
    "error": ("an error of a formula", "errors of formulas", "write these cells again"),
}


def month_named(cell: str) -> int | None:
    """Return the month that a cell names, in one of some languages; None where it names none.

    >>> month_named("Mrz. 30"), month_named("juil-24"), month_named("01.03.1930")
    (3, 7, None)
    """
    word = re.search(r"[^\W0-9_]+", cell)
    if word is None:
        return None
    starts = ((start, month) for month, starts in enumerate(_MONTHS, 1) for start in starts)
    return next((month for start, month in starts if word[0].casefold().startswith(start)), None)


def spoilt_as(cell: str) -> str | None:
    """Return what a spreadsheet may have made of a cell; None where it looks like nothing of that.

    >>> [spoilt_as(cell) for cell in ("05. Okt", "May-10", "1,23E+11", "#REF!", "10-19", "May")]
    ['date', 'date', 'power', 'error', None, None]
    """
    return next((how for how, form in _FORMS.items() if form.fullmatch(cell.strip())), None)
