"""TOML is read within bounds: whatever nests, and whatever a key is made of, is answered, by little memory."""

from __future__ import annotations

import tomllib
import tracemalloc
from pathlib import Path

import pytest

from kohort.errors import InputError
from kohort.plan import Plan
from kohort.plan.settings import apply_setting
from kohort.toml import DEEPEST, read_toml

N = 20_000
PARTS = {
    "bare": "a",
    "basic": '"a.b"',
    "escaped": r'"\""',
    "literal": "'a=['",
    "empty": '""',
}
HOLDERS = {
    "key": "{} = 1",
    "indented": "k = 5\n \t{} = 1",
    "header": "[{}]",
    "blanks": "[ {} ]",
    "entry": "[[{}]]",
    "inline": "x = {{ {} = 1 }}",
    "second": "x = {{ a = 1, {} = 1 }}",
    "listed": "x = [{{ {} = 1 }}]",
}
NESTED = {
    "open lists": "x = " + "[" * N,
    "lists": "x = " + "[" * N + "]" * N,
    "tables": "x = " + "{a=" * N + "1" + "}" * N,
    "both": "x = " + "[{a=" * N + "1" + "}]" * N,
}


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("dot", [".", " . ", "\t.\t"])
def test_keys_of_very_many_parts_are_refused_by_little_memory(part: str, holder: str, dot: str) -> None:
    text = HOLDERS[holder].format(dot.join([PARTS[part]] * N))
    tracemalloc.start()
    with pytest.raises(tomllib.TOMLDecodeError):
        read_toml(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50 * len(text) + 1_000_000


@pytest.mark.parametrize("text", NESTED.values(), ids=list(NESTED))
def test_what_nests_without_end_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        read_toml(text)
    plan = tmp_path / "plan.toml"
    plan.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="not a valid plan"):
        Plan.load(plan)
    told: dict[str, object] = {}
    apply_setting(told, text.replace(" ", ""))  # no TOML: text
    assert isinstance(told["x"], str)


@pytest.mark.parametrize(
    "text",
    [
        "a." * (DEEPEST - 1) + "b = 1",
        "x = [" + ", ".join(["1.5"] * 500) + "]",
        'x = "' + "Somebody lives there. " * 100 + '"',
        "x = [\n" + "\n".join(["1.5,"] * 500) + "\n]",
        "x = " + "[" * DEEPEST + "]" * DEEPEST,
        "# " + "a." * 500,
    ],
)
def test_what_is_no_such_key_is_read(text: str) -> None:
    assert read_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "unit",
    ["a", "a.", '"', "'", '\\"', ',"', ",'", "{", ",", "[a.", '{"\\', "a.\n", " ", " .", "\t\n", '"a".'[:-2]],
)
def test_what_looks_like_the_beginning_of_keys_is_answered(unit: str) -> None:
    """By a search of quadratic time this would take hours."""
    with pytest.raises(tomllib.TOMLDecodeError):
        read_toml("\0" + unit * 1_000_000)
