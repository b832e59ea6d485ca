"""The generator of the made-up hospital table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.demo.diagnoses import DIAGNOSES
from kohort.demo.people import EDUCATION, MEN, OCCUPATIONS, SURNAMES, TOWNS, WOMEN

FIRST_DAY, LAST_DAY = np.datetime64("2023-01-01"), np.datetime64("2025-12-31")
Texts = NDArray[np.object_]


def make_patients(patients: int = 10_000, seed: int = 7) -> pa.Table:
    """Return a plausible table of hospital stays of that many people, none of whom exists.

    One row per stay, in the order of admission; about one patient in eight has several. Diagnoses follow
    age and sex, cost follows the diagnosis, occupation, education and marital status follow age. Some
    values are missing, ZIP codes may start with a zero, and a few people stand out: by age, by
    occupation, by where they live, by what they cost. The same seed gives the same table.
    """
    draw = np.random.default_rng(seed)
    person = _people(draw, patients)
    who = np.repeat(np.arange(patients), _stays(draw, patients))
    admission = _admissions(draw, who)
    age = (admission - person["birth_date"][who]).astype(np.int64) // 365
    diagnosis = _diagnoses(draw, np.clip(age, 0, 109), person["sex"][who] == "f", who)
    columns: dict[str, Any] = {name: values[who] for name, values in person.items()}
    columns["admission_date"] = admission
    columns["ward"] = np.array([d.ward for d in DIAGNOSES], object)[diagnosis]
    columns["diagnosis"] = np.array([d.code for d in DIAGNOSES], object)[diagnosis]
    columns["cost"] = _costs(draw, diagnosis)
    order = np.lexsort((who, admission))
    missing = _missing(draw, person, who)
    return pa.table(
        {name: _arrow(values[order], missing.get(name), order) for name, values in columns.items()}
    )


def _people(draw: np.random.Generator, n: int) -> dict[str, Any]:
    female = draw.random(n) < 0.53
    age = _ages(draw, n)
    born = LAST_DAY - (age * 365.25).astype(np.int64) - draw.integers(0, 365, n)
    town, code = _homes(draw, n)
    occupation = _occupations(draw, age, female)
    return {
        "patient_id": np.array([f"P{i:07d}" for i in draw.choice(10_000_000, n, replace=False)], object),
        "first_name": _given_names(draw, age, female),
        "last_name": np.array(SURNAMES, object)[draw.integers(0, len(SURNAMES), n)],
        "birth_date": born,
        "sex": np.where(female, "f", "m").astype(object),
        "zip": code,
        "town": town,
        "marital_status": _marital(draw, age, female),
        "occupation": occupation,
        "education": _education(draw, age, occupation),
    }


def _ages(draw: np.random.Generator, n: int) -> FloatArray:
    """Return ages at the end of the last year: children, adults and, most of all, the old."""
    kind = draw.choice(4, n, p=[0.13, 0.22, 0.3, 0.35])
    means, spreads = np.array([8, 31, 55, 75])[kind], np.array([5, 7, 9, 9])[kind]
    age = np.clip(np.abs(draw.normal(means, spreads)), 3.2, 97)
    if n > 100:
        age[np.argsort(age, kind="stable")[-3:]] = 102.4, 104.8, 109.1  # the very old stand out
    return age


def _given_names(draw: np.random.Generator, age: FloatArray, female: BoolArray) -> Texts:
    era = np.where(age > 66, 0, np.where(age > 36, 1, 2))
    which = draw.integers(0, len(WOMEN[0]), len(age))
    return np.where(female, np.array(WOMEN, object)[era, which], np.array(MEN, object)[era, which])


def _homes(draw: np.random.Generator, n: int) -> tuple[Texts, Texts]:
    shares = np.array([share for _, share, _ in TOWNS])
    town = draw.choice(len(TOWNS), n, p=shares / shares.sum())
    codes = [code for _, _, codes in TOWNS for code in codes]
    first = np.cumsum([0] + [len(codes) for _, _, codes in TOWNS])
    size = np.diff(first)[town]
    # The first code of a town is its centre: most people live there.
    place = (draw.random(n) ** 1.5 * size).astype(np.int64)
    return np.array([name for name, _, _ in TOWNS], object)[town], np.array(codes, object)[
        first[town] + place
    ]


def _chosen(draw: np.random.Generator, options: Sequence[str], shares: FloatArray) -> Texts:
    """Return one option per row, drawn by that row's shares."""
    heights = np.cumsum(shares / shares.sum(1, keepdims=True), 1)
    which = (draw.random(len(shares))[:, None] >= heights[:, :-1]).sum(1)
    drawn: Texts = np.array(options, object)[which]
    return drawn


def _marital(draw: np.random.Generator, age: FloatArray, female: BoolArray) -> Texts:
    options = ("single", "married", "registered partnership", "divorced", "widowed")
    shares = np.column_stack([
        np.interp(age, [18, 25, 35, 50, 90], [1, 0.85, 0.42, 0.16, 0.05]),
        np.interp(age, [18, 25, 35, 60, 75, 90], [0, 0.12, 0.5, 0.6, 0.55, 0.25]),
        np.interp(age, [18, 25, 40, 70], [0, 0.02, 0.03, 0.005]),
        np.interp(age, [22, 35, 50, 70, 90], [0, 0.06, 0.16, 0.12, 0.05]),
        np.interp(age, [40, 60, 75, 90], [0, 0.05, 0.2, 0.65]) * np.where(female, 1.3, 0.6),
    ])  # fmt: skip
    return _chosen(draw, options, shares)


