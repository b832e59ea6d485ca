"""Random releases of many kinds, with everything that was said of them: what tests of words are run on.

`made(kind, seed)` makes a table, releases and saves it, and returns what stands on paper: both reports as text, the
terminal's lines, the facts. The tables hold a column `number` that tells which row of the original a released one is,
so that tests can compute anew what is said without asking Kohort. Kinds are in `KINDS`; `TABLES` are those of one table.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache, cached_property
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
from tests.reference.release import read_release

import kohort
from kohort.cli.anonymize import show
from kohort.facts import Manifest, ReleaseFacts
from kohort.facts.release import of_table
from kohort.shapes import shape_of

NUMBER = "number"  # which row of the original a row is
RACES = ["White", "Black", "Asian", "Other"]
ILLS = ["flu", "cold", "asthma", "gout"]
HIERARCHIES: dict[str, dict[str, Any]] = {
    "age": {"kind": "intervals", "widths": [5, 10, 20, 40], "domain": [0, 99]},
    "zip": {"kind": "mask"},
    "race": {"kind": "suppress"},
    "ill": {"kind": "tree", "tree": {"lungs": ["flu", "cold", "asthma"], "joints": ["gout"]}},
}


@dataclass(frozen=True)
class Kind:
    """One way of releasing: what of the plan is its own."""

    require: tuple[dict[str, Any], ...] = ({"model": "k-anonymity", "k": 3},)
    recode: tuple[tuple[str, Any], ...] = ()
    quasi: tuple[str, ...] = ("age", "zip", "race")
    others: tuple[str, ...] = ("ill", "pay", NUMBER)
    several: bool = False  # people have several rows, and are counted
    population: bool = False
    rows: int = 80


def _kind(*require: dict[str, Any], **told: Any) -> Kind:
    own = {
        name: told.pop(name) for name in ("quasi", "others", "several", "population", "rows") if name in told
    }
    return Kind(require or Kind.require, tuple(told.items()), **own)


K3 = {"model": "k-anonymity", "k": 3}
L2 = {"model": "l-diversity", "column": "ill", "l": 2}
T5 = {"model": "t-closeness", "column": "ill", "t": 0.5}
KINDS: dict[str, Kind] = {
    "levels": _kind(K3, L2, algorithm="optimal", max_suppression=0.2),
    "levels without suppression": _kind(K3, algorithm="optimal", max_suppression=0.0),
    "levels of people": _kind(K3, L2, algorithm="optimal", max_suppression=0.3, several=True),
    "levels, rows blank": _kind(K3, algorithm="optimal", max_suppression=0.3, suppressed_rows="blank"),
    "datafly": _kind(K3, algorithm="datafly", max_suppression=0.3),
    "cuts": _kind(K3, algorithm="top-down", max_suppression=0.2),
    "mondrian": _kind(K3, T5, algorithm="mondrian"),
    "mondrian of people": _kind(K3, algorithm="mondrian", several=True),
    "mondrian-relaxed": _kind(K3, algorithm="mondrian-relaxed"),
    "k-member": _kind(K3, L2, algorithm="k-member"),
    "cells": _kind(K3, algorithm="forest"),
    "levels and cells": _kind(K3, algorithm="levels-and-cells", max_suppression=0.1),
    "outliers": _kind({"model": "k-anonymity", "k": 2}, algorithm="outliers", max_suppression=1.0, quasi=("race",)),
    "k-map": _kind({"model": "k-map", "k": 4}, algorithm="optimal", max_suppression=0.3, population=True),
    "average risk": _kind({"model": "average-risk", "risk": 0.2}, algorithm="optimal", max_suppression=0.3),
    "beta and delta": _kind(
        {"model": "beta-likeness", "column": "ill", "beta": 3.0},
        {"model": "delta-disclosure", "column": "ill", "delta": 4.0, "absent": "ignore"},
        algorithm="optimal",
        max_suppression=0.3,
    ),
    "mdav": _kind(K3, algorithm="mdav", quasi=("age",)),
    "dp-mdav": _kind(
        K3, algorithm="dp-mdav", options={"bounds": {"age": [0, 99]}, "decimals": 0}, quasi=("age",), others=()
    ),
    "anatomy": _kind(L2, algorithm="anatomy", others=("ill", "pay", NUMBER)),
    "watched and protected": _kind(
        {"model": "alpha-k", "alpha": 0.5, "k": 3, "column": "ill", "values": ["cold", "gout"]},
        {"model": "extended-p-sensitive", "p": 2, "column": "ill", "protected": ["joints"]},
        algorithm="optimal",
        max_suppression=0.3,
    ),
}  # fmt: skip
IN_CLASSES = [name for name in KINDS if name != "anatomy"]
GENERALIZED = [name for name in IN_CLASSES if "mdav" not in name]


@dataclass(frozen=True)
class Made:
    """A release and all that is said of it."""

    kind: str
    original: pd.DataFrame  # texts; None is missing
    plan: kohort.Plan
    facts: ReleaseFacts
    folder: Path
    terminal: str  # what `kohort anonymize` prints of it

    @property
    def private_folder(self) -> Path:
        return self.folder.with_name(f"{self.folder.name}.private")

    @cached_property
    def manifest(self) -> Manifest:
        return msgspec.json.decode((self.folder / "manifest.json").read_bytes(), type=Manifest)

    @cached_property
    def released(self) -> pd.DataFrame:
        """The released table as anybody reads it."""
        return read_release(self.folder / "table.csv")

    @cached_property
    def kept(self) -> pd.DataFrame:
        """The rows of the original that are released, in the order of the released ones; None of blank rows."""
        if NUMBER not in self.shown:  # nothing may stand beside, and nobody is left out
            return self.original
        return self.original.loc[[int(number) for number in self.shown[NUMBER]]]

    @cached_property
    def shown(self) -> pd.DataFrame:
        """The released rows that are not blank."""
        quasi = list(self.plan.quasi)
        blank = self.plan.recode.suppressed_rows == "blank"
        return self.released[~(self.released[quasi] == "*").all(axis=1)] if blank else self.released

    @cached_property
    def left_out(self) -> pd.DataFrame:
        """The rows of the original that are not released, or released blank."""
        return self.original.drop(index=self.kept.index)

    @cached_property
    def public(self) -> Text:
        """The public report."""
        return Text((self.folder / "report.html").read_text(encoding="utf-8"))

    @cached_property
    def private(self) -> Text:
        """The private report."""
        return Text((self.private_folder / "report.html").read_text(encoding="utf-8"))


class Text(HTMLParser):
    """What a page says: all of it, and its tables row by row."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.said: list[str] = []
        self.tables: list[list[list[str]]] = []
        self._style = self._cell = False
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._style = self._style or tag == "style"
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self._cell = True

    def handle_endtag(self, tag: str) -> None:
        self._style = self._style and tag != "style"
        self._cell = self._cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._style or not data.strip():
            return
        self.said.append(data.strip())
        if self._cell:
            self.tables[-1][-1][-1] = f"{self.tables[-1][-1][-1]} {data.strip()}".strip()

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.said).split())

    def table(self, *head: str) -> list[list[str]]:
        """Return the rows of the one table that has these headings."""
        (found,) = [rows for rows in self.tables if rows and tuple(rows[0]) == head]
        return found[1:]

    def row(self, first: str) -> list[str]:
        """Return the one row of any table that begins with this cell."""
        (found,) = [row for rows in self.tables for row in rows if row and row[0] == first]
        return found[1:]


