"""Distinct values that do not fit in the memory allowed are refused by the column's name, before they are held."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.engines.at_hand import AT_HAND
from tests.engines.conftest import Written, people, plan_of

import kohort
from kohort.engines import engine
from kohort.errors import InputError
from kohort.table.budget import LEAST, PROCESS, ROOM, Budget, with_room
from kohort.table.value_room import PER_BYTE, PER_COUNTED, PER_GENERALIZED, ValueRoom

BOUNDED = [name for name in AT_HAND if engine(name).bounded]
COUNTED = ["age", "zip", "illness"]


def leave_for_values(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    monkeypatch.setattr(Budget, "room", property(lambda _: room))


def refusal_of(look: Callable[[], object]) -> InputError | None:
    try:
        look()
    except InputError as problem:
        return problem
    return None


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("name", BOUNDED)
def test_values_are_refused_exactly_where_they_do_not_fit(
    written: Written, name: str, suffix: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path, plan = written(people(1), suffix), plan_of(output__ledger="")
    kohort.anonymize(path, plan, engine=name).save(tmp_path / "fits")
    looks = {
        "anonymize": lambda: kohort.anonymize(path, plan, engine=name),
        "verify": lambda: kohort.verify(tmp_path / "fits", engine=name),
    }
    found = {}
    for told, look in looks.items():
        for room in range(0, 60_000, 6_000):
            leave_for_values(monkeypatch, room)
            found[told, room] = refusal_of(look)
    assert all(problem is None or problem.wants_room for problem in found.values())
    refused = {
        key: problem for key, problem in found.items() if problem and problem.code == "engine.out-of-memory"
    }
    assert {told for told, _ in refused} == set(looks)
    assert all(problem.fields["column"] in [*COUNTED, "sex"] for problem in refused.values())
    assert all("allow at least" in str(problem) for problem in refused.values())
    for told, room in refused:
        assert {key for key in found if key[0] == told and key[1] <= room} <= set(refused)


@pytest.mark.parametrize("name", BOUNDED)
def test_what_does_not_fit_is_no_verdict_on_a_release(
    written: Written, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path, plan = written(people(2), ".parquet"), plan_of(output__ledger="")
    kohort.anonymize(path, plan, engine=name).save(tmp_path / "out")
    leave_for_values(monkeypatch, 1_000)
    with pytest.raises(InputError, match="distinct values") as refused:
        kohort.verify(tmp_path / "out", engine=name)
    assert refused.value.code == "engine.out-of-memory"


def test_all_columns_share_one_room() -> None:
    room = ValueRoom(10 * PER_GENERALIZED + 10 * PER_COUNTED + 100 * PER_BYTE, {"age"})
    room.hold("age", 5, 50)
    room.hold("age", 10, 50)
    room.hold("age", 3, 3)  # of the release: fewer
    room.hold("illness", 10, 50)
    assert room.left == 0
    with pytest.raises(InputError, match="'illness' has 11 distinct values or more"):
        room.hold("illness", 11, 50)


def test_the_memory_that_is_named_suffices() -> None:
    for room in (10**6, 10**8, 3 * 10**9, 10**12):
        spelled = with_room(room)
        assert Budget.of(spelled).room >= room
        assert float(spelled.removesuffix("GB")) * 1e9 <= PROCESS + room / ROOM + 1e8 + LEAST
