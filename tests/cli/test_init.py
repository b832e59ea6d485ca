"""`kohort init` fails closed: what it does not know waits for a decision, and nothing is released before."""

from __future__ import annotations

import json
import tomllib

import pytest

from kohort.errors import InputError
from kohort.frontiers import frontier
from kohort.pipeline import anonymize
from kohort.plan import Plan

ROWS = "age,sex,grade,q7,status\n" + "".join(
    f"{20 + i % 40},{'fm'[i % 2]},{i % 3},{i // 3 % 2},{i // 2 % 2}\n" for i in range(120)
)


@pytest.fixture
def drafted(kohort, tmp_path):
    (tmp_path / "survey.csv").write_text(ROWS, encoding="utf-8")
    result = kohort("init", tmp_path / "survey.csv", "-o", tmp_path / "plan.toml")
    assert result.code == 0, result.err
    return tmp_path / "plan.toml", result


def test_init_ends_with_what_is_left_to_decide(drafted):
    plan, result = drafted
    assert result.out.rstrip().splitlines()[-1] == "3 decisions for you: grade, q7, status"
    columns = tomllib.loads(plan.read_text(encoding="utf-8"))["columns"]
    assert [name for name in columns if columns[name].get("decided") is False] == ["grade", "q7", "status"]


def test_what_a_guard_would_decide_is_said_before_the_decisions(kohort, drafted):
    plan, result = drafted
    line = result.out.rstrip().splitlines()[-2]
    assert line.startswith(
        "1 of the decisions (q7) can be taken at once by a guard: it is then treated as known to others"
    )
    assert "nothing is promised about what such a column tells: call sensitive what must not" in line
    assert line.endswith("(on the command line: --guard)")
    guarded = kohort("init", plan.parent / "survey.csv", "-o", plan, "--force", "--guard")
    *_, line, last = guarded.out.rstrip().splitlines()
    assert line.startswith(
        "nothing tells what q7 may be: it is treated as known to others, as the guard decides"
    )
    assert "nothing is promised about what such a column tells" in line
    assert last.startswith("2 decisions for you: grade, status; ")
    text = plan.read_text(encoding="utf-8")
    assert "whoever drafted this with a guard" in text
    told = tomllib.loads(text)["columns"]["q7"]
    assert (told["role"], told["weight"], told.get("decided")) == ("quasi", 0.25, None)


@pytest.mark.parametrize("columns", [("age",), ("age", "job"), ("age", "job", "q7"), ("age", "q7")])
def test_its_last_line_says_of_unsure_columns_what_their_lines_say(kohort, tmp_path, columns):
    told = {"age": lambda i: 20 + i % 40, "job": lambda i: f"work {i % 37}", "q7": lambda i: i % 3}
    rows = [",".join(columns), *(",".join(str(told[name](i)) for name in columns) for i in range(120))]
    (tmp_path / "some.csv").write_text("\n".join(rows), encoding="utf-8")
    shown = kohort("init", tmp_path / "some.csv", "-o", tmp_path / "plan.toml")
    last = shown.out.rstrip().splitlines()[-1]
    found = json.loads(
        kohort("init", tmp_path / "some.csv", "-o", tmp_path / "plan.toml", "--force", "--json").out
    )
    unsure = [column["column"] for column in found["columns"] if column["confidence"] == "unsure"]
    assert ("unsure" in last) == bool(unsure)
    assert not unsure or f"({', '.join(unsure)})" in last
    assert last.startswith("no decisions are left") == (not found["undecided"])


def test_nothing_is_released_before_everything_is_decided(kohort, drafted):
    path, _ = drafted
    for command in (("anonymize", path, "-o", path.parent / "out"), ("frontier", path, "--k", "2,3")):
        refused = kohort(*command)
        assert refused.code == 2
        told = " ".join(refused.err.split())
        assert "3 of 5 columns wait for your decision: grade, q7, status" in told
        assert "take out decided = false" in told
        assert "kohort init --guard" in told
    assert not (path.parent / "out").exists()
    plan = Plan.load(path)
    for run in (
        lambda: anonymize(path.parent / "survey.csv", plan),
        lambda: frontier(path.parent / "survey.csv", plan, "require.0.k", [2, 3]),
    ):
        with pytest.raises(InputError) as raised:
            run()
        assert raised.value.code == "plan.undecided"
        assert raised.value.fields["columns"] == ["grade", "q7", "status"]
    path.write_text(path.read_text(encoding="utf-8").replace(", decided = false", ""), encoding="utf-8")
    assert kohort("anonymize", path, "-o", path.parent / "out").code == 0


def test_decided_by_a_setting(kohort, drafted):
    path, _ = drafted
    settings = [f"columns.{name}.decided=true" for name in ("grade", "q7", "status")]
    asked = [part for setting in settings for part in ("--set", setting)]
    assert kohort("anonymize", path, "-o", path.parent / "out", *asked).code == 0


def test_json_tells_what_is_undecided(kohort, drafted):
    path, _ = drafted
    result = kohort("init", path.parent / "survey.csv", "-o", path, "--force", "--json")
    told = json.loads(result.out)
    assert told["undecided"] == ["grade", "q7", "status"]
    assert told["guardable"] == ["q7"]
    assert [column["decided"] for column in told["columns"]] == [True, True, False, False, False]
    guarded = kohort("init", path.parent / "survey.csv", "-o", path, "--force", "--json", "--guard")
    told = json.loads(guarded.out)
    assert (told["undecided"], told["guardable"]) == (["grade", "status"], [])
    assert [column["column"] for column in told["columns"] if column["guarded"]] == ["q7"]


