"""Who is unique for those who know sensitive values beside the quasi-identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kohort.classes import Classes
from kohort.classes.alone import Counting, Told, standing_alone
from kohort.risk.uniques import Projection


def beside_facts(unique: Counting, names: Sequence[str], people: int) -> dict[str, Any] | None:
    """Return how many people are unique with one sensitive column more, with two, and with all.

    Suppressed rows are among them, for to somebody who knows more than quasi-identifiers they are not all alike.
    """
    if not names:
        return None
    standing = standing_alone(names, unique)
    told = {part: _told(getattr(standing, part), people) for part in ("one", "two", "everything")}
    return {**told, "pairs_looked_at": standing.pairs_looked_at, "pairs": standing.pairs}


def unique_in(classes: Classes, quasi: int, names: Sequence[str]) -> Counting:
    """Return who counts unique people in classes of the first `quasi` columns and then those of `names`."""
    seen, place = Projection(classes), {name: quasi + j for j, name in enumerate(names)}

    def unique(columns: tuple[str, ...]) -> int:
        chosen = (*range(quasi), *(place[name] for name in columns))
        return seen.count(np.flatnonzero(seen.unique(chosen)))

    return unique


def _told(told: Told | None, people: int) -> dict[str, Any] | None:
    if told is None:
        return None
    return {"columns": list(told.columns), "unique": told.alone, "share": told.alone / max(people, 1)}
