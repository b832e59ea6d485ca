"""A frame goes in, a verified release comes out."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import kohort

PEOPLE = {
    "name": ["Ann", "Bob", "Cyd", "Dan", "Eve", "Fay"],
    "zip": ["01234", "01235", "01299", "94138", "94139", "94142"],
    "age": [31, 34, 38, 52, 55, None],
    "ill": ["flu", "cold", "flu", "flu", "cold", "cold"],
}


def plan(**recode: object) -> kohort.Plan:
    return kohort.Plan(
        columns={
            "name": "identifier",
            "zip": {"role": "quasi", "hierarchy": {"kind": "mask"}},
            "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10, 20]}},
            "ill": "sensitive",
        },
        require=[kohort.KAnonymity(2)],
        recode={"max_suppression": 0, "seed": 3} | recode,  # type: ignore[arg-type]
    )


def test_every_released_combination_stands_for_two_people_at_least() -> None:
    release = kohort.anonymize(pa.table(PEOPLE), plan())
    counts = release.table.to_pandas().groupby(["zip", "age"], dropna=False).size()
    assert counts.min() >= 2
    assert release.table.column_names == ["zip", "age", "ill"]
    assert all(verdict.holds for verdict in release.verdicts)
    assert release.verdicts[0].promise == "2-anonymity"


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_the_caller_gets_back_the_type_that_was_handed_in(kind: type) -> None:
    frame = kind(PEOPLE)
    assert type(kohort.anonymize(frame, plan()).table) is type(frame)


def test_a_column_kept_at_ground_level_keeps_its_type() -> None:
    frame = pa.table({"age": [30, 30, 40, 40], "zip": ["1", "2", "3", "4"]})
    asked = kohort.Plan(columns={"age": "quasi", "zip": "quasi"}, require=[kohort.KAnonymity(2)])
    release = kohort.anonymize(frame, asked)
    assert release.levels == {"age": 0, "zip": 1}
    assert release.table.schema.field("age").type == pa.int64()


def test_rows_are_shuffled_unless_asked_otherwise() -> None:
    n = 400
    frame = pa.table({"x": ["a"] * n, "visit": [f"{i // 2}" for i in range(n)]})
    columns = {"x": "quasi", "visit": {"role": "insensitive"}}
    shuffled = kohort.anonymize(frame, kohort.Plan(columns=columns, require=[kohort.KAnonymity(2)])).table
    ranks = pd.Series([int(v) for v in shuffled["visit"].to_pylist()])
    assert abs(ranks.corr(pd.Series(range(n)))) < 0.3
    kept = kohort.Plan(columns=columns, require=[kohort.KAnonymity(2)], output={"shuffle": False})  # type: ignore[arg-type]
    assert kohort.anonymize(frame, kept).table["visit"].to_pylist() == frame["visit"].to_pylist()


def test_the_same_plan_gives_the_same_rows_in_whatever_order() -> None:
    by_all = [(name, "ascending") for name in ("zip", "age", "ill")]
    first, second = (kohort.anonymize(pa.table(PEOPLE), plan()).table.sort_by(by_all) for _ in range(2))
    assert first.equals(second)


def test_k_counts_people_where_a_respondent_is_named() -> None:
    frame = pa.table({"who": ["a", "a", "a", "b"], "zip": ["1", "1", "1", "2"]})
    asked = kohort.Plan(
        columns={"who": "identifier", "zip": "quasi"},
        require=[kohort.KAnonymity(2)],
        input={"respondent": "who"},  # type: ignore[arg-type]
        recode={"max_suppression": 0},  # type: ignore[arg-type]
    )
    release = kohort.anonymize(frame, asked)
    assert release.levels == {"zip": 1}
    assert release.verdicts[0].achieved == 2


def test_blank_rows_are_kept_only_when_they_are_a_class_themselves() -> None:
    frame = pa.table({"zip": ["1"] * 5 + ["2", "3"]})
    asked = {"columns": {"zip": "quasi"}, "require": [kohort.KAnonymity(2)]}
    blank = kohort.Plan(**asked, recode={"max_suppression": 2, "suppressed_rows": "blank"})  # type: ignore[arg-type]
    released = kohort.anonymize(frame, blank).table["zip"].to_pylist()
    assert sorted(released) == ["*", "*", "1", "1", "1", "1", "1"]
    lonely = pa.table({"zip": ["1"] * 5 + ["2"]})
    with pytest.raises(kohort.InfeasibleError, match="blank"):
        kohort.anonymize(lonely, blank)


def test_blank_rows_fit_the_whole_population(tmp_path: Path) -> None:
    """The first tuple, whoever's it is, says nothing of them."""
    first = {"zip": ["0"] + ["1"] * 5 + ["2", "3"]}
    (tmp_path / "population.csv").write_text("zip\n0\n" + "1\n" * 9 + "2\n3\n", encoding="utf-8")
    blank = kohort.Plan(
        columns={"zip": "quasi"},
        require=[{"model": "k-map", "k": 9}],
        input={"population": str(tmp_path / "population.csv")},  # type: ignore[arg-type]
        recode={"max_suppression": 3, "suppressed_rows": "blank"},  # type: ignore[arg-type]
    )
    released = kohort.anonymize(pa.table(first), blank)
    assert sorted(released.table["zip"].to_pylist()) == ["*", "*", "*", "1", "1", "1", "1", "1"]
    assert all(verdict.holds for verdict in released.verdicts)


