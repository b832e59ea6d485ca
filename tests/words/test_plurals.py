"""One is told as one: no text that people read puts a number beside a plural that does not follow it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import kohort

SOURCE = Path(kohort.__file__).parent
_THINGS = (
    "row|label|cell|record|column|value|class(?:es)|level|group|release|decision|line|file|entr(?:ies)|item|sheet|character|byte|date|"
    "number|year|attack|plan|name|respondent|person|promise|code|finding|node|pair|run|part|tuple|digit|model|warning|text|set|box(?:es)|"
    "draft|other|trial|way|outlier|sign|combination|table|attribute|tree|root|sentence|question|choice|step"
)
_OF_A_KIND = "(?:(?:distinct|ground|released|suppressed|more|other|single|shared|whole|blank) )?"
COUNTED = re.compile(rf" {_OF_A_KIND}(?:(?:{_THINGS})(?:s|(?<=es))|people)\b")
SHARE = re.compile(r" of (?:the |its )?")  # "3 of 12 rows": the plural is that of the whole
LIMIT = re.compile(r"_?[A-Z][A-Z_]+(?: >> \d+)?")  # a constant
# More than one by what stands around it, and names of things, by file and expression.
ELSEWHERE = {
    ("algorithms/buckets/anatomy.py", "promise.least"): "a group of one is no group",
    ("algorithms/cells/exact.py", "n"): "a table of one row has no groups of two",
    ("algorithms/cells/exact.py", "count"): "they are too many",
    ("algorithms/cells/exact.py", "2 * k - 1"): "k is 2 at least",
    ("algorithms/lattice/optimal.py", "nodes"): "they are too many",
    ("engines/room.py", "boxes"): "they are too many",
    ("engines/room.py", "classes"): "they are too many",
    ("models/l_diversity.py", "l"): "l is above one where anything is promised",
    ("errors.py", "len(message) - 2 * ENDS"): "two thousand at least",
    ("report/words.py", "more"): "two at least",
    ("attacks/known_items.py", "smallest"): "one is told in the other branch",
    ("attacks/linking.py", "smallest"): "one is told in the other branch",
    ("hierarchy/domain.py", "roots"): "one root is none too many",
    ("report/several_classes_words.py", "count(found.people)"): "the whole of a share that is told before it",
    ("table/empty_rows.py", "number"): "one is told before",
    ("table/formats/apart.py", "size"): "a file of one byte is none",
    ("table/formats/delimited_faults.py", "csv.field_size_limit()"): "a limit",
    ("table/formats/delimited_faults.py", "size"): "longer than what is read at once",
    ("table/formats/sqlite_file.py", "path.stat().st_size"): "a database of one byte is none",
    ("table/text_room.py", "columns"): "they are too many",
    ("cli/anonymize.py", "plan.output.format"): "the name of a format",
}


def test_a_number_is_never_followed_by_a_plural_that_one_does_not_have() -> None:
    found = {(file, told) for file, told, _ in _beside_plurals()}
    wrong = [(file, told) for file, told in found if (file, told) not in ELSEWHERE]
    assert not wrong, "say it with kohort.plurals.many, which knows of one"


def test_no_exception_stands_here_in_vain() -> None:
    assert set(ELSEWHERE) <= {(file, told) for file, told, _ in _beside_plurals()}


@pytest.mark.parametrize(
    ("source", "is_found"),
    [
        ('f"{n:,} rows are left"', True),
        ('f"{n} distinct values"', True),
        ('f"{n} classes"', True),
        ('f"{part} of {n} rows"', False),
        ('f"{MOST} rows"', False),
        ('"1 row" if n == 1 else f"{n} rows"', False),
        ('f"{path} names no table"', False),
        ("f\"{many(n, 'row')} of it\"", False),
    ],
)
def test_the_reader_of_sources_sees_what_it_should(source: str, is_found: bool) -> None:
    assert bool(list(_in(ast.parse(source)))) == is_found


def _beside_plurals() -> Iterator[tuple[str, str, str]]:
    for path in sorted(SOURCE.rglob("*.py")):
        for told, noun in _in(ast.parse(path.read_text(encoding="utf-8"))):
            yield path.relative_to(SOURCE).as_posix(), told, noun


def _in(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield what stands before a plural in texts, unless one has a text of its own beside it."""
    decided = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.IfExp) and re.search(r"== 1|> 1|!= 1|looked == n", ast.unparse(node.test))
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and id(node) not in decided:
            yield from _plurals(node)


def _plurals(text: ast.JoinedStr) -> Iterator[tuple[str, str]]:
    parts = text.values
    for before, number, after in zip([None, *parts], parts, parts[1:], strict=False):
        if not isinstance(number, ast.FormattedValue) or not isinstance(after, ast.Constant):
            continue
        told, noun = ast.unparse(number.value), COUNTED.match(str(after.value))
        share = isinstance(before, ast.Constant) and SHARE.fullmatch(str(before.value))
        if noun and not share and not told.startswith("many(") and not _is_a_name(number):
            yield told, noun[0]


def _is_a_name(number: ast.FormattedValue) -> bool:
    """Say whether no number stands there, or one that is never one: a limit."""
    told = ast.unparse(number.value)
    named = re.fullmatch(r"(\w+\.)*(path|suffix|name|what|option|names|of|view|algorithm)", told)
    return number.conversion != -1 or named is not None or LIMIT.fullmatch(told) is not None
