"""The definitions by the names of their models."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TypeAlias

from kohort.verification.judges.definitions.counted import Counted
from kohort.verification.judges.definitions.finding import Finding

# of the model, nothing is looked at but the parameters that a definition names as `Asked`
Definition: TypeAlias = Callable[[object, Counted], Finding]

# name on a model's card -> module of this room with its `judge`, imported when asked for
DEFINITIONS: dict[str, str] = {
    "k-anonymity": "k_anonymity",
    "l-diversity": "l_diversity",
    "t-closeness": "t_closeness",
    "p-sensitive": "p_sensitive",
    "extended-p-sensitive": "extended_p_sensitive",
    "alpha-k": "alpha_k",
    "beta-likeness": "beta_likeness",
    "delta-disclosure": "delta_disclosure",
    "k-map": "k_map",
    "average-risk": "average_risk",
    "personalized": "personalized",
}


def definition_of(name: str) -> Definition | None:
    """Return the definition of a model of Kohort's own; None of any other."""
    if name not in DEFINITIONS:
        return None
    found: Definition = import_module(f"{__package__}.{DEFINITIONS[name]}").judge
    return found
