"""Projects of ARX as plans: what maps, what is told not to, and what is refused."""

from __future__ import annotations

import io
import tomllib
import zipfile
from pathlib import Path

import pytest

import kohort
from kohort.arx.criteria import objective_of, promise_of
from kohort.arx.writing import import_project
from kohort.errors import InputError
from kohort.models import MODELS
from kohort.plan import Plan

DATA = "name;age;zip;ill\n" + "".join(
    f"p{i};{20 + i % 4};8{i % 3}667;{('flu', 'cold', 'gout')[i % 3]}\n" for i in range(24)
)
AGES = "".join(f"{age};{'<22' if age < 22 else '>=22'};*\n" for age in range(20, 24))
ZIPS = "".join(f"8{i}667;8{i}***\n" for i in range(3))  # as ARX allows: several roots
METADATA = "<metadata><version>3.9.1</version><vocabulary>2.0</vocabulary></metadata>"
PROJECT = "<project><name>ward</name><separator>;</separator><quote>&quot;</quote></project>"


def definition(**types: str) -> str:
    told = {
        "name": "IDENTIFYING",
        "age": "QUASI_IDENTIFYING",
        "zip": "QUASI_IDENTIFYING",
        "ill": "SENSITIVE",
    } | types
    refs = {
        "age": "<ref>hierarchies/age.csv</ref><min>1</min><max>All</max>",
        "zip": "<ref>hierarchies/zip.csv</ref>",
    }
    entries = (
        f"<assigment><name>{n}</name><type>{t}_ATTRIBUTE</type><datatype>String</datatype>{refs.get(n, '')}</assigment>"
        for n, t in told.items()
    )
    return f"<definition>{''.join(entries)}</definition>"


def config(*criteria: str, metric: str = "Loss") -> str:
    told = "".join(f"<criterion>{criterion}</criterion>" for criterion in criteria)
    return (
        f"<config><relativeMaxOutliers>0.04</relativeMaxOutliers><metric>{metric}</metric><criteria>{told}</criteria>"
        "<attributeWeights><attributeWeight><attribute>age</attribute><weight>0.9</weight></attributeWeight>"
        "<attributeWeight><attribute>zip</attribute><weight>0.5</weight></attributeWeight></attributeWeights></config>"
    )


def project(folder: Path, **entries: str | bytes | None) -> Path:
    told: dict[str, str | bytes | None] = {
        "metadata.xml": METADATA,
        "project.xml": PROJECT,
        "data/input.csv": DATA,
        "input/config.xml": config("5-anonymity", "distinct-2-diversity for attribute 'ill'"),
        "input/definition.xml": definition(),
        "input/hierarchies/age.csv": AGES,
        "input/hierarchies/zip.csv": ZIPS,
    }
    told |= entries
    place = folder / "ward.deid"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in told.items():
            if content is not None:
                archive.writestr(name, content)
    return place


def test_a_project_becomes_a_plan_that_makes_a_verified_release(tmp_path: Path) -> None:
    made = import_project(project(tmp_path), tmp_path / "new" / "plan.toml")
    plan = Plan.load(made.plan)
    assert {name: str(column.role) for name, column in plan.columns.items()} == {
        "name": "identifier", "age": "quasi", "zip": "quasi", "ill": "sensitive"
    }  # fmt: skip
    assert [model.label for model in plan.require] == ["5-anonymity", "distinct 2-diversity of ill"]
    assert (plan.recode.max_suppression, plan.recode.objective) == (0.04, "loss")
    assert (plan.columns["age"].min_level, plan.columns["age"].weight) == (1, 0.9)
    assert sorted(place.name for place in made.level_files) == ["age.csv", "zip.csv"]
    assert any("'zip': its hierarchy had several roots" in remark for remark in made.unmapped)
    assert not any("distinct values" in remark for remark in made.unmapped)
    release = kohort.anonymize(made.plan.parent / plan.input.path, plan)  # type: ignore[operator]
    assert all(verdict.holds for verdict in release.verdicts)


