"""Truta, Campan, Meyer: the worked examples of sections 2.1 and 2.2."""

import numpy as np
from tests.reference.models import most_clusters_that_exist

from kohort.classes import classes_of_rows
from kohort.metrics.homogeneity import diversity, homogeneity
from kohort.models import KAnonymity, PSensitive
from kohort.models.p_sensitive import conditions

TABLE_1 = [  # age, ZIP, diagnosis, income
    ("20", "41099", "AIDS", "60,000"),
    ("20", "41099", "AIDS", "60,000"),
    ("20", "41099", "AIDS", "40,000"),
    ("30", "41099", "Diabetes", "50,000"),
    ("30", "41099", "Diabetes", "40,000"),
    ("30", "41099", "Tuberculosis", "50,000"),
    ("30", "41099", "Tuberculosis", "40,000"),
]
FIG_1 = [("1", "a", "α"), ("1", "b", "β"), ("2", "a", "β"), ("2", "b", "α")]


def coded(values):
    distinct, codes = np.unique(values, return_inverse=True)
    return codes.astype(np.int32), len(distinct)


def classes_of(rows):
    quasi = np.column_stack([coded([r[j] for r in rows])[0] for j in (0, 1)])
    sensitive = {"diagnosis": coded([r[2] for r in rows]), "income": coded([r[3] for r in rows])}
    return classes_of_rows(quasi, sensitive)[0]


def test_table_1_is_1_sensitive_3_anonymous():
    classes = classes_of(TABLE_1)
    both = PSensitive(2, columns=("diagnosis", "income"), k=3)
    assert KAnonymity(3).achieved(classes) == 3
    assert both.achieved(classes) == 1
    assert both.failing(classes).tolist() == [True, False]
    assert PSensitive(2, "income", k=3).holds(classes)


def test_table_1_is_2_sensitive_once_a_diagnosis_of_the_first_cluster_differs():
    other = [("20", "41099", "Asthma", "60,000"), *TABLE_1[1:]]
    model = PSensitive(2, columns=("diagnosis", "income"), k=3)
    assert model.achieved(classes_of(other)) == 2
    assert model.holds(classes_of(other))


def test_fig_1_allows_two_clusters_by_condition_2_while_only_one_exists():
    totals = [np.bincount(coded([row[j] for row in FIG_1])[0]) for j in range(3)]
    found = conditions(totals, p=2)
    assert (found.max_p, found.max_clusters) == (2, 2)
    assert most_clusters_that_exist(FIG_1, p=2) == 1


def test_property_1_a_cluster_is_p_sensitive_where_its_homogeneity_is_0():
    """Definitions 11 and 12 on Table 1, p = 2, equal weights: the AIDS cluster lacks one diagnosis."""
    classes = classes_of(TABLE_1)
    assert homogeneity(classes, ("diagnosis", "income"), p=2).tolist() == [0.5, 0.0]
    assert homogeneity(classes, ("diagnosis", "income"), p=3, weights=(0.25, 0.75)).tolist() == [1.25, 1.0]


def test_definition_11_a_tuple_adds_diversity_where_it_brings_a_new_value():
    cluster = [{"AIDS"}, {"60,000", "40,000"}]
    assert diversity(("Diabetes", "60,000"), cluster, p=3) == (1 * (3 - 1)) / 2
    assert diversity(("Diabetes", "50,000"), cluster, p=3) == (1 * (3 - 1) + 1 * (3 - 2)) / 2
    assert diversity(("AIDS", "40,000"), cluster, p=3) == 0
    assert diversity(("AIDS", "50,000"), cluster, p=2) == 0, "two incomes are enough for p = 2"
