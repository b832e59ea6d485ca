"""What is said of rows that were grouped region by region, because they were too many to be grouped as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kohort.plurals import many


def grouped_apart(algorithm: str, found: Mapping[str, Any]) -> Iterator[str]:
    """Yield that groups do not cross regions, and what that costs, as far as it was tried.

    >>> list(grouped_apart("k-member", {"regions": 1}))
    []
    """
    if found.get("regions", 1) == 1:
        return
    most = many(found["most_in_a_region"], "row")
    yield (
        f"{algorithm} grouped the rows within {many(found['regions'], 'region')} of at most {most}, "
        f"where these are: no group reaches from one region into another{_cost(found.get('cut_once_more'))}"
    )


def _cost(tried: Mapping[str, float] | None) -> str:
    if tried is None:
        return ""
    before, after = tried["before"], tried["after"]
    if not before:
        return "; where some were cut once more to see what that costs, " + (
            "nothing was lost" if not after else "they lost what they had not"
        )
    return f"; where some were cut once more to see what that costs, their loss changed by {(after - before) / before:+.1%}"
