"""A step that is declared and fine is somebody's value: domains of pay in whole numbers, days and hours of birth, in all algorithms."""

from __future__ import annotations

import random
import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.contract.test_ends import COLUMNS, PERTURBED, SMALL, TRUTHFUL, WIDTH, people, plan_for
from tests.thinned import dealt

import kohort
from kohort.errors import KohortError

PAY = {"kind": "intervals", "widths": [WIDTH, 4 * WIDTH], "domain": [-5 * WIDTH, 60 * WIDTH]}
BORN: dict[str, dict[str, Any]] = {
    "day": {"kind": "dates", "levels": ["day", "month", "year", "decade"]},
    "hour": {"kind": "dates", "levels": ["hour", "day", "year", "decade"]},
    "week": {"kind": "dates", "levels": ["week"]},
}
FINE = [
    [1, 5000],
    [2, 5000],
    [1, 2, 10_000],
    [1, 100, 10_000],
]  # widths of which the first are as fine as pay is
TIGHT = {"k-member", "greedy-pk", "enhanced-pk", "mondrian", "mondrian-relaxed"}


def whole(frame: pa.Table) -> pa.Table:
    """Return the people with a pay of whole numbers and a time of birth."""
    pay = [str(round(float(text))) for text in frame["pay"].to_pylist()]
    born = [f"{day}T{i % 24:02}:{i % 60:02}:00" for i, day in enumerate(frame["born"].to_pylist())]
    for name, told in (("pay", pay), ("born", born)):
        frame = frame.set_column(frame.column_names.index(name), name, pa.array(told))
    return frame


def numbers(labels: list[Any]) -> set[int]:
    """Return the numbers that labels of pay end with."""
    return {int(part) for label in labels for part in re.findall(r"(?<!\d)-?\d+", str(label or ""))}


def days(labels: list[Any]) -> set[str]:
    return {part for label in labels for part in re.findall(r"\d{4}-\d\d-\d\d", str(label or ""))}


@pytest.mark.parametrize(("name", "born"), dealt([*TRUTHFUL, *PERTURBED], BORN, every=3))
def test_no_pay_and_no_birthday_of_one_person_is_an_end(name: str, born: str, tmp_path: Path) -> None:
    frame = whole(people(SMALL.get(name, 60), 7))
    frame = frame.select(COLUMNS.get(name, frame.column_names))
    for least, tight in ((0, False), (1, False), *([(0, True)] if name in TIGHT else [])):
        told = {
            "pay": {"role": "quasi", "hierarchy": PAY, "min_level": least},
            "born": {"role": "quasi", "hierarchy": BORN[born], "min_level": least},
        }
        plan = plan_for(name, tmp_path, **told).to_dict()
        if tight:
            plan["recode"].setdefault("options", {})["tight"] = True
        try:
            release = kohort.anonymize(frame, kohort.Plan.from_dict(plan))
        except KohortError as refused:
            if refused.exit_code == 2 and (least or tight):
                continue  # what the plan alone says it cannot do
            raise
        (table,) = release.tables.values()
        shown = table.to_arrow()
        if "pay" in shown.column_names and name not in PERTURBED:
            ends = numbers(shown["pay"].to_pylist())
            assert all(end % WIDTH in (0, WIDTH - 1) for end in ends), sorted(ends)
        if "born" in shown.column_names:
            alone = {day[:10] for day in frame["born"].to_pylist()}
            assert not days(shown["born"].to_pylist()) & alone


@pytest.mark.parametrize(
    ("name", "widths", "domain"),
    dealt(
        ["mondrian", "k-member", "k-optimize", "genetic", "univariate", "mdav"],
        FINE,
        [None, [-5 * WIDTH, 60 * WIDTH]],
        every=2,
    ),
)
def test_a_width_as_fine_as_the_values_is_no_end(
    name: str, widths: list[int], domain: list[int] | None, tmp_path: Path
) -> None:
    """The pay of 60 people, each another number, at cents and at whole numbers: hardly an end is somebody's."""
    for decimals in (0, 2):
        frame = people(60, 9).select(["pay", "ill"])
        pay = [f"{float(text):.{decimals}f}" for text in frame["pay"].to_pylist()]
        frame = frame.set_column(0, "pay", pa.array(pay))
        scaled = [width / 10**decimals for width in widths[:-1]] + widths[-1:]
        hierarchy = {"kind": "intervals", "widths": scaled} | ({} if domain is None else {"domain": domain})
        plan = plan_for(name, tmp_path, pay={"role": "quasi", "hierarchy": hierarchy}).to_dict()
        plan["columns"] = {column: plan["columns"][column] for column in ("pay", "ill")}
        if name in ("univariate", "mdav"):
            plan["recode"]["options"] = {"release": "interval"} if name == "mdav" else {}
        try:
            release = kohort.anonymize(frame, kohort.Plan.from_dict(plan))
        except KohortError as refused:
            if refused.exit_code == 2:
                continue
            raise
        (table,) = release.tables.values()
        ends = {part for label in table["pay"].texts for part in re.findall(r"-?\d[\d.]*", str(label or ""))}
        assert len(ends & set(pay)) <= 1, sorted(ends & set(pay))


@pytest.mark.parametrize("kind", ["file", "tree"])
@pytest.mark.parametrize(
    "name", ["mondrian", "mondrian-relaxed", "k-member", "greedy-pk", "k-optimize", "genetic", "mdav"]
)
def test_days_that_a_plan_lists_are_no_ends_however_few(name: str, kind: str, tmp_path: Path) -> None:
    """Half a year of admissions, each day somebody's: ends are those of months, or none."""
    listed = [date(2024, 1, 1) + timedelta(day) for day in range(180)]
    months = sorted({str(day)[:7] for day in listed})
    if kind == "file":
        told = tmp_path / "days.csv"
        told.write_text("".join(f"{day};{str(day)[:7]};*\n" for day in listed), encoding="utf-8")
        hierarchy: dict[str, Any] = {"kind": "file", "path": str(told)}
    else:
        hierarchy = {"kind": "tree", "tree": {m: [str(d) for d in listed if str(d)[:7] == m] for m in months}}
    held = [str(day) for day in random.Random(3).sample(listed, 45)]
    plan = plan_for(name, tmp_path, day={"role": "quasi", "hierarchy": hierarchy}).to_dict()
    plan["columns"] = {column: plan["columns"][column] for column in ("day", "ill")}
    for tight in (False, True) if name in TIGHT else (False,):
        options = {"tight": True} if tight else {"release": "interval"} if name == "mdav" else {}
        plan["recode"]["options"] = plan["recode"].get("options", {}) | options
        frame = pa.table({"day": held, "ill": ["a", "b", "c"] * 15})
        try:
            release = kohort.anonymize(frame, kohort.Plan.from_dict(plan))
        except KohortError as refused:
            if refused.exit_code == 2 and tight:
                continue
            raise
        (table,) = release.tables.values()
        assert not {
            day for day in days(list(table["day"].texts)) if day in held and not day.endswith("-01")
        } - {str(month_end) for month_end in listed if (month_end + timedelta(1)).day == 1}
