"""Keys in order, whether or not their first word tells them apart."""

import numpy as np
import pytest

from kohort.table.cluster.keyed import runs, summed


@pytest.mark.parametrize("values", [1, 3, 10**6])
@pytest.mark.parametrize("n_words", [1, 2, 3])
def test_keys_stand_in_the_order_of_their_words(values, n_words):
    rng = np.random.default_rng(values + n_words)
    for n in (0, 1, 2, 60):
        words = [rng.integers(0, values, n), *(rng.integers(0, 3, n) for _ in range(n_words - 1))]
        words = [np.concatenate([word, word[: n // 2]]) for word in words]  # so that all sorts of keys repeat
        order, starts = runs(words)
        keys = list(zip(*(word[order].tolist() for word in words), strict=True))
        assert keys == sorted(zip(*(word.tolist() for word in words), strict=True))
        assert starts.tolist() == [i for i, key in enumerate(keys) if i == 0 or key != keys[i - 1]]
        told, totals = summed(words, np.arange(len(order)))
        expected: dict[tuple[int, ...], int] = {}
        for i, key in enumerate(zip(*(word.tolist() for word in words), strict=True)):
            expected[key] = expected.get(key, 0) + i
        assert (
            dict(zip(zip(*(word.tolist() for word in told), strict=True), totals.tolist(), strict=True))
            == expected
        )
