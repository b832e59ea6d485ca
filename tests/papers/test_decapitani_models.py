"""De Capitani di Vimercati et al.: l-diversity and t-closeness of Figures 3 and 4."""

import numpy as np
import pytest

from kohort.classes import classes_of_rows
from kohort.models import AlphaK, Attribute, BetaLikeness, KAnonymity, LDiversity, Reference, TCloseness

FIG_3 = (
    ("Heart attack", "Cardiomyopathy", "Pericarditis"),
    ("COVID-19", "COVID-19", "COVID-19"),
    ("Dermatitis", "Short breath", "Cough"),
)
FIG_4 = (
    ("Heart attack", "Cardiomyopathy", "Pericarditis"),
    ("COVID-19", "Dermatitis", "Cough"),
    ("Short breath", "COVID-19", "COVID-19"),
)


def classes_and_reference(figure):
    diseases = [disease for group in figure for disease in group]
    labels, codes = np.unique(diseases, return_inverse=True)
    groups = np.repeat(np.arange(3, dtype=np.int32), 3)[:, None]
    classes, _ = classes_of_rows(groups, {"Disease": (codes.astype(np.int32), len(labels))})
    attribute = Attribute("Disease", tuple(map(str, labels)), np.bincount(codes))
    return classes, Reference(9, {"Disease": attribute})


@pytest.mark.parametrize(("figure", "distinct"), [(FIG_3, [3, 1, 3]), (FIG_4, [3, 3, 2])])
def test_figures_3_and_4_are_3_anonymous_with_these_distinct_values(figure, distinct):
    classes, _ = classes_and_reference(figure)
    assert KAnonymity(3).holds(classes)
    assert classes.sensitive["Disease"].distinct().tolist() == distinct


def test_fig_3_falls_to_homogeneity_and_fig_4_is_2_diverse():
    classes, _ = classes_and_reference(FIG_3)
    assert LDiversity(2, "Disease").failing(classes).tolist() == [False, True, False]
    classes, _ = classes_and_reference(FIG_4)
    assert LDiversity(2, "Disease").holds(classes)
    assert LDiversity(2, "Disease").achieved(classes) == 2


def test_fig_4_lies_two_thirds_four_ninths_and_five_ninths_from_the_table():
    classes, reference = classes_and_reference(FIG_4)
    model = TCloseness(0.5, "Disease", "equal").bind(reference)
    assert model.distances(classes) == pytest.approx([2 / 3, 4 / 9, 5 / 9])
    assert model.failing(classes).tolist() == [True, False, True]
    assert model.achieved(classes) == pytest.approx(2 / 3)


def test_fig_4_skewness_two_thirds_against_one_third():
    """COVID-19 holds 2 of 3 records of the last class and 3 of 9 of the table: a gain of 1."""
    classes, reference = classes_and_reference(FIG_4)
    covid = AlphaK(0.5, 3, "Disease", value="COVID-19").bind(reference)
    assert covid.achieved(classes) == pytest.approx(2 / 3)
    assert covid.failing(classes).tolist() == [False, False, True]
    last = classes.kept(np.array([2]))
    totals = reference.attributes["Disease"].totals
    assert totals[reference.attributes["Disease"].labels.index("COVID-19")] / 9 == pytest.approx(1 / 3)
    assert BetaLikeness(1, "Disease").bind(reference).achieved(classes.kept(np.array([0]))) == pytest.approx(
        2
    )
    assert BetaLikeness(1, "Disease").bind(reference).achieved(last) == pytest.approx(2), (
        "short breath: 1/3 of 1/9"
    )
