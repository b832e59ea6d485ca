"""What holds for the hierarchy of every builder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.errors import InputError
from kohort.hierarchy import BUILDERS, Hierarchy, build_hierarchy
from kohort.table.blanks import is_blank

TEXTS = ["19840517", "19840519", "20030101", None, "20031231"]
COUNTS = [4, 1, 1, 7, 2]
SPECS = [
    {"kind": "intervals", "widths": [5, 10]},
    {"kind": "mask"},
    {"kind": "mask", "side": "left", "char": "x", "steps": [2]},
    {
        "kind": "tree",
        "tree": {"low": {"teens": [19840517, 19840519], "older": 20030101}, "high": ["20031231", "20040101"]},
    },
    {"kind": "file", "path": "levels.csv"},
    {"kind": "suppress"},
    {"kind": "order", "values": ["20030101", "19840517"], "keep": [2, 1]},
    {"kind": "dates", "format": "%Y%m%d"},
    {"kind": "bands", "ends": [[19000000, 19840518, 20031230, 20990000], [19000000, 20031230]]},
    {"kind": "prefix", "lengths": [6, 4]},
    {"kind": "icd10", "other": "none"},
    {"kind": "ip", "other": "none"},
]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "levels.csv").write_text(
        "19840517;low;*\n19840519;low;*\n20030101;low;*\n20031231;high;*\n20040101;high;*\n"
    )
    return tmp_path


def test_every_builder_is_among_the_specs() -> None:
    assert {spec["kind"] for spec in SPECS} == set(BUILDERS)
    assert all(builder.card.name == name and builder.card.summary for name, builder in BUILDERS.items())


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec["kind"])
def test_a_hierarchy_is_a_chain_of_nested_domains_under_one_root(spec: dict[str, object], base: Path) -> None:
    assert_sound(build_hierarchy("code", spec, TEXTS, COUNTS, base), TEXTS)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec["kind"])
def test_the_order_of_the_texts_does_not_matter(spec: dict[str, object], base: Path) -> None:
    forth = build_hierarchy("code", spec, TEXTS, COUNTS, base)
    back = build_hierarchy("code", spec, TEXTS[::-1], COUNTS[::-1], base)
    if forth.numbers is not None:
        assert forth.ground == back.ground
    assert paths(forth) == paths(back)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec["kind"])
def test_a_missing_value_has_its_own_path_to_the_root(spec: dict[str, object], base: Path) -> None:
    hierarchy = build_hierarchy("code", spec, TEXTS, COUNTS, base)
    assert hierarchy.ground[-1] is None
    assert all(level.labels[level.of_ground[-1]] is None for level in hierarchy.levels[:-1])
    assert hierarchy.levels[-1].labels == ("*",)
    told = build_hierarchy("code", spec, ["19840517", "20030101"], [1, 1], base)
    assert None not in told.ground


@pytest.mark.parametrize("spec", [s for s in SPECS if "steps" not in s], ids=lambda spec: spec["kind"])
def test_a_column_with_nothing_but_missing_values_has_a_hierarchy(
    spec: dict[str, object], base: Path
) -> None:
    assert_sound(build_hierarchy("code", spec, [None], [3], base), [None])


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec["kind"])
def test_a_wrong_option_names_column_and_allowed(spec: dict[str, object], base: Path) -> None:
    with pytest.raises(InputError, match=r"column 'code'.*no option 'colour'; its options are"):
        build_hierarchy("code", {**spec, "colour": 1}, TEXTS, COUNTS, base)


@pytest.mark.parametrize("spec", [{}, {"kind": "interval"}, {"kind": ["mask"]}])
def test_an_unknown_kind_lists_the_kinds(spec: dict[str, object]) -> None:
    with pytest.raises(
        InputError, match=r"column 'code'.*there is no kind.*file, icd10, intervals, ip, mask"
    ):
        build_hierarchy("code", spec, TEXTS, COUNTS)


@given(
    st.lists(st.one_of(st.text(max_size=5), st.none()), min_size=1, max_size=12, unique=True),
    st.sampled_from([
        {"kind": "mask"},
        {"kind": "mask", "side": "left", "keep": 2},
        {"kind": "suppress"},
        {"kind": "prefix", "lengths": [3, 2], "separator": "."},
        {"kind": "prefix", "standard": "isco", "other": "none"},
        {"kind": "icd10", "other": "none"},
        {"kind": "ip", "other": "none"},
        {"kind": "order", "by_count": True, "keep": [4, 2, 1]},
        {"kind": "order", "values": ["a", "é", "日"], "keep": [3, 1]},
    ]),
)  # fmt: skip
def test_any_texts_get_a_sound_hierarchy(texts: list[str | None], spec: dict[str, object]) -> None:
    texts = [text for text in texts if text is None or not is_blank(text)] or ["a"]
    assert_sound(build_hierarchy("text", spec, texts, [1 + i % 3 for i in range(len(texts))]), texts)


def paths(hierarchy: Hierarchy) -> dict[str | None, tuple[str | None, ...]]:
    columns = [[level.labels[code] for code in level.of_ground] for level in hierarchy.levels]
    return {path[0]: path[1:] for path in zip(*columns, strict=True)}


def assert_sound(hierarchy: Hierarchy, texts: list[str | None]) -> None:
    n = hierarchy.size
    for low, high in zip(hierarchy.levels, hierarchy.levels[1:], strict=False):
        assert len({*zip(low.of_ground.tolist(), high.of_ground.tolist(), strict=True)}) == len(low.labels)
    for level in hierarchy.levels:
        assert len(set(level.labels)) == len(level.labels)
        assert level.of_ground.dtype == np.int32
        assert np.bincount(level.of_ground).tolist() == level.leaves.tolist()
        assert level.leaves.sum() == n
        # the values under a label stand side by side
        assert 1 + np.count_nonzero(np.diff(level.of_ground)) == len(level.labels)
    assert len(hierarchy.levels[-1].labels) == 1
    assert hierarchy.ground == tuple(hierarchy.ground[code] for code in hierarchy.levels[0].of_ground)
    assert [hierarchy.ground[code] for code in hierarchy.encode(texts)] == texts
