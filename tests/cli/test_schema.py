"""`kohort schema`."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from tests.cli.conftest import Result

Run = Callable[..., Result]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("name", ["manifest", "audit", "plan"])
def test_schemas_are_printed_as_json(name: str, kohort: Run) -> None:
    told = json.loads(kohort("schema", name).out)
    assert (told["title"], told["$schema"]) == (name, DIALECT)


def test_an_unknown_schema_is_answered_with_those_there_are(kohort: Run) -> None:
    answer = kohort("schema", "report")
    assert answer.code == 2
    assert "manifest, audit, plan" in " ".join(answer.err.split())
