"""An outside table whose values are written otherwise than the release's matches nobody: never "at most 0 %", but why."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pytest
from tests.reference import attacks as naive

import kohort
from kohort.attacks import ATTACKS, Outside, Target, run_attacks
from kohort.attacks.spelled_otherwise import OTHER
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy

N = 120
HIERARCHIES = {
    "sex": {"kind": "suppress"},
    "age": {"kind": "intervals", "widths": [10, 20]},
    "weight": {"kind": "intervals", "widths": [10, 20]},
    "born": {"kind": "dates", "levels": ["year", "decade"]},
    "zip": {"kind": "mask"},
    "job": {"kind": "tree", "tree": {"indoors": ["cook", "clerk"], "outdoors": ["miner", "pilot"]}},
}
WRITTEN: dict[
    str, tuple[Callable[[str], str], str]
] = {  # how the outside table writes it, and what is said of that
    "sex": ({"F": "1", "M": "2"}.__getitem__, OTHER),
    "age": (lambda text: f"{text} y", "not numbers"),
    "weight": (lambda text: text.replace(".", ","), "decimal comma"),
    "born": (lambda text: ".".join(reversed(text.split("-"))), "dates in another format"),
    "zip": (lambda text: f"0{text}", "zeros at the front"),
    "job": (str.upper, "capitals"),
}
TAKING_PEOPLE = ("linking", "distance-linking", "association-cover", "composition")


def rows() -> dict[str, list[str]]:
    rng = np.random.default_rng(5)
    pick = lambda values: [str(v) for v in rng.choice(values, N)]  # noqa: E731
    return {
        "sex": pick(["F", "M"]),
        "age": pick(np.arange(20, 60)),
        "weight": [f"{w:.1f}" for w in rng.uniform(50, 89, N)],
        "born": [f"19{rng.integers(60, 80)}-0{rng.integers(1, 9)}-1{rng.integers(0, 9)}" for _ in range(N)],
        "zip": pick(np.arange(9100, 9120)),
        "job": pick(["cook", "clerk", "miner", "pilot"]),
        "ill": pick(["flu", "cold", "gout"]),
    }


@pytest.fixture(scope="module")
def released(tmp_path_factory) -> Callable[[str, str], Path]:
    """Releases of one quasi-identifier; two each by generalization, whose private audits stand beside them."""
    base, made = tmp_path_factory.mktemp("spelled"), {}
    held = rows()
    csv.write_csv(pa.table(held), base / "people.csv")

    def release(name: str, algorithm: str) -> Path:
        if (name, algorithm) not in made:
            columns = {c: {"role": "identifier"} for c in HIERARCHIES} | {"ill": {"role": "sensitive"}}
            columns[name] = {"role": "quasi", "hierarchy": HIERARCHIES[name]}
            recode = {"algorithm": algorithm, "max_suppression": 0.1}
            recode |= {"options": {"decimals": 1}} if algorithm == "mdav" else {}
            asked = {"columns": columns, "require": [{"model": "k-anonymity", "k": 3}], "recode": recode}
            place = base / f"{algorithm}-{name}"
            kohort.anonymize(base / "people.csv", kohort.Plan.from_dict(asked, base)).save(place)
            shutil.copytree(place, base / f"bare-{algorithm}-{name}")
            made[name, algorithm] = place
        return made[name, algorithm]

    return release


@pytest.mark.parametrize("algorithm", ["mondrian", "mdav"])
@pytest.mark.parametrize("name", HIERARCHIES)
def test_values_written_otherwise_are_told_by_column_and_reason_and_never_as_a_bound_of_nothing(
    released, name, algorithm
):
    place = released(name, algorithm)
    others = () if algorithm == "mdav" else (place.with_name(f"bare-{algorithm}-{name}"),)
    write, because = WRITTEN[name]
    texts = rows()[name]
    outside = pa.table({name: [write(text) for text in texts], "who": [str(i) for i in range(N)]})
    for place_of in (place, place.with_name(f"bare-{algorithm}-{name}")):
        bare = place_of != place
        beside = () if bare else others

        def attacked(place_of: Path = place_of, beside: tuple[Path, ...] = beside) -> dict[str, Any]:
            return kohort.attack(
                place_of, outside, on=[name], identity="who", attacks=TAKING_PEOPLE, others=beside
            )

        if bare and algorithm != "mdav" and HIERARCHIES[name]["kind"] in ("intervals", "dates"):
            # Without the original nobody knows what was generalized, and such values have no place in it.
            with pytest.raises(InputError, match=f"'{name}'.*do not fit its hierarchy"):
                attacked()
            continue
        told = attacked()
        assert told["attacks"] == []
        assert told["not_applicable"], told
        for reason in told["not_applicable"].values():
            assert f"no value of {name} in the outside table" in reason
            assert because in reason or (bare and OTHER in reason)
            assert not any(
                write(text) in reason.split(because)[0].split() for text in set(texts) if len(text) > 2
            )
    right = pa.table({name: texts, "who": [str(i) for i in range(N)]})
    told = kohort.attack(place, right, on=[name], identity="who", attacks=TAKING_PEOPLE, others=others)
    assert told["not_applicable"] == {}
    by_name = {found["attack"]: found for found in told["attacks"]}
    assert by_name["distance-linking" if algorithm == "mdav" else "linking"]["success"] > 0


def test_every_attack_that_needs_people_looks_whether_they_can_fit():
    """Whichever attack of the registry lacks people without an outside table must not run on one that cannot match."""
    ages = Hierarchy.from_rows("age", [("20", "20-29", "*"), ("25", "20-29", "*"), ("31", "30-39", "*")])
    rows = [{"age": label, "ill": "ab"[i % 2]} for i, label in enumerate(["20-29", "30-39"] * 6)]
    release = Target(naive.table_of(rows), ("age",), ("ill",), {"age": ages})
    people = Outside(naive.table_of([{"age": "twenty"}, {"age": "thirty"}]), ("age",))
    asked = Target(release.released, ("age",), ("ill",), {"age": ages}, people, others=(release,))
    without = Target(release.released, ("age",), ("ill",), {"age": ages}, others=(release,))
    needing = [name for name, kind in ATTACKS.items() if "outside table" in kind().lacks(without)]
    assert set(needing) == set(TAKING_PEOPLE)
    told = run_attacks(asked, needing)
    assert told.found == []
    assert set(told.not_applicable) == set(TAKING_PEOPLE) - set(told.lacking)
    assert list(told.lacking) == ["distance-linking"], "this release generalizes"


def test_some_who_are_written_otherwise_are_counted_and_a_column_of_stars_matches_everybody():
    sexes = Hierarchy.from_rows("sex", [("F", "*"), ("M", "*"), ("f", "*")])
    table = naive.table_of([{"sex": "F"}] * 3 + [{"sex": "M"}] * 3)
    half = Outside(naive.table_of([{"sex": "F"}, {"sex": "f"}, {"sex": "f"}]), ("sex",))
    told = run_attacks(Target(table, ("sex",), (), {"sex": sexes}, half), ["linking"])
    assert "No record fits 2 of 3, by their values as they are written." in told.found[0].sentence
    stars = naive.table_of([{"sex": "*"}] * 6)
    told = run_attacks(Target(stars, ("sex",), (), {"sex": sexes}, half), ["linking"])
    assert told.not_applicable == {}
    assert told.found[0].success == pytest.approx(1 / 6)
    blank = naive.table_of([{"sex": "*"}] * 2 + [{"sex": "M"}] * 4)
    other = Outside(naive.table_of([{"sex": "f"}]), ("sex",))
    told = run_attacks(Target(blank, ("sex",), (), {"sex": sexes}, other), ["linking"])
    reason = told.not_applicable["linking"]
    assert (
        "stands for, * aside, so that nobody can fit but by what is suppressed: they differ in capitals"
        in reason
    )
    women = Outside(naive.table_of([{"sex": "F"}]), ("sex",))
    known = naive.table_of([{"sex": "F"}] * 2 + [{"sex": "M"}] * 4)
    told = run_attacks(Target(blank, ("sex",), (), {"sex": sexes}, women, original=known), ["linking"])
    assert told.found[0].success == 1 / 2, "written as it was, and may be a row that was left blank"
