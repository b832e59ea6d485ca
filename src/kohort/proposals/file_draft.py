"""How a file seems to be written, found in its cells: what [input] of a plan might say, with the reason and the counts.

No reason quotes a cell, but for the texts that are known to stand for want of a value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kohort.hierarchy.numerals import canonical
from kohort.plurals import many
from kohort.proposals.concepts import concept_of
from kohort.proposals.file_columns import DECIMALS, FileColumn
from kohort.proposals.sum_row import subtotal_rows, sum_rows
from kohort.table import Role, Table
from kohort.table.formats.plain_cells import folded
from kohort.table.national import Decimal

_SHOWN = 3  # columns in a reason
_CODE = 3  # letters of the longest code of a country or state: NA is Namibia there
_EXAMPLE: Mapping[Decimal, str] = {",": "1.234,5", ".": "1,234.5"}


@dataclass(frozen=True)
class Finding:
    """What [input] might say, and why."""

    key: str
    value: Any
    reason: str


@dataclass(frozen=True)
class FileDraft:
    """What was found out about a file, and what could not be."""

    findings: tuple[Finding, ...]
    doubts: tuple[str, ...]

    @property
    def options(self) -> dict[str, Any]:
        """What the findings come to, as [input] has it."""
        return {finding.key: finding.value for finding in self.findings}


def draft_file(table: Table, told: Mapping[str, Any]) -> FileDraft:
    """Return what [input] might say of a table that was read as `told` says; what is told already stays."""
    columns = [FileColumn(column) for column in table]
    findings = [*_missing(columns, told.get("missing") or ()), *_fold(columns)]
    decimals, doubts = _decimal(columns) if told.get("decimal") is None else ([], ())
    return FileDraft(
        (*decimals, *findings),
        (*doubts, *sum_rows(table), *subtotal_rows(table), *_oddities(columns), *_codes_in_doubt(columns)),
    )


def _oddities(columns: Sequence[FileColumn]) -> Iterator[str]:
    """Yield the columns of numbers in which some cells are none, and nothing is known that they mean; or all have a sign."""
    signed = {column.name: column.signed for column in columns if column.signed}
    if signed:
        yield (
            f"{_listed(signed)} {_being(signed, 'a number', 'numbers')} with a sign of money or of a unit beside them, "
            "and are read as texts; take the signs out to have them rounded or told by intervals"
        )
    odd = {column.name: sum(column.odd.values()) for column in columns if column.odd}
    if odd:
        yield (
            f"{_listed(odd)} {_being(odd, 'no number', 'no numbers')}, unlike nearly all others there; if they mean "
            "that a value is missing, name them with missing"
        )


def _codes_in_doubt(columns: Sequence[FileColumn]) -> Iterator[str]:
    """Yield the numbers that may mean that there is no answer, which are left as they are."""
    found: dict[str, dict[str, int]] = {}
    for column in columns:
        for code in column.doubtful:
            found.setdefault(canonical(code), {})[column.name] = column.told[code]
    for code, rows in found.items():
        yield f"{code} in {_listed(rows)} may mean that a value is missing; if so, say it with missing_in under [input]"


def draft_blanks(table: Table, headed: bool) -> list[Finding]:
    """Return that blanks do not count, where cells have some at their ends, or names in a header row."""
    padded = {column.name: rows for column in table if (rows := FileColumn(column).padded)}
    bare = [name.strip() for name in table.names]
    named = headed and bare != list(table.names) and len(set(bare)) == len(bare)
    if not padded and not named:
        return []
    return [Finding("trim", True, f"blanks at an end of {_listed(padded) if padded else 'names of columns'}")]


def _missing(columns: Sequence[FileColumn], stated: Sequence[str]) -> Iterator[Finding]:
    """Yield the texts for want of a value in columns that otherwise hold numbers or dates.

    A word that no other column holds, or only as one word among others, is said of the whole file; a sign, a number or
    what may be a code elsewhere is said of its columns alone.
    """
    words, numbers = _markers(columns)
    whole = [word for word in words if _is_of_file(word, words[word], columns)]
    single: dict[str, list[str]] = {}
    for text, rows in [*((w, words[w]) for w in words if w not in whole), *numbers.items()]:
        for name in rows:
            single.setdefault(name, []).append(text)
    if whole:
        reason = "; ".join(f"{word} in {_listed(words[word])}" for word in whole)
        yield Finding("missing", [*stated, *whole], f"{reason}, which otherwise hold numbers or dates")
    if single:
        found = {text: rows for text, rows in (words | numbers).items() if text not in whole}
        reason = "; ".join(f"{text} in {_listed(rows)}" for text, rows in found.items())
        yield Finding(
            "missing_in", single, f"{reason}: no value like the others there, and likely for want of one"
        )


def _markers(
    columns: Sequence[FileColumn],
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
    """Return the words and the numbers for want of a value, each with its rows by column."""
    words: dict[str, dict[str, int]] = {}
    numbers: dict[str, dict[str, int]] = {}
    for column in columns:
        if column.is_numeric or column.is_dated or column.odd:
            for word, rows in column.nothings.items():
                words.setdefault(word, {})[column.name] = rows
            for code in column.codes:
                numbers.setdefault(code, {})[column.name] = column.told[code]
    return words, numbers


def _is_of_file(word: str, found: Mapping[str, int], columns: Sequence[FileColumn]) -> bool:
    others = [column for column in columns if column.name not in found and word in column.told]
    spoken = any(sign.isalpha() for sign in word)
    return not others or (spoken and not any(_holds_codes(column) for column in others))


def _holds_codes(column: FileColumn) -> bool:
    return all(len(text) <= _CODE for text in column.told)


def _decimal(columns: Sequence[FileColumn]) -> tuple[list[Finding], tuple[str, ...]]:
    """Return the decimal sign that some columns cannot be read without, where no other column speaks against it."""
    numeric = [column for column in columns if column.is_text and column.is_numeric]
    needing = [column for column in numeric if not column.is_plain]
    sure = {d: [c for c in needing if [e for e in DECIMALS if c.fits(e)] == [d]] for d in DECIMALS}
    pointed = [c for c in numeric if c.is_plain and any("." in text for text in c.rest) and not c.fits(",")]
    styles = [d for d in DECIMALS if sure[d]]
    if not needing:
        return [], ()
    if len(styles) != 1 or (styles == [","] and pointed):
        return [], (_unclear(needing, len(styles) == 0),)
    decimal = styles[0]
    changed = {c.name: c.national(decimal) for c in columns if c.national(decimal)}
    numbers = {c.name: changed.pop(c.name) for c in needing if c.name in changed}
    also = f"; it changes {_listed(changed)} too" if changed else ""
    return [Finding("decimal", decimal, f"numbers like {_EXAMPLE[decimal]} in {_listed(numbers)}{also}")], ()


def _unclear(columns: Sequence[FileColumn], ambiguous: bool) -> str:
    names = _named([column.name for column in columns])
    why = "may be thousands or fractions" if ambiguous else "are not written in one way throughout the file"
    return (
        f"{names}: commas and points in numbers {why}; say which sign is in front of a fraction with decimal"
    )


def _fold(columns: Sequence[FileColumn]) -> Iterator[Finding]:
    """Yield the columns in which values differ from others in case or blanks only; names of people are left alone."""
    found = {
        column.name: alike for column in columns if _may_be_folded(column) and (alike := _alike(column.told))
    }
    if found:
        yield Finding(
            "fold", list(found), f"values differ in case or blanks only: {_listed(found, 'spelling')}"
        )


def _may_be_folded(column: FileColumn) -> bool:
    concept = concept_of(column.name)
    named = concept is not None and concept.role is Role.IDENTIFIER
    repeated = 2 * len(column.raw) <= len(column.column.codes)
    return column.is_text and repeated and not named and not column.is_numeric and not column.is_dated


def _alike(told: Mapping[str, int]) -> int:
    """Return how many texts equal another one when folded."""
    forms = Counter(map(folded, told))
    return sum(count for count in forms.values() if count > 1)


def _listed(rows: Mapping[str, int], what: str = "cell") -> str:
    """Return how many there are by column: `12 cells of 'age' and 3 of 'pay'`."""
    first = [
        f"{many(count, what) if i == 0 else f'{count:,}'} of {name!r}"
        for i, (name, count) in enumerate(rows.items())
    ]
    more = len(first) - _SHOWN
    shown = first[:_SHOWN] + ([many(more, "more column")] if more > 0 else [])
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _being(rows: Mapping[str, int], one: str, several: str) -> str:
    return f"is {one}" if sum(rows.values()) == 1 else f"are {several}"


def _named(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(map(repr, names[:_SHOWN])) + (f" and {many(more, 'more column')}" if more > 0 else "")
