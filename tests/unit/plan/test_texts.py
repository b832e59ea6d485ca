"""Texts of a plan may be of any kind of text, such as numpy's: they are written and read as plain ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kohort


class Name(str):
    """A text that is not quite one."""

    __slots__ = ()


TOLD: dict[str, Any] = {
    "input": {"missing": ["", "NA"], "respondent": "who"},
    "columns": {
        "who": "identifier",
        "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [2, 4]}},
        "zip": {"role": "quasi", "hierarchy": {"kind": "tree", "tree": {"x": ["1", "2"], "y": ["3"]}}},
        "ill": "sensitive",
    },
    "require": [{"model": "k-anonymity", "k": 2}, {"model": "l-diversity", "l": 2, "column": "ill"}],
    "recode": {"algorithm": "mdav", "options": {"nominal": ["zip"]}},
    "output": {"format": "csv", "ledger": ""},
    "context": {"purpose": "a test", "public": ["purpose"]},
}
PEOPLE = pa.table(
    {"who": list("pqrs"), "age": [1, 2, 3, 4], "zip": ["1", "2", "3", "3"], "ill": list("abab")}
)


def retold(told: Any, kind: type[str]) -> Any:
    if isinstance(told, dict):
        return {kind(key): retold(value, kind) for key, value in told.items()}
    if isinstance(told, list):
        return [retold(value, kind) for value in told]
    return kind(told) if isinstance(told, str) else told


@pytest.mark.parametrize("kind", [Name, np.str_])
def test_a_plan_of_any_texts_is_the_plan_of_plain_ones(kind: type[str], tmp_path: Path) -> None:
    plan = kohort.Plan.from_dict(retold(TOLD, kind))
    assert plan.to_dict() == kohort.Plan.from_dict(TOLD).to_dict()
    kohort.anonymize(PEOPLE, plan).save(tmp_path / "out")
    assert all(verdict.holds is not False for verdict in kohort.verify(tmp_path / "out"))
