"""What a notebook meets: names that complete, a release that shows itself without its private side."""

from __future__ import annotations

import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import kohort
from kohort import notebook
from kohort.algorithms import Standing
from kohort.report import html

PEOPLE = pa.table({"zip": ["94138", "94139", "94141", "94142"], "who": ["a1", "b2", "c3", "d4"]})
PLAN = kohort.Plan(
    columns={"zip": {"role": "quasi", "hierarchy": {"kind": "mask"}}},
    require=[kohort.KAnonymity(2)],
    input={"respondent": "who"},
)
KINDS: dict[str, Callable[[pa.Table], Any]] = {
    "arrow": lambda table: table,
    "pandas": lambda table: table.to_pandas(),
    "polars": pl.from_arrow,
    "polars lazily": lambda table: pl.from_arrow(table).lazy(),  # type: ignore[union-attr]
    "duckdb": lambda table: duckdb.connect().from_arrow(table),
}
HOSTILE = "<script>alert('x')</script>"


class Shown(HTMLParser):
    """What a piece of HTML shows, and what it would fetch or run."""

    def __init__(self, told: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text: list[str] = []
        self._style = False
        self.feed(told)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self._style = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._style = False

    def handle_data(self, data: str) -> None:
        self.text += [] if self._style else data.split()


def assert_still(told: str) -> Shown:
    """Demand that nothing runs and nothing is fetched; the name of the SVG dialect is no address."""
    shown = Shown(told)
    assert not shown.tags & {"script", "iframe", "img", "link", "object", "embed", "form", "a"}
    assert not any(name.startswith("on") or name in ("src", "href") for name in shown.attributes)
    assert "http" not in told.replace("http://www.w3.org/2000/svg", "")
    assert "url(" not in told
    assert "@import" not in told
    return shown


def test_every_public_name_stays_what_it_is_when_asked_for_again() -> None:
    for name in kohort.__all__:
        assert getattr(kohort, name) is getattr(kohort, name)
        assert callable(getattr(kohort, name)), name


def test_the_frontier_can_be_asked_for_twice() -> None:
    first = kohort.frontier(PEOPLE, PLAN, "require.0.k", [2, 4])
    again = kohort.frontier(PEOPLE, PLAN, "require.0.k", [2, 4])
    assert first["score"].to_pylist() == again["score"].to_pylist()


def test_public_names_and_models_complete() -> None:
    assert {"anonymize", "Plan", "KAnonymity", "LDiversity"} <= set(dir(kohort))


def test_a_release_shows_what_came_out_and_nothing_private() -> None:
    release = kohort.anonymize(PEOPLE, PLAN)
    assert repr(release).startswith("Release(4 rows in 2 classes; 2-anonymity ✓, ")
    assert "respondent" not in repr(release)
    assert len(repr(release)) < 300


def test_a_format_that_nobody_writes_is_refused(tmp_path: object) -> None:
    with pytest.raises(kohort.InputError, match="'docx' is unknown; it must be one of: csv"):
        kohort.anonymize(PEOPLE, PLAN).save(f"{tmp_path}/out", format="docx")


def test_a_release_shows_the_first_screen_of_its_private_report(tmp_path: Path) -> None:
    release = kohort.anonymize(PEOPLE, PLAN)
    shown = assert_still(release._repr_html_())
    assert {"svg", "style"} <= shown.tags
    assert "memory; nothing is written yet" in " ".join(shown.text)
    assert set(shown.text) <= set(Shown(html(release.facts)).text), "no word that the report does not say"
    release.save(tmp_path / "out")
    report = (tmp_path / "out.private" / "report.html").read_text(encoding="utf-8")
    again = assert_still(release._repr_html_())
    assert "verified on the files as written" in " ".join(again.text)
    assert set(again.text) <= set(Shown(report).text)


def test_an_audit_is_a_dict_that_shows_the_first_screen_of_its_page() -> None:
    from kohort.facts.table_audit import table_audit
    from kohort.report.audit import audit_html

    found = kohort.audit(PEOPLE, quasi=["zip"])
    assert isinstance(found, kohort.Audit)
    assert found == dict(found)
    shown = assert_still(found._repr_html_())
    assert "svg" in shown.tags
    assert set(shown.text) <= set(Shown(audit_html(table_audit(found))).text)


def test_hostile_names_and_values_are_shown_as_text() -> None:
    table = pa.table({HOSTILE: ["a", "a", "b", "b"], f"ill {HOSTILE}": [HOSTILE, "cold", HOSTILE, "cold"]})
    plan = {
        "columns": {HOSTILE: "quasi", f"ill {HOSTILE}": "sensitive"},
        "require": [kohort.KAnonymity(2), {"model": "l-diversity", "l": 2, "column": f"ill {HOSTILE}"}],
    }
    release = kohort.anonymize(table, plan)
    for told in (
        release,
        release.plan,
        kohort.audit(table, plan=plan),
    ):
        assert "<script>alert('x')</script>" in " ".join(assert_still(told._repr_html_()).text)


def test_a_release_of_sets_shows_itself() -> None:
    tree = {"kind": "tree", "tree": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}
    plan = {
        "input": {"shape": "sets"},
        "columns": {"basket": {"role": "set", "separator": ";", "hierarchy": tree}},
        "require": [{"model": "k-m", "k": 2, "m": 2}],
    }
    baskets = pa.table({"basket": ["a1;b1;b2", "a2;b1", "a2;b1;b2", "a1;a2;b2"]})
    assert "people" in assert_still(kohort.anonymize(baskets, plan)._repr_html_()).text


@pytest.mark.parametrize("kind", KINDS)
def test_frontiers_and_attacks_come_as_the_kind_of_frame_that_was_handed_in(kind: str) -> None:
    table = pa.table({"zip": ["94138", "94139", "94141", "94142"], "ill": ["a", "b", "a", "b"]})
    frame = KINDS[kind](table)
    plan = {
        "columns": {"zip": {"role": "quasi", "hierarchy": {"kind": "mask"}}, "ill": "sensitive"},
        "require": [{"model": "k-anonymity", "k": 2}],
    }
    points = kohort.frontier(frame, plan, k=[2, 4, 5])
    found = kohort.attack(kohort.anonymize(frame, plan), with_=table, attacks=["linking", "composition"])
    assert type(points) is type(found) is type(frame)
    told, attacked = (records(each) for each in (points, found))
    assert [(row["value"], row["feasible"], row["levels.zip"]) for row in told] == [
        (2, True, 1),
        (4, True, 2),
        (5, False, None),
    ]
    assert [(row["status"], row["attack"]) for row in attacked] == [
        ("found", "linking"),
        ("not run", "composition"),
    ]


def records(frame: Any) -> list[dict[str, Any]]:
    """The rows of a frame of any kind; what is missing is None."""
    if isinstance(frame, pd.DataFrame):
        return pa.Table.from_pandas(frame).to_pylist()
    if isinstance(frame, duckdb.DuckDBPyRelation):
        return frame.to_arrow_table().to_pylist()
    return frame.to_pylist() if isinstance(frame, pa.Table) else frame.lazy().collect().to_dicts()


def test_of_a_path_a_frontier_is_a_list_and_of_a_directory_attacks_are_a_dict(tmp_path: Path) -> None:
    PEOPLE.to_pandas().to_csv(tmp_path / "people.csv", index=False)
    points = kohort.frontier(tmp_path / "people.csv", PLAN, k=[2])
    assert points[0]["levels"] == {"zip": 1}
    release = kohort.anonymize(tmp_path / "people.csv", PLAN)
    release.save(tmp_path / "out")
    told = kohort.attack(tmp_path / "out", with_=PEOPLE, attacks=["linking"])
    again = kohort.attack(release, with_=PEOPLE, attacks=["linking"])
    assert told["attacks"][0]["n"] == again["n"][0].as_py()
    assert told["attacks"][0]["success"] == again["success"][0].as_py()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: kohort.frontier(PEOPLE, PLAN), "say what is varied"),
        (lambda: kohort.frontier(PEOPLE, PLAN, "require.0.k", [2], k=[2]), "a parameter is named beside it"),
        (
            lambda: kohort.frontier(
                PEOPLE, {"columns": {"zip": "quasi"}, "require": [kohort.AverageRisk(0.5)]}, k=[2]
            ),
            "nothing that the plan requires has a k",
        ),
        (
            lambda: kohort.attack(kohort.anonymize(PEOPLE, PLAN), original="people.csv"),
            "has its rows and its original at hand",
        ),
        (lambda: kohort.attack(kohort.anonymize(PEOPLE, PLAN), on=["zip"]), "hand it over as with_"),
    ],
)
def test_what_contradicts_itself_is_refused(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(kohort.InputError, match=said):
        call()


@pytest.mark.parametrize("kind", KINDS)
def test_a_plan_is_proposed_for_any_frame_with_its_reasons(kind: str) -> None:
    people = pa.table(
        {"zip": ["94138", "94139", "94141"] * 6, "sex": ["f", "m"] * 9, "diagnosis": ["flu", "cold"] * 9}
    )
    plan = kohort.propose(KINDS[kind](people))
    assert (plan.quasi, plan.sensitive, plan.input.path) == (("zip", "sex"), ("diagnosis",), None)
    assert set(plan.notes) == set(plan.columns)
    assert all(note in plan.to_toml() for note in plan.notes.values())
    assert kohort.anonymize(people, plan).verdicts[0].holds


@pytest.mark.parametrize("guard", [False, True])
def test_a_plan_is_proposed_for_a_file_as_init_drafts_it(tmp_path: Path, guard: bool) -> None:
    from kohort.cli.init import run

    path = tmp_path / "people.csv"
    rows = "".join(f"94138;flu;{20 + i},5;{i % 2}\n94139;cold;NA;1\n" for i in range(40))
    path.write_text(f"People\nzip;ill;weight;q7\n{rows}", encoding="utf-8")
    run(path, tmp_path / "plan.toml", {}, False, True, guard=guard)
    drafted = kohort.Plan.load(tmp_path / "plan.toml").to_dict()
    proposed = kohort.propose(path, guard=guard)
    assert proposed.to_dict() == drafted | {"input": drafted["input"] | {"path": str(path)}}
    assert proposed.columns["q7"].decided is guard


class Cell:
    """The output of a notebook's cell."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def display(self, told: dict[str, str], raw: bool, display_id: bool) -> Cell:
        assert raw
        assert display_id
        self.lines.append(told["text/plain"])
        return self

    def update(self, told: dict[str, str], raw: bool) -> None:
        self.lines.append(told["text/plain"])


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Cell:
    """A notebook as far as Kohort looks at it, and the cell that runs."""
    made = Cell()
    shell = SimpleNamespace(kernel=object())
    display = SimpleNamespace(display=made.display)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell, display=display))  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "IPython.display", display)  # type: ignore[arg-type]
    monkeypatch.setattr(notebook, "PATIENCE", -1.0)
    monkeypatch.setattr(notebook, "INTERVAL", 0.0)
    return made


def test_a_notebook_sees_a_line_that_goes_when_the_work_is_done(cell: Cell, tmp_path: Path) -> None:
    release = kohort.anonymize(PEOPLE, PLAN)
    said = len(cell.lines)
    assert said > 1
    assert cell.lines[-1] == ""
    release.save(tmp_path / "out")  # from another cell
    assert len(cell.lines) == said
    assert not any(value in line for line in cell.lines for value in ("94138", "a1"))
    kohort.frontier(PEOPLE, PLAN, k=[2])
    assert cell.lines[-1] == ""


def test_a_line_tells_the_share_and_how_the_search_stands(cell: Cell) -> None:
    line = notebook.Line(cell.display, kohort.Stop())
    line.update("searching", 1, 4, Standing(1.0, 0.5, 0.25))
    assert cell.lines == ["searching 25%, best 0.5, bound 0.25, gap 50.0% · 0 s"]


def test_an_onlooker_of_ones_own_is_asked_instead(cell: Cell) -> None:
    from kohort.algorithms.algorithm import Silent

    kohort.anonymize(PEOPLE, PLAN, Silent())
    assert cell.lines == []


@pytest.mark.parametrize("shell", [None, SimpleNamespace(kernel=None), SimpleNamespace()])
def test_without_a_notebook_nobody_is_told(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where IPython is not loaded, and where it runs on a terminal, whoever was asked to watch does."""
    asked = notebook.Line(Cell().display, kohort.Stop())
    for module in (None, SimpleNamespace(get_ipython=lambda: shell)):
        monkeypatch.setitem(sys.modules, "IPython", module)  # type: ignore[arg-type]
        with notebook.shown(asked, silent=True) as onlooker:
            assert onlooker is asked
