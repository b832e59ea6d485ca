"""Values told more coarsely than they were read: numbers rounded and cut off at ends, dates as periods of the calendar.

A quasi-identifier has a hierarchy and the search decides how far to climb it. What is released beside it is told as a plan
declares, in every row alike and before anything is counted: promises, risks and figures are then about the coarse values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.hierarchy.calendar import LAST_YEAR, PERIODS, date_pattern, format_days, iso_days
from kohort.hierarchy.numerals import decimals_of, is_number, plain, scaled
from kohort.table import Column, Table
from kohort.table.mixed_columns import by_kind
from kohort.table.texts import text_of

_ROOM = 2**60  # numbers within are rounded in 64 bits


@dataclass(frozen=True)
class Coarse:
    """How one column is told: to the nearest multiple (halves upwards) within two ends, or by the period of a date."""

    round: Decimal | None = None
    bottom: Decimal | None = None  # smaller numbers are told as this one
    top: Decimal | None = None  # greater numbers are told as this one
    unit: str | None = None  # a period of the calendar
    format: str | None = None  # of dates that are not spelled as ISO does
    last_year: int | None = None  # up to which years of two digits are read

    @property
    def is_whole(self) -> bool:
        """Whether whole numbers stay whole."""
        told = [number for number in (self.round, self.bottom, self.top) if number is not None]
        return all(number == number.to_integral_value() for number in told)

    def words(self) -> str:
        """Return how values are told, as part of a sentence.

        >>> Coarse(round=Decimal(100), top=Decimal(5000)).words()
        'to the nearest 100, at most 5000'
        """
        if self.unit is not None:
            return f"by {self.unit.replace('-', ' ')}"
        parts = [
            f"{said} {number:f}"
            for said, number in (
                ("to the nearest", self.round),
                ("at least", self.bottom),
                ("at most", self.top),
            )
            if number is not None
        ]
        return ", ".join(parts)


def coarsened_table(table: Table, coarse: Mapping[str, Coarse]) -> Table:
    """Return the table with some columns told coarsely; those that it does not have are passed over."""
    if not coarse:
        return table
    columns = (
        by_kind(c, partial(coarsened, coarse=coarse[c.name])) if c.name in coarse else c for c in table
    )
    return Table.of(columns, table.n_rows)


def coarsened(column: Column, coarse: Coarse) -> Column:
    """Return the column with every value told as declared; missing stays missing.

    Refuses values that are no numbers, or no dates.

    >>> pay = Column.from_arrow("pay", pa.array(["1249.50", "1250", None, "99999"]))
    >>> coarsened(pay, Coarse(round=Decimal(100), top=Decimal(5000))).texts
    ('1200', '1300', None, '5000')
    """
    texts = column.texts
    held = [text for text in texts if text is not None]
    kind = column.values.type
    if coarse.unit is not None:
        told, kind = _periods(column.name, held, coarse), pa.string()
    else:
        told = _numbers(column.name, held, coarse)
        kind = kind if pa.types.is_string(kind) else _number_kind(kind, coarse)
    labels = iter(told)
    values = _typed(column.name, [None if text is None else next(labels) for text in texts], kind)
    return Column.from_arrow(column.name, pa.DictionaryArray.from_arrays(pa.array(column.codes), values))


def _number_kind(kind: pa.DataType, coarse: Coarse) -> pa.DataType:
    if pa.types.is_integer(kind) and coarse.is_whole:
        return kind if kind == pa.uint64() else pa.int64()
    return pa.float64()


def _typed(name: str, labels: Sequence[str | None], kind: pa.DataType) -> pa.Array:
    """Return the labels in a type; refuses those that it does not hold, and floats that would tell another number."""
    if pa.types.is_string(kind):
        return pa.array(labels, kind)
    number = int if pa.types.is_integer(kind) else float
    told = [None if label is None else number(label) for label in labels]
    if number is float and any(
        Decimal(text_of(n) or "") != Decimal(label) for n, label in zip(told, labels, strict=True) if label
    ):
        raise _too_long(name)
    try:
        return pa.array(told, kind)
    except (OverflowError, pa.ArrowInvalid):
        raise _too_long(name) from None


def _periods(name: str, texts: Sequence[str], coarse: Coarse) -> list[str]:
    pattern = None if coarse.format is None else date_pattern(coarse.format)
    last = LAST_YEAR if coarse.last_year is None else coarse.last_year
    days, fine = iso_days(texts) if pattern is None else format_days(texts, pattern, last)
    if not fine.all():
        like = coarse.format or "2020-03-31"
        raise _unfit(
            name, "unit", f"a date like {like}", 'say how they are written, as format = "%d.%m.%Y", or leave'
        )
    number, label = PERIODS[str(coarse.unit)]
    numbers, place = np.unique(number(days), return_inverse=True)
    labels = [label(i) for i in numbers.tolist()]
    return [labels[i] for i in place.reshape(-1).tolist()]


def _numbers(name: str, texts: Sequence[str], coarse: Coarse) -> list[str]:
    if not all(map(is_number, texts)):
        option = next(key for key in ("round", "bottom", "top") if getattr(coarse, key) is not None)
        raise _unfit(name, option, "a number", "name what stands for missing under [input] missing, or leave")
    spelled = [plain(text) for text in texts]
    ends = {
        key: f"{end:f}" for key in ("round", "bottom", "top") if (end := getattr(coarse, key)) is not None
    }
    decimals = decimals_of([*spelled, *ends.values()])
    numbers = scaled(spelled, decimals)
    if numbers.dtype != object and len(numbers) and int(np.abs(numbers).max()) > _ROOM:
        numbers = numbers.astype(object)
    declared = {key: int(scaled([end], decimals)[0]) for key, end in ends.items()}
    distinct, place = np.unique(_told(numbers, declared), return_inverse=True)
    labels = [_spelled(int(number), decimals) for number in distinct.tolist()]
    if not all(map(is_number, labels)):  # of hundreds of digits: nobody would read them again
        raise _too_long(name)
    return [labels[i] for i in place.reshape(-1).tolist()]


def _told(numbers: IntArray, declared: Mapping[str, int]) -> IntArray:
    if max((abs(end) for end in declared.values()), default=0) > _ROOM:
        numbers = numbers.astype(object)
    width = declared.get("round")
    if width is not None:
        numbers = (2 * numbers + width) // (2 * width) * width
    if "bottom" in declared:
        numbers = np.maximum(numbers, declared["bottom"])
    if "top" in declared:
        numbers = np.minimum(numbers, declared["top"])
    return numbers


def _spelled(number: int, decimals: int) -> str:
    """Return a multiple of 10^-decimals as a decimal without zeros at its end."""
    digits = str(abs(number)).rjust(decimals + 1, "0")
    whole, part = digits[: len(digits) - decimals], digits[len(digits) - decimals :].rstrip("0")
    return ("-" if number < 0 else "") + whole + (f".{part}" if part else "")


def _too_long(name: str) -> InputError:
    return InputError(
        f"[columns] {name}: once told coarsely, some of its numbers have more digits than a column of numbers holds; hand them "
        "over as texts, or declare bottom and top",
        code="table.column-type",
        column=name,
    )


def _unfit(name: str, option: str, wanted: str, to_do: str) -> InputError:
    return InputError(
        f"[columns] {name}: {option} takes values each of which is {wanted}, and the column holds others; {to_do} {option} out",
        code="table.column-type",
        column=name,
        option=option,
    )
