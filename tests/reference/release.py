"""An outsider's judge of a release: reads the released file with a parser of its own, counts with pandas.

Nothing of Kohort is imported. What is counted here is what anybody finds who opens the file.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import pandas as pd

Cell = str | None
_SIGNS = "=+-@＝＋－＠\t\r\n"
_PERSON = "person of the row"


# --- reading -------------------------------------------------------------------------------------------------


def read_release(path: Path) -> pd.DataFrame:
    """Return the cells of a released CSV or Parquet file as texts, None for missing."""
    if path.suffix == ".parquet":
        frame = pd.read_parquet(path)
        return pd.DataFrame({name: [spell(v) for v in frame[name].tolist()] for name in frame}, dtype=object)
    head, *body = parse_csv(path.read_bytes().decode("utf-8"))
    names = [plain_text(name) for name in head]
    return pd.DataFrame([[plain_text(cell) for cell in row] for row in body], columns=names, dtype=object)


def parse_csv(text: str) -> list[list[Cell]]:
    """Cut a file into cells; an empty field without quotes is missing, with quotes it is the empty text."""
    rows: list[list[Cell]] = []
    row: list[Cell] = []
    at = 0
    while at < len(text):
        if text[at] == '"':
            stop = at + 1
            while text[stop] != '"' or text[stop + 1 : stop + 2] == '"':
                stop += 1 if text[stop] != '"' else 2
            row.append(text[at + 1 : stop].replace('""', '"'))
            at = stop + 1
        else:
            stop = at
            while text[stop] not in ",\n":
                stop += 1
            row.append(text[at:stop] or None)
            at = stop
        if text[at] == "\n":
            rows.append(row)
            row = []
        at += 1
    return rows


def plain_text(cell: Cell) -> Cell:
    """Take away the apostrophes that keep a spreadsheet from running the cell, or what it cuts off at a separator."""
    if cell is None:
        return None
    if re.match(rf"""'[\s"']*[{re.escape(_SIGNS)}]""", cell):
        cell = cell[1:]
    within = re.split(r"([,;|\t\r\n][,;|\"\s]*)", cell)  # what stands between separators, and these
    for i in range(2, len(within), 2):
        sign = within[i].lstrip("'")
        number = re.match(r"[+-][\d.eE]+[\])}\"]*(\s[a-z\s]*)?$", sign)
        if within[i].startswith("'") and sign[:1] in tuple(_SIGNS[:8]) and sign and not number:
            within[i] = within[i][1:]
    return "".join(within)


def spell(value: Any) -> Cell:
    """Return how a typed value is spelled in a table of texts."""
    if value is None or value is pd.NaT or (isinstance(value, float) and math.isnan(value)) or value is pd.NA:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


# --- counting ------------------------------------------------------------------------------------------------


def k_of(frame: pd.DataFrame, quasi: Sequence[str], people: Sequence[Any] | None = None) -> int:
    """Return the least number of rows, or of people where `people` names one per row, that share a tuple."""
    persons = range(len(frame)) if people is None else list(people)
    told = frame[list(quasi)].assign(**{_PERSON: persons})
    return int(told.groupby(list(quasi), dropna=False, sort=False)[_PERSON].nunique().min())


def counts_of(frame: pd.DataFrame, quasi: Sequence[str], sensitive: str) -> list[list[int]]:
    """Return, class by class, how often each sensitive value occurs; a missing one is a value."""
    by = frame.groupby(list(quasi), dropna=False, sort=False)[sensitive]
    return [values.value_counts(dropna=False).tolist() for _, values in by]


def people_of(
    frame: pd.DataFrame, quasi: Sequence[str], sensitive: str, people: Sequence[Any]
) -> list[list[tuple[Any, Cell]]]:
    """Return, class by class, the (person, sensitive value) of its rows."""
    told = frame[list(quasi)].assign(**{_PERSON: list(people), "value held": frame[sensitive].tolist()})
    by = told.groupby(list(quasi), dropna=False, sort=False)
    return [
        [(who, spell(value)) for who, value in zip(rows[_PERSON], rows["value held"], strict=True)]
        for _, rows in by
    ]


def distinct_l(frame: pd.DataFrame, quasi: Sequence[str], sensitive: str) -> int:
    """Return the least number of different sensitive values in a class."""
    return min(len(counts) for counts in counts_of(frame, quasi, sensitive))


def entropy_l(frame: pd.DataFrame, quasi: Sequence[str], sensitive: str) -> float:
    """Return the exponential of the least entropy of a class."""
    return min(
        math.exp(-sum(c / sum(counts) * math.log(c / sum(counts)) for c in counts))
        for counts in counts_of(frame, quasi, sensitive)
    )


def max_share(frame: pd.DataFrame, quasi: Sequence[str], sensitive: str) -> float:
    """Return the greatest share that a sensitive value has in a class."""
    return max(max(counts) / sum(counts) for counts in counts_of(frame, quasi, sensitive))


def t_equal(frame: pd.DataFrame, quasi: Sequence[str], sensitive: str, original: Sequence[Cell]) -> float:
    """Return the greatest distance (equal ground distance) of a class from the original's distribution."""
    whole = pd.Series(list(original), dtype=object).value_counts(normalize=True, dropna=False)
    told = {_key(value): share for value, share in whole.items()}
    worst = 0.0
    for _, values in frame.groupby(list(quasi), dropna=False, sort=False)[sensitive]:
        own = {_key(v): s for v, s in values.value_counts(normalize=True, dropna=False).items()}
        worst = max(worst, sum(abs(own.get(v, 0) - told.get(v, 0)) for v in {*own, *told}) / 2)
    return worst


