"""Ciriani et al.: homogeneity and background knowledge in Figure 15."""

import numpy as np

from kohort.classes import classes_of_rows
from kohort.models import KAnonymity, LDiversity

FIG_15 = [
    ("asian", "64", "F", "941**", "hypertension"),
    ("asian", "64", "F", "941**", "obesity"),
    ("asian", "64", "F", "941**", "chest pain"),
    ("asian", "63", "M", "941**", "obesity"),
    ("asian", "63", "M", "941**", "obesity"),
    ("black", "64", "F", "941**", "short breath"),
    ("black", "64", "F", "941**", "short breath"),
    ("white", "64", "F", "941**", "chest pain"),
    ("white", "64", "F", "941**", "short breath"),
]


def fig_15():
    columns = [np.unique([row[j] for row in FIG_15], return_inverse=True) for j in range(5)]
    quasi = np.column_stack([codes for _, codes in columns[:4]]).astype(np.int32)
    diseases, codes = columns[4]
    return classes_of_rows(quasi, {"Disease": (codes.astype(np.int32), len(diseases))})


def test_fig_15_is_2_anonymous_and_its_black_women_all_have_one_disease():
    classes, class_of = fig_15()
    assert KAnonymity(2).achieved(classes) == 2
    homogeneous = LDiversity(2, "Disease").failing(classes)
    told = {FIG_15[row][0:3:2] for row in np.flatnonzero(homogeneous[class_of])}
    assert told == {("black", "F"), ("asian", "M")}


def test_fig_15_background_knowledge_on_the_white_women_needs_one_excluded_value():
    """Two values, one each: ruling one out leaves certainty, so no recursive (c, 3)-diversity for any c."""
    classes, class_of = fig_15()
    white = class_of[-1]
    assert classes.sensitive["Disease"].distinct()[white] == 2
    assert LDiversity(2, "Disease", "recursive", c=2).failing(classes)[white] == False  # noqa: E712
    assert LDiversity(3, "Disease", "recursive", c=1000).failing(classes)[white] == True  # noqa: E712
