"""What one release reads as missing and another tells: a missing cell stands for all that its plan's marks mean to the reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kohort
from kohort.errors import InfeasibleError
from kohort.ledger import Held, Together, compose
from kohort.ledger.entry import entry_of
from kohort.ledger.recognised import recognised
from kohort.ledger.spelling import same_value
from kohort.table import Table
from kohort.table.formats.options import ReadingOptions
from kohort.table.markers import as_marked, meant, without_marked
from kohort.table.texts import texts_of
from kohort.table.tidying import tidied

KEY = bytes(32)
LOTS = {  # values of a column, and marks of it: texts, and what is written in a type
    "numbers": (["9", "9.0", "+9", "9.", "09", "9e0", "5", "5.0"], ["9", "9.0", "+9.00", "5."], pa.string()),
    "nothing": (["0", "-0", "0.0", "+0", "00", "-1", "-1.0"], ["0", "-0.0", "-1.0"], pa.string()),
    "texts": (["NA", "na", "N A", "x", "X"], ["NA", "x"], pa.string()),
    "truths": (["true", "false", "TRUE", "1"], ["1", "true", "0"], pa.bool_()),
    "days": (["2020-03-01", "1.3.2020", "2020-03-02"], ["2020-03-01 00:00", "2020-03-02"], pa.timestamp("us")),
    "floats": (["1000", "1e3", "0.5", "0.50", ".5"], ["1e3", ".5"], pa.float64()),
}  # fmt: skip


@dataclass(frozen=True)
class Waves:
    """Two or three releases of some people: the class of each, the pay that only the last ones tell, and lots as they are written."""

    lots: list[list[str]]
    marks: list[tuple[str, ...]]
    classes: list[list[int]]
    pay: list[str]
    kind: pa.DataType
    everywhere: bool  # marks of the whole table

    def read(self, j: int) -> tuple[kohort.Plan, Table]:
        marks = {"missing": self.marks[j]} if self.everywhere else {"missing_in": {"lot": self.marks[j]}}
        lots = pa.array(self.lots[j], pa.string())
        lots = lots if j or self.kind == pa.string() else typed(self.lots[j], self.kind)
        n = len(self.pay)
        table = {"who": [f"p{i}" for i in range(n)], "g": [f"g{c}" for c in self.classes[j]], "lot": lots}
        if j:
            table["pay"] = self.pay
        plan = kohort.Plan(
            input={"respondent": "who", **marks},  # type: ignore[arg-type]
            columns={"who": "identifier", "g": "quasi", "lot": {"role": "insensitive", "allow_unique": True}}
            | ({"pay": "sensitive"} if j else {}),  # type: ignore[arg-type]
            require=[kohort.KAnonymity(2)],
        )
        options = ReadingOptions(missing=plan.input.missing, missing_in=plan.input.missing_in)
        return plan, tidied(Table.from_arrow(pa.table(table)), options)

    def held(self, j: int) -> Held:
        plan, read = self.read(j)
        shown = Table.of([column for column in read if column.name != "who"], read.n_rows)
        return entry_of(read, plan, {"table": shown}, np.arange(read.n_rows), read).hashed(KEY)

    def composed(self) -> Together:
        *earlier, new = (self.held(j) for j in range(len(self.lots)))
        return compose(new, earlier)


def typed(texts: list[str], kind: pa.DataType) -> pa.Array:
    """The values of these texts, as a typed source holds them."""
    return pa.array([same_value(text).replace("1.3.2020", "2020-03-01") for text in texts]).cast(kind)


def drawn(seed: int) -> Waves:
    rng = np.random.default_rng(seed)
    values, marks, kind = LOTS[[*LOTS][seed % len(LOTS)]]
    n, waves = int(rng.integers(5, 9)), int(rng.integers(2, 4))
    lots = [str(rng.choice(values)) for _ in range(n)]
    chosen = [tuple(rng.choice(marks, int(rng.integers(1, 3))).tolist())]
    chosen += [tuple(rng.choice(marks, int(rng.integers(0, 2))).tolist()) for _ in range(waves - 1)]
    order = rng.permutation(waves) if kind == pa.string() else range(waves)
    classes = [rng.integers(0, 2, n).tolist() for _ in range(waves)]
    pay = [str(rng.choice(["low", "high", "none"])) for _ in range(n)]
    return Waves([lots] * waves, [chosen[j] for j in order], classes, pay, kind, bool(rng.random() < 0.3))


def given_away(waves: Waves) -> int:
    """How many are left with one pay to whoever tries every row of each class, and every lot that a missing cell may be."""
    reads = [waves.read(j) for j in range(len(waves.lots))]
    told = [[table["lot"].texts[code] for code in table["lot"].codes] for _, table in reads]
    universe = {text for lots in told for text in lots if text is not None}
    stands_for = []
    for j, (_, table) in enumerate(reads):
        kind = table["lot"].values.type
        as_read = typed(sorted(universe), kind) if kind != pa.string() else pa.array(sorted(universe))
        left = without_marked(as_read, waves.marks[j]).to_pylist()
        texts = texts_of(as_read)
        missing = {str(text) for text, value in zip(texts, left, strict=True) if value is None}
        otherwise = without_marked(pa.array(sorted(universe)), missing).to_pylist()
        spelled = {text for text, kept in zip(sorted(universe), otherwise, strict=True) if kept is None}
        stands_for.append(missing | spelled)
    agree = same_unless_in_doubt([[*lots, *waves.marks[j]] for j, lots in enumerate(told)])
    found = 0
    for person in range(len(waves.pay)):
        possible: set[tuple[str, str]] | None = None
        for j, lots in enumerate(told):
            rows = [q for q, c in enumerate(waves.classes[j]) if c == waves.classes[j][person]]
            here = set()
            for q in rows:
                mine = ["", *map(agree, stands_for[j])] if lots[q] is None else [agree(lots[q])]
                here |= {(lot, pay) for lot in mine for pay in ([waves.pay[q]] if j else {*waves.pay})}
            possible = here if possible is None else possible & here
        found += len({pay for _, pay in possible or ()}) == 1
    return found


def same_unless_in_doubt(written: list[list[str | None]]) -> Callable[[str], str]:
    """Values that look alike are one where no release writes several of them."""
    several: set[str] = set()
    for some in written:
        texts = {text for text in some if text is not None}
        plain = [same_value(text) for text in sorted(texts)]
        several |= {form for form in plain if plain.count(form) > 1}
    return lambda text: text if same_value(text) in several else same_value(text)


@pytest.mark.parametrize(
    "start", [0, *(pytest.param(s, marks=pytest.mark.long) for s in range(120, 3000, 240))]
)
def test_never_fewer_are_counted_than_are_given_away_where_marks_are_read_as_the_reader_does(
    start: int,
) -> None:
    for seed in range(start, start + (240 if start else 120)):
        waves = drawn(seed)
        assert waves.composed().single_value >= given_away(waves), (seed, waves)


@pytest.mark.parametrize("nine", ["9", "9.0", "+9", "9.", "9.000"])
@pytest.mark.parametrize("everywhere", [False, True])
@pytest.mark.parametrize("other", ["9", "9.00", "09", "9e0"])
def test_a_mark_in_digits_stands_for_the_number_however_the_other_release_spells_it(
    nine: str, everywhere: bool, other: str
) -> None:
    """Zip 0 tells no lot but missing ones; of sex X, 9 goes with low pay and 5 with high: low is left to two."""
    lots = [nine, nine, other, other, "5", "5", "7", "7"]
    first = [nine, nine, nine, nine, "7", "7", "7", "7"]
    waves = Waves(
        [first, lots],
        [("9",), ()],
        [[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]],
        ["low", "low", "low", "high", "high", "high", "low", "high"],
        pa.string(),
        everywhere,
    )
    found = waves.composed()
    assert (found.single_value, found.new_single_value) == (2, 2)


@pytest.mark.parametrize(
    "value", ["9", "9.0", "-9.50", "+0", "-0", "09", "9e0", "9_0", "", "x", "9.", ".9", "1" * 60 + ".0"]
)
@pytest.mark.parametrize("mark", ["9", "9.00", "-9.5", "0", "-0.0", "09", "9e0", ".9", "x", "1" * 60])
def test_the_ledger_takes_for_missing_what_the_reader_does(value: str, mark: str) -> None:
    is_missing = without_marked(pa.array([value]), [mark]).to_pylist() == [None]
    known = meant(mark, pa.string())
    assert (value in known or as_marked(value) in known) == is_missing


@pytest.mark.filterwarnings("ignore::kohort.release.release.TogetherWarning")
def test_two_releases_of_which_one_takes_9_for_missing_and_the_other_tells_9_and_9_point_0(
    tmp_path: Path,
) -> None:
    lot = {"p": "9.0", "u": "9.0", "q": "9", "r": "9", "v": "5", "w": "5"}
    pay = {"p": "low", "u": "low", "v": "high", "w": "high", "q": "low", "r": "high"}
    beside = {"role": "insensitive", "allow_unique": True}

    def share(name: str, table: dict[str, list[str]], roles: dict[str, object], **options: object) -> None:
        plan = kohort.Plan(
            input={"respondent": "who", **options},  # type: ignore[arg-type]
            columns={"who": "identifier", "lot": beside, **roles},  # type: ignore[arg-type]
            require=[kohort.KAnonymity(2)],
            output={"ledger": str(tmp_path / "ledger.db")},  # type: ignore[arg-type]
        )
        kohort.anonymize(pa.table(table), plan).save(tmp_path / name)
        kohort.share(tmp_path / name)

    others = [f"z{i}" for i in range(4)]
    first = {"who": [*"puqr", *others], "zip": list("00001111"), "lot": [*(lot[w] for w in "puqr"), *"7777"]}
    share("a", first, {"zip": "quasi"}, missing_in={"lot": ["9"]})
    who = [*pay]
    second = {
        "who": who,
        "lot": [lot[w] for w in who],
        "sex": ["XY"[w in "qr"] for w in who],
        "pay": [pay[w] for w in who],
    }
    with pytest.raises(InfeasibleError, match="2 people may be left with one sensitive value"):
        share("b", second, {"sex": "quasi", "pay": "sensitive"})


READERS: list[dict[str, Any]] = [
    {"decimal": decimal, "trim": trim, "fold": fold}
    for decimal in (None, ".", ",")
    for trim in (False, True)
    for fold in ((), ("lot",))
]
CELLS = ["9.999", "9'999", "9 999", "9,999", "9999", "9.999,0", "1.000", "9.000", "9", "-9,50", "NA", "n/a", " NA", "N  A", "099"]  # fmt: skip


@pytest.mark.parametrize("mark", [cell for cell in CELLS if cell == cell.strip()])
@pytest.mark.parametrize("decimal", [None, ".", ","])
@pytest.mark.parametrize("kind", [pa.string(), pa.float64()])
def test_a_cell_that_is_read_as_missing_stands_for_what_another_reader_of_it_tells(
    mark: str, decimal: str | None, kind: pa.DataType
) -> None:
    """For sure where the other reads the same way; of the mark itself, else to whoever takes for missing what looks like a mark."""
    for reader in (one for one in READERS if one["decimal"] == decimal):
        options = reader | {"missing_in": {"lot": (mark,)}}
        for cell in CELLS if kind == pa.string() else ["9", "9.999", "9999", "1.000"]:
            lots = pa.array([cell, "7"]).cast(kind)
            if told(read_lots(lots, options)) is not None:
                continue
            for other in READERS if kind == pa.string() and cell == mark else [reader]:
                assert told(read_lots(lots, other)) is not None
                one, two = recognised([held_lots(lots, options), held_lots(lots, other)])
                ((column, known),) = ((c, some) for c, some in one.marks.items() if some)
                known = known if other == reader else known | one.marks_alike[column]
                values = two.lines["value"][two.lines["attribute"] == column]
                assert np.isin(values, [*known]).any(), (mark, cell, reader, other)


def read_lots(lots: pa.Array, options: dict[str, Any]) -> Table:
    table = {"who": [f"p{i}" for i in range(len(lots))], "g": ["*"] * len(lots), "lot": lots}
    return tidied(Table.from_arrow(pa.table(table)), ReadingOptions(**options))


def told(read: Table) -> str | None:
    return read["lot"].texts[read["lot"].codes[0]]


def held_lots(lots: pa.Array, options: dict[str, Any]) -> Held:
    """Lots as they are read, and released beside a class that tells nothing."""
    plan = kohort.Plan(
        input={"respondent": "who", **options},  # type: ignore[arg-type]
        columns={"who": "identifier", "g": "quasi", "lot": {"role": "insensitive", "allow_unique": True}},
        require=[kohort.KAnonymity(2)],
    )
    read = read_lots(lots, options)
    shown = Table.of([column for column in read if column.name != "who"], read.n_rows)
    return entry_of(read, plan, {"table": shown}, np.arange(read.n_rows), read).hashed(KEY)


@pytest.mark.parametrize("mark", ["9", "9.000", "1", "1.5", "9999"])
def test_a_mark_stands_for_sure_for_no_cell_that_its_reader_tells(mark: str) -> None:
    """`9.000` is nine thousand to a reader with a decimal comma: its blanks, of the mark `9`, are not the `9.000` that another tells."""
    for reader in READERS:
        options = reader | {"missing_in": {"lot": (mark,)}}
        for cell in ["9.000", "9,000", "1.500", "1.000", "9999", "9", "9.0", "+9"]:
            lots = pa.array([cell, mark, "7"])
            if told(read_lots(lots, options)) is None:
                continue
            for other in READERS:
                one, two = recognised([held_lots(lots, options), held_lots(lots, other)])
                known = {value for some in one.marks.values() for value in some}
                value = recognised([held_lots(lots[:1], other), one, two])[0].lines["value"][-1]
                spelled = told(read_lots(lots, other))
                taken = (
                    told(read_lots(pa.array([spelled, "7"]), options)) is None
                )  # what the other tells, by this reader
                if not taken and spelled != told(read_lots(pa.array([mark]), other)):
                    assert value not in known, (mark, cell, reader, other)
