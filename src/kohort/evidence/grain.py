"""How coarsely a share or a number of the original is told, so that it does not point at single people."""

from __future__ import annotations

from math import ceil, floor, log10

_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5)


def grain(k: int, n_rows: int) -> float:
    """Return the step to which shares of the original are rounded: at least 1 %, and at least k records.

    >>> grain(5, 30_162), grain(5, 60), grain(5, 6)
    (0.01, 0.1, 0.5)
    """
    return next((step for step in _STEPS if step * n_rows >= k), _STEPS[-1])


def coarse(share: float, step: float) -> float:
    """Return a share rounded to the step.

    >>> coarse(0.2419, 0.05)
    0.25
    """
    return round(round(share / step) * step, 4)


def unit(deviation: float, k: int, n_rows: int) -> float:
    """Return the power of ten to which a mean is rounded: a change of k records by one deviation hardly shows.

    >>> unit(13.1, 5, 30_162), unit(13.1, 5, 60)
    (0.1, 10.0)
    """
    if deviation <= 0:
        return 1.0
    return float(10.0 ** ceil(log10(deviation * max(1 / 200, k / n_rows))))


def rounded(value: float, to: float) -> float:
    """Return a number rounded to a power of ten, whole where it can be.

    >>> rounded(38.5816, 0.1), rounded(38.5816, 10.0)
    (38.6, 40)
    """
    found = round(value, -floor(log10(to) + 0.5))
    return int(found) if to >= 1 else found


def significant(value: float, digits: int = 3) -> float:
    """Return a number to some significant digits.

    >>> significant(0.98341), significant(2338.4), significant(5)
    (0.983, 2340.0, 5)
    """
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value
