"""What is published beside the table says nothing that the table does not: it is a function of the table and the plan.

Whoever sees manifest and report can test any guess about the original: was there one more row, left out, with this value?
Where two originals lead to the same table, their public sides are the same bytes, so the test gains nothing.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest
from tests.contract.test_algorithms import frame_for, plan_for

import kohort
from kohort.algorithms import ALGORITHMS, Silent, algorithm
from kohort.evidence import public_facts
from kohort.pipeline import make_release
from kohort.release.release import Release
from kohort.table import Table
from kohort.table.formats import WRITERS
from kohort.table.reading import read_released
from kohort.tables.public_side import recomputed_files
from kohort.verification.judges.contents import contents_of

FORMATS = [suffix.removeprefix(".") for suffix in WRITERS]
BY_CHANCE = {"anatomy", "dp-mdav"}  # of one table they make another release each time
FEW = {  # searches by chance that would otherwise take until their time is up
    "hill-climbing": {"rounds": 1},
    "genetic": {"children": 20},
    "annealing": {"coolings": 1, "steps": 20},
}
KEYS = {
    "version", "shape", "zone", "kohort", "counted", "rows", "classes", "class_sizes", "apart", "verdicts", "risk", "singling_out",
    "sensitive", "watched", "columns", "algorithm", "objective", "promises", "asked", "plan_toml", "files",
}  # fmt: skip
CANARIES = ("Wolpertinger", "Xanthippe", "Ockham", "elsewhere", "cp1252")
AGES = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5, 10, 20], "domain": [0, 99]}}
TREE = {"kind": "tree", "tree": {"lungs": ["flu", "cold", "asthma"], "joints": ["gout"]}}


def tables_of(release: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in sorted(release.iterdir())
        if path.stem in ("table", "sensitive")
    }


def public_of(release: Path) -> dict[str, bytes]:
    return {name: (release / name).read_bytes() for name in ("manifest.json", "report.html")}


def asked_of(release: Path) -> dict[str, Any]:
    asked: dict[str, Any] = json.loads((release / "manifest.json").read_text(encoding="utf-8"))["asked"]
    return asked


def made_again(release: Path) -> dict[str, bytes]:
    """Return the public side computed anew, from the tables and the plan that stands in the manifest."""
    tables = {Path(name).stem: release / name for name in tables_of(release)}
    return recomputed_files(tables, kohort.Plan.from_dict(asked_of(release)))


def without_digests(release: Path) -> list[str]:
    """Return the public side without the digests of the tables: those tell the order of rows and the format."""
    texts = [text.decode() for text in public_of(release).values()]
    return [re.sub(r"\b[0-9a-f]{64}\b", "", text) for text in texts]


def assert_one_side_for_each_table(releases: Sequence[Path]) -> int:
    """Return how many releases have the same table as another one."""
    sides = defaultdict(list)
    for release in releases:
        sides[tuple(tables_of(release).items())].append(public_of(release))
    assert all(side == alike[0] for alike in sides.values() for side in alike)
    return sum(len(alike) for alike in sides.values() if len(alike) > 1)


# --- every algorithm -----------------------------------------------------------------------------------------


def variants(name: str) -> Iterator[tuple[pa.Table, kohort.Plan]]:
    """Yield originals that differ in what is not to be told, and plans that differ in what is private."""
    table, plan = frame_for(name).slice(0, 60), plan_for(name)
    if name not in BY_CHANCE:
        plan = plan.with_settings({"output.shuffle": False})
    if name in FEW:
        plan = plan.with_settings({"recode.options": FEW[name]})
    yield table, plan
    more = table.append_column("Wolpertinger", pa.array([f"Xanthippe {i}" for i in range(len(table))]))
    named = {**plan.columns, "Wolpertinger": "identifier"}
    source = {"path": "Ockham.csv", "table": "Ockham", "encoding": "cp1252"}
    output = {"shuffle": plan.output.shuffle, "ledger": ""}
    yield more, kohort.Plan(named, plan.require, source, plan.recode, output, base=Path("/elsewhere"))  # type: ignore[arg-type]
    if "TS" not in algorithm(name).card.taxonomy:
        return  # no row is left out
    for ill in ("flu", "gout"):
        strange = {"age": 97, "zip": "77777", "sex": None, "ill": ill}
        alone = {field.name: pa.array([strange[field.name]], field.type) for field in table.schema}
        yield pa.concat_tables([table, pa.table(alone)]), plan


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Return releases by every algorithm, of originals that differ in what is not to be told."""
    place = tmp_path_factory.mktemp("elsewhere")
    made: dict[str, list[Path]] = {name: [] for name in ALGORITHMS}
    for name in ALGORITHMS:
        for i, (table, plan) in enumerate(variants(name)):
            try:
                release = kohort.anonymize(table, plan)
            except kohort.InfeasibleError:
                continue
            for format in ("csv", "parquet") if i < 2 else ("csv",):
                made[name].append(release.save(place / f"{name}-{i}-{format}", format))
    return made


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_same_table_has_the_same_public_side_whatever_the_original_was(
    name: str, releases: dict[str, list[Path]]
) -> None:
    assert len(releases[name]) >= 3
    drawn = (
        algorithm(name).card.decides == "row"
    )  # which of equal rows is in which group (test_equal_rows.py)
    assert assert_one_side_for_each_table(releases[name]) > 1 or name in BY_CHANCE or drawn


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_public_side_holds_nothing_but_what_is_listed(name: str, releases: dict[str, list[Path]]) -> None:
    for release in releases[name]:
        manifest = json.loads((release / "manifest.json").read_text(encoding="utf-8"))
        assert set(manifest) == KEYS
        assert all(verdict["holds"] is True for verdict in manifest["verdicts"])
        for text in without_digests(release):
            assert not [mark for mark in CANARIES if mark in text]
            assert not re.search(r"\b20[2-9]\d-\d\d|\d\d:\d\d:\d\d", text), "a time"
            assert "/tmp" not in text


