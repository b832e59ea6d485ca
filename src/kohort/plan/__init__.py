"""What is asked of a release."""

from kohort.plan.plan import Plan
from kohort.plan.sections import ColumnPlan, InputPlan, OutputPlan, RecodePlan

__all__ = ["ColumnPlan", "InputPlan", "OutputPlan", "Plan", "RecodePlan"]
