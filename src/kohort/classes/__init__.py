"""Equivalence classes and the kernels that count them."""

from kohort.classes.classes import Classes, classes_of_columns, classes_of_rows
from kohort.classes.grouping import group, group_columns, meeting
from kohort.classes.histogram import Histogram
from kohort.classes.holders import Holders, Pairs

__all__ = [
    "Classes",
    "Histogram",
    "Holders",
    "Pairs",
    "classes_of_columns",
    "classes_of_rows",
    "group",
    "group_columns",
    "meeting",
]
