"""Risk measures of a table or a release."""

from kohort.risk.audit import Counted, audit_facts, check_roles, counted_facts
from kohort.risk.crowds import Crowds, crowds
from kohort.risk.picking import Shares, exposed, shares_of_rows
from kohort.risk.population import PopulationUniques, population_uniques
from kohort.risk.reidentification import (
    Risk,
    at_risk,
    distribution,
    either_picker,
    journalist,
    marketer,
    prosecutor,
    row_picker,
)
from kohort.risk.sampling import sampling_facts
from kohort.risk.uniques import SampleUniques, Subset, sample_uniques

__all__ = [
    "Counted",
    "Crowds",
    "PopulationUniques",
    "Risk",
    "SampleUniques",
    "Shares",
    "Subset",
    "at_risk",
    "audit_facts",
    "check_roles",
    "counted_facts",
    "crowds",
    "distribution",
    "either_picker",
    "exposed",
    "journalist",
    "marketer",
    "population_uniques",
    "prosecutor",
    "row_picker",
    "sample_uniques",
    "sampling_facts",
    "shares_of_rows",
]
