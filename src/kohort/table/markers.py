"""Which values the markers of `missing` mean: those spelled so, and those that are the same number, date or truth value.

`-99` and `-99.0` are one number, whoever spelled it: a program, a frame, the person who wrote the plan. A marker in digits
means no text that only contains them, and nothing with other leading zeros: `099` may be a code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

import pyarrow as pa
import pyarrow.compute as pc

from kohort.table.blanks import is_blank
from kohort.table.texts import spelled

_LONGEST = 40  # digits of a marker that is read as a number
_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?\Z")


def without_marked(values: pa.Array, markers: Iterable[str]) -> pa.Array:
    """Return the values with a missing one for each that a marker means, as they are where there is none.

    >>> without_marked(pa.array([-99.0, 1.5]), ["-99"]).to_pylist()
    [None, 1.5]
    >>> without_marked(pa.array(["-99.0", "099", "x"]), ["-99", "99"]).to_pylist()
    [None, '099', 'x']
    """
    told = [text for text in markers if not is_blank(text)]  # which is missing anyhow
    if not told:
        return values
    texts = spelled(values)
    found = pc.is_in(texts, pa.array(told, pa.string()))
    for number in filter(None, map(_spellings, told)):
        found = pc.or_(found, pc.fill_null(pc.match_substring_regex(texts, number), False))
    if not pa.types.is_string(values.type):
        found = pc.or_(found, pc.is_in(values, _typed(told, values.type), skip_nulls=True))
    return pc.if_else(found, pa.scalar(None, values.type), values) if pc.any(found).as_py() else values


def meant(marker: str, kind: pa.DataType) -> frozenset[str]:
    """Return the values of a type that a marker means, as texts: of those that `as_marked` takes for one, that one.

    >>> sorted(meant("-99.0", pa.string())), sorted(meant("1", pa.bool_()))
    (['-99', '-99.0'], ['true'])
    """
    texts = frozenset({marker, _plain(marker) or marker})
    if pa.types.is_string(kind):
        return texts
    own = (text for text in texts if text in spelled(_typed([text], kind)).to_pylist())
    return frozenset({*own, *spelled(_typed([marker], kind)).to_pylist()} - {None})


def as_marked(text: str) -> str:
    """Return a number without what makes no difference to markers; any other text as it is.

    >>> [as_marked(text) for text in ("-99.0", "+9.", "-0", "099", "1e3")]
    ['-99', '9', '0', '099', '1e3']
    """
    return (_plain(text) or text) if _NUMBER.match(text) else text


def _plain(marker: str) -> str | None:
    """Return a marker that is a number without a plus and zeros at its end; None if it is none."""
    try:
        number = Decimal(marker)
    except InvalidOperation:
        return None
    if not number.is_finite() or abs(number.adjusted()) > _LONGEST:
        return None
    text = f"{number:f}" if number else "0"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _spellings(marker: str) -> str | None:
    """Return a pattern of the ways to write a marker that is a number; None if it is none."""
    plain = _plain(marker)
    if plain is None:
        return None
    whole, _, fraction = plain.removeprefix("-").partition(".")
    sign = "-" if plain.startswith("-") else r"[+-]?" if plain == "0" else r"\+?"
    ending = rf"\.{re.escape(fraction)}0*" if fraction else r"(?:\.0*)?"
    return rf"\A{sign}{whole}{ending}\z"


def _typed(markers: Iterable[str], kind: pa.DataType) -> pa.Array:
    """Return the markers as values of a type, as far as they are any."""
    read = []
    for marker in markers:
        try:
            read.append(pa.array([marker], pa.string()).cast(kind))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            continue
    return pa.concat_arrays(read) if read else pa.array([], kind)
