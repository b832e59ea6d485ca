"""What is asked of a release."""

from kohort.plan.plan import Plan
from kohort.plan.sections import ColumnPlan, ContextPlan, InputPlan, OutputPlan, RecodePlan

__all__ = ["ColumnPlan", "ContextPlan", "InputPlan", "OutputPlan", "Plan", "RecodePlan"]
