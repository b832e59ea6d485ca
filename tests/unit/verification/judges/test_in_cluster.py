"""A table that Spark reads is judged as the same table in memory, whatever is written and claimed.

DuckDB plays the cluster; what Spark itself answers is tried in `tests/engines/in_spark`.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.reference.cluster import PlayedCluster, PlayedSource

from kohort.arrays import IntArray
from kohort.classes import Pairs
from kohort.errors import InputError, VerificationError
from kohort.hierarchy import Hierarchy, Label
from kohort.models import AlphaK, Attribute, KAnonymity, LDiversity, PrivacyModel, Reference, TCloseness
from kohort.table import Table
from kohort.verification.judges import cells_in_cluster, judge_promises
from kohort.verification.judges.cell_store import NAMED, ORIGINAL, WRITTEN
from kohort.verification.judges.cells_in_cluster import CellsInCluster
from kohort.verification.judges.claims import ClaimedBoxes, ClaimedClasses
from kohort.verification.judges.contents import contents_of
from kohort.verification.judges.judged import Judged
from kohort.verification.judges.tallies_on_disk import told_no_more_than_true
from kohort.verification.judges.truth import UNMATCHED
from kohort.verification.judges.truth_by_class import TWICE
from kohort.verification.judges.written import Promised
from kohort.verification.judges.written_in_cluster import ClusterSources, judge_in_cluster

TOWNS = Hierarchy.from_rows(
    "town", [("Ayr", "north", "*"), ("Oban", "north", "*"), ("Bude", "south", "*"), (None, "none", "*")]
)
AGES = Hierarchy.from_rows("age", [("7", "7-8", "*"), ("8", "7-8", "*"), ("9", "9", "*")])
HIERARCHIES = (TOWNS, AGES)
QUASI, DECLARED = ["town", "age"], ("town", "age", "ill", "ward")
ILL = ("flu", "gout", None)
NEVER = {"town": ["*"], "age": ["*"], "ill": [], "ward": ["nowhere"]}
MODELS: tuple[PrivacyModel, ...] = (
    KAnonymity(2), LDiversity(2, "ill"), TCloseness(0.4, "ill"), AlphaK(0.6, 2, "ill"),
)  # fmt: skip


class Case:
    """A random original, told at some levels but for the classes left out, and the claim that says so."""

    def __init__(self, chance: Random, rows: int = 12, people: bool = False, boxes: bool = False) -> None:
        drawn = {
            "town": ("Ayr", "Oban", "Bude", None),
            "age": ("7", "8", "9"),
            "ill": ILL,
            "ward": ("1", "2", None),
        }
        self.original: dict[str, list[Any]] = {
            name: [chance.choice(cells) for _ in range(rows)] for name, cells in drawn.items()
        }
        self.original["who"] = [f"p{chance.randrange(rows // 2) if people else i}" for i in range(rows)]
        self.people, self.boxes, self.models = people, boxes, MODELS
        self.read: pa.Table | None = None  # the original, where it is not all texts
        self.levels = tuple(chance.randrange(len(hierarchy.levels)) for hierarchy in HIERARCHIES)
        codes = np.stack([self._codes(j) for j in range(2)], axis=1)
        classes = np.unique(codes, axis=0)
        self.claimed: IntArray = classes[: max(1, len(classes) - chance.randrange(3))].astype(np.int32)
        kept = {tuple(row) for row in self.claimed.tolist()}
        self.rows = [i for i in range(rows) if tuple(codes[i].tolist()) in kept]
        chance.shuffle(self.rows)
        self.labels: list[list[Label] | None] = [
            None if level == 0 else [labels_of(j, level)[code] for code in self.claimed[:, j]]
            for j, level in enumerate(self.levels)
        ]
        self.written: dict[str, list[Any]] = {
            "town": [labels_of(0, self.levels[0])[codes[i, 0]] for i in self.rows],
            "age": [labels_of(1, self.levels[1])[codes[i, 1]] for i in self.rows],
            "ill": [self.original["ill"][i] for i in self.rows],
            "ward": [self.original["ward"][i] for i in self.rows],
        }  # fmt: skip

    def _codes(self, j: int) -> IntArray:
        hierarchy = HIERARCHIES[j]
        ground = hierarchy.encode(self.original[hierarchy.name])
        return np.asarray(hierarchy.levels[self.levels[j]].of_ground[ground])

    def reference(self) -> Reference:
        held = tuple(ill for ill in ILL if ill in self.original["ill"])
        codes = np.array([held.index(ill) for ill in self.original["ill"]], np.int32)
        totals = np.bincount(codes, minlength=len(held))
        pairs = Pairs.of(self.who(), codes, len(held))[0] if self.people else None
        return Reference(
            len(codes),
            {"ill": Attribute("ill", held, totals, pairs=pairs)},
            people=len(set(self.original["who"])) if self.people else None,
        )

    def who(self) -> IntArray:
        return np.unique(self.original["who"], return_inverse=True)[1]

    def claim(self) -> ClaimedClasses | ClaimedBoxes:
        labels = tuple(None if told is None else tuple(told) for told in self.labels)
        if not self.boxes:
            return ClaimedClasses(self.claimed, self.levels, labels)
        ground = np.stack([h.encode(self.original[h.name]) for h in HIERARCHIES], axis=1)
        tuples = [(*each, i) for each in np.unique(ground, axis=0).tolist() for i in self._boxes_of(each)]
        b0, b1, box = np.array(tuples, np.int32).T
        frame = pa.table({"b0": b0, "b1": b1, "cell": box % 2, "box": box})
        number = np.arange(len(self.claimed), dtype=np.int32)
        return ClaimedBoxes(frame, 2, number % 2, number, labels)

    def _boxes_of(self, ground: list[int]) -> list[int]:
        """Return the claimed classes that a tuple of ground values is in."""
        codes = [
            h.levels[level].of_ground[g] for h, level, g in zip(HIERARCHIES, self.levels, ground, strict=True)
        ]
        return np.flatnonzero((self.claimed == codes).all(axis=1)).tolist()

    def held_in(self, at: int, name: str) -> set[str | None]:
        """Return the values of the original's rows that are in a claimed class."""
        codes = np.stack([self._codes(0), self._codes(1)], axis=1)
        return {self.original[name][i] for i in np.flatnonzero((codes == self.claimed[at]).all(axis=1))}

    def judged(self) -> Judged:
        sources = ClusterSources(
            PlayedCluster(),  # type: ignore[arg-type]
            PlayedSource(table_of(self.written)),  # type: ignore[arg-type]
            PlayedSource(self.read or table_of(self.original)),  # type: ignore[arg-type]
            self.claim(),  # type: ignore[arg-type]
        )
        who = "who" if self.people else None
        promised = Promised(DECLARED, self.models, HIERARCHIES, self.reference(), who, {}, 12, {}, {})
        return judge_in_cluster(sources, promised)

    def holds(self) -> dict[str, bool | None]:
        return {verdict.promise: verdict.holds for verdict in self.judged().verdicts}


