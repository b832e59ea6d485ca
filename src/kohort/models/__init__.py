"""Privacy models, one per file; `MODELS` is what a plan can name."""

from __future__ import annotations

from kohort.models.k_anonymity import KAnonymity
from kohort.models.model import Attribute, Monotone, PrivacyModel, Reference

MODELS: dict[str, type[PrivacyModel]] = {model.card.name: model for model in (KAnonymity,)}

__all__ = ["MODELS", "Attribute", "KAnonymity", "Monotone", "PrivacyModel", "Reference"]
