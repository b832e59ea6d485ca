"""A census-like table by a seeded generator: eight quasi-identifiers, of few or of nearly all distinct tuples.

Both kinds have the same columns and hierarchies. `few` tells age by twenty years, place by
region, occupation by major group and so on, `many` as a census asks them: then nearly every row is the only one of its tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

PIECE = 1_000_000
KINDS = ("few", "many")
QUASI = ("age", "sex", "place", "job", "education", "marital", "work", "born")
EDUCATION = [f"{stage} {part}" for stage in ("primary", "secondary", "college", "degree") for part in "abcd"]
MARITAL = ["never", "married", "separated", "divorced", "widowed"]
WORK = ["private", "self-employed", "federal", "state", "local", "unpaid", "none"]
BORN = [f"country {i:03d}" for i in range(120)]
INCOME = [f"band {i:02d}" for i in range(16)]


def pieces(kind: str, rows: int, seed: int = 1) -> Iterator[pa.Table]:
    """Yield the table, a million rows at a time; the same rows for the same seed."""
    rng = np.random.default_rng(seed)
    for start in range(0, rows, PIECE):
        yield _piece(kind, min(PIECE, rows - start), rng)


def _piece(kind: str, n: int, rng: np.random.Generator) -> pa.Table:
    age = np.clip(rng.normal(41, 22, n), 0, 99).astype(np.int32)
    place = (rng.random(n) ** 1.5 * 100_000).astype(np.int32)
    job = (rng.random(n) ** 1.3 * 1_000).astype(np.int32)
    if kind == "few":
        age, place, job = age // 20 * 20, place // 20_000 * 20_000, job // 100 * 100
    studied = np.clip(rng.integers(0, 16, n) - (age < 18) * 8, 0, 15) // (4 if kind == "few" else 1)
    return pa.table(
        {
            "age": pa.array(age),
            "sex": _told(rng.integers(0, 2, n), ["F", "M"]),
            "place": _told(place, [f"{i:05d}" for i in range(100_000)]),
            "job": _told(job, [f"{i:03d}" for i in range(1_000)]),
            "education": _told(studied, EDUCATION),
            "marital": _told(_skewed(len(MARITAL), n, rng), MARITAL),
            "work": _told(_skewed(len(WORK) if kind == "many" else 3, n, rng), WORK),
            "born": _told(_skewed(len(BORN) if kind == "many" else 4, n, rng), BORN),
            "income": _told(_skewed(len(INCOME), n, rng), INCOME),
            "hours": pa.array(rng.integers(0, 80, n).astype(np.int32)),
        }
    )


def _skewed(size: int, n: int, rng: np.random.Generator) -> np.ndarray:
    return (rng.random(n) ** 2.5 * size).astype(np.int32)


def _told(codes: np.ndarray, values: list[str]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), values)


def write_census(path: Path, kind: str, rows: int, seed: int = 1) -> None:
    """Write the table as Parquet."""
    writer = None
    for piece in pieces(kind, rows, seed):
        if writer is None:
            writer = pyarrow.parquet.ParquetWriter(path, piece.schema, compression="zstd")
        writer.write_table(piece)
    assert writer is not None
    writer.close()


def census_plan(table: Path, k: int = 5) -> str:
    """Return the plan: k-anonymity within 5 % of suppression, the best level of every column."""
    return f"""[input]
path = "{table}"
[columns]
age = {{ role = "quasi", hierarchy = {{ kind = "intervals", widths = [5, 10, 20], origin = 0 }} }}
sex = {{ role = "quasi", hierarchy = {{ kind = "suppress" }} }}
place = {{ role = "quasi", hierarchy = {{ kind = "mask" }} }}
job = {{ role = "quasi", hierarchy = {{ kind = "mask" }} }}
education = {{ role = "quasi", hierarchy = {{ kind = "suppress" }} }}
marital = {{ role = "quasi", hierarchy = {{ kind = "suppress" }} }}
work = {{ role = "quasi", hierarchy = {{ kind = "suppress" }} }}
born = {{ role = "quasi", hierarchy = {{ kind = "suppress" }} }}
income = "sensitive"
hours = "insensitive"
[[require]]
model = "k-anonymity"
k = {k}
[recode]
max_suppression = 0.05
algorithm = "optimal"
[output]
format = "parquet"
ledger = ""
"""
