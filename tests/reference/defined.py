"""What a definition says of classes that are told by their counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kohort.models import PrivacyModel
from kohort.verification.judges.definitions import Finding, Whole, counted_lines, definition_of


def judged(model: PrivacyModel, classes: list[list[int]], totals: list[int]) -> Finding:
    """Return what the definition says of classes told by how often they have each value of `v`."""
    owner, value = np.nonzero(np.array(classes))
    told = counted_lines("v", owner, value, np.array(classes)[owner, value])
    labels = tuple(map(str, range(len(totals))))
    definition = definition_of(model.card.name)
    assert definition is not None
    return definition(model, replace(told, wholes={"v": Whole(labels, np.array(totals))}))
