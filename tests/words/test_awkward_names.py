"""What messages spell as TOML, or inside `--set`, is taken as it stands, whatever columns are called."""

from __future__ import annotations

import re
import shlex
import tomllib
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest

import kohort
from kohort.attacks.advice import section_key
from kohort.cli.flags import with_flags
from kohort.errors import InputError
from kohort.facts.promises import Advice, AttackFacts
from kohort.plan.decided import demand_decided
from kohort.report.attacks import remedy

NAMES = ("Primary ICD10", "a.b", 'the "q"', "Größe", "x=y", "it's", "back\\slash", "#1", "[a]", "plain")
KEY = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*")"""
K = {"model": "k-anonymity", "k": 2}
names = pytest.mark.parametrize("name", NAMES)


def waiting(name: str) -> InputError:
    plan = kohort.Plan(columns={name: {"role": "quasi", "decided": False}, "z": "quasi"}, require=[K])
    with pytest.raises(InputError) as problem:
        demand_decided(plan)
    return problem.value


@names
def test_the_example_of_what_waits_is_toml(name: str) -> None:
    found = re.search(rf"as in ({KEY} = \"identifier\")", str(waiting(name)))
    assert found is not None
    assert tomllib.loads(found[1]) == {name: "identifier"}


@names
def test_the_flags_of_what_waits_can_be_run(name: str, tmp_path: Path) -> None:
    plan = kohort.Plan(columns={name: {"role": "quasi", "decided": False}, "z": "quasi"}, require=[K])
    path = tmp_path / "plan.toml"
    path.write_text(plan.to_toml(), encoding="utf-8")
    told = with_flags(waiting(name)).partition("on the command line: ")[2]
    words = shlex.split(told.rstrip(")").replace(",", " ").replace(";", " "))
    settings = [after for flag, after in pairwise(words) if flag == "--set"]
    kept, other = (kohort.Plan.load(path, [setting]).columns[name] for setting in settings)
    assert (kept.decided, str(kept.role), str(other.role)) == (True, "quasi", "identifier")


@names
@pytest.mark.parametrize("told", [{}, {"bounds": {"NAME": [0, 9]}}])
def test_what_noise_needs_is_declared_as_toml(name: str, told: dict[str, object]) -> None:
    bounds = told.get("bounds")
    options = told | ({"bounds": {name: [0, 9]}} if isinstance(bounds, dict) else {})
    plan = {
        "columns": {name: "quasi"},
        "require": [K],
        "recode": {"algorithm": "dp-mdav", "options": {"epsilon": 1, **options}},
    }
    with pytest.raises(InputError) as problem:
        kohort.anonymize(pa.table({name: [1, 2, 3, 4]}), plan)
    found = re.search(rf"\[(recode\.options\.\w+)\] ({KEY}) = (\[least, greatest\]|0|…)", str(problem.value))
    assert found is not None, problem.value
    example = tomllib.loads(f"[{found[1]}]\n{found[2]} = 0")
    assert next(iter(example["recode"]["options"].values())) == {name: 0}


@names
def test_a_hierarchy_that_noise_does_not_take_is_answered_with_toml(name: str) -> None:
    column = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5]}}
    options = {"epsilon": 1, "bounds": {name: [0, 9]}, "decimals": 0}
    plan = {"columns": {name: column}, "require": [K], "recode": {"algorithm": "dp-mdav", "options": options}}
    with pytest.raises(InputError) as problem:
        kohort.anonymize(pa.table({name: [1, 2, 3, 4]}), plan)
    found = re.search(rf"\[recode\.options\.bounds\] ({KEY}) = \[least", str(problem.value))
    assert found is not None, problem.value
    assert tomllib.loads(f"{found[1]} = 0") == {name: 0}


@names
def test_advice_is_toml_and_a_setting(name: str, tmp_path: Path) -> None:
    promise = {"model": "l-diversity", "column": name, "l": 2}
    advice = Advice("watch it", promise, {f"{section_key(name)}.role": "sensitive"})
    said = remedy(AttackFacts("homogeneity", 0.5, 0.0, advice=advice))
    required, _, setting = said.partition("[[require]] ")[2].partition("; set ")
    assert tomllib.loads(f"value = {{ {required} }}")["value"] == promise
    assert tomllib.loads(setting) == {"columns": {name: {"role": "sensitive"}}}
    path = tmp_path / "plan.toml"
    path.write_text(
        kohort.Plan(columns={name: "insensitive", "z": "quasi"}, require=[K]).to_toml(), encoding="utf-8"
    )
    assert kohort.Plan.load(path, [setting]).columns[name].role == "sensitive"


def test_no_message_puts_a_name_as_it_is_before_an_equals_sign() -> None:
    """Names reach TOML by `toml_key`: whatever else stands before ` = ` in a message is looked at here."""
    source = Path(kohort.__file__).parent
    spelled = re.compile(r"\] \{(name|column|names\[0\]|columns\[0\])\} = ")
    assert [
        str(path) for path in source.rglob("*.py") if spelled.search(path.read_text(encoding="utf-8"))
    ] == []
