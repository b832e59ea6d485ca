"""Every error has a code of the registry and fields that are known."""

from __future__ import annotations

import ast
import importlib.util
import json
import pickle
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from kohort.cli.flags import FLAGS, with_flags
from kohort.engines.registry import bounded_engine
from kohort.error_codes import CODES, FIELDS
from kohort.errors import InfeasibleError, InputError, KohortError, UnfinishedError, VerificationError

ROOT = Path(__file__).parents[2]
FLAG = re.compile(r"""--[a-z]|(?<=[\s(`'"])-[a-z]\b""")  # --plan, -o
RETOLD = "table/formats/apart.py"  # hands over what a reader in another process said
KINDS = (InputError, InfeasibleError, VerificationError, UnfinishedError)


def page() -> ModuleType:
    """Return the script that walks the source and writes the page."""
    spec = importlib.util.spec_from_file_location("errors_page", ROOT / "docs" / "errors.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where its dataclass looks for its types
    spec.loader.exec_module(module)
    return module


PAGE = page()
RAISED = PAGE.raised()
CODED = [one for one in RAISED if not one.retold]


def test_every_error_is_made_with_a_code_that_is_written_there() -> None:
    assert len(CODED) > 400
    assert [one.place for one in CODED if one.code is None] == []
    assert {one.place.rsplit(":")[0] for one in RAISED if one.retold} == {RETOLD}


def test_the_registry_holds_the_codes_that_are_raised_and_no_others() -> None:
    assert {one.code for one in CODED} == set(CODES)


def test_codes_are_few_and_spelled_alike() -> None:
    assert 60 <= len(CODES) <= 160
    assert [code for code in CODES if not re.fullmatch(r"[a-z]+\.[a-z]+(-[a-z]+)*", code)] == []


def test_fields_are_those_of_the_registry_and_no_others() -> None:
    assert {name for one in CODED for name in one.fields} | {"plan"} == set(FIELDS)


def test_an_exit_code_follows_from_the_code() -> None:
    exits: dict[str, set[int]] = {}
    for one in CODED:
        exits.setdefault(one.code, set()).add(PAGE.EXITS[one.kind])
    assert {code for code, several in exits.items() if len(several) > 1} == set()


def test_libraries_speak_of_keys_and_arguments_and_the_command_line_of_flags() -> None:
    assert [
        one.place for one in CODED if not one.place.startswith("cli/") and any(map(FLAG.search, one.texts))
    ] == []
    assert any(FLAG.search(text) for one in CODED if one.place.startswith("cli/") for text in one.texts)


def test_nothing_else_that_libraries_say_names_a_flag() -> None:
    """Verdicts, what attacks lack, proposals; a report is read by whoever uses the command line, and may name commands."""
    found = []
    for path in PAGE.SOURCE.rglob("*.py"):
        place = path.relative_to(PAGE.SOURCE).as_posix()
        if not place.startswith(("cli/", "report/", "demo/")):
            found += [f"{place}: {text}" for text in spoken(path) if re.search(r"--[a-z]", text)]
    assert found == []


def spoken(path: Path) -> list[str]:
    """Return the texts in a module that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in prose)
    return [node.value for node in constants if isinstance(node.value, str)]


def test_flags_are_added_to_errors_of_libraries() -> None:
    library = {one.code for one in CODED if not one.place.startswith("cli/")}
    assert set(FLAGS) <= library
    for code, flag in FLAGS.items():
        assert with_flags(InputError("say it", code=code)) == f"say it (on the command line: {flag})"
    assert with_flags(InputError("say it", code="table.empty")) == "say it"


def test_memory_is_suggested_with_an_engine_that_takes_it() -> None:
    for code, flag in FLAGS.items():
        if "--memory" in flag:
            named = re.search(r"--memory (\w+) with --engine (\w+)", flag)
            assert named is not None, code
            bounded_engine(named[2], named[1])


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_keeps_code_and_fields_wherever_it_goes(kind: type[KohortError]) -> None:
    error = kind("there is no x", code="plan.unknown-column", column="x", allowed=["y"])
    for other in (pickle.loads(pickle.dumps(error)), kind(**json.loads(json.dumps(error.told())))):
        assert (str(other), other.code, other.fields) == (str(error), error.code, error.fields)
    told = error.reworded(f"plan.toml: {error}", plan="plan.toml")
    assert type(told) is kind
    assert (str(told), told.code) == ("plan.toml: there is no x", error.code)
    assert told.fields == error.fields | {"plan": "plan.toml"}


def test_how_near_a_recoding_came_is_a_field() -> None:
    error = InfeasibleError("none", {"suppressed": 3}, code="infeasible.no-recoding")
    assert error.fields["nearest"] == error.nearest == {"suppressed": 3}
    assert error.reworded("nothing").nearest == {"suppressed": 3}
    assert "nearest" not in InfeasibleError("none").fields


def test_fields_are_told_as_json_has_them() -> None:
    fields = {
        "path": Path("a/b"),
        "value": [float("nan"), 1.5],
        "allowed": ("x", None, True),
        "nearest": {2: Path("c"), "rows": np.int64(3)},
    }
    told = InputError("no", code="table.empty", **fields).told()
    assert json.loads(json.dumps(told, allow_nan=False)) == {
        "code": "table.empty",
        "message": "no",
        "path": str(Path("a/b")),
        "value": ["nan", 1.5],
        "allowed": ["x", None, True],
        "nearest": {"2": "c", "rows": 3},
    }


def test_an_extension_need_not_know_codes() -> None:
    assert (InputError("no").code, InputError("no").fields) == ("unnamed", {})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "odd", [len, object(), {"a set"}, np.zeros(2), [print], {"nearest": [len]}], ids=type
)
def test_a_field_that_json_has_not_is_refused_where_it_is_made(kind: type[KohortError], odd: object) -> None:
    """So no script reads the name of a function; mypy sees to the same before anything runs."""
    with pytest.raises(TypeError, match="the field allowed holds what JSON has not"):
        kind("no", code="table.empty", allowed=odd)  # type: ignore[arg-type]
    assert isinstance(kind("no", code="table.empty", value=odd).told()["value"], str | list | dict)  # type: ignore[arg-type]
