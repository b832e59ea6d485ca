"""Every engine judges releases alike: folders and tables, with and without audit, original, people, honest or not."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.engines.at_hand import AT_HAND
from tests.engines.conftest import Written, people, plan_of
from tests.engines.test_seam import CLUSTERED

import kohort
from kohort import InputError, Plan, Verdict
from kohort.algorithms import Silent
from kohort.engines import Need, engine
from kohort.pipeline import make_release
from kohort.release.release import Release
from kohort.table.budget import Budget
from kohort.table.reading import read_released, read_table
from kohort.table.writing import write_table

OTHERS = [name for name in AT_HAND if name != "memory"]
PLANS: dict[str, dict[str, object]] = {
    "levels": {},
    "people": {"input__respondent": "person"},
    "blank": {"recode__suppressed_rows": "blank", "recode__max_suppression": 0.2},
    "cuts": {"recode__algorithm": "top-down", "output__format": "parquet"},
    "bounds": {"columns__age__min_level": 1, "columns__age__max_level": 2, "recode__max_suppression": 0.5},
    "open ends": {"columns__age__hierarchy": {"kind": "intervals", "widths": [5, 10], "low": 25, "high": 50},
                  "recode__max_suppression": 0.3},
    "t-closeness": {"require": [{"model": "k-anonymity", "k": 5}, {"model": "t-closeness", "column": "illness", "t": 0.6}]},
    "parquet": {"output__format": "parquet"},
    "perturbed": {"recode__algorithm": "mdav", "columns__zip": "insensitive", "columns__sex": "insensitive",
                  "require": [{"model": "k-anonymity", "k": 5}]},
}  # fmt: skip


def told(verdicts: list[Verdict]) -> list[tuple[object, ...]]:
    return [
        (v.promise, v.holds, pytest.approx(v.achieved) if v.achieved else v.achieved, v.note)
        for v in verdicts
    ]


def assert_judged_alike(*arguments: Any, **named: Any) -> list[Verdict]:
    expected = kohort.verify(*arguments, **named)
    for name in OTHERS:
        try:
            found = kohort.verify(*arguments, **named, engine=name)
        except InputError as refused:  # people are named row by row
            if name in CLUSTERED and "the rows of text that Spark reads have no order" in str(refused):
                continue
            raise
        assert told(found) == told(expected), name
    return expected


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Plan, Path, Path]]:
    """Return the release of a plan: the plan, the source and the folder."""
    made: dict[str, tuple[Plan, Path, Path]] = {}

    def release(kind: str) -> tuple[Plan, Path, Path]:
        if kind not in made:
            folder = tmp_path_factory.mktemp(kind)
            source = folder / f"source.{'parquet' if kind == 'parquet' else 'csv'}"
            write_table(people(3, 150), source, escape_formulas=False)
            plan = plan_of(**PLANS[kind])
            Release.written(make_release(source, plan, Silent()), folder / "out")
            made[kind] = plan, source, folder / "out"
        return made[kind]

    return release


@pytest.mark.parametrize("kind", PLANS)
def test_a_folder_with_its_audit(released: Callable[[str], tuple[Plan, Path, Path]], kind: str) -> None:
    _, _, folder = released(kind)
    verdicts = assert_judged_alike(folder)
    assert {verdict.holds for verdict in verdicts} == {True}


@pytest.mark.parametrize("kind", PLANS)
def test_a_folder_without_its_audit(
    released: Callable[[str], tuple[Plan, Path, Path]], tmp_path: Path, kind: str
) -> None:
    plan, source, folder = released(kind)
    copy = shutil.copytree(folder, tmp_path / "out")
    if (
        plan.output.format == "csv"
    ):  # the bytes of other formats are compared in memory only, and that is said
        assert_judged_alike(copy)
        assert_judged_alike(copy, plan)
        assert_judged_alike(copy, plan, source)
    for name in OTHERS:
        beside = [v for v in kohort.verify(copy, plan, engine=name) if v.promise.startswith("the files hold")]
        assert [v.holds for v in beside] == [True]


@pytest.mark.parametrize("kind", PLANS)
def test_a_table(released: Callable[[str], tuple[Plan, Path, Path]], kind: str) -> None:
    plan, source, folder = released(kind)
    table = folder / f"table.{plan.output.format}"
    assert_judged_alike(table, plan)
    assert_judged_alike(table, plan, source)
    if plan.input.respondent is not None:
        who = read_table(Path(f"{folder}.private") / "respondents.parquet")
        assert_judged_alike(table, plan, source, who["respondent"].codes)
        with pytest.raises(InputError, match="people are named for 3"):
            kohort.verify(table, plan, respondents=[1, 2, 3], engine=OTHERS[0])


def lies(table: pa.Table) -> dict[str, pa.Table]:
    """Return what may have been done to a released table."""
    first = table.slice(0, 1)
    swapped = table["illness"].to_pylist()
    swapped[0] = next(ill for ill in swapped if ill != swapped[0])
    place = table.column_names.index("illness")
    told = table.to_pylist()
    # two people of different classes change places in one column: every column by itself is as it was
    other = next(
        i for i, row in enumerate(told) if row["ward"] != told[0]["ward"] and row["age"] != told[0]["age"]
    )
    wards = table["ward"].to_pylist()
    wards[0], wards[other] = wards[other], wards[0]
    return {
        "a row twice": pa.concat_tables([table, first]),
        "rows left out": table.slice(table.num_rows // 2),
        "a column more": table.append_column("person", table["sex"]),
        "a column less": table.drop_columns(["ward"]),
        "two values changed about": table.set_column(table.column_names.index("ward"), "ward", pa.array(wards)),
        "a value changed": table.set_column(place, "illness", pa.array(swapped)),
        "a value that the original lacks": table.set_column(place, "illness", pa.array(["plague", *swapped[1:]])),
        "a label that means nothing": table.set_column(0, table.column_names[0], pa.array(["?", *table[0].to_pylist()[1:]])),
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["levels", "people", "parquet"])
def test_lies_are_found_alike(
    released: Callable[[str], tuple[Plan, Path, Path]], tmp_path: Path, kind: str
) -> None:
    plan, source, folder = released(kind)
    name = f"table.{plan.output.format}"
    honest = read_released(folder / name).to_arrow()
    for what, table in lies(honest).items():
        copy = shutil.copytree(folder, tmp_path / what)
        write_table(table, copy / name)
        if plan.output.format == "csv":  # the bytes of other formats are compared in memory only
            verdicts = assert_judged_alike(copy, plan, source)
            assert False in {verdict.holds for verdict in verdicts}, what
        verdicts = assert_judged_alike(copy / name, plan, source)
        assert False in {verdict.holds for verdict in verdicts}, what


def test_a_table_that_others_wrote(written: Written, tmp_path: Path) -> None:
    plan = plan_of(require=[{"model": "k-anonymity", "k": 2}], input__delimiter=";")
    path = tmp_path / "foreign.csv"
    path.write_text("age;zip;sex;ward;illness\n" + "20;01234;F;a;flu\n" * 3 + "30;01235;M;b;cold\n")
    assert assert_judged_alike(path, plan)[0].holds is False


def test_what_an_engine_does_not_judge_is_refused_by_name(
    released: Callable[[str], tuple[Plan, Path, Path]], tmp_path: Path
) -> None:
    plan, source, _ = released("levels")
    for name in OTHERS:
        assert Need.FRAMES in engine(name).lacks or name in CLUSTERED  # which reads frames of its own
        with pytest.raises(InputError, match=f"{name} engine reads files"):
            kohort.verify(people(1), plan, engine=name)
        with pytest.raises(InputError, match=f"{name} engine does not read files with the suffix '.xlsx'"):
            kohort.verify(tmp_path / "t.xlsx", plan, engine=name)
        asked = plan_of(
            recode__algorithm="anatomy", require=[{"model": "l-diversity", "column": "illness", "l": 2}]
        )
        Release.written(make_release(source, asked, Silent()), tmp_path / f"two-{name}")
        with pytest.raises(InputError, match=f"2 tables .* {name} engine"):
            kohort.verify(tmp_path / f"two-{name}", engine=name)


def test_classes_that_do_not_fit_are_not_judged(
    released: Callable[[str], tuple[Plan, Path, Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, folder = released("levels")
    for cost in ("PER_GENERALIZED", "PER_COUNTED", "PER_BYTE"):  # of values, which are not asked about here
        monkeypatch.setattr(f"kohort.table.value_room.{cost}", 0)
    monkeypatch.setattr("kohort.table.value_room.ValueRoom.hold_labels", lambda *_: None)
    for name in OTHERS:
        monkeypatch.setattr(Budget, "room", 40_000)  # all rows do not fit, their classes do
        assert all(verdict.holds for verdict in kohort.verify(folder, engine=name))
        monkeypatch.setattr(Budget, "room", 100)
        with pytest.raises(InputError, match="classes with their sensitive values do not fit") as refused:
            kohort.verify(folder, engine=name)
        assert refused.value.code == "engine.no-bottom"
