"""What a notebook meets: names that complete, a release that shows itself without its private side."""

from __future__ import annotations

import pyarrow as pa
import pytest

import kohort

PEOPLE = pa.table({"zip": ["94138", "94139", "94141", "94142"], "who": ["a1", "b2", "c3", "d4"]})
PLAN = kohort.Plan(
    columns={"zip": {"role": "quasi", "hierarchy": {"kind": "mask"}}},
    require=[kohort.KAnonymity(2)],
    input={"respondent": "who"},  # type: ignore[arg-type]
)


def test_every_public_name_stays_what_it_is_when_asked_for_again() -> None:
    for name in kohort.__all__:
        assert getattr(kohort, name) is getattr(kohort, name)
        assert callable(getattr(kohort, name)), name


def test_the_frontier_can_be_asked_for_twice() -> None:
    first = kohort.frontier(PEOPLE, PLAN, "require.0.k", [2, 4])
    again = kohort.frontier(PEOPLE, PLAN, "require.0.k", [2, 4])
    assert [point["score"] for point in first] == [point["score"] for point in again]


def test_public_names_and_models_complete() -> None:
    assert {"anonymize", "Plan", "KAnonymity", "LDiversity"} <= set(dir(kohort))


def test_a_release_shows_what_came_out_and_nothing_private() -> None:
    release = kohort.anonymize(PEOPLE, PLAN)
    assert repr(release).startswith("Release(4 rows in 2 classes; 2-anonymity ✓, ")
    assert "respondent" not in repr(release)
    assert len(repr(release)) < 300


def test_a_format_that_nobody_writes_is_refused(tmp_path: object) -> None:
    with pytest.raises(kohort.InputError, match="'docx' is unknown; it must be one of: csv"):
        kohort.anonymize(PEOPLE, PLAN).save(f"{tmp_path}/out", format="docx")
