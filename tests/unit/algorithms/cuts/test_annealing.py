"""The temperature of annealing is a number above zero, whenever time is up and whatever the cuts are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from tests.unit.algorithms.cuts.test_family import METRICS, STOCHASTIC, table

from kohort.algorithms import Silent, algorithm
from kohort.algorithms.cuts.annealing import Annealing, typical_rise
from kohort.algorithms.cuts.descent import Moves
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.space import space_of
from kohort.algorithms.watch import unwatched
from kohort.errors import InputError

LEVELS = ({}, {"max_levels": (2, 2, 1)}, {"min_levels": (1, 0, 0)}, {"max_levels": (0, 0, 0)})


@dataclass(eq=False)
class Ending(Incumbent):
    """Time is up after so many looks at the clock."""

    looks: int = 0

    @property
    def late(self) -> bool:
        self.looks -= 1
        return self.looks < 0


@pytest.mark.parametrize("bounds", LEVELS, ids=str)
@pytest.mark.parametrize("metric", METRICS)
def test_the_typical_rise_is_a_number_whenever_time_is_up(metric, bounds):
    for limit in (0, 150):
        space = space_of(table(3, metric, limit, **bounds), {}, False, "annealing")
        moves = Moves(space)
        with np.errstate(all="raise"):
            rises = [typical_rise(moves, Ending(space, unwatched(), looks=n)) for n in (0, 1, 2, 3, 5, 1000)]
        assert np.isfinite(rises).all()
        assert min(rises) > 0


@pytest.mark.parametrize("bounds", LEVELS, ids=str)
@pytest.mark.parametrize("name", STOCHASTIC)
def test_no_stochastic_search_computes_with_infinity_where_time_is_up_at_once(name, bounds):
    problem = table(3, "discernibility", 150, time_limit=1e-9, **bounds)
    with np.errstate(all="raise"):
        assert np.isfinite(algorithm(name)().solve(problem, Silent()).score)


@pytest.mark.parametrize("heat", [{"hot": 1e308}, {"hot": 1e-320, "cold": 5e-324}, {"hot": 0.001}])
def test_temperatures_that_no_number_could_hold_are_refused(heat):
    with pytest.raises(InputError, match="hot >= cold"):
        Annealing(**heat)