@pytest.mark.parametrize("quote", ["'", "|", "~"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_cells_between_another_sign_are_read(tmp_path: Path, quote: str, encoding: str) -> None:
    usual = '"'
    rows = [
        line.split(";")
        for line in DATA.replace(
            "flu", f"flü; {usual}bad{usual} {quote}{quote}or{quote}{quote} not"
        ).splitlines()
    ]
    data = "\n".join(";".join(f"{quote}{cell}{quote}" for cell in _joined(row)) for row in rows)
    files = {
        "project.xml": PROJECT.replace("&quot;", quote),
        "data/input.csv": data.encode(encoding),
        "input/hierarchies/age.csv": AGES.replace("<22", f"{quote}<22; young{quote}"),
    }
    made = import_project(project(tmp_path, **files), tmp_path / "new" / "plan.toml")
    plan = Plan.load(made.plan)
    release = kohort.anonymize(made.data, plan)
    assert all(verdict.holds for verdict in release.verdicts)
    assert f'flü; "bad" {quote}or{quote} not' in release.table["ill"].to_pylist()
    assert "<22; young" in (made.level_files[0]).read_text()


def _joined(row: list[str]) -> list[str]:
    """Return a row whose last cell may hold the sign that separates cells."""
    return [*row[:3], ";".join(row[3:])]


@pytest.mark.parametrize("told", ["heavy", "nan", "-1", "inf", ""])
def test_a_weight_that_is_none_is_said(tmp_path: Path, told: str) -> None:
    asked = config("5-anonymity").replace("<weight>0.9</weight>", f"<weight>{told}</weight>")
    made = import_project(project(tmp_path, **{"input/config.xml": asked}), tmp_path / "new" / "plan.toml")
    assert any("'age': its weight is no number" in remark for remark in made.unmapped)
    assert "'age': its weight is no number" in made.plan.read_text()


def test_what_does_not_map_stands_in_the_plan_and_fails_closed(tmp_path: Path) -> None:
    asked = config("5-anonymity", "(0.1,0.8)-presence", metric="KL-Divergence")
    held = {"input/config.xml": asked, "input/definition.xml": definition(name="STRANGE")}
    made = import_project(project(tmp_path, **held), tmp_path / "new" / "plan.toml")
    text = made.plan.read_text()
    assert all(f"# does not map: {' '.join(remark.split())}" in text for remark in made.unmapped)
    told = " ".join(made.unmapped)
    for words in ("'(0.1,0.8)-presence': there is no such model", "KL-Divergence", "its type is not known"):
        assert words in told
    columns = tomllib.loads(text)["columns"]
    assert [name for name, column in columns.items() if column.get("decided") is False] == [
        "name",
        "age",
        "zip",
    ]
    with pytest.raises(InputError) as refused:
        kohort.anonymize(made.data, Plan.load(made.plan))
    assert refused.value.code == "plan.undecided"


@pytest.mark.parametrize(
    ("criterion", "promise"),
    [
        ("entropy-2.5-diversity for attribute 'a b'", {"model": "l-diversity", "l": 2.5, "variant": "entropy", "column": "a b"}),
        ("shannon-entropy-3.0-diversity for attribute 'x'", {"model": "l-diversity", "l": 3, "variant": "entropy", "column": "x"}),
        ("grassberger-entropy-3.0-diversity for attribute 'x'", None),
        ("recursive-(4.0,3)-diversity for attribute 'x'",
         {"model": "l-diversity", "l": 3, "c": 4.0, "variant": "recursive", "column": "x"}),
        ("0.2-closeness with equal ground-distance for attribute 'x'",
         {"model": "t-closeness", "t": 0.2, "distance": "equal", "column": "x"}),
        ("0.2-closeness with ordered distance for attribute 'x'",
         {"model": "t-closeness", "t": 0.2, "distance": "ordered", "column": "x"}),
        ("enhanced-1.5-likeness for attribute 'x'", {"model": "beta-likeness", "beta": 1.5, "variant": "enhanced", "column": "x"}),
        ("1.0-disclosure privacy for attribute 'x'", {"model": "delta-disclosure", "delta": 1.0, "column": "x"}),
        ("(0.05)-avg-reidentification-risk", {"model": "average-risk", "risk": 0.05}),
        ("5-map", None),
    ],
)  # fmt: skip
def test_criteria_are_read_as_arx_prints_them(criterion: str, promise: dict[str, object] | None) -> None:
    assert promise_of(criterion) == promise
    if promise is not None:
        MODELS[str(promise["model"])](**{key: value for key, value in promise.items() if key != "model"})


def test_metrics_have_their_objectives() -> None:
    assert [objective_of(m) for m in ("Loss", "Non-uniform entropy", "Discernability", "Average equivalence class size", "X")] == [
        "loss", "entropy", "discernibility", "average-class-size", None
    ]  # fmt: skip


ENTITY = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><config><metric>&b;</metric></config>'
OUTSIDE = '<!DOCTYPE x SYSTEM "file:///etc/passwd"><config/>'


@pytest.mark.parametrize(
    "entries",
    [
        {"input/config.xml": ENTITY},
        {"input/config.xml": OUTSIDE},
        {"input/config.xml": "<config>" * 60 + "</config>" * 60},
        {"input/config.xml": "no XML"},
        {"input/config.xml": b"\xff\xfe<"},
        {"input/config.xml": None},
        {"data/input.csv": None},
        {"metadata.xml": b"<m>" + b" " * (40 << 20) + b"</m>"},  # packed a thousand times
        {"input/definition.xml": "<definition/>"},
    ],
    ids=["entities", "outside", "deep", "no XML", "bytes", "no config", "no data", "bomb", "nothing defined"],
)
def test_what_is_no_project_or_hostile_is_refused_and_nothing_is_written(
    tmp_path: Path, entries: dict[str, str]
) -> None:
    with pytest.raises(InputError) as refused:
        import_project(project(tmp_path, **entries), tmp_path / "new" / "plan.toml")
    assert refused.value.code == "import.damaged"
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"PK\x05\x06" + b"\0" * 18, DATA.encode()])
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "ward.deid").write_bytes(content)
    with pytest.raises(InputError, match="not a project of ARX"):
        import_project(tmp_path / "ward.deid", tmp_path / "plan.toml")


