"""Texts in which nothing is seen are missing: in every format, frame and engine, for every promise, and for the verifier."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.contract.test_capabilities import PARAMETERS
from tests.contract.test_formats import FRAMES

import kohort
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy import build_hierarchy
from kohort.models import MODELS
from kohort.preparation.sources import read_source
from kohort.table import Table
from kohort.table.alike import plain_form
from kohort.table.blanks import blank, is_blank
from kohort.table.formats import WRITERS
from kohort.table.reading import read_table
from kohort.table.streaming import STREAMS, open_stream
from kohort.table.writing import write_table

BLANKS = ["", " ", "\t", "\u00a0", "\u200b", "\u2028", "\ufeff"]
OF_VALUES = [name for name, kind in MODELS.items() if kind.card.counts == "values" and name != "personalized"]
TREE = {"kind": "tree", "tree": {"lung": ["flu", "cold"], "joints": ["gout"]}}


def test_blank_is_what_a_plain_form_is_nothing_of() -> None:
    signs = [chr(sign) for sign in range(0x3100) if not 0xD800 <= sign < 0xE000]
    signs += [
        chr(sign) for sign in (0x3164, 0xFE00, 0xFEFF, 0xFFA0, 0xE0100, 0xE01EF, 0x1D173, 0x4E2D, 0x1F600)
    ]
    known = [sign for sign in signs if unicodedata.category(sign) != "Cn"]
    assert blank(pa.array(known)).to_pylist() == [not plain_form(sign) for sign in known]
    assert all(is_blank(text) and is_blank(text + " ") and not is_blank(text + "-") for text in BLANKS)


def cells(table: Table, name: str) -> list[str | None]:
    return [table[name].texts[code] for code in table[name].codes]


@pytest.mark.parametrize("kind", FRAMES)
def test_in_every_frame(kind: str) -> None:
    frame = FRAMES[kind](pa.table({"ill": ["flu", " ", "", None], "n": [1, 2, -99, 4]}))
    plan = kohort.Plan(
        input={"missing": ["flu", "-99"]}, columns={"n": "quasi"}, require=[kohort.KAnonymity(2)]
    )  # type: ignore[arg-type]
    assert cells(read_source(frame)[0], "ill") == ["flu", None, None, None]
    marked = read_source(frame, plan)[0]
    assert (cells(marked, "ill"), cells(marked, "n")) == ([None] * 4, ["1", "2", None, "4"])


@pytest.mark.parametrize("suffix", WRITERS)
def test_in_every_format_whole_and_piece_by_piece(suffix: str, tmp_path: Path) -> None:
    path, n = tmp_path / f"people{suffix}", len(BLANKS) + 3
    told = [*BLANKS, "flu", "NA", None]
    held = pa.table({"row": list(range(n)), "ill": pa.array(told)})
    if suffix in (".csv", ".tsv"):
        separator = "," if suffix == ".csv" else "\t"
        rows = [f'{i}{separator}"{"" if text is None else text}"' for i, text in enumerate(told)]
        path.write_text("\n".join([f"row{separator}ill", *rows]) + "\n", encoding="utf-8")
    elif suffix in (".parquet", ".pq"):
        pa.parquet.write_table(held, path)
    else:
        write_table(held, path)  # which takes blank texts for missing before it writes
    want = [None] * len(BLANKS) + ["flu", None, None]
    assert cells(read_table(path, header=None, missing=["NA"]), "ill") == want
    if suffix in STREAMS:
        stream = open_stream(path, missing=["NA"])
        assert [text for piece in stream.pieces(["ill"]) for text in cells(piece, "ill")] == want


def plan_of(name: str, **more: Any) -> kohort.Plan:
    promise = {"model": name, "k": 2, **PARAMETERS[name]}
    return kohort.Plan.from_dict(
        {
            "columns": {"sex": "quasi", "ill": {"role": "sensitive", "hierarchy": TREE}},
            "require": [{key: value for key, value in promise.items() if key in _takes(name)}],
            **more,
        }
    )


def _takes(name: str) -> set[str]:
    return {"model", *MODELS[name].__dataclass_fields__}


def frame_of(nothing: list[str | None]) -> pa.Table:
    """Women of nothing but missing and blank values, men of several."""
    ill = [*(nothing * 3)[:6], "flu", "cold", "gout", "flu", "cold", None]
    return pa.table({"sex": ["f"] * 6 + ["m"] * 6, "ill": ill})


@pytest.mark.parametrize(
    ("name", "engine"),
    [*((name, "memory") for name in OF_VALUES), ("l-diversity", "duckdb"), ("t-closeness", "duckdb")],
)
def test_blanks_beside_missing_are_no_second_value_of_any_promise(
    name: str, engine: str, tmp_path: Path
) -> None:
    came = []
    for nothing in ([None, "", " "], [None, None, None]):
        path = tmp_path / "people.parquet"
        pa.parquet.write_table(frame_of(nothing), path)
        try:
            release = kohort.anonymize(path, plan_of(name), engine=engine)
            out = release.save(tmp_path / f"out{len(came)}")
            told = [(verdict.promise, verdict.holds, verdict.achieved) for verdict in release.verdicts]
            came.append((sorted((out / "table.csv").read_text().splitlines()), told))
        except InfeasibleError as error:
            came.append((error.code, str(error)))
    assert came[0] == came[1]


@pytest.mark.parametrize("name", OF_VALUES)
def test_the_verifier_finds_no_second_value_in_a_blank(name: str) -> None:
    plan = plan_of(name)
    original = frame_of([None, None, None])

    def judged(written: pa.Table) -> list[tuple[str, bool | None, Any]]:
        verdicts = kohort.verify(written, plan, original=original)
        return [(verdict.promise, verdict.holds, verdict.achieved) for verdict in verdicts]

    assert judged(frame_of([None, "", "\u200b"])) == judged(original)


def test_l_diversity_of_nothing_is_one() -> None:
    verdicts = kohort.verify(frame_of([None, "", " "]), plan_of("l-diversity"))
    [diverse] = [verdict for verdict in verdicts if "diversity" in verdict.promise]
    assert (diverse.holds, diverse.achieved) == (False, 1)


@pytest.mark.parametrize(
    "spec",
    [
        {"kind": "tree", "tree": {" ": ["a"], "B": ["b"]}},
        {"kind": "tree", "tree": {"A": ["a", ""], "B": ["b"]}},
        {"kind": "order", "values": ["a"], "other": "\u200b"},
    ],
)
def test_a_hierarchy_with_blank_labels_is_refused(spec: dict[str, Any]) -> None:
    with pytest.raises(InputError) as refused:
        build_hierarchy("x", spec, ["a", "b"], [1, 1])
    assert refused.value.code == "hierarchy.blank-labels"
