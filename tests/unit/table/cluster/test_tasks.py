"""What each task reads of the row groups of files."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis.strategies import dictionaries, integers, lists

from kohort.table.cluster.opening import ROWS_OF_A_TASK, tasks_of

FILES = dictionaries(
    integers(0, 99).map(lambda i: Path(f"part-{i}")), lists(integers(0, ROWS_OF_A_TASK * 2), max_size=5)
)


@given(FILES)
def test_every_row_group_is_read_by_one_task_in_order(groups: dict[Path, list[int]]) -> None:
    read = [(path, i) for task in tasks_of(groups) for path, first, last in task for i in range(first, last)]
    assert read == [(path, i) for path, sizes in groups.items() for i in range(len(sizes))]


@given(FILES)
def test_tasks_are_as_few_as_rows_ask_for(groups: dict[Path, list[int]]) -> None:
    """However many files there are, all tasks but the last have rows enough."""
    tasks = tasks_of(groups)
    rows = [sum(sum(groups[path][first:last]) for path, first, last in task) for task in tasks]
    assert all(number >= ROWS_OF_A_TASK for number in rows[:-1])
