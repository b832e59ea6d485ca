"""Every diversity figure of one sensitive column: l, t, α, β, δ and homogeneity."""

from __future__ import annotations

from typing import Any

import numpy as np

from kohort.classes import Classes
from kohort.models import AlphaK, BetaLikeness, DeltaDisclosure, LDiversity, Reference, TCloseness
from kohort.models.of_people import least_diverse
from kohort.models.segments import maxima
from kohort.risk.crowds import people_within

RECURSIVE_C = (1, 2, 3, 5, 10)


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
    distances = ["equal", "ordered", *(["hierarchical"] if attribute.hierarchy is not None else [])]
    first = maxima(histogram.starts, histogram.counts)
    rest = classes.sizes - first
    one_valued = people_within(classes, histogram.distinct() == 1)
    return {
        "values": len(attribute.labels),
        "distinct_l": int(LDiversity(2, column).achieved(classes)),
        "entropy_l": LDiversity(2, column, "entropy").achieved(classes),
        "recursive_l": {
            str(c): int(LDiversity(2, column, "recursive", c=c).achieved(classes)) for c in RECURSIVE_C
        },
        "recursive_c": float((first[rest > 0] / rest[rest > 0]).max()) if (rest > 0).all() else float("inf"),
        "t": {d: TCloseness(1, column, d).bind(reference).achieved(classes) for d in distances},
        "alpha": AlphaK(1, 1, column).achieved(classes),
        "beta": BetaLikeness(1, column).bind(reference).achieved(classes),
        "beta_enhanced": BetaLikeness(1, column, "enhanced").bind(reference).achieved(classes),
        "delta": DeltaDisclosure(1, column).bind(reference).achieved(classes),
        "delta_of_values_that_occur": DeltaDisclosure(1, column, absent="ignore")
        .bind(reference)
        .achieved(classes),
        "homogeneous": one_valued,
        "homogeneous_share": one_valued / people_within(classes, np.ones(len(classes), np.bool_)),
    }
