"""The model of the deFinetti attack: naive Bayes and the deal within groups improve each other, as long as that holds."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.attacks.groups import Groups

ROUNDS = 15  # at most
SMOOTHING = 0.5
TIE = 1e-9
TINY = 1e-300
JUDGED = 2_000_000  # rows × values by which rounds are judged, at most
MOST_ROWS = 50_000
SEED = 20260101  # of the halves that judge each other: figures are the same in every run


@dataclass(frozen=True, eq=False)
class Cells:
    """Every row beside every value that its group holds: what may be dealt to whom."""

    row_of: IntArray
    first: IntArray  # where the cells of each row begin
    cell_of: IntArray  # the (group, value) that each is one of
    value_of: IntArray
    room: FloatArray  # how often each (group, value) is to be dealt
    even: FloatArray  # the share of the value in the group: the deal of whoever knows nothing
    n_values: int

    @classmethod
    def of(cls, groups: Groups, of_row: IntArray) -> Cells:
        """Lay out the cells of released rows that stand in groups."""
        histogram = groups.histogram
        widths = np.diff(histogram.starts)[of_row]
        row_of = np.repeat(np.arange(len(of_row)), widths)
        first = np.concatenate([[0], np.cumsum(widths)[:-1]]) if len(widths) else np.zeros(0, np.int64)
        cell_of = np.arange(len(row_of)) - first[row_of] + histogram.starts[:-1][of_row][row_of]
        room = histogram.counts.astype(np.float64)
        even = room[cell_of] / groups.sizes[of_row][row_of]
        return cls(row_of, first, cell_of, histogram.values[cell_of], room, even, len(groups.labels))

    def deal(self, scores: FloatArray) -> FloatArray:
        """Scale exp(scores) so that each row adds up to 1 and each value of a group to its count, nearly."""
        if not len(self.first):
            return scores
        weights = np.exp(scores - np.maximum.reduceat(scores, self.first)[self.row_of])
        weights = np.maximum(weights, 1e-12)
        for _ in range(10):
            weights *= (self.room / np.bincount(self.cell_of, weights, len(self.room)))[self.cell_of]
            weights /= np.bincount(self.row_of, weights)[self.row_of]
        return weights

    def likeliest(self, weights: FloatArray) -> BoolArray:
        """Mark the values of each row that nothing is likelier than: several where they tie."""
        if not len(self.first):
            return np.zeros(0, np.bool_)
        return np.asarray(weights >= np.maximum.reduceat(weights, self.first)[self.row_of] - TIE)


def learnt(cells: Cells, features: list[IntArray], rounds: int, smoothing: float = SMOOTHING) -> FloatArray:
    """Return the deal after some rounds; after none the even one."""
    weights = cells.even
    for _ in range(rounds):
        weights = cells.deal(_scores(cells, features, _models(cells, features, weights, smoothing)))
    return weights


def guess(
    groups: Groups,
    of_row: IntArray,
    features: list[IntArray],
    rounds: int = ROUNDS,
    smoothing: float = SMOOTHING,
) -> IntArray:
    """Return the value guessed for each row; of equally likely ones the first."""
    cells = Cells.of(groups, of_row)
    weights = learnt(cells, features, rounds, smoothing)
    order = np.lexsort((cells.value_of, -weights, cells.row_of))
    return np.asarray(cells.value_of[order[cells.first]]) if len(cells.first) else np.zeros(0, np.int64)


def rounds_that_hold(
    cells: Cells, of_row: IntArray, features: list[IntArray], most: int = ROUNDS, smoothing: float = SMOOTHING
) -> int:
    """Return after how many rounds a model learnt from half of the groups tells most about the other half.

    The intruder needs no true value for that. What is known of somebody is likelier under the values of the own group,
    each as likely as it is frequent there, than under those of the table, if the model is true; how much likelier,
    summed over the logarithms, is what counts. It is nothing without any round, and less than nothing
    where a model fits what was there by chance. Of rounds that the best is not surely better than, by a standard error, the
    fewest are taken: later ones learn less and less that is true.
    """
    n_groups = int(of_row.max(initial=-1)) + 1
    half = np.random.default_rng(SEED).permutation(n_groups) % 2
    halves = [_held_out(cells, features, half[of_row] == one, most, smoothing) for one in (0, 1)]
    gains = np.concatenate(halves, axis=1)
    best = int(gains.sum(axis=1).argmax())
    behind = gains[best] - gains[1 : best + 1]
    near = behind.sum(axis=1) <= behind.std(axis=1) * sqrt(max(gains.shape[1], 1))
    return 1 + int(near.argmax()) if best else 0


def _held_out(
    cells: Cells, features: list[IntArray], judged: BoolArray, most: int, smoothing: float
) -> FloatArray:
    """Return how much each row judged gains after each number of rounds on the others: (rounds, rows)."""
    taught = ~judged[cells.row_of]
    rows = np.random.default_rng(SEED).permutation(np.flatnonzero(judged))
    rows = rows[: min(JUDGED // max(cells.n_values, 1) + 1, MOST_ROWS)]
    totals = np.bincount(cells.value_of, np.where(taught, cells.even, 0.0), cells.n_values)
    share = totals / max(float(totals.sum()), 1.0)
    weights, gains = np.where(taught, cells.even, 0.0), [np.zeros(len(rows))]
    for _ in range(most):
        models = _models(cells, features, weights, smoothing)
        gains.append(_gain(cells, features, models, rows, share))
        weights = np.where(taught, cells.deal(_scores(cells, features, models)), 0.0)
    return np.array(gains)


def _gain(
    cells: Cells, features: list[IntArray], models: list[FloatArray], rows: IntArray, share: FloatArray
) -> FloatArray:
    """Return the log likelihood of rows under the values of their groups, beside that under those of the table."""
    if not len(rows):
        return np.zeros(0)
    scores = np.zeros((len(rows), len(share)))
    for model, feature in zip(models, features, strict=True):
        scores += model.T[feature[rows]]
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    ends = np.append(cells.first, len(cells.row_of))
    widths = ends[rows + 1] - ends[rows]
    place = np.repeat(np.arange(len(rows)), widths)
    cell = np.arange(len(place)) + np.repeat(ends[rows] - (np.cumsum(widths) - widths), widths)
    own = np.bincount(place, cells.even[cell] * likely[place, cells.value_of[cell]], len(rows))
    return np.asarray(np.log(np.maximum(own, TINY)) - np.log(np.maximum(likely @ share, TINY)))


def _models(
    cells: Cells, features: list[IntArray], weights: FloatArray, smoothing: float
) -> list[FloatArray]:
    """Return the log likelihood of each code of each feature under each value, as a deal teaches it."""
    found = []
    for feature in features:
        width = int(feature.max(initial=0)) + 1
        keys = cells.value_of.astype(np.int64) * width + feature[cells.row_of]
        counts = np.bincount(keys, weights, cells.n_values * width).reshape(cells.n_values, width) + smoothing
        found.append(np.log(counts / counts.sum(axis=1, keepdims=True)))
    return found


def _scores(cells: Cells, features: list[IntArray], models: list[FloatArray]) -> FloatArray:
    """Return the log likelihood of each row's features under each value of its group."""
    scores = np.zeros(len(cells.row_of))
    for model, feature in zip(models, features, strict=True):
        scores += model[cells.value_of, feature[cells.row_of]]
    return scores
