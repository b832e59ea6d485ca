"""Judges columns that a plan has told coarsely: by the released cells alone, and beside the values of the original.

How an original value must be told is worked out here once more, in fractions and by Python's own calendar; whoever made
the release did it in scaled integers and days since 1970.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

import pyarrow as pa

from kohort.errors import VerificationError
from kohort.hierarchy.coarse import Coarse
from kohort.hierarchy.month_names import month_of
from kohort.hierarchy.numerals import is_number
from kohort.table import Column, Table
from kohort.table.mixed_columns import by_kind
from kohort.table.texts import text_of
from kohort.verification.judges.verdict import Verdict

Labels = Sequence[str | None]


def judge_coarse(tables: Mapping[str, Table], coarse: Mapping[str, Coarse]) -> list[Verdict]:
    """Return a verdict for every column that is told coarsely, from the released values wherever they stand."""
    columns = [column for table in tables.values() for column in table]
    return [
        _judge(name, [text for column in columns if column.name == name for text in column.texts], declared)
        for name, declared in coarse.items()
    ]


def _judge(name: str, texts: Labels, coarse: Coarse) -> Verdict:
    wrong = sum(text is not None and not _is_coarse(text, coarse) for text in texts)
    note = f"{wrong:,} of {len(texts):,} released values tell more" if wrong else ""
    return Verdict(f"{name} told {coarse.words()}", not wrong, note=note)


def _is_coarse(text: str, coarse: Coarse) -> bool:
    if coarse.unit is not None:
        return re.fullmatch(_SHAPES[coarse.unit], text, re.ASCII) is not None
    if not is_number(text):
        return False
    number = Fraction(text)
    below = coarse.bottom is not None and number < Fraction(coarse.bottom)
    above = coarse.top is not None and number > Fraction(coarse.top)
    return not below and not above and (coarse.round is None or number % Fraction(coarse.round) == 0)


def told_again(table: Table, coarse: Mapping[str, Coarse]) -> Table:
    """Return the original as it must be told: what a release is held against."""
    if not coarse:
        return table
    columns = (
        by_kind(c, partial(_told_again, coarse=coarse[c.name])) if c.name in coarse else c for c in table
    )
    return Table.of(columns, table.n_rows)


def _told_again(column: Column, coarse: Coarse) -> Column:
    labels = [None if text is None else _told(column.name, text, coarse) for text in column.texts]
    kind = column.values.type
    whole = pa.types.is_string(kind) or (pa.types.is_integer(kind) and coarse.is_whole)
    if coarse.unit is None and not whole:  # such numbers are floats, and spelled as those are
        labels = [None if label is None else text_of(float(label)) for label in labels]
    values = pa.array(labels, pa.string())
    return Column.from_arrow(column.name, pa.DictionaryArray.from_arrays(pa.array(column.codes), values))


def _told(name: str, text: str, coarse: Coarse) -> str:
    try:
        return _told_date(text, coarse) if coarse.unit is not None else _told_number(text, coarse)
    except ValueError:
        raise VerificationError(
            f"column {name!r} of the original holds values that cannot be told {coarse.words()}",
            code="verify.failed",
            column=name,
        ) from None


def _told_number(text: str, coarse: Coarse) -> str:
    number = Fraction(text)
    if coarse.round is not None:
        width = Fraction(coarse.round)
        rest = number % width
        number += width - rest if 2 * rest >= width else -rest
    if coarse.bottom is not None and number < Fraction(coarse.bottom):
        number = Fraction(coarse.bottom)
    if coarse.top is not None and number > Fraction(coarse.top):
        number = Fraction(coarse.top)
    return _decimal(number)


def _decimal(number: Fraction) -> str:
    """Return a fraction whose denominator divides a power of ten as a decimal."""
    whole, rest = divmod(abs(number), 1)
    part = ""
    while rest:
        digit, rest = divmod(rest * 10, 1)
        part += str(digit)
    return f"{'-' if number < 0 else ''}{whole}{'.' if part else ''}{part}"


def _told_date(text: str, coarse: Coarse) -> str:
    day = datetime.date.fromisoformat(text[:10]) if coarse.format is None else _day(text, coarse.format)
    if coarse.last_year is not None:
        century = (coarse.last_year - day.year) // 100
        day = day.replace(year=day.year + 100 * century)
    return _PERIODS[str(coarse.unit)](day)


def _day(text: str, date_format: str) -> datetime.date:
    """Return the day of a text in a format; what stands for the time of day, `24:00` or `a.m.` too, tells nothing of it."""
    tokens = re.split(r"(%.)", date_format)
    parts = _PARTS | ({"%d": _PARTS["%d"] + "(?:er|st|nd|rd|th)?"} if {"%b", "%B"} & {*tokens} else {})
    found = re.fullmatch("".join(parts.get(token) or re.escape(token) for token in tokens), text, re.ASCII)
    if found is None:
        raise ValueError
    told = {part: month_of(sign) if part == "b" else int(sign) for part, sign in found.groupdict().items()}
    year = told["Y"] if "Y" in told else told["y"] + (1900 if told["y"] >= _NINETEENTH else 2000)
    return datetime.date(year, told["m"] if "m" in told else told["b"], told["d"])


_PARTS = {
    "%Y": r"(?P<Y>\d{4})", "%y": r"(?P<y>\d\d)", "%m": r"(?P<m>\d\d?)", "%d": r"(?P<d>\d\d?)", "%f": r"\d+", "%%": "%",
    "%p": r"[AaPp]\.?[Mm]\.?",
    **dict.fromkeys(("%b", "%B"), r"(?P<b>[^\s\d./,-]{3,}\.?)"), **dict.fromkeys(("%H", "%I", "%M", "%S"), r"\d\d?"),
}  # fmt: skip
_NINETEENTH = 69  # years of two digits from here on are of the nineteen-hundreds, as POSIX has it


def _week(day: datetime.date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


def _years(span: int) -> Callable[[datetime.date], str]:
    return lambda day: f"{day.year - day.year % span:04}-{day.year - day.year % span + span - 1:04}"


_PERIODS: dict[str, Callable[[datetime.date], str]] = {
    "day": lambda day: day.isoformat(),
    "week": _week,
    "month": lambda day: f"{day.year:04}-{day.month:02}",
    "quarter": lambda day: f"{day.year:04}-Q{(day.month + 2) // 3}",
    "year": lambda day: f"{day.year:04}",
    "5-years": _years(5),
    "decade": _years(10),
    "20-years": _years(20),
    "century": _years(100),
}
_SHAPES = {
    "day": r"\d{4}-\d{2}-\d{2}",
    "week": r"\d{4}-W\d{2}",
    "month": r"\d{4}-\d{2}",
    "quarter": r"\d{4}-Q[1-4]",
    "year": r"\d{4}",
    **dict.fromkeys(("5-years", "decade", "20-years", "century"), r"\d{4}-\d{4}"),
}
