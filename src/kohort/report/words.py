"""Numbers as people read them."""

from __future__ import annotations

from typing import Any


def count(value: Any) -> str:
    """Return a whole number with thousands separated; text such as `<5` as it is.

    >>> count(30162), count("<5")
    ('30,162', '<5')
    """
    return f"{value:,}" if isinstance(value, int) else str(value)


def number(value: float | int | None) -> str:
    """Return a number with four significant digits.

    >>> number(0.24193), number(59199546.0), number(None)
    ('0.2419', '59,199,546', '–')
    """
    if value is None:
        return "–"
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"


def percent(share: float | None) -> str:
    """Return a share in per cent, more finely where it is small.

    >>> percent(0.5), percent(0.0456), percent(0.00012)
    ('50 %', '4.6 %', '0.012 %')
    """
    if share is None:
        return "–"
    points = 100 * share
    if points >= 10 or points == 0 or float(points).is_integer():
        return f"{points:.0f} %"
    return f"{points:.2g} %"
