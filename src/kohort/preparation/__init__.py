"""From a source and a plan to the problem that a search solves, and the algorithm that solves it."""

from kohort.preparation.checks import check_names, check_people, check_pointer, pointing
from kohort.preparation.choice import algorithm_of, check_algorithm, chosen_algorithm
from kohort.preparation.hierarchies import quasi_hierarchies, sensitive_hierarchies
from kohort.preparation.problem import max_suppressed, metric, problem_of, watched
from kohort.preparation.reference import People, attribute_of, people_of, reference_of, told_people

__all__ = [
    "People",
    "algorithm_of",
    "attribute_of",
    "check_algorithm",
    "check_names",
    "check_people",
    "check_pointer",
    "chosen_algorithm",
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
