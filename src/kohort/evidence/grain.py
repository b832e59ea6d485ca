"""How coarsely a share or a figure is told."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context

_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5)


def grain(k: int, n_rows: int) -> float:
    """Return the step to which shares of the original are rounded: at least 1 %, and at least k records.

    >>> grain(5, 30_162), grain(5, 60), grain(5, 6)
    (0.01, 0.1, 0.5)
    """
    return next((step for step in _STEPS if step * n_rows >= k), _STEPS[-1])


def significant(value: float, digits: int = 3) -> float:
    """Return a number to some significant digits.

    >>> significant(0.98341), significant(2338.4), significant(5)
    (0.983, 2340.0, 5)
    """
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def significant_above(value: float, digits: int = 3) -> float:
    """Return the least number of some significant digits that is not below a bound.

    What stands behind the twelfth digit differs between processors, and is not looked at.

    >>> significant_above(1 / 3), significant_above(0.2), significant_above(0.1 + 0.2), significant_above(1 / 7, 6)
    (0.334, 0.2, 0.3, 0.142858)
    """
    settled = Context(prec=12).create_decimal(repr(float(value)))
    return float(Context(prec=digits, rounding=ROUND_CEILING).plus(settled))
