"""From a source and a plan to the problem that a search solves, and the algorithm that solves it."""

from kohort.preparation.algorithm_choice import algorithm_of, check_algorithm, chosen_algorithm, layout_of
from kohort.preparation.checks import check_names, check_people, check_pointer, pointing
from kohort.preparation.hierarchies import quasi_hierarchies, sensitive_hierarchies
from kohort.preparation.reference import People, attribute_of, people_of, reference_of, told_people
from kohort.preparation.table_problem import max_suppressed, metric, problem_of, watched

__all__ = [
    "People",
    "algorithm_of",
    "attribute_of",
    "check_algorithm",
    "check_names",
    "check_people",
    "check_pointer",
    "chosen_algorithm",
    "layout_of",
    "max_suppressed",
    "metric",
    "people_of",
    "pointing",
    "problem_of",
    "quasi_hierarchies",
    "reference_of",
    "sensitive_hierarchies",
    "told_people",
    "watched",
]