def labels_of(j: int, level: int) -> tuple[Label, ...]:
    return tuple(HIERARCHIES[j].levels[level].labels)


def table_of(cells: dict[str, list[Any]]) -> pa.Table:
    return pa.table({name: pa.array(held, pa.string()) for name, held in cells.items()})


@pytest.mark.parametrize("people", [False, True])
def test_an_honest_table_is_judged_and_told_as_in_memory(people: bool) -> None:
    chance, seen = Random(7), Counter[bool | None]()
    for i in range(8):
        case = Case(chance, people=people, boxes=i % 2 == 1)
        released = Table.from_arrow(table_of(case.written))
        found = case.judged()
        several = people and len(set(case.original["who"])) < len(case.original["who"])
        expected = judge_promises(
            released, QUASI, MODELS, case.reference(), respondents=case.who()[case.rows] if several else None
        )
        told = {verdict.promise: (verdict.holds, verdict.achieved) for verdict in found.verdicts}
        for verdict in expected:
            seen[verdict.holds] += 1
            assert told[verdict.promise] == (verdict.holds, pytest.approx(verdict.achieved)), verdict.promise
        assert all(
            holds for promise, (holds, _) in told.items() if promise not in {v.promise for v in expected}
        )
        contents, own = found.tell(), contents_of(released, QUASI, ["ill"])
        assert (contents.names, contents.labels) == (own.names, own.labels)
        assert sorted(contents.classes.rows.tolist()) == sorted(own.classes.rows.tolist())
    assert min(seen[True], seen[False]) > 3


