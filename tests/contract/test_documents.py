"""Whatever Kohort writes is what its schemas say: over all algorithms, models and hierarchies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.csv
import pytest
from tests.contract.test_algorithms import frame_for, plan_for
from tests.reference.few_steps import FEW_STEPS
from tests.reference.json_schema import faults
from tests.unit.hierarchy.test_builders import SPECS

import kohort
from kohort.algorithms import ALGORITHMS
from kohort.evidence import manifest_bytes
from kohort.facts import Audit, Manifest, ReleaseFacts
from kohort.models import MODELS
from kohort.plan.documents import plan_documents
from kohort.release.documents import load_audit
from kohort.release.opening import open_release
from kohort.release.saving import audit_text
from kohort.schemas import DOCUMENTS
from kohort.verification.case import case_of

TREE = {"kind": "tree", "tree": {"lungs": ["flu", "cold", "asthma"], "joints": ["gout"]}}
PROMISES: dict[str, dict[str, Any]] = {
    "k-anonymity": {"k": 3},
    "l-diversity": {"l": 2, "column": "ill"},
    "t-closeness": {"t": 0.9, "column": "ill", "distance": "hierarchical"},
    "p-sensitive": {"p": 2, "k": 3, "columns": ["ill"]},
    "extended-p-sensitive": {"p": 2, "k": 3, "column": "ill", "level": 1},
    "alpha-k": {"alpha": 0.95, "k": 3, "column": "ill"},
    "beta-likeness": {"beta": 9, "column": "ill"},
    "delta-disclosure": {"delta": 9.5, "column": "ill", "absent": "ignore"},
    "k-map": {"k": 4},
    "average-risk": {"risk": 0.5},
    "personalized": {"breach": 1.0, "column": "ill", "guard": "wish"},
}


def assert_as_described(out: Path) -> None:
    """Demand that manifest and audit are valid by schema and struct, and that nothing is lost in reading them."""
    written = (out / "manifest.json").read_bytes()
    manifest = msgspec.json.decode(written, type=Manifest)
    assert manifest_bytes(manifest) == written
    assert not list(faults(kohort.schema("manifest"), json.loads(written)))
    private = out.with_name(f"{out.name}.private") / "audit.json"
    text = private.read_text(encoding="utf-8")
    assert audit_text(msgspec.json.decode(text, type=Audit[ReleaseFacts])) == text
    assert audit_text(load_audit(private)) == text
    assert not list(faults(kohort.schema("audit"), json.loads(text)))
    assert case_of(open_release(out), None, None).promised.holds, "audit and manifest tell one plan"


def assert_a_plan(plan: kohort.Plan) -> None:
    told = json.loads(json.dumps(plan.to_dict()))
    assert not list(faults(kohort.schema("plan"), told))
    msgspec.convert(told, plan_documents()[0].kind)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_writes_what_the_schemas_say(name: str, tmp_path: Path) -> None:
    plan = plan_for(name)
    plan = plan.with_settings({"recode.options": FEW_STEPS[name]}) if name in FEW_STEPS else plan
    release = kohort.anonymize(frame_for(name), plan)
    assert_as_described(release.save(tmp_path / "out"))
    assert_a_plan(plan)
    assert (
        release.facts.to_dict()
        == json.loads((tmp_path / "out.private" / "audit.json").read_text(encoding="utf-8"))["facts"]
    )


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("respondent", [None, "who"])
def test_every_model_is_told_as_the_schemas_say(name: str, respondent: str | None, tmp_path: Path) -> None:
    table = frame_for("optimal").append_column("who", pa.array([f"P{i % 60}" for i in range(120)]))
    wishes = ["joints" if ill == "gout" else "lungs" for ill in table["ill"].to_pylist()]
    table = table.append_column("wish", pa.array(wishes))
    pa.csv.write_csv(pa.concat_tables([table, table]), tmp_path / "population.csv")
    columns = plan_for("optimal").columns | {"ill": {"role": "sensitive", "hierarchy": TREE}}
    if name == "personalized":
        columns |= {"wish": {"role": "guard"}}
    plan = kohort.Plan(
        columns=columns,
        require=[kohort.KAnonymity(3), {"model": name, **PROMISES[name]}],
        input={"respondent": respondent} | ({"population": "population.csv"} if name == "k-map" else {}),
        recode={"max_suppression": 0.5},
        output={"ledger": ""},
        base=tmp_path,
    )  # type: ignore[arg-type]
    assert_a_plan(plan)
    release = kohort.anonymize(table, plan)
    assert_as_described(release.save(tmp_path / "out"))


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec["kind"])
def test_every_hierarchy_is_a_part_of_a_plan(spec: dict[str, Any]) -> None:
    spec = {name: value for name, value in spec.items() if name != "base"}
    assert_a_plan(
        kohort.Plan(
            columns={"a": {"role": "quasi", "hierarchy": spec}, "b": "identifier"},
            require=[kohort.KAnonymity(2)],
        )
    )


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_key_that_nobody_knows_is_no_part_of_a_document(document: str) -> None:
    assert any("nonsense" in fault for fault in faults(kohort.schema(document), {"nonsense": 1}))


@pytest.mark.parametrize(
    ("section", "content"),
    [
        ("recode", {"generalise": "cell"}),
        ("columns", {"age": {"role": "quasi", "hierarchy": {"kind": "interval"}}}),
        ("columns", {"age": {"role": "quasi", "hierarchy": {"kind": "mask", "widths": [5]}}}),
        ("columns", {"age": "quasy"}),
        ("require", [{"model": "k-anonymity", "l": 3}]),
        ("require", [{"k": 3}]),
    ],
)
def test_what_a_plan_refuses_its_schema_refuses(section: str, content: Any) -> None:
    told = {"columns": {"age": "quasi"}, "require": [{"model": "k-anonymity", "k": 2}]}
    assert not list(faults(kohort.schema("plan"), told))
    assert list(faults(kohort.schema("plan"), told | {section: content}))


def test_there_is_no_schema_of_anything_else() -> None:
    with pytest.raises(kohort.InputError, match="there are: manifest, audit, plan"):
        kohort.schema("table")
