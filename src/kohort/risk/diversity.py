"""Every diversity figure of one sensitive column: what the models tell of it, and homogeneity."""

from __future__ import annotations

from typing import Any

import numpy as np

from kohort.classes import Classes
from kohort.models import MODELS, Reference, figures_of
from kohort.risk.crowds import people_within


def diversity_facts(classes: Classes, column: str, reference: Reference) -> dict[str, Any]:
    """Return what the classes achieve for a sensitive column, compared with the reference's distribution.

    `values` counts those that the classes hold. `recursive_l` says the greatest l for several c; `recursive_c` the bound that
    c must pass for l = 2, the greatest r₁/(r₂ + … + r_m). `delta` is infinite where a value of the table is absent from a
    class; `delta_of_values_that_occur` looks only at values that occur. `homogeneous` counts the people in classes
    whose rows hold a single value: whoever finds their class knows it. Records where people are not named. A value
    that everybody of a class holds among others is counted by `distinct_l`, not here: rows do not show whose they are.
    """
    if len(classes) == 0:
        return {}
    one_valued = people_within(classes, classes.sensitive[column].distinct() == 1)
    return {
        "values": len(np.unique(classes.sensitive[column].values)),
        **figures_of(MODELS.values(), classes, column, reference),
        "homogeneous": one_valued,
        "homogeneous_share": one_valued / people_within(classes, np.ones(len(classes), np.bool_)),
    }
