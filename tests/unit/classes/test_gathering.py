import numpy as np
import pytest

from kohort.classes import gathering
from kohort.classes.gathering import Gathering


def drawn(rng, n, values):
    """Return keys of up to `values` different numbers that lie far apart, and rows for each."""
    apart = rng.integers(0, 1 << 62, values)
    return apart[rng.integers(0, values, n)], rng.integers(1, 9, n).astype(np.int32)


def counted(keys, rows, mask):
    """The plain twin: a dictionary of what the mask leaves."""
    found = {}
    for key, n in zip(keys.tolist(), rows.tolist(), strict=True):
        found[key & mask] = found.get(key & mask, 0) + n
    return found


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("few", [1, 8, 1 << 15])
def test_keys_are_counted_as_a_dictionary_counts_them(monkeypatch, threads, few):
    monkeypatch.setattr(gathering, "ALONE", 0)
    monkeypatch.setattr(gathering, "FEW", few)
    monkeypatch.setattr(gathering, "OF_A_PART", 16)
    rng = np.random.default_rng(few + threads)
    for _ in range(30):
        keys, rows = drawn(rng, int(rng.integers(1, 400)), int(rng.integers(1, 300)))
        many = Gathering(keys, rows, threads)
        assert len(many) == len(keys)
        for mask in (0, (1 << 62) - 1, 0b1110 << 58, int(rng.integers(0, 1 << 62))):
            expected = counted(keys, rows, mask)
            found = many.by(mask)
            told, sizes = found.classes()
            assert len(found) == len(told) == len(expected)
            assert dict(zip(told.tolist(), sizes.tolist(), strict=True)) == expected
            for least in (1, 5, 40):
                assert found.rows_below(least) == sum(n for n in expected.values() if n < least)


def test_few_keys_are_counted_by_one_thread(monkeypatch):
    monkeypatch.setattr(gathering, "ThreadPoolExecutor", None)
    keys = np.array([3, 1, 3, 7], np.int64)
    told, sizes = Gathering(keys, np.array([1, 2, 4, 8], np.int32), 8).by(0b011).classes()
    assert dict(zip(told.tolist(), sizes.tolist(), strict=True)) == {3: 13, 1: 2}


def test_what_was_counted_first_does_not_change_what_is_counted_next(monkeypatch):
    monkeypatch.setattr(gathering, "FEW", 2)
    keys, rows = drawn(np.random.default_rng(1), 5_000, 4_000)
    many = Gathering(keys, rows, 2)
    masks = [(1 << 62) - 1, 0b111 << 59, 0b11 << 30, (1 << 62) - 1]
    for mask in masks:
        told, sizes = many.by(mask).classes()
        assert dict(zip(told.tolist(), sizes.tolist(), strict=True)) == counted(keys, rows, mask)


def test_many_rows_of_one_class_are_added_up():
    keys = np.full(1_000_000, 5, np.int64)
    told, sizes = Gathering(keys, np.full(len(keys), 2_000, np.int32)).by(4).classes()
    assert (told.tolist(), sizes.tolist()) == ([4], [2_000_000_000])
