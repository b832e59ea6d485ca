"""Categories that are handed back: their codes follow from the released values alone, in every frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import kohort

KEPT = [("a", "flu"), ("a", "cold"), ("b", "gout"), ("b", "cold"), ("a", "flu")]
LEFT_OUT: dict[str, list[tuple[str, str]]] = {
    "nobody": [],
    "first and last": [("x", "zeta"), ("y", "aaa")],
    "one value": [("z", "gout")],
    "many": [(f"q{i}", f"only {i}") for i in range(9)],
}

Codes = dict[str, int]


def pandas_codes(ordered: bool, values: list[str], q: list[str]) -> Codes:
    kinds = pd.CategoricalDtype(sorted(set(values), reverse=True), ordered=True) if ordered else "category"
    found = _released(pd.DataFrame({"q": q, "ill": pd.Series(values, dtype=kinds)}))["ill"]
    assert isinstance(found.dtype, pd.CategoricalDtype)
    assert set(found.cat.categories) == set(found)
    return dict(zip(found, found.cat.codes.tolist(), strict=True))


def polars_codes(ordered: bool, values: list[str], q: list[str]) -> Codes:
    return _of_series(_released(_polars(ordered, values, q))["ill"])


def lazy_codes(ordered: bool, values: list[str], q: list[str]) -> Codes:
    return _of_series(_released(_polars(ordered, values, q).lazy()).collect()["ill"])


def arrow_codes(ordered: bool, values: list[str], q: list[str]) -> Codes:
    return _of_arrow(_released(_arrow(ordered, values, q)).column("ill").combine_chunks())


def batch_codes(ordered: bool, values: list[str], q: list[str]) -> Codes:
    return _of_arrow(_released(_arrow(ordered, values, q).to_batches()[0]).column("ill"))


def _polars(ordered: bool, values: list[str], q: list[str]) -> pl.DataFrame:
    kind: Any = pl.Enum(sorted(set(values), reverse=True)) if ordered else pl.Categorical
    return pl.DataFrame({"q": q, "ill": pl.Series(values, dtype=kind)})


def _arrow(ordered: bool, values: list[str], q: list[str]) -> pa.Table:
    kinds = sorted(set(values), reverse=True) if ordered else list(dict.fromkeys(values))
    coded = pa.DictionaryArray.from_arrays([kinds.index(value) for value in values], kinds, ordered=ordered)
    return pa.table({"q": q, "ill": coded})


def _of_series(found: pl.Series) -> Codes:
    assert isinstance(found.dtype, pl.Categorical | pl.Enum)
    return dict(zip(found.to_list(), found.to_physical().to_list(), strict=True))


def _of_arrow(found: pa.Array) -> Codes:
    if isinstance(found, pa.ChunkedArray):
        found = found.chunk(0)
    assert set(found.dictionary.to_pylist()) == set(found.to_pylist())
    return dict(zip(found.to_pylist(), found.indices.to_pylist(), strict=True))


def _released(frame: Any) -> Any:
    asked = {
        "columns": {"q": "quasi", "ill": {"role": "sensitive", "allow_unique": True}},
        "require": [{"model": "k-anonymity", "k": 2}],
        "recode": {"algorithm": "outliers", "max_suppression": 9},
        "output": {"ledger": ""},
    }
    return kohort.anonymize(frame, asked).table


FRAMES: dict[str, Callable[[bool, list[str], list[str]], Codes]] = {
    "pandas": pandas_codes,
    "polars": polars_codes,
    "lazy": lazy_codes,
    "pyarrow": arrow_codes,
    "batch": batch_codes,
}


@pytest.mark.parametrize("ordered", [False, True], ids=["unordered", "ordered"])
@pytest.mark.parametrize("frame", FRAMES)
def test_codes_tell_neither_who_was_left_out_nor_how_the_original_began(frame: str, ordered: bool) -> None:
    expected = sorted({ill for _, ill in KEPT}, reverse=ordered)
    for others in LEFT_OUT.values():
        for rows in ([*others, *KEPT], [*KEPT[::-1], *others]):
            found = FRAMES[frame](ordered, [ill for _, ill in rows], [q for q, _ in rows])
            assert found == {value: code for code, value in enumerate(expected)}