def table_of(kind: str, seed: int) -> pa.Table:
    """Return a random table: groups of unequal size, some values rare, some missing."""
    rng, told = np.random.default_rng([seed, list(KINDS).index(kind)]), KINDS[kind]
    n = told.rows
    race = rng.choice(RACES, n, p=[0.6, 0.25, 0.1, 0.05])
    columns = {
        "age": rng.integers(18, 65, n).tolist(),
        "zip": rng.choice(["94138", "94139", "94141", "01234"], n, p=[0.45, 0.3, 0.2, 0.05]).tolist(),
        "race": [
            None if gone else str(value) for value, gone in zip(race, rng.random(n) < 0.03, strict=True)
        ],
        "ill": rng.choice(ILLS, n, p=[0.4, 0.3, 0.2, 0.1]).tolist(),
        "pay": rng.integers(10, 40, n).tolist(),
        NUMBER: list(range(n)),
    }
    if told.several:
        columns["who"] = [f"P{i}" for i in rng.integers(0, n // 2, n)]
    return pa.table(columns)


def plan_of(kind: str, base: Path) -> kohort.Plan:
    """Return the plan of a kind."""
    told = KINDS[kind]
    columns: dict[str, Any] = {name: {"role": "quasi", "hierarchy": HIERARCHIES[name]} for name in told.quasi}
    if kind == "dp-mdav":
        columns = dict.fromkeys(told.quasi, "quasi")
    others = {"ill": {"role": "sensitive", "hierarchy": HIERARCHIES["ill"]}, "pay": {"role": "insensitive"},
              NUMBER: {"role": "insensitive", "allow_unique": True}}  # fmt: skip
    columns |= {name: others[name] for name in told.others}
    source = ({"respondent": "who"} if told.several else {}) | (
        {"population": "population.csv"} if told.population else {}
    )
    whole = {"columns": columns, "require": list(told.require), "recode": dict(told.recode), "input": source,
             "output": {"ledger": ""}}  # fmt: skip
    return kohort.Plan.from_dict(whole, base=base)


def made(kind: str, seed: int = 0) -> Made:
    """Return a release of a kind, saved, with all that is said of it; the same for the same seed."""
    return _made(kind, seed)


@cache
def _made(kind: str, seed: int) -> Made:
    place = Path(_places().name) / f"{list(KINDS).index(kind)}-{seed}"
    place.mkdir()
    table, plan = table_of(kind, seed), plan_of(kind, place)
    if KINDS[kind].population:
        pyarrow.csv.write_csv(
            pa.concat_tables([table] * 2 + [table_of(kind, seed + 1000)]), place / "population.csv"
        )
    release = kohort.anonymize(table, plan)
    folder = release.save(place / "out")
    facts = of_table(release.facts)
    with redirect_stdout(io.StringIO()) as printed:
        show(facts, shape_of(plan).outcome(facts), folder)
    texts = {
        name: [None if v is None else str(v) for v in table[name].to_pylist()] for name in table.column_names
    }
    return Made(kind, pd.DataFrame(texts, dtype=object), plan, facts, folder, printed.getvalue())


def over(kinds: list[str], seeds: int = 2) -> Callable[[Any], Any]:
    """Return a mark that runs a test on releases of several kinds, `seeds` of each."""
    import pytest

    return pytest.mark.parametrize(
        ("kind", "seed"), [(kind, seed) for kind in kinds for seed in range(seeds)]
    )


def audit_of(release: Made) -> dict[str, Any]:
    """Return the private audit as it stands on disk."""
    told: dict[str, Any] = json.loads((release.private_folder / "audit.json").read_text(encoding="utf-8"))
    return told


@cache
def _places() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="kohort-words-")
