"""Every diversity figure of one sensitive column: what the models tell of it, and homogeneity."""

from __future__ import annotations

from typing import Any

import numpy as np

from kohort.classes import Classes
from kohort.models import MODELS, Reference, figures_of
from kohort.models.of_people import least_diverse
from kohort.risk.crowds import people_within


def diversity_facts(classes: Classes, column: str, reference: Reference) -> dict[str, Any]:
    """Return what the classes achieve for a sensitive column, compared with the reference's distribution.

    `recursive_l` says the greatest l for several c; `recursive_c` the bound that c must pass for l = 2, the
    greatest r₁/(r₂ + … + r_m). `delta` is infinite where a value of the table is absent from a class;
    `delta_of_values_that_occur` looks only at values that occur. `homogeneous` counts the people in classes in
    which everybody holds some value: whoever finds their class knows it. Records where people are not named.
    """
    attribute = reference.attributes[column]
    if len(classes) == 0:
        return {}
    histogram = least_diverse(classes.people_holding(column), classes.sizes)
    one_valued = people_within(classes, histogram.distinct() == 1)
    return {
        "values": len(attribute.labels),
        **figures_of(MODELS.values(), classes, column, reference),
        "homogeneous": one_valued,
        "homogeneous_share": one_valued / people_within(classes, np.ones(len(classes), np.bool_)),
    }
