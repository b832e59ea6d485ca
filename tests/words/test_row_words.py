"""Rows of the table of risks whose unit and denominator matter, and what a release shows of a promise by itself."""

from __future__ import annotations

import math
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pytest
from tests.reference import risk as naive
from tests.reference.release import read_release
from tests.unit.report.test_release_page import Page
from tests.words.releases import KINDS, made
from tests.words.test_verdict_words import COMPARING, promises

import kohort
from kohort.cli.verify import _show
from kohort.report.words import number
from kohort.tables.outcome import _rows
from kohort.verification.verify import verify

SEX = {"role": "quasi", "hierarchy": {"kind": "suppress"}}
TOWN = {"role": "quasi", "hierarchy": {"kind": "tree", "tree": {"north": ["a", "b"], "south": ["c", "d"]}}}


def pages(place: Path) -> dict[str, str]:
    folders = {"public": place, "private": place.with_name(f"{place.name}.private")}
    return {
        side: re.sub(r"\s+", " ", Page((folder / "report.html").read_text(encoding="utf-8")).text)
        for side, folder in folders.items()
    }


def rows_of(rng: np.random.Generator, n: int, several: bool) -> dict[str, list[str]]:
    who = np.sort(rng.integers(0, n // 2, n)) if several else np.arange(n)
    return {
        "who": [f"p{person}" for person in who],
        "town": [str(town) for town in rng.choice(list("abcd"), n)],
        "sex": [str(sex) for sex in rng.choice(["f", "m"], n)],
    }


def asked(require: dict[str, object], several: bool, **read: str) -> kohort.Plan:
    columns = {"who": {"role": "identifier"}, "town": TOWN, "sex": SEX}
    columns["row"] = {"role": "insensitive", "allow_unique": True}
    told = {
        "columns": columns,
        "require": [require],
        "recode": {"algorithm": "optimal", "max_suppression": 0.3},
        "input": read | ({"respondent": "who"} if several else {}),
    }
    return kohort.Plan.from_dict(told)


@pytest.mark.parametrize("several", [False, True], ids=["records", "people"])
def test_the_marketer_names_rows_and_the_share_is_of_rows(several: bool, tmp_path: Path) -> None:
    for seed in range(3):
        held = rows_of(np.random.default_rng(seed), 60, several)
        frame = pa.table(held | {"row": list(range(60))})
        release = kohort.anonymize(frame, asked({"model": "k-anonymity", "k": 3}, several))
        place = release.save(tmp_path / f"out{seed}")
        shown = read_release(place / "table.csv")
        rows = list(zip(shown["town"], shown["sex"], strict=True))
        exact = naive.best_naming_of_rows(rows, [held["who"][int(row)] for row in shown["row"]])
        said = r"Naming everybody in the table at once \(marketer\): the share of rows named rightly – ([\d.]+) %"
        told = {side: re.findall(said, text) for side, text in pages(place).items()}
        assert told["private"]
        assert bool(told["public"]) is not several, "whose rows are whose is not public"
        for figure in (*told["private"], *told["public"]):
            assert exact <= Fraction(figure) / 100 <= exact + Fraction(1, 200)


@pytest.mark.parametrize("several", [False, True], ids=["records", "people"])
def test_the_journalist_faces_those_of_the_population_who_fit_whom_fewest_fit(
    several: bool, tmp_path: Path
) -> None:
    """One over the people, not over the rows, where the population names its people."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        held, everybody = rows_of(rng, 40, several), rows_of(rng, 400, several)
        csv.write_csv(pa.table(everybody), tmp_path / "everybody.csv")
        plan = asked({"model": "k-map", "k": 3}, several, population=str(tmp_path / "everybody.csv"))
        release = kohort.anonymize(pa.table(held | {"row": list(range(40))}), plan)
        place = release.save(tmp_path / f"out{seed}-{several}")
        shown = read_release(place / "table.csv")
        heads = {"a": "north", "b": "north", "c": "south", "d": "south"}
        crowds = []
        for town, sex in {*zip(shown["town"], shown["sex"], strict=True)}:
            fit = [
                person
                for person, t, s in zip(everybody["who"], everybody["town"], everybody["sex"], strict=True)
                if town in ("*", t, heads[t]) and sex in ("*", s)
            ]
            crowds.append(len(set(fit)))
        exact = Fraction(1, min(crowds))
        said = (
            r"Picking one of those in the population table who fit a record, of somebody who may be in the released table or not "
            r"\(journalist\) ([\d.]+) % –"
        )
        private = re.findall(said, pages(place)["private"])
        assert private
        for figure in private:
            assert exact <= Fraction(figure) / 100 <= exact * Fraction(101, 100) + Fraction(1, 10**6)
        assert (
            f"of which 3 or more fit every record by {release.verdicts[0].promise}" in pages(place)["private"]
        )


# --- against the release's own distribution -----------------------------------------------------------------------


def shares(values: list[str]) -> dict[str, Fraction]:
    return {value: Fraction(held, len(values)) for value, held in Counter(values).items()}


def beta(own: dict[str, Fraction], table: dict[str, Fraction]) -> float:
    return float(max(own[v] / table[v] - 1 for v in own))


def delta(own: dict[str, Fraction], table: dict[str, Fraction]) -> float:
    return max(abs(math.log(own[v]) - math.log(table[v])) for v in own)


def equal(own: dict[str, Fraction], table: dict[str, Fraction]) -> float:
    return float(sum(max(own.get(v, Fraction(0)) - table[v], Fraction(0)) for v in table))


BY_HAND = {"beta-likeness": beta, "delta-disclosure": delta, "t-closeness": equal}


def test_every_model_that_compares_is_computed_by_hand() -> None:
    assert set(BY_HAND) == COMPARING


@pytest.mark.parametrize(
    "kind", [k for k, told in KINDS.items() if any(m["model"] in BY_HAND for m in told.require)]
)
@pytest.mark.parametrize("seed", [0, 1])
def test_what_a_release_shows_of_a_promise_by_itself_is_computed_from_its_own_rows(
    kind: str, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    release = made(kind, seed)
    classes: dict[tuple[str, ...], list[str]] = {}
    shown = release.released
    for *quasi, ill in zip(*(shown[name] for name in release.plan.quasi), shown["ill"], strict=True):
        classes.setdefault(tuple(map(str, quasi)), []).append(ill)
    table = shares(list(shown["ill"]))
    _show(verify(release.folder / "table.csv", release.plan))
    lines = capsys.readouterr().out.splitlines()
    for model in release.plan.require:
        if model.card.name not in BY_HAND:
            continue
        [promise] = [p for p in promises(kind, {model.card.name}) if p == model.label]
        exact = max(BY_HAND[model.card.name](shares(values), table) for values in classes.values())
        [verdict] = [v for v in release.manifest.verdicts if v.promise == promise]
        assert verdict.in_itself == pytest.approx(exact, rel=1e-5, abs=1e-6)
        assert verdict.achieved is None
        said = f"{promise} – against the release's own distribution {number(verdict.in_itself)}"
        assert said in release.public.text
        [line] = [line for line in lines if promise in line]
        told = float(line.rsplit(": ", 1)[1])
        assert told == pytest.approx(exact, rel=1e-3)


def test_single_cells_that_are_suppressed_are_counted_on_the_terminal() -> None:
    rng = np.random.default_rng(4)
    table = {
        "town": rng.choice(["a", "b", "c"], 60).tolist(),
        "sex": rng.choice(["f", "m"], 60).tolist(),
        "ill": rng.choice(["flu", "gout"], 60).tolist(),
    }
    suppressed = {"role": "quasi", "hierarchy": {"kind": "suppress"}}
    plan = kohort.Plan(
        columns={"town": suppressed, "sex": suppressed, "ill": "sensitive"},
        require=[kohort.KAnonymity(14)],
        recode={"generalize": "none", "suppress": "cell"},
    )
    release = kohort.anonymize(pa.table(table), plan)
    stars = sum(cell == "*" for name in ("town", "sex") for cell in release.table[name].to_pylist())
    assert stars > 0
    assert _rows(release.facts).endswith(f"; {stars:,} single cells suppressed")
