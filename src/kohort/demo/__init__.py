"""The made-up hospital: its table, its level files and a plan for its release."""

from kohort.demo.files import plan_text, write
from kohort.demo.patients import make_patients

__all__ = ["make_patients", "plan_text", "write"]
