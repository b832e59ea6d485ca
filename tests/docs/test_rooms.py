"""CONTRIBUTING's map of the rooms is the house: nothing is missing, and nothing stands there that is gone."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/kohort"
INSIDE = {"verification/judges/", "sets/judges/"}  # rooms within rooms that a rule of the layers names


def told() -> list[str]:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## Where things are")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def standing() -> set[str]:
    rooms = {f"{place.parent.name}/" for place in SOURCE.glob("*/__init__.py")}
    modules = {place.name for place in SOURCE.glob("*.py") if not place.name.startswith("__")}
    return rooms | modules


def test_every_room_and_module_is_on_the_map() -> None:
    assert sorted(told()) == sorted(standing() | INSIDE)


def test_rooms_within_rooms_that_are_on_the_map_exist() -> None:
    assert all((SOURCE / room / "__init__.py").is_file() for room in INSIDE)


def test_no_source_folder_is_left_without_a_room() -> None:
    folders = {path.parent for path in SOURCE.rglob("*.py")}
    assert all((folder / "__init__.py").is_file() for folder in folders)


def test_every_room_and_module_has_its_layer() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = told["contracts"][0]["layers"]
    named = {name.split(".")[1] for layer in layers for name in re.split(r" [|:] ", layer)}
    assert {name.strip("/").removesuffix(".py") for name in standing()} == named
