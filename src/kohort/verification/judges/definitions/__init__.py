"""Every model's promise once more, from the definition in its paper: what the verifier decides by.

Nothing here comes from `kohort.models` or `kohort.classes`, which the search uses (an import contract): rows are grouped and
counted here, distances measured and thresholds compared, in whole numbers and in the plainest way that is quick enough.
A model gives its name and the parameters that the plan sets, and nothing else.
"""

from kohort.verification.judges.definitions.counted import (
    Counted,
    counted_lines,
    counted_rows,
)
from kohort.verification.judges.definitions.finding import Finding
from kohort.verification.judges.definitions.registry import DEFINITIONS, Definition, definition_of
from kohort.verification.judges.definitions.whole import Population, Whole

__all__ = [
    "DEFINITIONS",
    "Counted",
    "Definition",
    "Finding",
    "Population",
    "Whole",
    "counted_lines",
    "counted_rows",
    "definition_of",
]
