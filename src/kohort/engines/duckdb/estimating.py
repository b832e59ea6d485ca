"""How many classes nodes have, about: sketches of distinct keys, of many nodes in one pass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from kohort.engines.duckdb.coded_rows import CodedRows
from kohort.engines.node import Node
from kohort.table.packing import Packing
from kohort.table.scratch import Scratch
from kohort.table.whole_numbers import whole

MARGIN = 1.1  # sketches err by a few per cent


def estimate(scratch: Scratch, rows: CodedRows, nodes: Sequence[Node]) -> list[int]:
    """Return about how many classes each node has, rather too many than too few.

    Each column is joined once with all the codes that its values have at the nodes.
    """
    joins = "kept_rows"
    told: list[list[tuple[str, int]]] = [[] for _ in nodes]
    for j, name in enumerate(nodes[0].codes):
        places: dict[bytes, str] = {}
        mapping: dict[str, object] = {f"v{j}": np.arange(rows.size(name))}
        for own, node in zip(told, nodes, strict=True):
            codes = node.codes[name]
            if not codes.any():
                continue
            place = places.setdefault(codes.tobytes(), f"w{j}_{len(places)}")
            mapping.setdefault(place, codes)
            own.append((place, int(codes.max()) + 1))
        if places:
            scratch.keep(f"estimate_{j}", pa.table(mapping))
            joins += f" JOIN estimate_{j} ON {rows.place(name)} = v{j}"
    sketches = ", ".join(f"{_sketch(own)} AS n{i}" for i, own in enumerate(told))
    found = scratch.table(f"SELECT {sketches} FROM {joins}")
    most = rows.n_rows
    return [min(most, int(whole(found, f"n{i}")[0] * MARGIN) + 1) for i in range(len(nodes))]


def estimate_holdings(
    scratch: Scratch, rows: CodedRows, quasi: Sequence[str], watched: Sequence[str]
) -> list[int]:
    """Return about how many (tuple, person) rows have and, where people have several, (tuple, person, value) of each column."""
    if rows.respondent is None:
        return []
    several = rows.people()[0] < rows.n_rows
    keys = [(*quasi, rows.respondent), *((*quasi, rows.respondent, name) for name in watched if several)]
    sketches = ", ".join(
        f"approx_count_distinct(hash({', '.join(map(rows.place, key))})) AS n{i}"
        for i, key in enumerate(keys)
    )
    found = scratch.table(f"SELECT {sketches} FROM kept_rows")
    return [min(rows.n_rows, int(whole(found, f"n{i}")[0] * MARGIN) + 1) for i in range(len(keys))]


def _sketch(columns: Sequence[tuple[str, int]]) -> str:
    if not columns:
        return "1"
    packing = Packing(tuple(name for name, _ in columns), tuple(size for _, size in columns))
    keys = [expression.rsplit(" AS ", 1)[0] for expression in packing.expressions()]
    return f"approx_count_distinct({keys[0] if len(keys) == 1 else f'hash({chr(44).join(keys)})'})"