def true_of(case: Case, names: tuple[str, ...] = DECLARED) -> bool:
    """Say whether the written rows are among the original's told as claimed, counted by hand."""
    told = Counter[tuple[Any, ...]]()
    codes = [case._codes(0), case._codes(1)]
    for i, j in product(range(len(case.original["who"])), range(len(case.claimed))):
        if all(codes[q][i] == case.claimed[j, q] for q in range(2)):
            labels = [
                case.original[name][i] if case.labels[q] is None else case.labels[q][j]
                for q, name in enumerate(QUASI)
            ]  # type: ignore[index]
            told[*labels, case.original["ill"][i], case.original["ward"][i]] += 1
    written = Counter(zip(*(case.written[name] for name in names), strict=True))
    return written <= told


def test_any_other_cell_or_row_is_found() -> None:
    chance, seen = Random(11), Counter[bool]()
    for i in range(24):
        case = Case(chance, rows=8, boxes=i % 2 == 1)
        name, row = chance.choice(DECLARED), chance.randrange(len(case.rows))
        if chance.random() < 0.5:
            case.written[name][row] = chance.choice([*case.original[name], *NEVER[name]])
        else:  # one row in place of another
            other = chance.randrange(len(case.rows))
            for cells in case.written.values():
                cells[row] = cells[other]
        found = {verdict.promise: verdict for verdict in case.judged().verdicts}
        seen[true_of(case)] += 1
        assert found["truthful"].holds is true_of(case)
        assert found["truthful"].holds or found["truthful"].note == UNMATCHED
    assert min(seen.values()) > 5


def test_a_claim_that_is_not_true_of_its_class_is_found() -> None:
    chance, seen = Random(3), 0
    for i in range(28):
        case = Case(chance, boxes=i % 2 == 1)
        j = chance.randrange(2)
        if case.labels[j] is None:
            continue
        at = chance.randrange(len(case.claimed))
        lie = chance.choice(("south", "9", "nowhere", "*"))
        case.labels[j][at] = lie  # type: ignore[index]
        hierarchy, code = HIERARCHIES[j], case.claimed[at, j]
        ground = [
            text
            for text, of in zip(
                hierarchy.levels[0].labels, hierarchy.levels[case.levels[j]].of_ground, strict=True
            )
            if of == code and (not case.boxes or text in case.held_in(at, hierarchy.name))
        ]
        covers = {
            "*": True,
            "nowhere": False,
            "south": j == 0 and set(ground) <= {"Bude"},
            "9": j == 1 and set(ground) <= {"9"},
        }
        found = case.judged().verdicts
        [truth] = [verdict for verdict in found if verdict.promise == "truthful"] or [None]
        if truth is None or covers[lie]:
            continue
        seen += 1
        assert (truth.holds, truth.note) == (
            False,
            f"column {hierarchy.name!r} holds a value that is not true of its row",
        )
    assert seen >= 5


@pytest.mark.parametrize("more", [-1, 1])
def test_rows_too_few_or_too_many_are_found(more: int) -> None:
    case = Case(Random(5))
    n = len(case.rows)
    case.written = {
        name: cells[:more] if more < 0 else [*cells, cells[0]] for name, cells in case.written.items()
    }
    found = case.judged()
    assert [verdict.holds for verdict in found.verdicts] == [False]
    assert found.verdicts[0].note == f"{n + more} rows were written instead of {n}"
    with pytest.raises(VerificationError, match="does not hold the rows"):
        found.tell()


