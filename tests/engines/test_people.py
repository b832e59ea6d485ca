"""People with several rows: the engine on disk releases and judges as the one in memory does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.contract.test_people_released import ASKED
from tests.engines.conftest import Written, people, plan_of
from tests.engines.test_duckdb_engine import assert_same_release

from kohort.algorithms import Silent
from kohort.facts.promises import VerdictFacts
from kohort.pipeline import make_release
from kohort.verification.verify import verify_directory

EXTENDED = {"model": "extended-p-sensitive", "p": 2, "column": "illness", "level": 0}
LOOSE = {"alpha": 0.9, "t": 0.9, "beta": 20.0, "delta": 5.0}


@pytest.mark.parametrize("kind", [*ASKED, "extended-p-sensitive"])
def test_every_promise_to_people_is_kept_alike(written: Written, tmp_path: Path, kind: str) -> None:
    asked: dict[str, Any] = dict(ASKED[kind][0]) if kind in ASKED else dict(EXTENDED)
    asked |= {"column": "illness"} | {key: value for key, value in LOOSE.items() if key in asked}
    plan = plan_of(input__respondent="person").to_dict()
    plan["require"] = [{"model": "k-anonymity", "k": 3}, asked]
    plan["recode"] = {"max_suppression": 0.3}
    if kind == "extended-p-sensitive":
        plan["columns"]["illness"] = {"role": "sensitive", "hierarchy": {"kind": "suppress"}}
    source = written(people(7, 300), ".csv")
    release = assert_same_release(source, type(plan_of()).from_dict(plan), tmp_path)
    first, second = (
        [(v.promise, v.holds, v.achieved) for v in facts]
        for facts in (release.facts.verdicts, again(tmp_path / "disk"))
    )
    promised = [line for line in second if line[0] in {promise for promise, *_ in first[:2]}]
    assert first[:2] == [(p, h, pytest.approx(a)) for p, h, a in promised]


def again(directory: Path) -> list[VerdictFacts]:
    """Verify by the private audit alone, which notes what people hold together."""
    return [verdict.facts() for verdict in verify_directory(directory)]


def test_names_alike_are_said_by_both(written: Written) -> None:
    table = people(3, 60)
    names = [name.upper() + " " if i % 7 == 0 else name for i, name in enumerate(table["person"].to_pylist())]
    table = table.set_column(0, "person", pa.array(names))
    plan = plan_of(input__respondent="person", recode__max_suppression=1.0)
    source = written(table, ".csv")
    told = [make_release(source, plan, Silent(), engine).facts.warnings for engine in ("memory", "duckdb")]
    assert told[0] == told[1]
    [alike] = [warning for warning in told[0] if "names equal another one" in warning]
    assert not any(name.strip().lower() in alike.lower().split() for name in names)
