"""Equivalence classes and the kernels that count them."""

from kohort.classes.classes import Classes, classes_of_rows
from kohort.classes.grouping import columns_of, group
from kohort.classes.histogram import Histogram

__all__ = ["Classes", "Histogram", "classes_of_rows", "columns_of", "group"]