def _occupations(draw: np.random.Generator, age: FloatArray, female: BoolArray) -> Texts:
    jobs = list(OCCUPATIONS)
    common = np.array([OCCUPATIONS[job][2] for job in jobs])
    women = np.array([OCCUPATIONS[job][3] for job in jobs])
    shares = common * np.where(female[:, None], women, 1 - women)
    work = _chosen(draw, jobs, shares)
    chance = draw.random(len(age))
    work[(age < 26) & (chance < 0.55)] = "student"
    work[(age < 66) & (age >= 26) & (chance < np.where(female, 0.12, 0.05))] = "at home"
    work[(age >= 66) | ((age > 61) & (chance > 0.5))] = "retired"
    work[age < 18] = "pupil"
    work[age < 6] = "at home"
    return work


def _education(draw: np.random.Generator, age: FloatArray, occupation: Texts) -> Texts:
    learned = np.isin(occupation, ["physician", "teacher", "lawyer", "engineer", "programmer", "bishop"])
    later = np.where(
        learned[:, None], [0, 0, 0, 0.05, 0.3, 0.5, 0.15], [0, 0.08, 0.27, 0.44, 0.13, 0.07, 0.01]
    )
    shares = np.where((age < 24)[:, None], [0, 0.1, 0.55, 0.25, 0.1, 0, 0], later)
    shares = np.where((age < 16)[:, None], [0.35, 0.65, 0, 0, 0, 0, 0], shares)
    shares = np.where((age < 7)[:, None], [1, 0, 0, 0, 0, 0, 0], shares)
    return _chosen(draw, EDUCATION, shares)


def _stays(draw: np.random.Generator, n: int) -> IntArray:
    return draw.choice([1, 2, 3, 4, 9], n, p=[0.875, 0.09, 0.025, 0.008, 0.002])


def _admissions(draw: np.random.Generator, who: IntArray) -> NDArray[np.datetime64]:
    days = int((LAST_DAY - FIRST_DAY).astype(np.int64)) + 1
    day = draw.integers(0, days, len(who))
    winter = np.cos((day % 365.25) / 365.25 * 2 * np.pi) > draw.random(len(who)) * 4 - 1
    return FIRST_DAY + np.where(winter, day, draw.integers(0, days, len(who)))


def _diagnoses(draw: np.random.Generator, age: IntArray, female: BoolArray, who: IntArray) -> IntArray:
    years = np.arange(110)
    low = np.array([d.ages[0] for d in DIAGNOSES])
    high = np.array([d.ages[1] for d in DIAGNOSES])
    outside = np.maximum(np.maximum(low - years[:, None], years[:, None] - high), 0)
    weight = np.array([d.share for d in DIAGNOSES]) * np.exp(-outside / 5.0)
    birth = np.array([d.ward == "obstetrics" for d in DIAGNOSES])
    weight *= ~(birth & (outside > 6))  # no births before 13 or after 49
    women = np.array([d.women for d in DIAGNOSES])
    heights = {sex: np.cumsum(weight * share, 1) for sex, share in ((True, women), (False, 1 - women))}
    chance = draw.random(len(age))
    drawn = np.empty(len(age), np.int64)
    for sex, height in heights.items():
        here = female == sex
        level = chance[here] * height[age[here], -1]
        drawn[here] = (level[:, None] >= height[age[here]]).sum(1)
    again = np.flatnonzero((np.diff(who) == 0) & (draw.random(len(who) - 1) < 0.6)) + 1
    for i in again.tolist():  # in order: a third stay follows the second
        if not birth[drawn[i - 1]]:
            drawn[i] = drawn[i - 1]
    return drawn


def _costs(draw: np.random.Generator, diagnosis: IntArray) -> IntArray:
    typical = np.array([d.cost for d in DIAGNOSES])[diagnosis]
    cost = typical * draw.lognormal(0, 0.35, len(diagnosis))
    extreme = draw.random(len(diagnosis)) < 0.001
    return (np.where(extreme, cost * 25, cost) / 50).astype(np.int64) * 50 + 50


def _missing(draw: np.random.Generator, person: dict[str, Any], who: IntArray) -> dict[str, BoolArray]:
    """Return which rows lack what: facts about a person are missing in all of that person's rows."""
    shares = {
        "birth_date": 0.002,
        "zip": 0.004,
        "marital_status": 0.015,
        "occupation": 0.02,
        "education": 0.05,
    }
    n = len(person["sex"])
    lacking = {name: (draw.random(n) < share)[who] for name, share in shares.items()}
    lacking["town"] = lacking["zip"]
    return lacking | {"diagnosis": draw.random(len(who)) < 0.003, "cost": draw.random(len(who)) < 0.01}


def _arrow(values: Any, missing: BoolArray | None, order: IntArray) -> pa.Array:
    return pa.array(values, mask=None if missing is None else missing[order])