def test_another_column_is_found() -> None:
    case = Case(Random(5))
    case.written["who"] = [case.original["who"][i] for i in case.rows]
    found = case.judged()
    assert [verdict.holds for verdict in found.verdicts] == [False]
    assert "not declared: 'who'" in found.verdicts[0].note


def test_people_are_not_counted_where_rows_are_not_true() -> None:
    """Whose the rows are is told by the claim: where that does not hold, rows are counted, and truth is broken."""
    case = Case(Random(1), people=True)
    alike = Case(Random(1), people=True)
    for one in (case, alike):
        one.original["who"] = ["p"] * 12
        one.models = (KAnonymity(2),)
        one.levels, one.claimed = (2, 2), np.zeros((1, 2), np.int32)
        one.rows, one.labels = list(range(12)), [["*"], ["*"]]
        one.written = {
            "town": ["*"] * 12,
            "age": ["*"] * 12,
            "ill": one.original["ill"],
            "ward": [*one.original["ward"]],
        }
    assert alike.holds() | {"truthful": True, "2-anonymity": False} == alike.holds()
    case.written["ward"][0] = "nowhere"
    assert case.holds() | {"truthful": False, "2-anonymity": True} == case.holds()


@pytest.mark.parametrize("boxes", [False, True])
def test_a_claim_that_tells_rows_twice_is_found(boxes: bool) -> None:
    """Each written row could stand for a row as claimed, and two of them for the same one of the original."""
    case = Case(Random(5), boxes=boxes)
    again = len(case.claimed) - 1
    case.claimed = np.concatenate([case.claimed, case.claimed[again:]])
    case.labels = [None if told is None else [*told, told[again]] for told in case.labels]
    [truth] = [verdict for verdict in case.judged().verdicts if verdict.promise == "truthful"]
    assert (truth.holds, truth.note) == (False, TWICE)


def test_people_are_not_named_where_rows_have_no_numbers() -> None:
    cells = CellsInCluster(PlayedCluster(), QUASI, ["ill"])  # type: ignore[arg-type]
    source = PlayedSource(table_of({"town": ["Ayr"], "age": ["7"], "ill": ["flu"]}))
    for _ in range(2):
        with pytest.raises(InputError, match="rows of this table that Spark reads have no order"):
            cells.name_people(pa.table({"respondent": ["p"]}))
        cells.put("written", source, [*QUASI, "ill"])  # type: ignore[arg-type]


@pytest.mark.parametrize("apart", [(2, 1), (1, 1, 1), (3,)])
@pytest.mark.parametrize("on_disk", [False, True])
def test_people_are_named_by_the_parts_and_places_of_rows(
    apart: tuple[int, ...], on_disk: bool, tmp_path: Path
) -> None:
    """However the people are cut into parts, row by row they are those of the written rows."""
    written = table_of(
        {"town": ["Ayr", "Oban", "Ayr", "Bude"], "age": ["7"] * 4, "ill": ["flu", "gout", "flu", "flu"]}
    )
    people = pa.table({"respondent": ["p", "q", "p"]})
    in_parts(written, (3, 1), tmp_path / "table.parquet")
    in_parts(people, apart, tmp_path / "people.parquet")
    cluster = PlayedCluster()
    cells = CellsInCluster(cluster, QUASI, ["ill"])  # type: ignore[arg-type]
    cells.put(WRITTEN, PlayedSource.of_parts(tmp_path / "table.parquet"), [*QUASI, "ill"])  # type: ignore[arg-type]
    assert cells.name_people(tmp_path / "people.parquet" if on_disk else people) == 3
    place = cells.place(WRITTEN, "town")
    found = cells.table(f"SELECT respondent, {place} AS town FROM {NAMED} ORDER BY ALL").to_pydict()
    towns = [cells.texts(WRITTEN, "town")[code] for code in found["town"]]
    assert sorted(zip(found["respondent"], towns, strict=True)) == [("p", "Ayr"), ("p", "Ayr"), ("q", "Oban")]


