"""No canary in any public byte: every algorithm, the formats by turns, here; every algorithm in every format with `make trust`."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.trust import canaries, figures
from tests.trust.canaries import ALONE_ILL, ALONES, HELD, HIDDEN, PLANTERS, SEED, SHEETS

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.table.formats import WRITERS
from kohort.table.reading import read_table

FORMATS = [suffix.removeprefix(".") for suffix in WRITERS]
SPECIAL: dict[str, dict[str, Any]] = {
    "k-optimize": {"objective": "discernibility"},
    "hill-climbing": {"objective": "discernibility"},
    "genetic": {"objective": "discernibility"},
    "annealing": {"objective": "discernibility"},
    "outliers": {"max_suppression": 1.0},
    "mu-argus": {"options": {"full": True}},
    "dp-mdav": {"options": {"bounds": {"pay": [0, 20_000]}, "decimals": 0}, "seed": None},
}
NUMBERS_ONLY = ("univariate", "dp-mdav")
ROWS = {"cells-exact": 10, "factor-2": 20, "factor-3": 20}
K = {"factor-2": 2}
COLUMNS: dict[str, Any] = {
    "name": "identifier",
    "code": {"role": "quasi", "hierarchy": {"kind": "mask"}},
    "pay": {
        "role": "quasi",
        "hierarchy": {"kind": "intervals", "widths": [1_000, 5_000], "domain": [0, 20_000]},
    },
    "born": {"role": "quasi", "hierarchy": {"kind": "dates", "levels": ["year", "decade"]}},
    "club": {"role": "quasi", "hierarchy": {"kind": "suppress"}},
    "ill": "sensitive",
}


def plan_for(name: str, format: str, base: Path) -> kohort.Plan:
    columns = dict(COLUMNS)
    if name in NUMBERS_ONLY:
        columns = {"name": "identifier", "pay": columns["pay"], "ill": "sensitive"}
    if algorithm(name).card.covers_all:
        columns = {"name": "identifier", "pay": "quasi", "ill": "identifier"}
    require: list[Any] = [{"model": "k-anonymity", "k": K.get(name, 3)}]
    if name == "anatomy":
        require = [{"model": "l-diversity", "column": "ill", "l": 2}]
    told: dict[str, Any] = {
        "input": {"table": SHEETS[format]} if format in SHEETS else {},
        "columns": columns,
        "require": require,
        "recode": {"algorithm": name, "seed": SEED, "max_suppression": 0.5} | SPECIAL.get(name, {}),
        "output": {"format": format, "ledger": ""},
    }  # fmt: skip
    return kohort.Plan.from_dict(told, base)


def released(name: str, format: str, folder: Path) -> Path:
    """Return the folder of a release made of planted people."""
    path = canaries.planted(folder, format, ROWS.get(name, 40))
    out = path.parent / "out"
    kohort.anonymize(path, plan_for(name, format, path.parent)).save(out)
    return out


def exact(name: str) -> bool:
    """Whether it says that quasi-identifiers stay as they are."""
    return name == "anatomy"


def search(out: Path, name: str) -> int:
    """Search all that is public of a release, and return how many bytes that was."""
    bytes_seen = 0
    table = next(path for path in out.iterdir() if path.stem == "table")
    ills = read_table(table)["ill"].texts if name != "anatomy" and "ill" in read_table(table).columns else ()
    for path in out.rglob("*"):
        pieces = list(canaries.laid_bare(path))
        bytes_seen += sum(map(len, pieces))
        assert canaries.marks_in(pieces, HIDDEN) == [], path.name
        if not exact(name) or path.stem != "table":
            assert canaries.marks_in(pieces, ALONES) == [], path.name
        if path.stem not in ("table", "sensitive"):
            assert canaries.marks_in(pieces, {**HELD, ALONE_ILL: canaries.spellings(ALONE_ILL)}) == [], (
                path.name
            )
        elif ALONE_ILL not in ills and path.stem == "table":
            assert canaries.marks_in(pieces, {ALONE_ILL: canaries.spellings(ALONE_ILL)}) == [], path.name
    return bytes_seen


def test_every_format_that_is_written_is_planted() -> None:
    assert set(PLANTERS) == set(FORMATS)


@pytest.mark.parametrize("format", PLANTERS)
def test_the_canaries_are_found_where_they_are_planted(format: str, tmp_path: Path) -> None:
    """The control: the same search finds each of them in the input."""
    pieces = list(canaries.laid_bare(canaries.planted(tmp_path, format)))
    marks = {name: forms for name, forms in {**HIDDEN, **ALONES, **HELD}.items() if name != "seed"}
    assert canaries.marks_in(pieces, marks) == list(marks)


@pytest.mark.parametrize("value", [SEED, date(1913, 7, 23), "Zoë", 7])
def test_a_value_is_found_in_every_spelling(value: Any) -> None:
    for form in canaries.spellings(value):
        assert canaries.marks_in([b"..." + form + b"..."], {"it": canaries.spellings(value)}) == ["it"]
    assert canaries.marks_in([b"nothing of the kind"], {"it": canaries.spellings(value)}) == []


@pytest.mark.parametrize("name", ALGORITHMS)
def test_no_canary_leaves_by_any_algorithm(name: str, tmp_path: Path) -> None:
    format = FORMATS[list(ALGORITHMS).index(name) % len(FORMATS)]
    assert search(released(name, format, tmp_path), name) > 1000


@pytest.mark.long
def test_no_canary_leaves_by_any_algorithm_in_any_format(tmp_path: Path) -> None:
    searched = [
        search(released(name, format, tmp_path / f"{name}-{format}"), name)
        for name in ALGORITHMS
        for format in FORMATS
    ]
    assert len(searched) == len(ALGORITHMS) * len(FORMATS)
    figures.record(
        "canaries",
        releases=len(searched),
        bytes_searched=sum(searched),
        algorithms=len(ALGORITHMS),
        formats=len(FORMATS),
        found=0,
    )