def test_a_damaged_entry_is_refused(tmp_path: Path) -> None:
    place = project(tmp_path)
    content = bytearray(place.read_bytes())
    at = content.index(b"project.xml") + 15
    content[at : at + 8] = b"\xff" * 8
    place.write_bytes(content)
    with pytest.raises(InputError, match="cannot be unpacked"):
        import_project(place, tmp_path / "new" / "plan.toml")


def test_no_name_leads_out_of_the_folder_and_nothing_is_replaced(tmp_path: Path) -> None:
    bad = (
        definition()
        .replace("<name>age</name>", "<name>../../age</name>")
        .replace("hierarchies/age", "hierarchies/../../age")
    )
    held = {
        "input/definition.xml": bad,
        "input/hierarchies/../../age.csv": AGES,
        "data/input.csv": DATA.replace(";age;", ";../../age;"),
    }
    place = project(tmp_path, **held)
    made = import_project(place, tmp_path / "new" / "plan.toml")
    written = {path.relative_to(tmp_path / "new").as_posix() for path in (tmp_path / "new").rglob("*.csv")}
    assert written == {"plan-data.csv", "hierarchies/age.csv", "hierarchies/zip.csv"}
    assert set(tmp_path.iterdir()) == {place, tmp_path / "new"}
    assert "../../age" in Plan.load(made.plan).columns
    with pytest.raises(InputError, match="exists"):
        import_project(place, tmp_path / "new" / "plan.toml")


def test_data_of_an_old_windows_are_read_as_they_are_written(tmp_path: Path) -> None:
    held = {
        "data/input.csv": DATA.replace("gout", "Gänse").encode("cp1252"),
        "input/definition.xml": definition().encode("cp1252"),
    }
    made = import_project(project(tmp_path, **held), tmp_path / "new" / "plan.toml")
    plan = Plan.load(made.plan)
    assert plan.input.encoding == "cp1252"
    assert "Gänse" in kohort.anonymize(made.data, plan).table["ill"].to_pylist()


def test_a_project_without_a_promise_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        import_project(project(tmp_path, **{"input/config.xml": config()}), tmp_path / "plan.toml")
    assert refused.value.code == "import.nothing-mapped"


def test_an_archive_in_memory_is_as_zip_has_it() -> None:
    """The bomb above is one: a few kilobytes that would be forty megabytes."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("metadata.xml", b" " * (40 << 20))
    assert len(held.getvalue()) < (40 << 20) / 900