def test_verify_accepts_the_release_and_sees_a_changed_cell() -> None:
    release = kohort.anonymize(pa.table(PEOPLE), plan())
    assert all(v.holds is not False for v in kohort.verify(release.table, plan(), original=pa.table(PEOPLE)))
    forged = release.table.set_column(2, "ill", pa.array(["flu"] * 6))
    verdicts = {v.promise: v.holds for v in kohort.verify(forged, plan(), original=pa.table(PEOPLE))}
    assert verdicts == {
        "2-anonymity": True,
        "nothing but the declared columns": True,
        "every value is spelled in one way": None,  # a frame says nothing of how it was written
        "truthful": False,
        "no more rows left out than allowed": True,
    }


def test_what_cannot_be_met_is_an_error_that_tells_the_nearest_miss() -> None:
    frame = pa.table({"zip": ["1", "1", "2", "2"], "ill": ["flu"] * 4})
    asked = kohort.Plan(
        columns={"zip": "quasi", "ill": "sensitive"}, require=[kohort.LDiversity(column="ill", l=2)]
    )
    with pytest.raises(kohort.InfeasibleError) as caught:
        kohort.anonymize(frame, asked)
    assert caught.value.nearest


@pytest.mark.parametrize("suppress", ["none", "attribute"])
def test_optimal_serves_generalization_without_suppression_too(suppress: str) -> None:
    release = kohort.anonymize(
        pa.table(PEOPLE),
        plan(algorithm="optimal", generalize="attribute", suppress=suppress, max_suppression=1.0),
    )
    assert release.suppressed == 0


def test_cells_are_generalized_without_saying_that_no_row_is_left_out() -> None:
    asked = plan(generalize="cell")
    assert kohort.anonymize(pa.table(PEOPLE), asked).facts.algorithm.name == "mondrian"
    with pytest.raises(kohort.InputError, match='use suppress = "none"'):
        kohort.anonymize(pa.table(PEOPLE), plan(generalize="cell", suppress="tuple"))


@pytest.mark.parametrize("algorithm", ["mondrian", "mondrian-relaxed", "k-optimize"])
def test_interval_ends_do_not_tell_the_extremes_of_the_table(algorithm: str) -> None:
    frame = pa.table({"age": list(range(17, 63))})
    asked = kohort.Plan(
        columns={"age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5, 10]}}},
        require=[kohort.KAnonymity(4)],
        recode={"algorithm": algorithm, "objective": "discernibility"},  # type: ignore[arg-type]
    )
    labels = set(kohort.anonymize(frame, asked).table["age"].to_pylist())
    assert min(int(label[1:].split(",")[0]) for label in labels) == 15
    assert max(int(label[:-1].split(", ")[1]) for label in labels) == 64