AGAIN = """
import json, sys
from pathlib import Path
from kohort.plan import Plan
from kohort.tables.public_side import recomputed_files
for line in sys.stdin.read().splitlines():
    tables = {path.stem: path for path in Path(line).iterdir()}
    asked = json.loads(tables.pop("asked").read_text(encoding="utf-8"))
    for name, content in recomputed_files(tables, Plan.from_dict(asked)).items():
        (Path(line) / name).write_bytes(content)
"""


def test_anyone_can_make_the_public_side_again_from_the_table_and_the_plan(
    releases: dict[str, list[Path]], tmp_path: Path
) -> None:
    """In another process, in which there are the tables and the public plan and nothing else."""
    all_releases = [release for made in releases.values() for release in made]
    for release in all_releases:
        (tmp_path / release.name).mkdir()
        for name, content in tables_of(release).items():
            (tmp_path / release.name / name).write_bytes(content)
        (tmp_path / release.name / "asked.json").write_text(json.dumps(asked_of(release)), encoding="utf-8")
    told = "\n".join(str(tmp_path / release.name) for release in all_releases)
    subprocess.run([sys.executable, "-c", AGAIN], input=told, text=True, check=True, cwd=tmp_path)
    for release in all_releases:
        assert public_of(tmp_path / release.name) == public_of(release), release.name


# --- formats, engines, models, people ------------------------------------------------------------------------


def people(**columns: Any) -> pa.Table:
    table = frame_for("optimal").append_column("who", pa.array([f"P{i % 60}" for i in range(120)]))
    return pa.table({name: table[name] for name in table.column_names} | columns)


def backwards(table: pa.Table) -> pa.Table:
    return table.take(pa.array(range(len(table))[::-1]))


def plan(**sections: Any) -> kohort.Plan:
    told = plan_for("optimal")
    columns = {**told.columns, **sections.pop("columns", {})}
    recode = {"max_suppression": 0.3} | sections.pop("recode", {})
    require = sections.pop("require", [{"model": "k-anonymity", "k": 3}])
    return kohort.Plan(columns=columns, require=require, recode=recode, **sections)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_told_alike_and_can_be_told_again(format: str, tmp_path: Path) -> None:
    release = kohort.anonymize(people(), plan())
    csv = release.save(tmp_path / "csv", "csv")
    other = release.save(tmp_path / "other", format)
    assert without_digests(other) == [
        text.replace("table.csv", f"table.{format}") for text in without_digests(csv)
    ]
    assert made_again(other) == public_of(other)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("rows", ["as they are", "turned round"])
def test_neither_the_engine_nor_the_order_of_rows_is_told(engine: str, rows: str, tmp_path: Path) -> None:
    table = people()
    pyarrow.csv.write_csv(table if rows == "as they are" else backwards(table), tmp_path / "one.csv")
    pyarrow.csv.write_csv(table, tmp_path / "two.csv")
    asked = plan(
        require=[{"model": "k-anonymity", "k": 3}, {"model": "t-closeness", "column": "ill", "t": 0.8}]
    )
    one = Release.written(
        make_release(tmp_path / "one.csv", asked, Silent(), engine), tmp_path / "one"
    ).directory
    two = Release.written(make_release(tmp_path / "two.csv", asked, Silent()), tmp_path / "two").directory
    assert without_digests(one) == without_digests(two)


REQUIRED: dict[str, dict[str, Any]] = {
    "l": {"model": "l-diversity", "column": "ill", "l": 2},
    "entropy": {"model": "l-diversity", "column": "ill", "l": 1.5, "variant": "entropy"},
    "recursive": {"model": "l-diversity", "column": "ill", "l": 2, "variant": "recursive", "c": 4.0},
    "t": {"model": "t-closeness", "column": "ill", "t": 0.6},
    "t by rank": {"model": "t-closeness", "column": "ill", "t": 0.6, "distance": "ordered"},
    "t by tree": {"model": "t-closeness", "column": "ill", "t": 0.6, "distance": "hierarchical"},
    "beta": {"model": "beta-likeness", "column": "ill", "beta": 3},
    "delta": {"model": "delta-disclosure", "column": "ill", "delta": 4, "absent": "ignore"},
    "alpha": {"model": "alpha-k", "column": "ill", "alpha": 0.9, "k": 3},
    "p": {"model": "p-sensitive", "columns": ["ill"], "p": 2, "k": 3},
}


