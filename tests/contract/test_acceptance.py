"""Whether a plan is accepted tells nothing of those left out.

The plan is public. If it is refused unless somebody left out has a certain value, or a code so long, then that there is a
release tells it. So names that do not occur and levels that there are not are accepted, or refused by the plan alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from itertools import combinations, cycle
from typing import Any

import pyarrow as pa
import pytest
from tests.reference.few_steps import FEW_STEPS

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.hierarchy.build import BUILDERS
from kohort.models import MODELS
from kohort.plan import ColumnPlan

Case = tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]  # columns, require, recode

# Options that name values, labels or levels; what each test tries is below.
NAMING = {
    "order",
    "value",
    "values",
    "protected",
    "level",
    "levels",
    "steps",
    "keep",
    "min_level",
    "max_level",
}
# Options that declare what may occur: a value beyond is refused. They come from what a column means, and may name more.
DECLARING = {
    "domain", "length", "standard", "ends", "tree", "path", "bounds", "decimals", "format", "round", "bottom", "top", "unit",
}  # fmt: skip
OTHERS = {
    "absent", "all_minimal", "allow_unique", "alpha", "base", "beta", "breach", "by_count", "c", "char", "children", "cold", "column",
    "columns", "combine", "coolings", "decided", "delimiter", "delta", "descents", "distance", "encoding", "epsilon", "exhaustive", "full", "gain",
    "generalize", "lengths", "separator", "v4", "v6", "group", "guard", "header", "hierarchy", "high", "hot", "identifying", "k", "l", "last_year", "least", "low", "matrix",
    "memory", "missing", "nodes", "nominal", "ordinal", "origin", "other", "p", "padded", "passes", "patience", "polish", "population", "release",
    "reserve", "respect_hierarchy", "risk", "role", "rounds", "sensitive_weights", "side", "split", "suppress", "suppression_cost", "t",
    "target", "threads", "tight", "variant", "weight", "widths",
}  # fmt: skip

K = [{"model": "k-anonymity", "k": 3}]
OPEN = {  # hierarchies over the values that occur, with names that may or may not
    "suppress": {"kind": "suppress"},
    "mask": {"kind": "mask"},
    "mask from the left": {"kind": "mask", "side": "left"},
    "mask by steps": {"kind": "mask", "steps": [1, 4, 6]},
    "mask by steps, some kept": {"kind": "mask", "steps": [1, 4], "keep": 2},
    "mask, many kept": {"kind": "mask", "keep": 6},
    "order": {"kind": "order", "values": ["aaa", "bbb"]},
    "order of others": {"kind": "order", "values": ["aaa", "bbb", "zzz"], "keep": [3, 1]},
    "order by count": {"kind": "order", "values": ["aaa"], "by_count": True, "keep": [5, 1]},
}
LEFT_OUT = ("ccc", "abb", "bab", "cc", "c", "ccccccccc", "7", "-0.0", "2001-02-03", None)
ORDERS = (["aaa", "bbb"], ["bbb", "ccc", "aaa", "abb"], ["aaa", "bab", "bbb", "zzz"], ["zzz"])
CUTTING = [name for name in ALGORITHMS if "order" in {f.name for f in dataclasses.fields(algorithm(name))}]  # type: ignore[arg-type]


def quasi(hierarchy: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"it": {"role": "quasi", "hierarchy": hierarchy, **more}, "ill": "sensitive"}


def outcome(case: Case, left_out: str | None, ill: str) -> str:
    """Return what is seen of a plan from outside: that there is a release, or why there is none."""
    columns, require, recode = case
    its, ills = ["aaa"] * 4 + ["bbb"] * 4 + [left_out], ["xxx", "yyy"] * 4 + [ill]
    told = {"columns": columns, "require": require, "recode": {"max_suppression": 0.2, **recode}}
    try:
        kohort.anonymize(
            pa.table({"it": pa.array(its, pa.string()), "ill": ills}), kohort.Plan.from_dict(told)
        )
    except kohort.KohortError as error:
        return str(error.code)
    return "released"


def names() -> Iterator[Case]:
    """Yield plans whose models name values and labels."""
    known = {"hiv", "xxx"}
    for named in ({"value": "hiv"}, {"values": sorted(known)}, {"values": ["hiv", "none of these"]}):
        yield (
            quasi(OPEN["suppress"]),
            [{"model": "alpha-k", "k": 3, "alpha": 0.6, "column": "ill", **named}],
            {},
        )
    for hierarchy in (OPEN["suppress"], {"kind": "mask"}, {"kind": "order", "values": ["xxx", "hiv"]}):
        columns = quasi(OPEN["suppress"]) | {"ill": {"role": "sensitive", "hierarchy": hierarchy}}
        for protected in (["hiv"], ["xxx", "hi*"], ["none of these"]):
            told = {"model": "extended-p-sensitive", "p": 2, "column": "ill", "protected": protected}
            yield columns, [*K, told], {}


def levels() -> Iterator[Case]:
    """Yield plans that name levels, by themselves and for algorithms that keep them or do not."""
    for hierarchy in OPEN.values():
        for level in (1, 7):
            for name in ("optimal", "k-member", "forest"):
                yield quasi(hierarchy, max_level=level), K, {"algorithm": name}
            yield quasi(hierarchy, min_level=level), K, {"algorithm": "optimal"}
            yield quasi(hierarchy), K, {"algorithm": "mu-argus", "options": {"levels": {"it": level}}}
            bounded = quasi(hierarchy, min_level=8 - level)
            yield bounded, K, {"algorithm": "mu-argus", "options": {"levels": {"it": level}}}
        yield quasi(hierarchy, min_level=5), K, {"algorithm": "mu-argus", "options": {"levels": {"it": 4}}}
    for hierarchy in (OPEN["mask"], {"kind": "mask", "length": 9}):
        columns = quasi(OPEN["suppress"]) | {"ill": {"role": "sensitive", "hierarchy": hierarchy}}
        for level in (1, 3, 8):
            yield (
                columns,
                [*K, {"model": "extended-p-sensitive", "p": 2, "column": "ill", "level": level}],
                {},
            )


def orders(name: str) -> Iterator[Case]:
    for hierarchy in OPEN.values():
        for order in ORDERS:
            options = {"order": {"it": order}} | FEW_STEPS[name]
            yield quasi(hierarchy), K, {"algorithm": name, "objective": "discernibility", "options": options}


def fields(registry: Iterable[Any]) -> set[str]:
    told = {field.name for kind in registry for field in dataclasses.fields(kind)}
    return {name for name in told if not name.startswith("_")}


def test_every_option_is_known_to_name_values_or_not() -> None:
    """Whoever adds an option says here what it names, and the tests below try it."""
    algorithms = [algorithm(name) for name in ALGORITHMS]
    told = fields([*MODELS.values(), *algorithms, *BUILDERS.values()])
    assert told | set(ColumnPlan.__struct_fields__) == NAMING | DECLARING | OTHERS


@pytest.mark.parametrize("name", CUTTING)
def test_an_order_need_not_name_what_only_those_left_out_have(name: str) -> None:
    for case, left_out in zip(orders(name), cycle(combinations(LEFT_OUT, 2)), strict=False):
        assert {outcome(case, it, "xxx") for it in left_out} == {"released"}, (case, left_out)


def test_no_model_must_name_what_only_those_left_out_have() -> None:
    for case in names():
        seen = {outcome(case, "ccc", ill) for ill in ("hiv", "xxx", "a code much longer")}
        assert seen == {"released"}, case


def test_levels_are_not_accepted_for_the_sake_of_somebody_left_out() -> None:
    for case in levels():
        its = {outcome(case, left_out, "xxx") for left_out in ("ccc", "ccccccccc", None)}
        ills = {outcome(case, "ccc", ill) for ill in ("x", "xxxxxx") if isinstance(case[0]["ill"], dict)}
        assert len(its | ills) == 1, (case, its, ills)


@pytest.mark.parametrize(
    "name", [name for name in ALGORITHMS if name not in ("dp-mdav", "anatomy", "factor-3")]
)
def test_whether_somebody_left_out_has_two_rows_shows_in_no_refusal(name: str) -> None:
    """Eight people of two classes, and two rows of another town: of two people, or of one twice."""
    ended = []
    for second in ("x2", "x1"):
        rows = [(f"p{i}", "fm"[i // 4], ("flu", "hiv")[i % 2]) for i in range(8)]
        rows += [("x1", "z", "flu"), (second, "z", "hiv")]
        table = pa.table({column: [row[j] for row in rows] for j, column in enumerate(("id", "q", "ill"))})
        plan = {
            "input": {"respondent": "id"},
            "columns": {"q": {"role": "quasi", "max_level": 0}, "ill": "sensitive"},
            "require": [*K, {"model": "l-diversity", "column": "ill", "l": 2}],
            "recode": {"algorithm": name, "max_suppression": 2, **FEW_STEPS.get(name, {})},
            "output": {"ledger": ""},
        }
        try:
            ended.append(sorted(map(tuple, kohort.anonymize(table, plan).table.to_pandas().values.tolist())))
        except kohort.KohortError as refused:
            ended.append(refused.code)
    assert ended[0] == ended[1]
