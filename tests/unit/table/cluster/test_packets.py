"""Packets and keys: what tasks send arrives once, equal keys in one part, and sums are those of all rows."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis.strategies import integers, lists, tuples

from kohort.table.cluster.keyed import all_lines, met_keys, mixed, runs, summed
from kohort.table.cluster.packets import by_part, opened, packed, part_of, parts_for, sent
from kohort.table.cluster.places import Places
from kohort.table.packing import Packing

PAIRS = lists(tuples(integers(0, 4), integers(0, 2**61)), max_size=30)


@given(PAIRS, integers(1, 5))
def test_what_is_sent_arrives_once_where_it_belongs(pairs: list[tuple[int, int]], parts: int) -> None:
    words = [np.array([pair[i] for pair in pairs], np.int64) for i in range(2)]
    part = part_of(mixed(words), parts)
    assert ((part >= 0) & (part < parts)).all()
    rows = pa.table({"k0": words[0], "k1": words[1]})
    found = dict(by_part(iter([*sent(rows, part), *sent(rows, part)])))
    arrived = Counter((number, *row.values()) for number, table in found.items() for row in table.to_pylist())
    assert arrived == Counter(
        {(int(p), *pair): 2 * n for (p, pair), n in Counter(zip(part, pairs, strict=True)).items()}
    )


@given(PAIRS, integers(1, 3))
def test_keys_that_meet_are_summed(pairs: list[tuple[int, int]], parts: int) -> None:
    packing = Packing(("a", "b"), (5, 2**61 + 1))
    assert len(packing.keys()) == 2
    packets = []
    for task in (pairs[::2], pairs[1::2], []):
        words = packing.words([np.array([pair[i] for pair in task], np.int64) for i in range(2)])
        lines, n = summed(words, np.ones(len(task), np.int64))
        table = pa.table({f"k{i}": word for i, word in enumerate(lines)} | {"n": n})
        packets += sent(table, part_of(mixed(lines), parts))
    met = [opened(batch.column("packet")[0]) for batch in met_keys(iter(packets))]
    codes, n = all_lines(met, packing) if met else ([np.zeros(0)] * 2, np.zeros(0))
    first = [int(k) for table in met for k in table.column("k0").to_pylist()]
    second = [int(k) for table in met for k in table.column("k1").to_pylist()]
    assert dict(zip(zip(first, second, strict=True), n.tolist(), strict=True)) == Counter(pairs)
    assert len(codes) == 2


@given(PAIRS, PAIRS)
def test_places_are_those_of_known_keys(known: list[tuple[int, int]], asked: list[tuple[int, int]]) -> None:
    known = list(dict.fromkeys(known))
    asked = [*asked, *known]
    words, others = (
        [np.array([pair[i] for pair in all_of], np.int64) for i in range(2)] for all_of in (known, asked)
    )
    place_of = {pair: i for i, pair in enumerate(known)}
    assert Places(words).of(others).tolist() == [place_of.get(pair, -1) for pair in asked]
    small = list(dict.fromkeys(pair[0] for pair in known))  # by one word, of small numbers
    one = Places([np.array(small, np.int64)]).of([np.arange(-1, 9)])
    assert one.tolist() == [small.index(i) if i in small else -1 for i in range(-1, 9)]


def test_runs_of_nothing_are_none_and_parts_are_as_many_as_rows_ask_for() -> None:
    order, starts = runs([np.zeros(0, np.int64)])
    assert (len(order), len(starts)) == (0, 0)
    assert (parts_for(0), parts_for(1), parts_for(1 << 20), parts_for(1 + (1 << 20)), parts_for(5, 4)) == (
        1,
        1,
        1,
        2,
        4,
    )


def test_what_travels_arrives_in_its_own_type() -> None:
    """Numbers of 64 bits are narrowed on the way; those without a sign are whoever's they are."""
    rows = pa.table(
        {
            "small": pa.array([1, 2, 300], pa.int64()),
            "unsigned": pa.array([1, None, 2**63], pa.uint64()),
            "tiny": pa.array([1, 2, 3], pa.uint8()),
            "minus": pa.array([-1, 2, 3], pa.int64()),
            "text": ["a", None, "b"],
        }
    )
    for sent_rows in (rows, rows.slice(0, 0)):
        [packet] = packed(3, sent_rows).column("packet")
        assert opened(packet).equals(sent_rows)
        assert opened(packet).schema == sent_rows.schema
