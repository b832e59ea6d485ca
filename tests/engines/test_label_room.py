"""The labels of a hierarchy are charged before they are built, by levels and letters, and refused by name."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kohort
from kohort import InputError
from kohort.engines import preparing
from kohort.engines.duckdb import reading
from kohort.hierarchy import build_hierarchy
from kohort.hierarchy.weight import label_bytes
from kohort.table.value_room import PER_BYTE, PER_GENERALIZED

N = 2_000


def _codes(length: int, n: int = N) -> list[str]:
    rng = np.random.default_rng(1)
    return sorted({"".join(map(chr, row)) for row in rng.integers(97, 123, (n, length))})


def _level_file(folder: Path, codes: list[str]) -> str:
    lines = (";".join([code, *(f"{code[: 12 - i // 2]}{i}" for i in range(20)), "*"]) for code in codes)
    (folder / "levels.csv").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return "levels.csv"


@pytest.mark.parametrize("kind", ["mask", "left", "prefix", "intervals", "file"])
def test_labels_take_no_more_than_they_are_charged(tmp_path: Path, kind: str) -> None:
    codes = (
        [str(3 * i) for i in range(N)]
        if kind == "intervals"
        else _codes(60 if kind in {"mask", "left"} else 12)
    )
    spec: dict[str, Any] = {
        "mask": {"kind": "mask"},
        "left": {"kind": "mask", "side": "left"},
        "prefix": {"kind": "prefix", "lengths": list(range(11, 0, -1))},
        "intervals": {"kind": "intervals", "widths": [2**i for i in range(13)], "domain": [0, 2**13]},
        "file": {"kind": "file", "path": _level_file(tmp_path, codes)},
    }[kind]  # fmt: skip
    build_hierarchy("code", spec, codes[:9], [1] * 9, tmp_path)  # what is imported is not counted
    charged = label_bytes("code", spec, codes, tmp_path)
    tracemalloc.start()
    hierarchy = build_hierarchy("code", spec, codes, [1] * len(codes), tmp_path)
    for level in hierarchy.levels:
        assert level.code_of
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    own = len(codes) * PER_GENERALIZED + sum(map(len, codes)) * PER_BYTE
    assert peak <= own + charged
    assert charged <= 2 * peak  # and not much more, which would refuse what fits


@pytest.mark.parametrize(
    "spec",
    [
        {"kind": "suppress"},
        {"kind": "mask", "length": 5},
        {"kind": "prefix", "standard": "us-zip"},
        {"kind": "prefix", "lengths": [3, 1]},
    ],
)
def test_few_levels_cost_nothing_more(spec: dict[str, Any]) -> None:
    assert label_bytes("zip", spec, [f"{i:05}" for i in range(0, 100_000, 7)]) <= 14_286 * 300


def test_a_domain_is_charged_whatever_rows_hold() -> None:
    spec = {"kind": "intervals", "widths": [10], "domain": [0, 999_999]}
    assert label_bytes("pay", spec, ["1", "2"]) >= 500_000_000


def _plan(folder: Path) -> tuple[Path, kohort.Plan]:
    path, codes = folder / "table.parquet", _codes(30)
    pq.write_table(pa.table({"code": codes * 3}), path)
    told = {"role": "quasi", "hierarchy": {"kind": "mask", "length": 30}}
    plan = {
        "columns": {"code": told},
        "require": [{"model": "k-anonymity", "k": 2}],
        "output": {"ledger": ""},
    }
    return path, kohort.Plan.of(plan)


def test_a_plan_whose_labels_do_not_fit_is_refused_before_they_are_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, plan = _plan(tmp_path)
    kohort.anonymize(path, plan, engine="duckdb", memory="600MB").save(tmp_path / "out")
    for module, call in (
        (preparing, lambda: kohort.anonymize(path, plan, engine="duckdb", memory="600MB")),
        (reading, lambda: kohort.verify(tmp_path / "out", original=path, engine="duckdb", memory="600MB")),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(module, "label_bytes", lambda *_: 10**9)
            patched.setattr(module, "quasi_hierarchies", lambda *_: pytest.fail("they were built"))
            with pytest.raises(
                InputError, match=r"'code': .* 1,000 MB.* at least 3\.3GB of memory"
            ) as refused:
                call()
        assert refused.value.code == "engine.out-of-memory"
