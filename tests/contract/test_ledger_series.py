"""Series of releases by unlike algorithms: the ledger counts nobody less than an intruder finds in the written tables."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.reference.intruder import Found, Series, laid_over
from tests.thinned import thinned

import kohort
from kohort.errors import InfeasibleError
from kohort.ledger import Entry, Together, compose, recording
from kohort.ledger.forms import form_of
from kohort.plan.coarse import coarse_columns
from kohort.table import Table

KEY = bytes(32)
AGE = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10, 20, 40], "origin": 0}}
SUPPRESS = {"role": "quasi", "hierarchy": {"kind": "suppress"}}
BESIDE = {"role": "insensitive", "allow_unique": True}
ALGORITHMS = ("optimal", "datafly", "levels-and-cells", "mondrian", "top-down", "mdav", "anatomy", "anatomy")
PAY: list[dict[str, Any]] = [{}, {"round": 10}, {"round": 7}, {"bottom": 10, "top": 30}]
FIGURES = ("below_k", "new_below_k", "single_value", "new_single_value", "below_l", "new_below_l")
Released = tuple[Entry, Series]


SEEMING = dict(
    zip(("x0", "x1", "x2"), ("AA", "Aa", "aa"), strict=True)
)  # three values, however alike they look
NAMED = ("y", "Y", " y", "y_")


def people(rng: np.random.Generator, seeming: bool) -> dict[str, list[Any]]:
    n = int(rng.integers(10, 15))
    truth = {
        "who": [f"p{i}" for i in range(n)],
        "age": rng.integers(20, 80, n).tolist(),
        "pay": rng.integers(1, 60, n).tolist(),
        "x": [f"x{i}" for i in rng.integers(0, 3, n)],
        "y": [f"y{i}" for i in rng.integers(0, 3, n)],
        "z": [f"z{i}" for i in rng.integers(0, 2, n)],
        "ill": [f"ill{i % 4}" for i in rng.permutation(n)],
    }
    return truth | {"x": [SEEMING[value] for value in truth["x"]]} if seeming else truth


def source(
    rng: np.random.Generator, truth: dict[str, list[Any]], missing: bool
) -> tuple[pa.Table, dict[str, list[str]]]:
    """What one release reads: some of the people, perhaps with cells that are blank or marked as missing."""
    n = len(truth["who"])
    table = {name: [*values] for name, values in truth.items()}
    marks: dict[str, list[str]] = {}
    if missing:
        for name in ("x", "y", "z"):
            spelled = str(rng.choice(["", "?", "*"]))
            for i in np.flatnonzero(rng.random(n) < rng.choice([0, 0.3])):
                table[name][i] = spelled
            if spelled and rng.random() < 0.8:
                marks[name] = [spelled]
            if rng.random() < 0.2:
                marks.setdefault(name, []).append(str(rng.choice(truth[name])))
    kept = np.sort(rng.permutation(n)[: max(8, n - int(rng.integers(0, 3)))])
    return pa.table({name: [values[i] for i in kept] for name, values in table.items()}), marks


def plan_of(rng: np.random.Generator, name: str, marks: dict[str, list[str]], y: str) -> kohort.Plan:
    beside = [column for column in ("x", "y", "z") if rng.random() < 0.75]
    columns: dict[str, Any] = {"who": "identifier", "ill": "sensitive"}
    require: list[Any] = [kohort.KAnonymity(2)]
    if name == "anatomy":
        columns |= {"age": "quasi", **dict.fromkeys(beside, "quasi")}
        require = [kohort.LDiversity(2, "ill")]
    else:
        columns |= {"age": AGE} | dict.fromkeys(beside, BESIDE)
        columns["pay"] = AGE if rng.random() < 0.6 else BESIDE | PAY[int(rng.integers(len(PAY)))]
        if rng.random() < 0.5:
            columns["z"] = "sensitive" if name == "mdav" or rng.random() < 0.5 else SUPPRESS
    return kohort.Plan(
        input={
            "respondent": "who",
            "missing_in": {y if c == "y" else c: told for c, told in marks.items() if c in columns},
        },
        columns={y if c == "y" else c: told for c, told in columns.items()},
        require=require,
        recode={"algorithm": name, "max_suppression": 0.3},
    )


def otherwise(
    rng: np.random.Generator, table: pa.Table, marks: dict[str, list[str]]
) -> tuple[str, pa.Table, dict[str, list[str]]]:
    """What a source reads that calls y otherwise, and may write its values otherwise; and how it calls it."""
    name, loud = str(rng.choice(NAMED)), bool(rng.random() < 0.5)

    def written(cells: list[str]) -> list[str]:
        return [cell.upper() if loud else cell for cell in cells]

    column = pa.array(written(table["y"].to_pylist()))
    marks = {c: written(told) if c == "y" else told for c, told in marks.items()}
    return name, table.set_column(table.column_names.index("y"), name, column), marks


def plainly(cells: dict[str, str | None]) -> dict[str, str | None]:
    """What cells tell, y as it is called and written here."""
    called = {name.lower().strip(" _"): cell for name, cell in cells.items()}
    return called | {"y": called["y"] and called["y"].lower()} if "y" in called else called


def by_hand(plan: kohort.Plan, tables: dict[str, Table], who: list[str]) -> Series:
    """A release as whoever reads its tables sees it."""
    rows = [plainly(row) for row in texts(tables["table"])]
    quasi = tuple(plainly(dict.fromkeys(plan.quasi)))
    sensitive, least = tuple(plan.sensitive), ({"ill": 2} if plan.recode.algorithm == "anatomy" else {})
    if "sensitive" in tables:
        classes = [row.pop("group") for row in rows]
        apart = [(row["group"], {"ill": row["ill"]}) for row in texts(tables["sensitive"])]
        parts = [[*zip(classes, rows, strict=True)], apart]
    else:
        classes = [tuple(row.pop(name) for name in quasi) for row in rows]
        parts = [[*zip(classes, rows, strict=True)]]
    forms = {name: form_of(coarse) for name, coarse in coarse_columns(plan).items()}
    parts = [[(c, {forms.get(n, "") + n: v for n, v in row.items()}) for c, row in part] for part in parts]
    marks = {
        c: [mark.lower() if c == "y" else mark for mark in plan.input.missing_in[name]]
        for name in plan.input.missing_in
        for c in plainly({name: ""})
    }
    own = dict(zip(who, (row for _, row in parts[0]), strict=True))
    read_as = {form + name: name for name, form in forms.items()}
    class_of = dict(zip(who, classes, strict=True))
    return Series(class_of, parts, sensitive, 2, least, marks, quasi, own, read_as)


def texts(table: Table) -> list[dict[str, str | None]]:
    columns = {c.name: [c.texts[code] for code in c.codes] for c in table}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Released]]:
    """Every release that is saved, as the ledger takes it and as it reads."""
    found: list[Released] = []
    honest = recording.entry_of

    def noted(table: Table, plan: Any, tables: Any, rows: Any, read: Table) -> Entry:
        entry = honest(table, plan, tables, rows, read)
        names = [table["who"].texts[code] for code in table["who"].codes[rows]]
        found.append((entry, by_hand(plan, tables, names)))
        return entry

    monkeypatch.setattr(recording, "entry_of", noted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield found


def series(seed: int, out: Path, recorded: list[Released], missing: bool) -> tuple[Together, Found]:
    rng = np.random.default_rng(seed)
    truth = people(rng, seed % 3 == 0)
    recorded.clear()
    for number in range(int(rng.integers(2, 5))):
        name = str(rng.choice(ALGORITHMS))
        table, marks = source(rng, truth, missing)
        y, table, marks = otherwise(np.random.default_rng([seed, number]), table, marks)
        try:
            kohort.anonymize(table, plan_of(rng, name, marks, y)).save(out / f"{seed}-{number}")
        except InfeasibleError:
            continue
    if len(recorded) < 2:
        pytest.skip("nothing to compare")
    *earlier, new = (entry.hashed(KEY) for entry, _ in recorded)
    return compose(new, earlier), laid_over([told for _, told in recorded])


def demand_nobody_overlooked(told: Together, found: Found, seed: int) -> None:
    assert told.smallest == (found.smallest if found.smallest < float("inf") else None), seed
    for figure in FIGURES:
        assert getattr(told, figure) >= len(getattr(found, figure)), (seed, figure)


SERIES = [(seed, missing) for missing in (False, True) for seed in range(40)]


@pytest.mark.parametrize(("seed", "missing"), thinned(SERIES, lambda _, case: case[0] % 2 == case[1]))
def test_nobody_is_counted_less_than_an_intruder_finds(
    seed: int, missing: bool, tmp_path: Path, recorded: list[Released]
) -> None:
    demand_nobody_overlooked(*series(seed, tmp_path, recorded, missing), seed)