def in_parts(table: pa.Table, sizes: tuple[int, ...], folder: Path) -> None:
    folder.mkdir()
    for i, size in enumerate(sizes):
        pyarrow.parquet.write_table(table.slice(sum(sizes[:i]), size), folder / f"part-{i:05}.parquet")


@pytest.mark.parametrize(("cell", "holds"), [("1", True), ("01", False), ("2", False)])
def test_cells_of_another_type_are_compared_by_their_texts(cell: str, holds: bool) -> None:
    """A number of the original, and a text that was written: a union of both would take one for the other."""
    case = Case(Random(5))
    case.original["ward"], case.written["ward"] = ["1"] * 12, [cell] * len(case.rows)
    numbers = pa.array([1] * 12, pa.int64())
    original = table_of(case.original)
    case.read = original.set_column(original.column_names.index("ward"), "ward", numbers)
    assert case.holds()["truthful"] is holds


def test_tuples_are_told_no_more_often_than_they_are_true() -> None:
    """Without digests too, which Spark has none of."""
    chance, seen = Random(2), Counter[bool]()
    for _ in range(8):
        case = Case(chance, rows=6)
        if chance.random() < 0.5:
            case.written["ward"][0] = chance.choice(case.original["ward"])
        cells = CellsInCluster(PlayedCluster(), QUASI, ["ill", "ward"])  # type: ignore[arg-type]
        cells.put("written", PlayedSource(table_of(case.written)), list(DECLARED))  # type: ignore[arg-type]
        cells.put("original", PlayedSource(table_of(case.original)), list(DECLARED))  # type: ignore[arg-type]
        expected = true_of(case)
        seen[expected] += 1
        assert told_no_more_than_true(cells, HIERARCHIES, ["ill", "ward"]) is expected
    assert len(seen) == 2


def test_rows_are_counted_also_where_no_column_is_coded() -> None:
    cells = CellsInCluster(PlayedCluster(), [], [])  # type: ignore[arg-type]
    source = PlayedSource(table_of({"ward": ["1", None, "1"], "pay": ["x", "y", "z"]}))
    assert cells.put("written", source, ["pay", "ward"]) == 3  # type: ignore[arg-type]
    assert cells.is_coded("written", "pay") is False
    assert CellsInCluster(PlayedCluster(), QUASI, []).is_coded("original", "town") is True  # type: ignore[arg-type]


@pytest.mark.parametrize("written_first", [True, False])
def test_columns_of_unlike_types_are_kept_as_texts_in_both_tables(written_first: bool) -> None:
    """Whichever table comes first is read again; columns of like types stay values, whole numbers of any width among them."""
    written = pa.table(
        {"ward": ["1", "01", "1"], "pay": pa.array([1, 2, 3], pa.int32()), "note": ["a", "b", "c"]}
    )
    original = pa.table(
        {"ward": [1, 2], "pay": pa.array([1, 2], pa.int64()), "note": ["a", "b"], "who": ["p", "q"]}
    )
    cells = CellsInCluster(PlayedCluster(), [], [])  # type: ignore[arg-type]
    tables = {WRITTEN: written, ORIGINAL: original}
    for shelf in tables if written_first else reversed(tables):
        table = tables[shelf]
        assert cells.put(shelf, PlayedSource(table), table.column_names) == table.num_rows  # type: ignore[arg-type]
    for shelf in tables:
        assert [cells.is_coded(shelf, name) for name in ("ward", "pay", "note")] == [True, False, False]
    told = {shelf: _cells(cells, shelf) for shelf in tables}
    assert told[WRITTEN] == [("1", 1, "a"), ("01", 2, "b"), ("1", 3, "c")]
    assert told[ORIGINAL] == [("1", 1, "a"), ("2", 2, "b")]
    assert set(cells.texts(WRITTEN, "ward")) == {"1", "01", "2"} == set(cells.texts(ORIGINAL, "ward"))


