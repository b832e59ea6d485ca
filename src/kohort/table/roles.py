"""Attribute roles (Ciriani et al., section 2)."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What an attribute may tell about a person."""

    IDENTIFIER = "identifier"  # names a person: dropped
    QUASI = "quasi"  # identifies in combination: recoded
    SENSITIVE = "sensitive"  # what must not be learnt about a person: kept, watched by the models
    INSENSITIVE = "insensitive"  # kept as it is
    GUARD = "guard"  # what a person wants protected: read by the model `personalized`, never released
    SET = "set"  # which items a person holds, any of which may identify or be sensitive: recoded item by item
