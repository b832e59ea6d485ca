"""Sets from end to end: in every format, whatever items look like, nothing but what is promised comes out."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.reference import sets as naive
from tests.thinned import many

import kohort
from kohort.cli.main import main
from kohort.errors import InfeasibleError, InputError
from kohort.facts import Audit
from kohort.folders.release_folder import AUDIT, MANIFEST, REPORT
from kohort.hierarchy import BUILDERS
from kohort.release.saving import audit_text
from kohort.sets.facts import SetFacts, SetManifest, of_sets
from kohort.sets.judges import COLUMNS, MEANING, SPELLING, TRUTH
from kohort.sets.set_shape import SetShape
from kohort.shapes import shape_of
from kohort.table.formats import WRITERS
from kohort.table.reading import read_released
from kohort.verification.judges.beside import BESIDE
from kohort.verification.judges.loose import SPELLED

TREE = {"A": ["a1", "a2"], "B": ["b1", "b2"]}
CELLS = ["a1;b1;b2", "a2;b1", "b2;b1;a2", "a1;a2;b2"]
TOLD = Counter(["A;b1;b2", "A;b1", "A;b1;b2", "A;b2"])
ODD = [
    "=1+1",
    "-5",
    "@x",
    "+y",
    "'q",
    '"',
    ",",
    "a b",
    "ü",
    "0012",
    "1e5",
    "NA",
    "null",
    "true",
    "2020-01-01",
    "A|B",
]
ODD_TREE = {"signs": ODD[:8], "words": {"first": ODD[8:12], "last": ODD[12:]}}


def plan_of(tree: Any = TREE, k: int = 2, m: int = 2, **sections: Any) -> kohort.Plan:
    column = {"role": "set", "separator": ";", "hierarchy": {"kind": "tree", "tree": tree}}
    told = {
        "input": {"shape": "sets"} | sections.pop("input", {}),
        "columns": {"basket": column | sections.pop("column", {})} | sections.pop("columns", {}),
        "require": [{"model": "k-m", "k": k, "m": m}],
    }
    return kohort.Plan.from_dict(told | sections)


def cells_of(release: kohort.Release) -> Counter[str]:
    return Counter(release.tables["table"].to_arrow()["basket"].to_pylist())


def odd_cells(seed: int, n: int = 60) -> list[str | None]:
    draw = np.random.default_rng(seed)
    cells = [";".join(draw.permutation([item for item in ODD if draw.random() < 0.2])) for _ in range(n)]
    return [cell or None for cell in cells]


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> object:
    monkeypatch.setattr("sys.argv", ["kohort", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    return end.value.code


# --- what comes out ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", [pa.table, pd.DataFrame, pl.DataFrame])
def test_the_example_comes_out_in_the_type_that_was_handed_in(frame):
    release = kohort.anonymize(frame({"basket": CELLS}), plan_of())
    assert cells_of(release) == TOLD
    assert type(release.table) is type(frame({"basket": CELLS}))
    assert release.losses["ncp"] == pytest.approx(5 / 22)
    assert [verdict.holds for verdict in release.verdicts] == [True] * 5
    assert "sets of 4 people by 3 labels; 2^2-anonymity ✓" in repr(release)


def test_a_set_a_row_an_item_a_row_and_rows_of_people_are_the_same():
    rows = [(who, item) for who, cell in enumerate(CELLS) for item in cell.split(";")]
    rows = [rows[i] for i in np.random.default_rng(3).permutation(len(rows))] + rows[:3]
    people = {"who": [f"p{who}" for who, _ in rows], "basket": [item for _, item in rows]}
    named = {"input": {"respondent": "who"}}
    by_item = plan_of(column={"separator": None}, **named)
    assert cells_of(kohort.anonymize(pa.table(people), by_item)) == TOLD
    assert cells_of(kohort.anonymize(pa.table(people), plan_of(**named))) == TOLD


def test_neither_the_order_of_rows_nor_the_types_of_columns_matter():
    numbers = {"low": ["1", "2"], "high": ["3", "4"]}
    cells = [3, 4, 1, 2, 1, 1, 4, 3, 4, 2]
    plan = plan_of(numbers, m=1, column={"separator": None}, input={"respondent": "who"})
    told = []
    for order in (range(10), reversed(range(10))):
        who = [cell % 5 for cell in range(10)]
        places = list(order)
        for kind in (int, str, float):
            table = pa.table({"basket": [kind(cells[i]) for i in places], "who": [who[i] for i in places]})
            told.append(cells_of(kohort.anonymize(table, plan)))
    assert all(one == told[0] for one in told)


@many(seed=range(25))
def test_whatever_people_hold_the_promise_is_kept_and_true(seed):
    cells, k, m = odd_cells(seed), 2 + seed % 3, 1 + seed % 4
    release = kohort.anonymize(pa.table({"basket": pa.array(cells, pa.string())}), plan_of(ODD_TREE, k, m))
    told = [set() if cell == "{}" else set(cell.split(";")) for cell in cells_of(release).elements()]
    assert naive.keeps(told, k, m)
    assert len(told) == len(cells)
    assert sum(cell is None for cell in cells) == told.count(set())


def test_the_order_of_rows_is_nobodys_whatever_the_seed():
    table, plan = pa.table({"basket": CELLS * 5}), plan_of(recode={"seed": 7})
    orders = {tuple(kohort.anonymize(table, plan).table["basket"].to_pylist()) for _ in range(4)}
    assert len(orders) > 1


KINDS = {  # hierarchies of every kind: items, and what the plan says
    "tree": (["a1", "b1"], {"tree": TREE}),
    "intervals": (["3", "12", "97", "98"], {"widths": [10, 20], "domain": [0, 99], "high": 90}),
    "dates": (["2020-01-05", "2020-02-07", "2021-03-09"], {}),
    "mask": (["12345", "12399", "54321"], {}),
    "bands": (["3", "12", "97", "98"], {"ends": [[5, 10, 20, 90], [10, 20]]}),
    "prefix": (["12345", "12399", "54321"], {"standard": "us-zip"}),
    "icd10": (["I25.1", "I21", "J45"], {}),
    "ip": (["192.0.2.1", "192.0.2.7", "198.51.100.3"], {}),
    "order": (["low", "mid", "high"], {"values": ["low", "mid", "high"]}),
    "suppress": (["x", "y"], {}),
    "file": (["x", "y", "z"], {"path": "levels.csv"}),
}


@pytest.mark.parametrize("kind", sorted(BUILDERS))
def test_items_may_stand_under_a_hierarchy_of_any_kind(kind, tmp_path):
    items, options = KINDS[kind]
    (tmp_path / "levels.csv").write_text("x;g;*\ny;g;*\nz;z;*\n")
    draw = np.random.default_rng(2)
    cells = [";".join(item for item in items if draw.random() < 0.5) for _ in range(20)]
    plan = plan_of(k=3, column={"hierarchy": {"kind": kind, **options}})
    plan = dataclasses.replace(plan, base=tmp_path)
    release = kohort.anonymize(pa.table({"basket": cells}), plan)
    assert all(verdict.holds for verdict in release.verdicts)
    told = [set() if cell == "{}" else set(cell.split(";")) for cell in cells_of(release).elements()]
    assert naive.keeps(told, 3, 2)
    assert kind not in ("intervals", "bands") or not {"97", "98"} & set().union(*told)


def test_an_original_that_is_no_longer_what_it_was_is_left_aside_unless_it_is_named(tmp_path):
    source = tmp_path / "baskets.csv"
    source.write_text("basket\n" + "\n".join(CELLS) + "\n")
    place = kohort.anonymize(source, plan_of()).save(tmp_path / "out")
    source.write_text("basket\nsomething\nelse\n")
    assert all(verdict.holds for verdict in kohort.verify(place))  # the bytes are those that were judged
    with pytest.raises(InputError, match="its hierarchy misses 2 of the 2 distinct values"):
        kohort.verify(place, original=source)


def test_what_is_no_table_of_sets_is_judged_broken_or_refused():
    with pytest.raises(InputError, match="leave respondents out"):
        kohort.verify(pa.table({"basket": ["A"]}), plan_of(), respondents=[1])
    verdicts = kohort.verify(pa.table({"other": ["A"]}), plan_of())
    assert [(verdict.promise, verdict.holds) for verdict in verdicts] == [(COLUMNS, False), (SPELLED, None)]


def test_what_came_out_is_told_in_lines():
    table = pa.table({"basket": ["a1", "b1"], "shop": ["x", "y"]})
    release = kohort.anonymize(table, plan_of())
    lines = [str(line) for line in shape_of(release.plan).outcome(release.facts)]
    assert "2 items are told by 1 label," in lines[0]
    assert any("nothing is left of the items" in line for line in lines)
    assert any("the plan does not name them: shop" in line for line in lines)


# --- files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", sorted(WRITERS))
def test_odd_items_come_back_from_every_format_and_are_judged_again(suffix, tmp_path):
    source = pa.table({"basket": pa.array(odd_cells(5), pa.string())})
    release = kohort.anonymize(source, plan_of(ODD_TREE, 3))
    place = release.save(tmp_path / "out", suffix.removeprefix("."))
    written = read_released(place / f"table{suffix}")
    assert Counter(written["basket"].to_arrow().to_pylist()) == cells_of(release)
    assert all(verdict.holds for verdict in kohort.verify(place))
    (tmp_path / "out.private").rename(tmp_path / "elsewhere")
    judged = {verdict.promise: verdict for verdict in kohort.verify(place)}
    assert judged["manifest and report say what the tables say"].holds
    assert judged["3^2-anonymity"].holds
    assert judged[TRUTH].holds is None
    loose = {
        v.promise: v.holds for v in kohort.verify(place / f"table{suffix}", plan_of(ODD_TREE, 3), source)
    }
    # DuckDB writes no file twice alike: that nothing stands beside the table cannot be shown
    assert loose.pop(BESIDE) is (None if suffix == ".duckdb" else True)
    assert all(loose.values())


def test_a_release_is_made_and_verified_on_the_command_line(tmp_path, monkeypatch, capsys):
    cells = [cell.replace("a1", "heroin").replace("a2", "opium") for cell in CELLS]
    rows = "".join(f"Miller{place},{cell}\n" for place, cell in enumerate(cells))
    (tmp_path / "baskets.csv").write_text(f"surname,basket\n{rows}")
    (tmp_path / "levels.csv").write_text("heroin;A;*\nopium;A;*\nb1;B;*\nb2;B;*\n")
    (tmp_path / "plan.toml").write_text(
        '[input]\npath = "baskets.csv"\nshape = "sets"\n[columns]\nsurname = "identifier"\n'
        'basket = { role = "set", separator = ";", hierarchy = { kind = "file", path = "levels.csv" } }\n'
        '[[require]]\nmodel = "k-m"\nk = 2\nm = 2\n'
    )
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, "anonymize", "plan.toml", "-o", "out", "--json") == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["people"], told["items"], told["suppressed"]) == (4, 4, 0)
    assert run(monkeypatch, "anonymize", "plan.toml", "-o", "out") == 0
    assert "4 items are told by 3 labels, 2 of them exactly" in capsys.readouterr().out
    assert run(monkeypatch, "verify", "out") == 0
    # what was raised stands nowhere in public: not in the table, nor in what is told of it
    for name in ("table.csv", MANIFEST, REPORT):
        assert not any(
            item in (tmp_path / "out" / name).read_text() for item in ("heroin", "opium", "surname", "Miller")
        )
    assert "A;b1" in (tmp_path / "out" / "table.csv").read_text()
    (tmp_path / "out/table.csv").write_text("basket\nheroin;b1;b2\nA;b1\nA;b1;b2\nA;b2\n")
    assert run(monkeypatch, "verify", "out") == 4


def test_the_documents_are_what_their_structs_say(tmp_path):
    release = kohort.anonymize(pa.table({"basket": CELLS}), plan_of())
    out = release.save(tmp_path / "out")
    written = (out / MANIFEST).read_text(encoding="utf-8")
    manifest = msgspec.json.decode(written, type=SetManifest)
    assert json.loads(written) == json.loads(msgspec.json.encode(manifest))
    assert (manifest.people, [one.label for one in manifest.labels]) == (4, ["A", "b1", "b2"])
    text = (tmp_path / "out.private" / AUDIT).read_text(encoding="utf-8")
    audit = msgspec.json.decode(text, type=Audit[SetFacts])
    assert audit_text(audit) == text
    assert json.loads(text)["facts"] == release.facts.to_dict()
    assert json.loads(text)["facts"]["shape"] == json.loads(written)["shape"] == "sets"
    with pytest.raises(TypeError, match="facts of another shape"):
        of_sets(
            kohort.anonymize(
                pa.table({"a": ["x", "x"]}), kohort.Plan({"a": "quasi"}, [kohort.KAnonymity(2)])
            ).facts
        )


def test_manifest_and_report_follow_from_the_table_and_the_public_plan():
    first = kohort.anonymize(pa.table({"basket": CELLS}), plan_of())
    others = ["a2;b1;b2", "a1;b1", "a2;b1;b2", "a1;a2;b2"]
    second = kohort.anonymize(
        pa.table({"basket": others, "who": list("abcd")}), plan_of(columns={"who": "identifier"})
    )
    documents = [
        shape_of(release.plan).documents(release.tables, release.plan, {"table.csv": "0" * 64})
        for release in (first, second)
    ]
    assert cells_of(first) == cells_of(second)
    assert documents[0] == documents[1]
    asked = json.loads(documents[0][MANIFEST])["asked"]
    again = kohort.Plan.from_dict(asked)
    assert shape_of(again).documents(first.tables, again, {"table.csv": "0" * 64}) == documents[0]


@pytest.mark.parametrize(
    ("old", "new", "broken"),
    [
        ("A;b2", "A;b1", TRUTH),
        ("A;b2", "b2;A", SPELLING),
        ("A;b1\n", "", TRUTH),
        ("A;b2", "A;B", MEANING),
        ("A;b2", "a1;b2", "2^2-anonymity"),
    ],
)
def test_whatever_is_changed_is_found_by_who_holds_the_original(old, new, broken, tmp_path):
    (tmp_path / "baskets.csv").write_text("basket\n" + "\n".join(CELLS) + "\n")
    release = kohort.anonymize(tmp_path / "baskets.csv", plan_of())
    table = release.save(tmp_path / "out") / "table.csv"
    table.write_text(table.read_text().replace(old, new, 1))
    found = {verdict.promise for verdict in kohort.verify(tmp_path / "out") if verdict.holds is False}
    assert broken in found
    assert "the files are those that were released" in found


# --- what is refused ---------------------------------------------------------------------------------------------

SECRET = "plutonium"


@pytest.mark.parametrize(
    ("cells", "plan", "message"),
    [
        ([f"a1;{SECRET}", "a1", "a1"], {}, "its hierarchy misses 1 of the 2 distinct values, in 1 row"),
        (
            [SECRET, SECRET],
            {"tree": {"A": [SECRET, f"{SECRET};x"]}},
            "1 of the 3 items and labels of its hierarchy cannot be written",
        ),
        (
            [SECRET],
            {"tree": {SECRET: [SECRET, "b"], "C": ["c"]}},
            "1 label of its hierarchy stands for different items",
        ),
        ([], {}, "no rows"),
    ],
)
def test_what_does_not_fit_is_refused_and_no_item_is_told(cells, plan, message):
    with pytest.raises(InputError, match=message) as caught:
        kohort.anonymize(pa.table({"basket": pa.array(cells, pa.string())}), plan_of(**plan))
    assert SECRET not in str(caught.value)


def test_fewer_people_than_k_leave_nothing_behind(tmp_path, monkeypatch):
    with pytest.raises(InfeasibleError, match="only 4 people hold any item, and 5 must"):
        kohort.anonymize(pa.table({"basket": [*CELLS, None]}), plan_of(k=5))


def test_a_row_of_nobody_is_refused():
    table = pa.table({"basket": CELLS, "who": ["a", None, "b", "c"]})
    with pytest.raises(InputError, match="1 row names nobody"):
        kohort.anonymize(table, plan_of(input={"respondent": "who"}))


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"columns": {"age": "quasi"}}, "age: unknown role 'quasi'; the roles are: identifier, set"),
        ({"columns": {"ill": "sensitive"}}, "ill: unknown role 'sensitive'"),
        ({"columns": {"other": {"role": "set"}}}, r"2 columns \(basket, other\) with role = \"set\""),
        ({"column": {"role": "identifier"}}, 'no column with role = "set"'),
        ({"column": {"hierarchy": None}}, "basket: a set needs a hierarchy"),
        (
            {"column": {"separator": None}},
            "without a separator every cell is one item, and nothing tells whose",
        ),
        ({"column": {"separator": ""}}, "separator is ''; it must be a sign or more"),
        ({"column": {"separator": "{"}}, "separator is '{'"),
        ({"column": {"weight": 2.0}}, "basket: weight means nothing for a set"),
        ({"column": {"max_level": 1}}, "basket: max_level means nothing for a set"),
        (
            {"columns": {"who": {"role": "identifier", "separator": ","}}},
            "who: separator means nothing for an identifier",
        ),
        ({"input": {"respondent": "basket"}}, "cannot be the \\[input\\] respondent too"),
        ({"input": {"population": "all.csv"}}, r"\[input\] population is not served for sets"),
        ({"recode": {"generalize": "cell"}}, r"\[recode\] generalize is not served"),
        ({"recode": {"objective": "entropy"}}, r"\[recode\] objective is not served"),
        ({"output": {"shuffle": False}}, r"\[output\] shuffle is not served"),
        ({"output": {"task": "basket"}}, r"\[output\] task is not served"),
        ({"output": {"ledger": "book.duckdb"}}, r"\[output\] ledger is not served"),
        ({"output": {"together": "demand"}}, r"\[output\] together is not served"),
        ({"require": [{"model": "k-anonymity", "k": 2}]}, "unknown model 'k-anonymity'; the models are: k-m"),
        ({"require": [{"model": "k-m", "k": 2}]}, "k-m needs m"),
        ({"require": [{"model": "k-m", "k": 1, "m": 2}]}, "k is 1; it must be a whole number of at least 2"),
        ({"require": [{"model": "k-m", "k": 2, "m": 0}]}, "m is 0; it must be a whole number of at least 1"),
    ],
)
def test_a_plan_says_what_sets_have_and_nothing_is_ignored(told, message):
    with pytest.raises(InputError, match=message):
        plan_of(**told)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"algorithm": "mondrian"}, "there is no 'mondrian' for sets; the algorithms are: apriori"),
        ({"options": {"threads": 2}}, "apriori has no parameter 'threads'"),
    ],
)
def test_an_unknown_search_is_refused_before_anything_is_read(told, message):
    with pytest.raises(InputError, match=message):
        kohort.anonymize(Path("nowhere.csv"), plan_of(recode=told))


def test_another_engine_is_refused_by_name(tmp_path, monkeypatch, capsys):
    (tmp_path / "baskets.csv").write_text("basket\n" + "\n".join(CELLS) + "\n")
    (tmp_path / "plan.toml").write_text(
        '[input]\npath = "baskets.csv"\nshape = "sets"\n[columns.basket]\nrole = "set"\nseparator = ";"\n'
        'hierarchy = { kind = "tree", tree = { A = ["a1", "a2"], B = ["b1", "b2"] } }\n'
        '[[require]]\nmodel = "k-m"\nk = 2\nm = 2\n'
    )
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, "anonymize", "plan.toml", "-o", "out", "--engine", "duckdb") == 2
    refused = 'engine: the plan says [input] shape = "sets", which is worked on in memory only'
    assert refused in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert run(monkeypatch, "anonymize", "plan.toml", "-o", "out") == 0
    assert run(monkeypatch, "verify", "out", "--engine", "duckdb") == 2
    assert refused in capsys.readouterr().err
    shape, plan = SetShape(), plan_of()
    for refusing in (
        lambda: shape.demand_on("duckdb", {}, None),
        lambda: shape.inspect_on("duckdb", {}, plan, None),
        lambda: shape.verify_on("duckdb", None, None, plan, None, None),
    ):
        with pytest.raises(InputError, match="'duckdb' does not serve them"):
            refusing()


def test_when_the_time_is_up_the_root_is_released_and_that_is_said():
    release = kohort.anonymize(pa.table({"basket": CELLS}), plan_of(recode={"time_limit": 1e-9}))
    assert cells_of(release) == Counter({"*": 4})
    assert "the search was stopped" in release.facts.warnings[0]


def test_items_that_look_alike_are_told_of_without_being_named():
    cells = ["tea;Tea", "tea;Tea", "milk"]
    release = kohort.anonymize(pa.table({"basket": cells}), plan_of({"D": ["tea", "Tea", "milk"]}))
    assert "2 items equal another one but for blanks, upper case" in release.facts.warnings[0]
    assert "tea" not in release.facts.warnings[0]