def test_measures_are_for_those_who_ask(kohort, drafted):
    path, result = drafted
    assert "separation" not in result.out + path.read_text(encoding="utf-8")
    verbose = kohort("init", path.parent / "survey.csv", "-o", path, "--force", "--verbose")
    assert "separation" in verbose.out
    assert "the share of pairs of rows that the column tells apart" in " ".join(verbose.out.split())


def test_labels_of_a_statistics_program_are_read(kohort, tmp_path):
    pandas, pyreadstat = pytest.importorskip("pandas"), pytest.importorskip("pyreadstat")
    frame = pandas.DataFrame({"v1": [1, 2] * 30, "v2": list(range(30)) * 2})
    for suffix, write in ((".sav", pyreadstat.write_sav), (".dta", pyreadstat.write_dta)):
        write(frame, str(tmp_path / f"s{suffix}"), column_labels=["Geschlecht", "Age of the respondent"])
        result = kohort("init", tmp_path / f"s{suffix}", "-o", tmp_path / "p.toml", "--force", "--json")
        told = json.loads(result.out)["columns"]
        assert [(c["role"], c["reason"]) for c in told] == [
            ("quasi", "its label says a sex"),
            ("quasi", "its label says an age"),
        ]


def test_a_sensitive_column_without_a_promise_is_said(kohort, drafted):
    path, _ = drafted
    text = path.read_text(encoding="utf-8").replace(", decided = false", "")
    text = text.replace('grade = { role = "sensitive"', 'grade = { role = "insensitive"')
    told = tomllib.loads(text)
    assert told["columns"]["status"]["role"] == "sensitive"
    path.write_text(text, encoding="utf-8")
    out = path.parent / "out"
    result = kohort("anonymize", path, "-o", out)
    assert "no promise is made about status" in " ".join(result.out.split())
    for report in (out / "report.html", path.parent / "out.private" / "report.html"):
        assert "No promise is made about status" in report.read_text(encoding="utf-8")
    promised = text + '\n[[require]]\nmodel = "l-diversity"\ncolumn = "status"\nl = 2\n'
    path.write_text(promised.replace("[recode]", "[recode]\n"), encoding="utf-8")
    result = kohort("anonymize", path, "-o", out)
    assert result.code == 0
    assert "no promise is made" not in result.out


def test_a_plan_is_not_written_over_the_table_nor_over_what_is_no_plan(kohort, tmp_path):
    table, other = tmp_path / "people.csv", tmp_path / "notes.toml"
    table.write_text("age,ill\n31,a\n40,b\n", encoding="utf-8")
    for output in (table, other):
        other.write_text("these are my notes", encoding="utf-8")
        before = output.read_bytes()
        done = kohort("init", table, "-o", output, "--force")
        assert done.code != 0
        assert "is no plan" in " ".join(done.err.split())
        assert output.read_bytes() == before
    plan = tmp_path / "plan.toml"
    for _ in range(2):
        assert kohort("init", table, "-o", plan, "--force").code == 0


def test_a_sensitive_column_for_which_no_promise_is_drafted_is_said(kohort, tmp_path):
    table = tmp_path / "people.csv"
    rows = [f"{30 + i % 5},{int(i % 20 == 0)}" for i in range(100)]
    table.write_text("\n".join(["age,hiv", *rows]), encoding="utf-8")
    said = " ".join(kohort("init", table, "-o", tmp_path / "plan.toml").out.split())
    assert "no promise watches hiv: nearly all rows share one value of it" in said


@pytest.mark.parametrize("column", ["hiv", "religion", "cancer"])
@pytest.mark.parametrize("beside", [{}, {"q7": lambda i: i % 3}, {"job": lambda i: f"work {i % 37}"}])
def test_its_last_line_names_sensitive_columns_without_a_promise(kohort, tmp_path, column, beside):
    told = {"age": lambda i: 20 + i % 40, column: lambda i: ("no", "yes")[i % 20 == 0], **beside}
    rows = [",".join(told), *(",".join(str(cell(i)) for cell in told.values()) for i in range(120))]
    (tmp_path / "some.csv").write_text("\n".join(rows), encoding="utf-8")
    result = kohort("init", tmp_path / "some.csv", "-o", tmp_path / "plan.toml")
    assert result.out.rstrip().splitlines()[-1].endswith(f"no promise watches {column}")


def test_who_asked_for_a_guard_is_not_told_to_ask_for_it(kohort, tmp_path):
    told = {
        "age": lambda i: 20 + i % 40,
        "v3": lambda i: f"x{i % 70}-{i % 11}",
        "v4": lambda i: 18 + i * 7 % 57,
    }
    rows = [",".join(told), *(",".join(str(cell(i)) for cell in told.values()) for i in range(240))]
    (tmp_path / "some.csv").write_text("\n".join(rows), encoding="utf-8")
    asked = kohort("init", tmp_path / "some.csv", "-o", tmp_path / "plan.toml").out
    guarded = kohort("init", tmp_path / "some.csv", "-o", tmp_path / "plan.toml", "--force", "--guard").out
    assert "--guard" in asked
    assert "--guard" not in guarded
    assert (
        tomllib.loads((tmp_path / "plan.toml").read_text(encoding="utf-8"))["columns"]["v4"]["role"]
        == "quasi"
    )
