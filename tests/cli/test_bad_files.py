"""Files that no honest program would write: each is answered with exit code 2, in words, without a cell of it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Result
from tests.trust.bad_files import FILES


@pytest.mark.parametrize("case", FILES)
def test_a_bad_file_is_answered(case: str, kohort: Callable[..., Result], tmp_path: Path) -> None:
    suffix, write, said = FILES[case]
    path = tmp_path / f"people{suffix}"
    write(path)
    answer = kohort("init", path, "-o", tmp_path / "plan.toml", "--json")
    assert answer.code == 2, answer.err
    assert said in " ".join(answer.err.split())
    assert json.loads(answer.out)["error"]["code"].startswith("table.")
    assert "bug of Kohort" not in answer.err
    assert "94138" not in answer.err + answer.out
    assert not (tmp_path / "plan.toml").exists()


def test_a_view_is_not_run_even_where_it_is_named(kohort: Callable[..., Result], tmp_path: Path) -> None:
    suffix, write, _ = FILES["a DuckDB database of views"]
    write(tmp_path / f"people{suffix}")
    answer = kohort("init", tmp_path / f"people{suffix}", "--table", "people", "-o", tmp_path / "plan.toml")
    assert answer.code == 2
    assert "is a view" in answer.err
