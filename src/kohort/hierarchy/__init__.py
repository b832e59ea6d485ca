"""Value generalization hierarchies and their builders."""

from kohort.hierarchy.hierarchy import SUPPRESSED, Hierarchy, Label, Level
from kohort.hierarchy.spans import lowest_common_ancestor, meaning, span_label

__all__ = ["SUPPRESSED", "Hierarchy", "Label", "Level", "lowest_common_ancestor", "meaning", "span_label"]
