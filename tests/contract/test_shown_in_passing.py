"""What Python shows of an object in passing (a cell's last line, a log, a traceback with its locals) quotes no cell of the original.

A release keeps what it was made from, so that it can be judged again; whoever looks at one of its parts sees no person.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
import pyarrow as pa
import pytest

import kohort
from kohort.plan.rules import SHAPES

CANARY = "Canary"
DEPTH = 12


def of_a_table() -> kohort.Release:
    """Twelve people and one more, who is left out, with a canary in every column."""
    rows = range(12)
    people = pa.table(
        {
            "name": [f"n{i}" for i in rows] + [f"{CANARY} 1"],
            "sex": ["f", "m"] * 6 + [f"{CANARY} 2"],
            "city": ["Bonn"] * 12 + [f"{CANARY} 3"],
            "ill": ["flu", "cold", "gout"] * 4 + [f"{CANARY} 4"],
        }
    )
    columns = {
        "name": "identifier",
        "sex": {"role": "quasi", "max_level": 0},
        "city": "insensitive",
        "ill": "sensitive",
    }
    asked = {
        "columns": columns,
        "require": [{"model": "k-anonymity", "k": 3}, {"model": "l-diversity", "column": "ill", "l": 2}],
        "recode": {"max_suppression": 0.5},
    }
    return kohort.anonymize(people, asked)


def of_sets() -> kohort.Release:
    """Nine people whose names are canaries; what they hold stands in the plan's tree and may be shown."""
    held = ["wine;beer", "beer", "wine", "beer;wine"] * 2 + ["milk;wine"]
    column = {
        "role": "set",
        "separator": ";",
        "hierarchy": {"kind": "tree", "tree": {"drinks": ["wine", "beer", "milk"]}},
    }
    asked = {
        "input": {"shape": "sets"},
        "columns": {"held": column, "name": "identifier"},
        "require": [{"model": "k-m", "k": 2, "m": 1}],
    }
    return kohort.anonymize(pa.table({"name": [f"{CANARY} {i}" for i in range(9)], "held": held}), asked)


RELEASES: dict[str, Callable[[], kohort.Release]] = {"table": of_a_table, "sets": of_sets}


def parts_of(thing: Any, where: str, seen: dict[int, Any], depth: int = DEPTH) -> Iterator[tuple[str, Any]]:
    """Yield everything of Kohort's that is reached from a thing by fields, with the way to it; frames are the caller's own."""
    if id(thing) in seen or depth == 0 or isinstance(thing, str | int | float | type):
        return
    seen[id(thing)] = thing
    if isinstance(thing, Mapping):
        held = {f"[{key!r}]": value for key, value in thing.items()}
    elif isinstance(thing, list | tuple):
        held = {f"[{i}]": value for i, value in enumerate(thing)}
    elif type(thing).__module__.startswith("kohort."):
        yield where, thing
        held = {f".{name}": getattr(thing, name) for name in _fields(thing)}
    else:
        return
    for name, value in held.items():
        yield from parts_of(value, where + name, seen, depth - 1)


def _fields(thing: Any) -> list[str]:
    if dataclasses.is_dataclass(thing):
        return [field.name for field in dataclasses.fields(thing)]
    if isinstance(thing, msgspec.Struct):
        return list(thing.__struct_fields__)
    return list(getattr(thing, "__dict__", {}))


@pytest.mark.parametrize("shape", SHAPES)
def test_no_part_of_a_release_shows_a_cell_of_the_original(shape: str) -> None:
    release = RELEASES[shape]()
    parts = dict(parts_of(release, "release", {}))
    assert {"release", "release.draft", "release.draft.published"} <= set(parts)
    assert len(parts) > 20
    assert [where for where, part in parts.items() if CANARY in repr(part)] == []


@pytest.mark.parametrize("shape", SHAPES)
def test_what_a_release_shows_of_itself_does_not_turn_on_private_cautions(shape: str) -> None:
    release = RELEASES[shape]()
    before, told = repr(release), len(release.cautions)
    release.facts = msgspec.structs.replace(release.facts, warnings=("odd", "odder"))
    assert len(release.cautions) > told
    assert repr(release) == before


def test_two_originals_with_one_release_show_the_same_of_it() -> None:
    """They differ in how the id of somebody who was left out is written, of which the holder is told."""
    shown = set()
    for spelling in ("n1", " N1", "N1 "):
        people = pa.table(
            {
                "who": ["n1", "n2", "n3", "n4", spelling],
                "sex": ["f", "f", "m", "m", "x"],
                "ill": list("ababc"),
            }
        )
        asked = {
            "input": {"respondent": "who"},
            "columns": {"who": "identifier", "sex": {"role": "quasi", "max_level": 0}, "ill": "sensitive"},
            "require": [{"model": "k-anonymity", "k": 2}],
            "recode": {"max_suppression": 1},
            "output": {"ledger": ""},
        }
        release = kohort.anonymize(people, asked)
        assert release.table.num_rows == 4
        shown.add(repr(release))
    assert len(shown) == 1
