"""Every shape of the registry has all parts of the seam, and a shape that nobody knew yet goes the whole way."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pyarrow as pa
import pytest

import kohort
from kohort.card import Card
from kohort.cli.main import main
from kohort.errors import InputError
from kohort.facts import NotedOriginal, PrivateHead
from kohort.folders.release_folder import MANIFEST, REPORT
from kohort.ledger import Recorded
from kohort.plan.rules import SHAPES, PlanRules, Promise, rules_of
from kohort.plan.sections import ColumnPlan, InputPlan
from kohort.release.published import Judgement, Published, Shown
from kohort.shapes import Findings, Found, Held, Job, Prepared, Shape, Terms, shape_of
from kohort.table import Role, Table
from kohort.verification.judges import Verdict

TABLE = {"columns": {"zip": "quasi"}, "require": [{"model": "k-anonymity", "k": 2}]}


def members(protocol: type) -> set[str]:
    return {name for name in (*vars(protocol), *protocol.__annotations__) if not name.startswith("_")}


# --- the registry ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHAPES)
def test_rules_and_flow_have_every_part(name: str) -> None:
    rules = rules_of(name)
    assert not [part for part in members(PlanRules) if not hasattr(rules, part)]
    assert rules.summary
    assert rules.promises
    assert issubclass(rules.input, InputPlan)
    assert issubclass(rules.column, ColumnPlan)
    module, attribute = rules.flow.split(":")
    shape = getattr(__import__(module, fromlist=[attribute]), attribute)
    for part in members(Shape):
        told, asked = signature(getattr(shape, part)), signature(getattr(Shape, part))
        assert list(told.parameters) == list(asked.parameters), part


@pytest.mark.parametrize("shape", ["", "tables", "graph", 3, None, ["table"], {"table": 1}])
def test_an_unknown_shape_is_refused_with_those_that_there_are(shape: object) -> None:
    with pytest.raises(InputError, match=f"the shapes are: {', '.join(sorted(SHAPES))}"):
        kohort.Plan.from_dict({**TABLE, "input": {"shape": shape}})


def test_the_default_is_a_table_and_is_not_told() -> None:
    plan = kohort.Plan.from_dict({**TABLE, "input": {"shape": "table"}})
    assert plan.input.shape == "table"
    assert "input" not in plan.to_dict()


# --- a shape that nobody knew ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AtLeast:
    """No number is told of fewer than k people."""

    k: int
    card: ClassVar = Card("at-least", "counts of at least k")

    @property
    def label(self) -> str:
        return f"counts of at least {self.k}"


class Bins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    width: int = 1


class CountInput(InputPlan, frozen=True, forbid_unknown_fields=True):
    of: str = "age"


class CountRules:
    """A list of numbers, of which a count per bin is released."""

    summary = "numbers, one a person"
    flow = f"{__name__}:Counts"
    input = CountInput
    column = ColumnPlan
    needs_columns = False
    roles: ClassVar = (Role.IDENTIFIER,)
    offers: ClassVar = frozenset[str]()
    sections: ClassVar = {"bins": Bins, "extra": Bins}
    unserved: ClassVar = {}
    promises: ClassVar[Mapping[str, type[Promise]]] = {"at-least": AtLeast}

    def check(self, plan: kohort.Plan) -> None:
        if "bins" not in plan.sections:
            raise InputError("[bins] is missing; say how wide they are")

    def paths(self, plan: kohort.Plan) -> list[str]:
        return [] if plan.input.path is None else [plan.input.path]

    def public(self, plan: kohort.Plan) -> dict[str, Any]:
        return {"bins": {"width": plan.sections["bins"].width}}


class CountFacts(PrivateHead, frozen=True, kw_only=True, tag="counts"):
    """What is told of bins beside what is told of every release."""

    bins: int


@dataclass(frozen=True, eq=False)
class Numbers:
    """All steps in one: the toy has nothing to hand on."""

    job: Job

    def prepare(self) -> Numbers:
        return self

    def search(self) -> Numbers:
        return self

    def publish(self) -> Numbers:
        return self

    @property
    def numbers(self) -> list[int]:
        return [int(line) for line in Path(self.job.source).read_text().split()]

    @property
    def tables(self) -> dict[str, pa.Table]:
        width, k = self.job.plan.sections["bins"].width, self.job.plan.require[0].k
        bins = sorted({n // width for n in self.numbers})
        counts = [sum(n // width == b for n in self.numbers) for b in bins]
        kept = [(b * width, n) for b, n in zip(bins, counts, strict=True) if n >= k]
        return {
            "bins": pa.table({"from": [b for b, _ in kept], "people": [n for _, n in kept]}),
            "total": pa.table({"people": [sum(n for _, n in kept)]}),
        }

    private_tables: ClassVar[dict[str, pa.Table]] = {}

    def facts(self) -> CountFacts:
        plan, rows = self.job.plan, len(self.numbers)
        return CountFacts(promises=(), asked=plan.to_dict(), plan_toml="", rows=rows, released=rows, bins=2)

    def judge(self, written: Mapping[str, Any]) -> CountJudgement:
        tables = {stem: kohort.preparation.sources.reread(file) for stem, file in written.items()}
        return CountJudgement(judged(tables, self.job.plan), tables, self.job.plan)

    def noted(self) -> NotedOriginal:
        return NotedOriginal()

    def record(self, directory: Path, files: Mapping[str, str]) -> Recorded:
        return Recorded(None)

    def page(self, facts: PrivateHead) -> str:
        return f"private: {facts.rows}"

    def screen(self, facts: PrivateHead) -> str:
        return self.page(facts)

    def cautions(self, facts: PrivateHead) -> list[str]:
        return ["bins of ten years"]

    def convert(self, released: pa.Table) -> Any:
        return released


def judged(tables: Mapping[str, Table], plan: kohort.Plan) -> list[Verdict]:
    told = [int(text) for text in tables["bins"]["people"].texts]
    return [Verdict(plan.require[0].label, min(told) >= plan.require[0].k, min(told))]


@dataclass(frozen=True, eq=False)
class CountJudgement:
    verdicts: list[Verdict]
    tables: Mapping[str, Table]
    plan: kohort.Plan

    def told(self, facts: PrivateHead) -> PrivateHead:
        return facts

    def documents(self, digests: Mapping[str, str]) -> dict[str, bytes]:
        return Counts().documents(self.tables, self.plan, digests)

    def shown(self) -> Shown:
        return Shown("bins", [verdict.facts() for verdict in self.verdicts], ["bins of ten years"])


class Counts:
    """The flow of the toy."""

    def check(self, plan: kohort.Plan) -> None:
        pass

    def read(self, job: Job) -> Numbers:
        return Numbers(job)

    def stems(self, plan: kohort.Plan) -> tuple[str, ...]:
        return ("bins", "total")

    def documents(
        self, tables: Mapping[str, Table], plan: kohort.Plan, digests: Mapping[str, str]
    ) -> dict[str, bytes]:
        asked = kohort.evidence.public_plan(plan)
        manifest = {"files": dict(sorted(digests.items())), "asked": asked, "bins": tables["bins"].n_rows}
        return {MANIFEST: json.dumps(manifest).encode(), REPORT: b"public"}

    def judge(self, tables: Mapping[str, Table], terms: Terms) -> Findings:
        return Findings([], judged(tables, terms.plan))

    def verify(self, released: Any, plan: kohort.Plan, original: Any, respondents: Any) -> list[Verdict]:
        return judged({"bins": kohort.preparation.sources.reread(released)}, plan)

    def outcome(self, facts: PrivateHead, plan: Path | None = None) -> Sequence[object]:
        return [f"{facts.rows} people were counted"]

    def summary(self, facts: PrivateHead) -> dict[str, Any]:
        return {"counted": facts.rows}


PLAN = """
[input]
path = "ages.txt"
shape = "counts"
[bins]
width = 10
[[extra]]
width = 2
[[extra]]
width = 3
[[require]]
model = "at-least"
k = 2
"""


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(SHAPES, "counts", f"{__name__}:CountRules")
    monkeypatch.setitem(__import__("sys").modules, __name__, __import__("sys").modules[__name__])
    (tmp_path / "ages.txt").write_text("21\n22\n29\n31\n35\n47\n")
    (tmp_path / "plan.toml").write_text(PLAN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> object:
    monkeypatch.setattr("sys.argv", ["kohort", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    return end.value.code


def test_the_toy_has_every_part(counted: Path) -> None:
    plan = kohort.Plan.load("plan.toml")
    assert isinstance(shape_of(plan), Counts)
    numbers = Numbers(Job("ages.txt", plan, kohort.algorithms.Silent()))
    for protocol in (Held, Prepared, Found, Published):
        assert not [part for part in members(protocol) if not hasattr(numbers, part)], protocol
    assert not [part for part in members(Judgement) if not hasattr(CountJudgement([], {}, plan), part)]


def test_it_is_released_in_two_tables_and_verified(
    counted: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "anonymize", "plan.toml", "-o", "out") == 0
    said = capsys.readouterr()
    assert "6 people were counted" in said.out + said.err
    assert "counts of at least 2" in said.out + said.err
    assert sorted(p.name for p in (counted / "out").iterdir()) == [
        "bins.csv", "manifest.json", "report.html", "total.csv",
    ]  # fmt: skip
    assert (counted / "out/bins.csv").read_text().split() == ["from,people", "20,3", "30,2"]
    asked = json.loads((counted / "out/manifest.json").read_text())["asked"]
    assert asked["input"] == {"shape": "counts"}
    assert asked["bins"] == {"width": 10}
    assert "extra" not in asked
    assert run(monkeypatch, "verify", "out") == 0
    assert run(monkeypatch, "anonymize", "plan.toml", "-o", "out", "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == {"counted": 6}


def test_what_was_changed_is_found(counted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, "anonymize", "plan.toml", "-o", "out") == 0
    (counted / "out/bins.csv").write_text("from,people\n20,1\n")
    assert run(monkeypatch, "verify", "out") == 4


def test_what_breaks_a_promise_is_not_released(counted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = {"bins": pa.table({"from": [20], "people": [1]}), "total": pa.table({"people": [1]})}
    monkeypatch.setattr(Numbers, "tables", tables)
    assert run(monkeypatch, "anonymize", "plan.toml", "-o", "out") == 4
    assert not (counted / "out").exists()


def test_in_python_it_is_a_release_like_any(counted: Path) -> None:
    release = kohort.anonymize(counted / "ages.txt", kohort.Plan.load("plan.toml"))
    assert release.table.to_pydict() == {"from": [20, 30], "people": [3, 2]}
    assert "Release(bins; counts of at least 2 ✓; caution: bins of ten years;" in repr(release)
    saved = release.save("again", "parquet")
    assert sorted(p.suffix for p in saved.iterdir()) == [".html", ".json", ".parquet", ".parquet"]


def test_its_sections_are_its_own(counted: Path) -> None:
    plan = kohort.Plan.load("plan.toml")
    assert [part.width for part in plan.sections["extra"]] == [2, 3]
    assert kohort.Plan.from_dict(plan.to_dict(), plan.base).to_dict() == plan.to_dict()
    told = plan.to_dict()
    for wrong, message in (
        ({"bins": {"widht": 1}}, r"\[bins\]: there is no key `widht`; it takes: width"),
        ({"bins": {"width": "wide"}}, r"\[bins\]: width: expected a whole number"),
        ({"extra": [{"width": 1}, {"width": None}]}, r"\[\[extra\]\] number 2: width"),
        ({"stream": {}}, r"unknown section \[stream\]; the sections are: bins, columns, context, extra"),
        ({"columns": {"age": "quasi"}}, r"unknown role 'quasi'; the roles are: identifier"),
        (
            {"require": [{"model": "k-anonymity", "k": 2}]},
            "unknown model 'k-anonymity'; the models are: at-least",
        ),
    ):
        with pytest.raises(InputError, match=message):
            kohort.Plan.from_dict({**told, **wrong})
    with pytest.raises(InputError, match=r"\[bins\] is missing"):
        kohort.Plan.from_dict({name: section for name, section in told.items() if name != "bins"})
    with pytest.raises(InputError, match=r"unknown section \[bins\]"):
        kohort.Plan.from_dict({**TABLE, "bins": {"width": 1}})


@pytest.mark.parametrize("command", ["audit", "attack", "compare", "frontier"])
def test_commands_that_it_does_not_offer_are_refused_by_name(
    counted: Path, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "anonymize", "plan.toml", "-o", "out") == 0
    arguments = {
        "audit": ["audit", "ages.txt", "--plan", "plan.toml"],
        "attack": ["attack", "out", "--all"],
        "compare": ["compare", "plan.toml"],
        "frontier": ["frontier", "plan.toml", "--vary", "require.0.k=2,3"],
    }[command]
    assert run(monkeypatch, *arguments) == 2
    assert f'{command}: the plan says [input] shape = "counts"' in capsys.readouterr().err
