"""Privacy models, one per file; `MODELS` are Kohort's own, `AVAILABLE_MODELS` all that a plan can name."""

from __future__ import annotations

from kohort.models.alpha_k import AlphaK
from kohort.models.average_risk import AverageRisk
from kohort.models.beta_likeness import BetaLikeness
from kohort.models.delta_disclosure import DeltaDisclosure
from kohort.models.demand import Demand, Gain, Room
from kohort.models.extended_p_sensitive import ExtendedPSensitive
from kohort.models.group_promise import GroupPromise, in_groups
from kohort.models.k_anonymity import KAnonymity
from kohort.models.k_map import KMap
from kohort.models.l_diversity import LDiversity
from kohort.models.model import (
    Attribute,
    Monotone,
    PrivacyModel,
    Reference,
    bounds_linking,
    crowd_of,
    failing_for_good,
    figures_of,
    guarantee_of,
    least_size_of,
    scale_of,
    sizes_decide,
)
from kohort.models.p_sensitive import PSensitive
from kohort.models.personalized import Personalized
from kohort.models.t_closeness import TCloseness
from kohort.third_parties import Available

MODELS: dict[str, type[PrivacyModel]] = {
    model.card.name: model
    for model in (
        KAnonymity,
        LDiversity,
        TCloseness,
        PSensitive,
        ExtendedPSensitive,
        AlphaK,
        BetaLikeness,
        DeltaDisclosure,
        KMap,
        AverageRisk,
        Personalized,
    )
}

AVAILABLE_MODELS: Available[type[PrivacyModel]] = Available(
    "kohort.models", MODELS, MODELS.__getitem__, PrivacyModel
)

__all__ = [
    "AVAILABLE_MODELS",
    "MODELS",
    "AlphaK",
    "Attribute",
    "AverageRisk",
    "BetaLikeness",
    "DeltaDisclosure",
    "Demand",
    "ExtendedPSensitive",
    "Gain",
    "GroupPromise",
    "KAnonymity",
    "KMap",
    "LDiversity",
    "Monotone",
    "PSensitive",
    "Personalized",
    "PrivacyModel",
    "Reference",
    "Room",
    "TCloseness",
    "bounds_linking",
    "crowd_of",
    "failing_for_good",
    "figures_of",
    "guarantee_of",
    "in_groups",
    "least_size_of",
    "scale_of",
    "sizes_decide",
]