def _cells(cells: CellsInCluster, shelf: str) -> list[tuple[Any, ...]]:
    """Return the rows of a table, the codes of wards as their texts, in the order of pay."""
    ward, pay, note = (cells.place(shelf, name) for name in ("ward", "pay", "note"))
    found = cells.table(f"SELECT {ward} AS ward, {pay} AS pay, {note} AS note FROM {shelf} ORDER BY pay")
    texts = cells.texts(shelf, "ward")
    return [(texts[row["ward"]], row["pay"], row["note"]) for row in found.to_pylist()]


@pytest.mark.parametrize("kind", [pa.float64(), pa.string(), pa.uint64()])
def test_whole_numbers_are_like_signed_ones_alone(kind: pa.DataType) -> None:
    cells = CellsInCluster(PlayedCluster(), [], [])  # type: ignore[arg-type]
    for shelf, of in ((WRITTEN, pa.int64()), (ORIGINAL, kind)):
        cells.put(shelf, PlayedSource(pa.table({"pay": pa.array(["1"]).cast(of)})), ["pay"])  # type: ignore[arg-type]
    assert cells.is_coded(WRITTEN, "pay")
    assert cells.is_coded(ORIGINAL, "pay")


def test_codes_of_many_values_are_joined_with_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """As those of few are told by whoever reads them; missing values among them."""
    town, told = ["Ayr", None, "Oban", "Ayr"], []
    for small in (2, 3):  # values that every executor may hold
        monkeypatch.setattr(cells_in_cluster, "SMALL", small)
        cluster = PlayedCluster()
        cells = CellsInCluster(cluster, ["town"], [])  # type: ignore[arg-type]
        source = PlayedSource(table_of({"town": town, "ill": ["w", "x", "y", "z"]}))
        assert cells.put(WRITTEN, source, ["town", "ill"]) == 4  # type: ignore[arg-type]
        place, ill = cells.place(WRITTEN, "town"), cells.place(WRITTEN, "ill")
        found = cells.table(f"SELECT {place} AS town FROM {WRITTEN} ORDER BY {ill}").column("town")
        told.append([cells.texts(WRITTEN, "town")[code] for code in found.to_pylist()])
        assert cluster.has("written_0_codes") is (small == 2)
    assert told == [town, town]


def test_answers_and_numbers_of_classes_are_forgotten_with_the_rows_that_they_are_of() -> None:
    cells = CellsInCluster(PlayedCluster(), QUASI, [])  # type: ignore[arg-type]
    asked = f"SELECT count(*) AS n FROM {WRITTEN}"

    def put(*ages: str) -> None:
        source = PlayedSource(table_of({"town": ["Ayr"] * len(ages), "age": list(ages)}))
        cells.put(WRITTEN, source, QUASI)  # type: ignore[arg-type]

    def counted() -> list[int]:
        return sorted(cells.table(f"SELECT n FROM {cells.number_classes(WRITTEN, QUASI)}")["n"].to_pylist())

    put("7", "8", "8")
    assert (cells.table(asked)["n"].to_pylist(), counted()) == ([3], [1, 2])
    assert cells.table(asked) is cells.table(asked)
    put("7", "8", "8", "8")
    assert (cells.table(asked)["n"].to_pylist(), counted()) == ([4], [1, 3])
    for rows, replaced in ((2, cells.keep), (5, cells.lay)):
        replaced(WRITTEN, pa.table({cells.place(WRITTEN, name): [0] * rows for name in QUASI}))  # type: ignore[operator]
        assert cells.table(asked)["n"].to_pylist() == [rows]
    assert counted() == [5]
    cells.view("seen", "SELECT * FROM few", {"few": pa.table({"a": [1]})})
    assert cells.table("SELECT * FROM seen").num_rows == 1
    cells.view("seen", "SELECT * FROM few", {"few": pa.table({"a": [1, 2]})})
    assert cells.table("SELECT * FROM seen").num_rows == 2
