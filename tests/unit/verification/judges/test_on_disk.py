"""What is counted of files on disk is what is counted of the same tables in memory, over random small tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.models import AlphaK, KAnonymity, LDiversity, Personalized, PrivacyModel, TCloseness
from kohort.table import Table
from kohort.table.scratch import Scratch
from kohort.table.streaming import open_released
from kohort.table.writing import write_table
from kohort.verification.judges import judge_promises, match_rows
from kohort.verification.judges.beside_on_disk import judge_beside_streamed
from kohort.verification.judges.cell_store import NAMED, ORIGINAL, WRITTEN, CellStore
from kohort.verification.judges.classes_on_disk import (
    PER_LABEL,
    PER_LINE,
    RowsOnDisk,
    labels_on_disk,
    named_only,
    own_reference_on_disk,
    tuples_on_disk,
)
from kohort.verification.judges.contents import Contents, contents_of
from kohort.verification.judges.contents_on_disk import contents_on_disk
from kohort.verification.judges.promises import judge_classes, own_reference
from kohort.verification.judges.tallies_on_disk import tally_of, told_no_more_than_true
from kohort.verification.judges.truth_on_disk import PER_CELL, judge_matching

QUASI, SENSITIVE, NAMES = ("town", "age"), ("ill",), ("town", "age", "ill", "ward", "pay")
CELLS = {
    "town": ("Ayr", "Oban", "north", None),
    "age": ("7", "07", "*"),
    "ill": ("flu", "gout", None),
    "ward": ("1", "2", None),
    "pay": ("x", "=y", ""),
}
HIERARCHIES = [
    Hierarchy.from_rows("town", [("Ayr", "north", "*"), ("Oban", "north", "*"), (None, "none", "*")]),
    Hierarchy.from_rows("age", [("7", "*"), ("07", "*")]),
]
MODELS: tuple[PrivacyModel, ...] = (
    KAnonymity(2),
    LDiversity(2, "ill"),
    TCloseness(0.3, "ill"),
    AlphaK(0.6, 2, "ill"),
    Personalized(0.5, "ill", "ward"),
)


ALIKE = {**CELLS, "town": ("north",), "age": ("*",)}


def drawn(chance: Random, rows: int, cells: Mapping[str, Sequence[str | None]] = CELLS) -> pa.Table:
    return pa.table(
        {name: pa.array([chance.choice(cells[name]) for _ in range(rows)], pa.string()) for name in NAMES}
    )


@contextmanager
def stored(folder: Path, written: pa.Table, original: pa.Table | None = None) -> Iterator[CellStore]:
    """Put tables into a store, by way of files."""
    with Scratch() as scratch:
        cells = CellStore(scratch, QUASI, SENSITIVE)
        for shelf, table in ((WRITTEN, written), (ORIGINAL, original)):
            if table is not None:
                path = folder / f"{shelf}.parquet"
                write_table(table, path)
                assert cells.put(shelf, open_released(path), NAMES) == table.num_rows
        yield cells


def as_facts(told: Contents) -> list[object]:
    held = told.classes.sensitive["ill"]
    arrays = (told.classes.codes, told.classes.rows, held.starts, held.values, held.counts)
    facts = [told.names, told.quasi, told.labels, told.standing, told.classes.levels, held.size]
    return [*facts, *(array.tolist() for array in arrays)]


def test_files_say_what_their_tables_say(tmp_path: Path) -> None:
    chance = Random(1)
    for rows in (1, 2, 5, 9, 14):
        table = drawn(chance, rows)
        with stored(tmp_path, table) as cells:
            tally = cells.tallied(QUASI, SENSITIVE)
            assert tally is not None
            in_order = contents_on_disk(cells, NAMES, QUASI, SENSITIVE, tally)
            told = contents_on_disk(cells, NAMES, QUASI, SENSITIVE)
            again = contents_on_disk(cells, NAMES, QUASI, SENSITIVE, cells.tallied(QUASI, SENSITIVE))
            tuples, counts = tuples_on_disk(cells, WRITTEN, ["ill", "ward"])
        expected_facts = as_facts(contents_of(Table.from_arrow(table), QUASI, SENSITIVE))
        assert as_facts(told) == as_facts(in_order) == as_facts(again) == expected_facts
        found = zip(*(tuples[name].to_arrow().to_pylist() for name in ("ill", "ward")), strict=True)
        expected = Counter(zip(table["ill"].to_pylist(), table["ward"].to_pylist(), strict=True))
        assert dict(zip(found, counts.tolist(), strict=True)) == expected


def people_of(chance: Random, rows: int) -> list[IntArray | None]:
    """Return nobody, a person for each row, and people of whom some have several."""
    several = [chance.randrange(rows - 1) for _ in range(rows)]
    return [None, np.array(chance.sample(range(rows), rows)), np.array(several)]


def kept(folder: Path, table: pa.Table) -> Path:
    pyarrow.parquet.write_table(table, folder / "people.parquet")
    return folder / "people.parquet"


def test_promises_of_a_file_alone_are_judged_as_those_of_its_table(tmp_path: Path) -> None:
    chance, seen = Random(2), Counter[bool | None]()
    for rows, kinds in ((2, CELLS), (6, ALIKE), (10, CELLS), (10, ALIKE)):
        table = drawn(chance, rows, kinds)
        for people in people_of(chance, rows):
            released = Table.from_arrow(table)
            expected = judge_promises(released, QUASI, MODELS, respondents=people)
            own = own_reference(released, MODELS, people)
            with stored(tmp_path, table) as cells:
                held = RowsOnDisk(cells, WRITTEN)
                if people is not None:
                    who = pa.table({"respondent": people})
                    assert cells.name_people(who if kinds is CELLS else kept(tmp_path, who)) == rows
                    held = RowsOnDisk(cells, NAMED, "respondent")
                reference = own_reference_on_disk(held, NAMES, MODELS)
                twice = held.classes(QUASI, list(reference.attributes.values()))
                labels = labels_on_disk(cells, QUASI)
                found = judge_classes(twice, labels, MODELS, reference, alone=True)
            assert (twice.classes.levels, labels.n_rows) == ((0, 0), 0)
            assert {len(column.codes) for column in labels} == {0}
            assert (reference.n_rows, reference.people) == (own.n_rows, own.people)
            assert set(reference.attributes) == set(own.attributes) == {"ill"}
            for verdict, other in zip(found, expected, strict=True):
                assert (verdict.promise, verdict.holds, verdict.note) == (
                    other.promise,
                    other.holds,
                    other.note,
                )
                assert verdict.achieved == pytest.approx(other.achieved)
                assert verdict.in_itself == pytest.approx(other.in_itself)
            seen.update(verdict.holds for verdict in found)
    assert min(seen[True], seen[False], seen[None]) > 5


def changed(chance: Random, table: pa.Table) -> pa.Table:
    """Return some rows with labels that may be true of them, or a cell that may be not."""
    covers = {
        "Ayr": ("Ayr", "north", "*"),
        "Oban": ("Oban", "north", "*"),
        "7": ("7", "*"),
        "07": ("07", "*"),
    }
    rows = chance.sample(table.to_pylist(), chance.randint(1, table.num_rows))
    for row in rows:
        row |= {name: chance.choice(covers.get(row[name], (row[name],))) for name in QUASI}
    if chance.random() < 0.7:
        name = chance.choice(NAMES)
        chance.choice(rows)[name] = chance.choice((*CELLS[name], "nothing known"))
    return pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in NAMES})


def test_rows_are_matched_on_disk_where_they_are_in_memory(tmp_path: Path) -> None:
    chance, seen, tallied = Random(3), Counter[bool | None](), Counter[bool]()
    towns, ages = ("Ayr", "Oban", None), ("7", "07")
    for _ in range(24):
        original = drawn(chance, chance.randint(1, 6))
        for name, values in (("town", towns), ("age", ages)):
            cells = pa.array([chance.choice(values) for _ in range(original.num_rows)], pa.string())
            original = original.set_column(NAMES.index(name), name, cells)
        written = changed(chance, original)
        expected = match_rows(Table.from_arrow(written), Table.from_arrow(original), HIERARCHIES)
        with stored(tmp_path, written, original) as store:
            tally = tally_of(store, QUASI, SENSITIVE, HIERARCHIES)
            verdict = judge_matching(store, HIERARCHIES, NAMES, written.num_rows, 1 << 30)
            proved = told_no_more_than_true(store, HIERARCHIES, [n for n in NAMES if n not in QUASI])
            most = max(len(table.group_by(list(NAMES)).aggregate([])) for table in (written, original))
            room = most * len(NAMES) * PER_CELL
            unknown = judge_matching(store, HIERARCHIES, NAMES, written.num_rows, room - 1)
            held = judge_matching(store, HIERARCHIES, NAMES, written.num_rows, room)
            laid = tally_of(store, QUASI, SENSITIVE, HIERARCHIES)  # now that rows are on disk
        for found in (tally, laid):
            assert (found is not None and found.true is True) is proved
        assert not proved or expected is not None
        assert unknown.holds is (True if proved else None)
        assert held == verdict
        tallied[proved] += 1
        assert verdict.holds is (expected is not None), (written.to_pylist(), original.to_pylist())
        seen[verdict.holds] += 1
    assert min(seen[True], seen[False]) > 4
    assert min(tallied[True], tallied[False]) > 2


@pytest.mark.parametrize("towns", [("north", "Ayr"), ("Ayr", "north"), ("*", "Ayr"), ("*", "Oban")])
def test_labels_that_overlap_leave_it_open(tmp_path: Path, towns: tuple[str, str]) -> None:
    """Whichever of them comes first: an original row could be told by both."""
    cells = {"age": ["7"] * 2, "ill": ["flu"] * 2, "ward": ["1"] * 2, "pay": ["2"] * 2}
    original = pa.table({"town": ["Ayr", "Oban"], **cells}).select(NAMES)
    for written, disjoint in ((towns, False), (("Ayr", "Oban"), True)):
        table = pa.table({"town": list(written), **cells}).select(NAMES)
        with stored(tmp_path, table, original) as store:
            assert (tally_of(store, QUASI, SENSITIVE, HIERARCHIES) is not None) is disjoint
            carried = [name for name in NAMES if name not in QUASI]
            assert told_no_more_than_true(store, HIERARCHIES, carried) is disjoint


def test_only_names_are_known_of_columns_that_were_not_read() -> None:
    known = named_only(["a", "b"])
    assert (known.names, known.n_rows) == (("a", "b"), 0)
    assert [(column.texts, column.counts().tolist()) for column in known] == [((), []), ((), [])]


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_text_is_rewritten_piece_by_piece(tmp_path: Path, suffix: str) -> None:
    path, copies = tmp_path / f"table{suffix}", tmp_path / "copies"
    copies.mkdir()

    def judged() -> tuple[bool | None, str]:
        verdict = judge_beside_streamed(open_released(path), copies)
        return verdict.holds, verdict.note

    write_table(drawn(Random(4), 9), path)
    honest = path.read_bytes()
    assert judged() == (True, "")
    for beside in (honest + b"\n", honest.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + honest):
        path.write_bytes(beside)
        assert judged() == (False, f"'table{suffix}' is not as Kohort writes it")
    stream = open_released(path)
    path.write_bytes(honest + b'"never closed')
    assert judge_beside_streamed(stream, copies).holds is False, "what cannot be read is not the table alone"


def test_other_files_are_compared_in_memory_only(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    write_table(drawn(Random(5), 3), path)
    told = judge_beside_streamed(open_released(path), tmp_path)
    assert told.holds is None
    assert told.note.startswith("not judged: 'table.parquet'")


def test_classes_that_do_not_fit_are_refused_once_they_are_counted(tmp_path: Path) -> None:
    """Three rows alike are one class with one line: room for less than three is enough."""
    table = drawn(Random(9), 3, {name: cells[:1] for name, cells in CELLS.items()})
    one = PER_LABEL * len(QUASI) + PER_LINE
    with stored(tmp_path, table) as cells:
        for tally in (None, cells.tallied(QUASI, SENSITIVE)):
            rows = RowsOnDisk(cells, WRITTEN, tally=tally)
            for room in (one, 3 * one - 1, 3 * one):
                rows.demand_room(QUASI, SENSITIVE, room)
            with pytest.raises(InputError, match="1 class with their sensitive values do not fit in memory"):
                rows.demand_room(QUASI, SENSITIVE, one - 1)


def test_people_may_be_named_in_parts(tmp_path: Path) -> None:
    table, people = drawn(Random(4), 5), pa.table({"respondent": ["p", "q", "p", "r", "q"]})
    (tmp_path / "people").mkdir()
    for i, (start, rows) in enumerate(((0, 2), (2, 3))):
        pyarrow.parquet.write_table(people.slice(start, rows), tmp_path / "people" / f"part-{i:05}.parquet")
    found = []
    for told in (people, tmp_path / "people"):
        with stored(tmp_path, table) as cells:
            assert cells.name_people(told) == 5
            pay = cells.place(WRITTEN, "pay")
            found.append(cells.table(f"SELECT respondent, {pay} FROM {NAMED} ORDER BY ALL").to_pydict())
    assert found[0] == found[1]
    assert sorted(found[0]["respondent"]) == ["p", "p", "q", "q", "r"]