@pytest.mark.parametrize("respondent", [None, "who"])
@pytest.mark.parametrize("model", REQUIRED)
def test_no_model_tells_more_of_the_original_than_the_table(
    model: str, respondent: str | None, tmp_path: Path
) -> None:
    """Rows that are left out move every distribution that models compare with, and nothing that is told."""
    told, made = [{"model": "k-anonymity", "k": 3}, REQUIRED[model]], []
    asked = plan(
        columns={"ill": {"role": "sensitive", "hierarchy": TREE}},
        require=told,
        input={"respondent": respondent},
        output={"shuffle": False, "ledger": ""},
    )
    for i, extra in enumerate(("flu", "gout", "flu gout cold")):
        strange = [(97 - 20 * (j % 2), "77777", "f", ill, f"Q{j}") for j, ill in enumerate(extra.split())]
        left_out = pa.table([pa.array(cells) for cells in zip(*strange, strict=True)], people().schema)
        release = kohort.anonymize(pa.concat_tables([people(), left_out]), asked)
        made.append(release.save(tmp_path / str(i)))
    assert assert_one_side_for_each_table(made) > 1
    assert made_again(made[0]) == public_of(made[0])
    text = (made[0] / "manifest.json").read_text(encoding="utf-8")
    assert '"who"' not in text


@pytest.mark.parametrize("rows", ["drop", "blank"])
def test_level_files_populations_and_blank_rows_are_told_by_the_table_alone(
    rows: str, tmp_path: Path
) -> None:
    sexes = [f"{sex};*" for sex in ("f", "m", "")]
    (tmp_path / "Ockham.csv").write_text("\n".join(sexes) + "\n", encoding="utf-8")
    pyarrow.csv.write_csv(pa.concat_tables([people(), people()]), tmp_path / "Wolpertinger.csv")
    asked = plan(
        columns={"sex": {"role": "quasi", "hierarchy": {"kind": "file", "path": "Ockham.csv"}}},
        require=[{"model": "k-anonymity", "k": 3}, *([{"model": "k-map", "k": 4}] if rows == "drop" else [])],
        input={"population": "Wolpertinger.csv"} if rows == "drop" else {},
        recode={"suppressed_rows": rows},
        base=tmp_path,
    )
    release = kohort.anonymize(people(), asked).save(tmp_path / "out")
    for text in public_of(release).values():
        assert b"Ockham" not in text
        assert b"Wolpertinger" not in text
    assert made_again(release) == public_of(release)


# --- the attack ----------------------------------------------------------------------------------------------


def completions(most: int) -> Iterator[list[tuple[int, str]]]:
    """Yield all sets of up to `most` rows that may have been left out of a tiny table."""
    possible = list(product((22, 47, 71, 93), ("flu", "gout")))
    for size in range(most + 1):
        yield from map(list, combinations_with_replacement(possible, size))


def assert_guessing_gains_nothing(most: int, place: Path) -> int:
    """Release every completion of a table; return how many of them lead to the same table as none does."""
    released = [(21, "flu"), (22, "gout"), (23, "flu"), (46, "gout"), (47, "flu"), (48, "gout")]
    asked = kohort.Plan(
        columns={"age": AGES, "ill": "sensitive"},
        require=[kohort.KAnonymity(3), kohort.TCloseness(0.9, "ill"), kohort.BetaLikeness(9.0, "ill")],
        recode={"max_suppression": 4},  # type: ignore[arg-type]
        output={"shuffle": False},  # type: ignore[arg-type]
    )
    sides: dict[bytes, set[tuple[bytes, ...]]] = defaultdict(set)
    counted: dict[bytes, int] = defaultdict(int)
    for left_out in completions(most):
        ages, ills = zip(*[*released, *left_out], strict=True)
        try:
            release = kohort.anonymize(pa.table({"age": ages, "ill": ills}), asked)
        except kohort.InfeasibleError:
            continue
        out = release.save(place / "out")
        table = (out / "table.csv").read_bytes()
        sides[table].add(tuple(public_of(out).values()))
        counted[table] += 1
    assert all(len(side) == 1 for side in sides.values())
    return max(counted.values())


def test_trying_every_completion_by_up_to_two_rows_gains_nothing(tmp_path: Path) -> None:
    assert assert_guessing_gains_nothing(2, tmp_path) > 5


@pytest.mark.long
def test_trying_every_completion_by_up_to_four_rows_gains_nothing(tmp_path: Path) -> None:
    assert assert_guessing_gains_nothing(4, tmp_path) > 30


def test_the_facts_do_not_depend_on_the_coding_of_a_table(tmp_path: Path) -> None:
    release = kohort.anonymize(people(), plan()).save(tmp_path / "out")
    table = read_released(release / "table.csv")
    turned = Table.from_arrow(backwards(table.to_arrow()))
    one, other = (contents_of(t, plan().quasi, plan().sensitive) for t in (table, turned))
    assert public_facts(one, plan(), {}) == public_facts(other, plan(), {})
