"""What became of people is known by a time beside it."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa
import pytest

from kohort.proposals import follow_up, propose
from kohort.table import Role, Table


@pytest.mark.parametrize("time", ["time.to.cmv", "days_to_cmv", "cmv_time", "dayscmv", "Cmv months"])
def test_a_yes_or_no_with_its_own_time_is_an_outcome(time: str) -> None:
    table = Table.from_arrow(pa.table({"cmv": [0, 1] * 60, time: [i * 7 % 97 for i in range(120)]}))
    found = propose(table)[0]
    assert (found.role, found.decided) == (Role.SENSITIVE, True)


@pytest.mark.parametrize("name", ["sex", "work", "county", "race"])
def test_a_time_makes_no_outcome_of_what_is_known_to_others(name: str) -> None:
    table = Table.from_arrow(
        pa.table({name: [0, 1] * 60, f"time_to_{name}": [i * 7 % 97 for i in range(120)]})
    )
    assert propose(table)[0].role is Role.QUASI


@pytest.mark.parametrize("cells", [["Male", "Female"], ["married", "single"]])
def test_values_count_before_a_time(cells: list[str]) -> None:
    table = Table.from_arrow(pa.table({"cmv": cells * 60, "time_to_cmv": [i * 7 % 97 for i in range(120)]}))
    assert propose(table)[0].role is Role.QUASI


EVENTS = {
    "status": [0, 1] * 60,
    "cens": [1, 1, 0] * 40,
    "death": [1, 0, None] * 40,
    "EVENT": ["yes", "no"] * 60,
}
TIMES = ["time", "TIME1", "days", "futime", "weeks", "time_to_event"]
LONG = [i * 7 % 97 for i in range(120)]


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("time", TIMES)
def test_a_time_beside_what_happened_is_one_of_follow_up(time: str, event: str) -> None:
    found = propose(Table.from_arrow(pa.table({time: LONG, event: EVENTS[event]})))[0]
    assert (found.role, found.decided) == (Role.SENSITIVE, True)
    assert (
        not propose(Table.from_arrow(pa.table({time: LONG, "q7": EVENTS[event]})))[0].decided
        or time == "futime"
    )


@pytest.mark.parametrize("name", ["time_at_address", "days_since_arrival", "years", "time_zone"])
def test_a_time_of_something_else_is_none(name: str) -> None:
    found = propose(Table.from_arrow(pa.table({name: LONG, "status": [0, 1] * 60})))[0]
    assert found.role is not Role.SENSITIVE


def test_times_are_numbers_that_are_neither_negative_nor_years() -> None:
    for cells in ([i - 5 for i in LONG], [1920 + i for i in LONG], [f"{i}h" for i in LONG]):
        found = propose(Table.from_arrow(pa.table({"time": cells, "status": [0, 1] * 60})))[0]
        assert found.role is not Role.SENSITIVE


def test_from_and_to_are_times_where_no_row_ends_before_it_begins() -> None:
    ends = {"start": LONG, "stop": [i + 3 for i in LONG], "event": [0, 1] * 60}
    assert {(p.role, p.decided) for p in propose(Table.from_arrow(pa.table(ends)))} == {
        (Role.SENSITIVE, True)
    }
    ends["start"] = [200, *LONG[1:]]
    assert not propose(Table.from_arrow(pa.table(ends)))[0].decided


@pytest.mark.parametrize("letter", ["C", "d", "E"])
def test_times_and_events_are_known_by_the_letters_of_the_literature(letter: str) -> None:
    found = propose(Table.from_arrow(pa.table({"T": LONG, letter: [0, 1] * 60})))
    assert {(p.role, p.decided) for p in found} == {(Role.SENSITIVE, True)}
    alone = [
        propose(Table.from_arrow(pa.table({name: c})))[0] for name, c in (("T", LONG), (letter, [0, 1] * 60))
    ]
    assert not any(p.decided for p in alone)


def test_what_stands_beside_columns_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = {"_happens": 0, "_is_time": 0}
    for name in looked_at:
        asked = getattr(follow_up, name)

        def counted(what: object, name: str = name, asked: Callable[[object], bool] = asked) -> bool:
            looked_at[name] += 1
            return asked(what)

        monkeypatch.setattr(follow_up, name, counted)
    columns = {f"c{i}": [i % 3, 0, 1] * 10 for i in range(30)} | {"status": [0, 1, 1] * 10}
    propose(Table.from_arrow(pa.table(columns)))
    assert all(0 < times <= len(columns) for times in looked_at.values())