def _key(value: Any) -> Any:
    return None if spell(value) is None else value


# --- truth ---------------------------------------------------------------------------------------------------


def is_true(label: Cell, value: Cell, paths: Mapping[Cell, set[Cell]] | None) -> bool:
    """Tell whether a released label is true of an original value, by the rules that the docs state.

    `paths` holds the labels above each ground value, for hierarchies that are written down; without it the
    column holds numbers or dates, and labels are read as intervals and periods.
    """
    if label == "*" or label == value:
        return True
    if paths is not None and any(label in above for above in paths.values()):
        return label in paths[value]
    if label is None:
        return False
    if label.endswith(" or missing"):
        return value is None or is_true(label.removesuffix(" or missing"), value, paths)
    if value is None:
        return False
    if label.startswith("{"):
        return value in set_items(label)
    return (
        _in_interval(label, value)
        or _beyond(label, value)
        or (paths is None and (_in_numbers(label, value) or _in_period(label, value)))
    )


def set_items(label: str) -> list[str]:
    """Return the values of a set such as `{a, "b,c"}`."""
    items, at, text = [], 0, label[1:-1]
    decoder = json.JSONDecoder()
    while at < len(text):
        if text[at] == " ":
            at += 1
        elif text[at] == '"':
            item, at = decoder.raw_decode(text, at)
            items.append(item)
            at += 1
        else:
            stop = text.find(",", at)
            stop = len(text) if stop < 0 else stop
            items.append(text[at:stop])
            at = stop + 1
    return items


def _in_interval(label: str, value: str) -> bool:
    found = re.fullmatch(r"([\[(])(.+), (.+)([\])])", label)
    if found is None:
        return False
    low, high = found[2], found[3]
    try:
        number, least, most = _decimal(value), _decimal(low), _decimal(high)
    except InvalidOperation:
        if not len(low) == len(high) == 10:
            return False
        return low <= value[:10] <= high  # days, whatever the time of day
    above = number >= least if found[1] == "[" else number > least
    below = number <= most if found[4] == "]" else number < most
    return above and below


def _beyond(label: str, value: str) -> bool:
    found = re.fullmatch(r"([<>])(=?)(.+)", label)
    try:
        number, end = _decimal(value), _decimal(found[3] if found else "")
    except InvalidOperation:
        return False
    assert found is not None
    return (
        number == end if number == end and found[2] else (number < end) == (found[1] == "<") and number != end
    )


def _in_numbers(label: str, value: str) -> bool:
    try:
        number = _decimal(value)
    except InvalidOperation:
        return False
    if found := re.fullmatch(r"(\d+)-(\d+)", label):
        return int(found[1]) <= number <= int(found[2])
    if found := re.fullmatch(r"(-\d+) to (-?\d+)", label):
        return int(found[1]) <= number <= int(found[2])
    try:
        return number == _decimal(label)
    except InvalidOperation:
        return False


def _decimal(text: str) -> Decimal:
    return Decimal("Infinity") if text == "inf" else Decimal("-Infinity") if text == "-inf" else Decimal(text)


def _in_period(label: str, value: str) -> bool:
    if not re.match(r"\d{4}-\d\d-\d\d", value):
        return False
    day = date.fromisoformat(value[:10])
    if found := re.fullmatch(r"(\d{4})-Q(\d)", label):
        return (day.year, (day.month + 2) // 3) == (int(found[1]), int(found[2]))
    if found := re.fullmatch(r"(\d{4})-W(\d\d)", label):
        return day.isocalendar()[:2] == (int(found[1]), int(found[2]))
    if found := re.fullmatch(r"(\d{4})-(\d{4})", label):
        return int(found[1]) <= day.year <= int(found[2])
    if re.fullmatch(r"\d{4}(-\d\d(-\d\d)?)?", label):
        return day.isoformat().startswith(label)
    return False
