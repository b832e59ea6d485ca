"""Algorithms, one per file; `ALGORITHMS` tells where each of Kohort's own is defined, so that only one is imported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from kohort.algorithms.algorithm import Algorithm, Progress, Silent, Standing
from kohort.algorithms.watch import Watch, watched
from kohort.card import Card
from kohort.errors import InputError
from kohort.third_parties import Available

# name -> "module:Class" below kohort.algorithms; imported when asked for, because kernels are heavy
ALGORITHMS: dict[str, str] = {
    "optimal": "lattice.optimal:Optimal",
    "mingen": "lattice.mingen:MinGen",
    "samarati": "lattice.samarati:Samarati",
    "incognito": "lattice.incognito:Incognito",
    "datafly": "lattice.datafly:Datafly",
    "outliers": "lattice.outliers:Outliers",
    "columns": "lattice.columns:Columns",
    "k-optimize": "cuts.k_optimize:KOptimize",
    "hill-climbing": "cuts.hill_climbing:HillClimbing",
    "genetic": "cuts.genetic:Genetic",
    "annealing": "cuts.annealing:Annealing",
    "top-down": "cuts.top_down:TopDown",
    "bottom-up": "cuts.bottom_up:BottomUp",
    "mondrian": "partition.mondrian:Mondrian",
    "mondrian-relaxed": "partition.relaxed:MondrianRelaxed",
    "k-member": "clustering.k_member:KMember",
    "greedy-pk": "clustering.greedy_pk:GreedyPK",
    "enhanced-pk": "clustering.enhanced_pk:EnhancedPK",
    "forest": "cells.forest:Forest",
    "meyerson-williams": "cells.meyerson_williams:MeyersonWilliams",
    "factor-2": "cells.factor_2:Factor2",
    "factor-3": "cells.factor_3:Factor3",
    "cells-exact": "cells.exact:CellsExact",
    "levels-and-cells": "cells.levels_and_cells:LevelsAndCells",
    "mu-argus": "cells.mu_argus:MuArgus",
    "mdav": "microaggregation.mdav:Mdav",
    "v-mdav": "microaggregation.v_mdav:VMdav",
    "univariate": "microaggregation.univariate:Univariate",
    "dp-mdav": "microaggregation.dp_mdav:DpMdav",
    "anatomy": "buckets.anatomy:Anatomy",
}


def algorithm(name: str) -> type[Algorithm]:
    """Return the algorithm of that name."""
    try:
        return AVAILABLE_ALGORITHMS[name]
    except KeyError:
        raise InputError(
            f"[recode] algorithm: there is no {name!r}; the algorithms are: {', '.join(sorted(AVAILABLE_ALGORITHMS))}",
            code="algorithm.unknown",
            algorithm=name,
            allowed=sorted(AVAILABLE_ALGORITHMS),
        ) from None


def _own(name: str) -> type[Algorithm]:
    module, attribute = ALGORITHMS[name].split(":")
    found: type[Algorithm] = getattr(import_module(f"kohort.algorithms.{module}"), attribute)
    return found


AVAILABLE_ALGORITHMS: Available[type[Algorithm]] = Available("kohort.algorithms", ALGORITHMS, _own, Algorithm)


def card_of(name: str) -> Card:
    """Return the card of the algorithm of that name."""
    return algorithm(name).card


def able(capable: Callable[[Card], bool]) -> list[str]:
    """Return the names, in order, of the algorithms whose cards say that they are capable."""
    return sorted(name for name in ALGORITHMS if capable(card_of(name)))


def guarantee_of(name: str, options: Mapping[str, Any]) -> str:
    """Return what an algorithm guarantees with these options, or in general where they do not matter."""
    kind: Any = algorithm(name)
    return str(kind(**options).guarantee if hasattr(kind, "guarantee") else kind.card.guarantee)


__all__ = [
    "ALGORITHMS",
    "AVAILABLE_ALGORITHMS",
    "Algorithm",
    "Progress",
    "Silent",
    "Standing",
    "Watch",
    "able",
    "algorithm",
    "card_of",
    "guarantee_of",
    "watched",
]
