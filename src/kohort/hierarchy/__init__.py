"""Value generalization hierarchies and their builders."""

from kohort.hierarchy.build import (
    AVAILABLE_BUILDERS,
    BUILDERS,
    UNTOLD,
    build_hierarchy,
    builder_of,
    open_ends,
)
from kohort.hierarchy.builder import Builder
from kohort.hierarchy.domain import SUPPRESSED, Domain, Label
from kohort.hierarchy.hierarchy import Hierarchy, Level
from kohort.hierarchy.reading import covered, meaning
from kohort.hierarchy.spans import lowest_common_ancestor, span_label

__all__ = [
    "AVAILABLE_BUILDERS",
    "BUILDERS",
    "SUPPRESSED",
    "UNTOLD",
    "Builder",
    "Domain",
    "Hierarchy",
    "Label",
    "Level",
    "build_hierarchy",
    "builder_of",
    "covered",
    "lowest_common_ancestor",
    "meaning",
    "open_ends",
    "span_label",
]
