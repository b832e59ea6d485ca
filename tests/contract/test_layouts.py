"""Every algorithm releases in tables that the judges know, and a third way of publishing is one file more."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest

import kohort
from kohort.algorithms import ALGORITHMS, Progress, algorithm
from kohort.arrays import IntArray
from kohort.card import Card
from kohort.classes import Classes, Histogram
from kohort.cli.main import main
from kohort.models import PrivacyModel, Reference
from kohort.recode import Problem, Recoded, Solution
from kohort.recode.levels import level_column
from kohort.table import Table
from kohort.verification.judges import Asked, Contents, Layout, Verdict, judge_promises, layout
from kohort.verification.judges.contents import contents_of, ordered_labels
from kohort.verification.judges.definitions import counted_lines
from kohort.verification.judges.layout import LAYOUTS
from kohort.verification.judges.promises import codes_in, judge_classes
from kohort.verification.judges.told_apart import Crowds, Lines
from kohort.verification.judges.twice import Twice

# --- the registry ------------------------------------------------------------------------------------------------


def test_every_algorithm_says_in_which_tables_it_releases() -> None:
    assert {algorithm(name).card.layout for name in ALGORITHMS} == set(LAYOUTS)


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_has_all_parts(name: str) -> None:
    found = layout(name)
    for part in [part for part in (*vars(Layout), *Layout.__annotations__) if not part.startswith("_")]:
        assert hasattr(found, part), part
        asked = getattr(Layout, part, None)
        if callable(asked):
            told = [
                parameter for parameter in signature(getattr(found, part)).parameters if parameter != "self"
            ]
            assert told == [p for p in signature(asked).parameters if p != "self"], part


SOURCE = Path(kohort.__file__).parent
OWN = {  # the files of releases in groups
    "algorithms/buckets/anatomy.py", "recode/buckets.py", "models/group_promise.py", "models/__init__.py",
    "verification/judges/two_tables.py", "verification/judges/group_contents.py", "verification/judges/counts.py",
    "verification/judges/__init__.py", "report/in_groups.py", "report/company.py",
}  # fmt: skip
NAMES = {
    "GroupPromise",
    "GroupContents",
    "TwoTables",
    "InGroups",
    "Buckets",
    "two_tables",
    "group_crowds",
}


def test_nobody_asks_for_groups_but_their_own_files() -> None:
    """No other file names what releases in groups are made of, nor asks whether a column is torn off."""
    asking = []
    for path in sorted(SOURCE.rglob("*.py")):
        where = str(path.relative_to(SOURCE))
        if where in OWN:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node, "id", getattr(node, "attr", getattr(node, "name", None)))
            if name in NAMES or (isinstance(node, ast.Attribute) and node.attr == "torn"):
                asking.append(f"{where}:{getattr(node, 'lineno', 0)} {name}")
    assert asking == []


# --- three tables ------------------------------------------------------------------------------------------------
# The rows with their quasi-identifiers suppressed in one table, and each of two sensitive columns in one of its own.


def counted(released: Table, column: str) -> Table:
    values = released[column]
    counts = values.counts()
    order = sorted(range(len(counts)), key=lambda code: values.texts[code] or "")
    told = {column: pa.array([values.texts[i] for i in order]), "people": pa.array(counts[order])}
    return Table.from_arrow(pa.table(told))


@dataclass(frozen=True)
class InViews:
    columns: tuple[str, ...]

    def tables(self, released: Table, rows: IntArray) -> dict[str, Table]:
        kept = (column for column in released if column.name not in self.columns)
        views = {f"view-{i}": counted(released, name) for i, name in enumerate(self.columns, 1)}
        return {"rows": Table.of(kept, released.n_rows), **views}

    def told(self, problem: Problem, outcome: Any) -> Classes:
        return outcome.classes

    def facts(self, sizes: Any) -> None:
        return None


@dataclass(frozen=True)
class Suppressed:
    columns: tuple[str, ...]

    def apply(self, problem: Problem) -> Recoded:
        told = [level_column(h, h.height, problem.codes[:, j]) for j, h in enumerate(problem.hierarchies)]
        kept = np.ones(problem.n_rows, np.bool_)
        return Recoded(tuple(told), kept, publication=InViews(self.columns))

    def facts(self, problem: Problem) -> dict[str, Any]:
        return {"views": len(self.columns)}


@dataclass(frozen=True)
class Viewing:
    """Suppresses the quasi-identifiers, and tells each sensitive column by itself."""

    card: ClassVar = Card("viewing", "a view per sensitive column", layout="views", guarantee="none")

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        decision = Suppressed(tuple(problem.reference.attributes))
        return Solution(decision, problem.objective.score(decision.apply(problem).outcome(problem)))


@dataclass(frozen=True)
class Views:
    columns: tuple[str, ...]
    apart: ClassVar = True
    one_row_each: ClassVar = False

    @classmethod
    def of(cls, algorithm: object, models: Sequence[PrivacyModel], sensitive: Sequence[str]) -> Views:
        return cls(tuple(sensitive))

    @property
    def stems(self) -> tuple[str, ...]:
        return ("rows", *(f"view-{i}" for i in range(1, len(self.columns) + 1)))

    def declared(self, released: Sequence[str]) -> tuple[str, ...]:
        return tuple(name for name in released if name not in self.columns)

    def contents(
        self, tables: Mapping[str, Table], quasi: Sequence[str], sensitive: Sequence[str]
    ) -> Contents:
        told = contents_of(tables["rows"], quasi, ())
        labels, apart = dict(told.labels), {}
        for stem, name in zip(self.stems[1:], self.columns, strict=True):
            view = tables[stem]
            labels[name], place = ordered_labels(view[name].texts, view[name].codes)
            apart[name] = one_class(name, place[view[name].codes], numbers(view), len(labels[name]))
        return replace(told, labels=labels, apart=apart)

    def records(self, tables: Mapping[str, Table]) -> Table:
        return tables["rows"]

    def crowds(self, tables: Mapping[str, Table]) -> Crowds:
        lines = {
            name: Lines(np.zeros(tables[stem].n_rows, np.int64), tables[stem][name], numbers(tables[stem]))
            for stem, name in zip(self.stems[1:], self.columns, strict=True)
        }
        return Crowds(np.zeros(tables["rows"].n_rows, np.int64), 1, lines, frozenset())

    def judge(self, tables: Mapping[str, Table], asked: Asked) -> list[Verdict]:
        verdicts = []
        for model in asked.models:
            names = [name for name in self.columns if name in model.reads]
            if not names:
                verdicts += judge_promises(tables["rows"], asked.quasi, [model], None, asked.people)
                continue
            view = tables[self.stems[1 + self.columns.index(names[0])]]
            attribute = asked.reference.attributes[names[0]]
            codes = codes_in(view[names[0]], attribute)[view[names[0]].codes]
            classes = one_class(names[0], codes, numbers(view), len(attribute.labels))
            counted = counted_lines(names[0], np.zeros(len(codes), np.int64), codes, numbers(view))
            verdicts += judge_classes(Twice(classes, counted), view, [model], asked.reference)
        rows = tables["rows"].n_rows
        same = all(numbers(tables[stem]).sum() == rows for stem in self.stems[1:])
        return [*verdicts, Verdict("every view is of all rows", bool(same))]

    def facts(self, contents: Contents, sizes: Any) -> None:
        return None

    def named(self, promise: str) -> str:
        return promise

    def said(self, guarantee: str) -> str:
        return guarantee

    def shown(
        self, contents: Contents, models: Sequence[PrivacyModel], reference: Reference, by_people: bool
    ) -> list[Verdict]:
        return [Verdict(model.label, True) for model in models]

    def without_people(self, verdicts: Sequence[Verdict], models: Sequence[PrivacyModel]) -> list[Verdict]:
        return list(verdicts)

    def judge_values(
        self, tables: Mapping[str, Table], original: Table, rows: IntArray | None
    ) -> list[Verdict]:
        true = True
        for stem, name in zip(self.stems[1:], self.columns, strict=True):
            view = tables[stem]
            told = dict(zip(view[name].texts, numbers(view).tolist(), strict=True))
            true &= told == dict(zip(original[name].texts, original[name].counts().tolist(), strict=True))
        return [Verdict("views tell the original's values", true)]


def numbers(view: Table) -> IntArray:
    return np.array([int(text) for text in view["people"].texts], np.int64)[view["people"].codes]


def one_class(name: str, codes: IntArray, counts: IntArray, size: int) -> Classes:
    held = Histogram.of(np.zeros(len(codes), np.int64), codes.astype(np.int32), 1, size, counts)
    rows = np.array([counts.sum()])
    return Classes(np.zeros((1, 1), np.int32), (0,), rows, rows, {name: held})


PEOPLE = pa.table(
    {
        "zip": ["1", "1", "2", "2", "3", "3"],
        "ill": ["flu", "cold", "flu", "gout", "flu", "cold"],
        "wage": ["low", "low", "high", "high", "low", "low"],
        "who": list("abcdef"),
    }
)
COLUMNS: dict[str, Any] = {"zip": {"role": "quasi"}, "ill": "sensitive", "wage": "sensitive"}
REQUIRE = [
    {"model": "k-anonymity", "k": 4},
    {"model": "l-diversity", "column": "ill", "l": 3},
    {"model": "l-diversity", "column": "wage", "l": 2},
]


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> kohort.Plan:
    home = ModuleType("kohort.algorithms.viewing")
    home.Viewing = Viewing  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, home.__name__, home)
    judges = ModuleType("kohort.verification.judges.views")
    judges.Views = Views  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, judges.__name__, judges)
    monkeypatch.setitem(ALGORITHMS, "viewing", "viewing:Viewing")
    monkeypatch.setitem(LAYOUTS, "views", "kohort.verification.judges.views:Views")
    return kohort.Plan(columns=COLUMNS, require=REQUIRE, recode={"algorithm": "viewing"})


def test_three_tables_are_released_and_verified(plan: kohort.Plan, tmp_path: Path) -> None:
    release = kohort.anonymize(PEOPLE, plan)
    assert all(verdict.holds for verdict in release.verdicts)
    assert {v.promise for v in release.verdicts} >= {"4-anonymity", "every view is of all rows", "truthful"}
    assert release.table.column_names == ["zip"]
    out = release.save(tmp_path / "out")
    assert sorted(path.name for path in out.iterdir()) == [
        "manifest.json", "report.html", "rows.csv", "view-1.csv", "view-2.csv",
    ]  # fmt: skip
    assert (out / "view-1.csv").read_text().split() == ["ill,people", "cold,2", "flu,3", "gout,1"]
    assert sorted(json.loads((out / "manifest.json").read_text())["files"]) == [
        "rows.csv",
        "view-1.csv",
        "view-2.csv",
    ]
    again = kohort.verify(out, plan, PEOPLE)
    assert all(verdict.holds for verdict in again), [v for v in again if not v.holds]


@pytest.mark.parametrize(
    ("file", "old", "new", "broken"),
    [
        ("view-1.csv", "gout,1", "gout,2", "every view is of all rows"),
        ("view-2.csv", "high,2\nlow,4", "high,4\nlow,2", "views tell the original's values"),
        ("rows.csv", "zip\n", "zip\n*\n", "every view is of all rows"),
    ],
)
def test_what_was_changed_is_found_by_its_own_judge(
    plan: kohort.Plan, tmp_path: Path, file: str, old: str, new: str, broken: str
) -> None:
    out = kohort.anonymize(PEOPLE, plan).save(tmp_path / "out")
    text = (out / file).read_text()
    assert old in text
    (out / file).write_text(text.replace(old, new, 1))
    assert broken in {v.promise for v in kohort.verify(out, plan, PEOPLE) if v.holds is False}


def test_what_cannot_stand_beside_such_tables_is_refused(plan: kohort.Plan) -> None:
    unshuffled = kohort.Plan(
        columns=COLUMNS, require=REQUIRE, recode={"algorithm": "viewing"}, output={"shuffle": False}
    )
    with pytest.raises(kohort.InputError, match="viewing hides which row has which sensitive value"):
        kohort.anonymize(PEOPLE, unshuffled)
    with pytest.raises(kohort.InputError, match="this plan releases 3 tables"):
        kohort.verify(PEOPLE, plan)


def test_the_ledger_and_the_attacks_ask_the_tables(
    plan: kohort.Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = kohort.Plan(
        columns=COLUMNS, require=REQUIRE, recode={"algorithm": "viewing"}, input={"respondent": "who"},
        base=tmp_path,
    )  # fmt: skip
    for name in ("one", "two"):
        release = kohort.anonymize(PEOPLE, recorded)
        release.save(tmp_path / name)
    monkeypatch.setattr("sys.argv", ["kohort", "attack", str(tmp_path / "one"), "--all", "--json"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    told = {found["attack"]: found for found in json.loads(capsys.readouterr().out)["attacks"]}
    assert told["homogeneity"]["success"] == 0
