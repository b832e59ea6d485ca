"""The attacks that the papers work through: who is linked, whose value is learnt."""

from __future__ import annotations

import pytest
from tests.reference.attacks import table_of

from kohort.attacks import Outside, Target
from kohort.attacks.background import Background
from kohort.attacks.homogeneity import Homogeneity
from kohort.attacks.linking import Linking
from kohort.attacks.matching import match_people
from kohort.attacks.similarity import Similarity
from kohort.attacks.skewness import Skewness
from kohort.hierarchy import Hierarchy


def rows(names: str, lines: list[str]) -> list[dict[str, str | None]]:
    return [dict(zip(names.split(), map(str.strip, line.split("|")), strict=True)) for line in lines]


SAMARATI_1 = rows(
    "race dob sex zip marital problem",
    [
        "asian|09/27/64|female|94139|divorced|hypertension",
        "asian|09/30/64|female|94139|divorced|obesity",
        "asian|04/18/64|male|94139|married|chest pain",
        "asian|04/15/64|male|94139|married|obesity",
        "black|03/13/63|male|94138|married|hypertension",
        "black|03/18/63|male|94138|married|shortness of breath",
        "black|09/13/64|female|94141|married|shortness of breath",
        "black|09/07/64|female|94141|married|obesity",
        "white|05/14/61|male|94138|single|chest pain",
        "white|05/08/61|male|94138|single|obesity",
        "white|09/15/61|female|94142|widow|shortness of breath",
    ],
)


def test_samarati_fig_1_the_bulleted_row_is_linked():
    voters = rows(
        "name zip dob sex", ["Sue J. Carlson|94142|09/15/61|female", "Somebody Else|94107|01/02/50|male"]
    )
    outside = Outside(table_of(voters), ("zip", "dob", "sex"), "name")
    target = Target(
        table_of(SAMARATI_1), ("race", "dob", "sex", "zip", "marital"), ("problem",), outside=outside
    )
    match = match_people(target, outside.table, outside.on, "problem")
    assert match.sizes.tolist() == [1, 0]
    assert match.n_candidates().tolist() == [1, 0]
    finding = Linking().run(target)[0]
    assert finding.details["unique"] == 1
    assert finding.success == 0.5


def test_samarati_fig_12_two_people_are_singled_out_of_the_release_of_mu_argus():
    original = rows(
        "race dob sex zip",
        [
            "black|09/20/65|male|94141", "black|02/14/65|male|94141", "black|10/23/65|female|94138",
            "black|08/24/65|female|94138", "black|11/07/64|female|94138", "black|12/01/64|female|94138",
            "white|10/23/64|male|94138", "white|03/15/65|female|94139", "white|08/13/64|male|94139",
            "white|05/05/64|male|94139", "white|02/13/67|male|94138", "white|03/21/67|male|94138",
        ],
    )  # fmt: skip
    years = [f"19{row['dob'][6:]}" for row in original]
    released = [row | {"dob": year} for row, year in zip(original, years, strict=True)]
    released[7] |= {"race": "*", "dob": "*"}
    dob = Hierarchy.from_rows("dob", [(r["dob"], y, "*") for r, y in zip(original, years, strict=True)])
    target = Target(table_of(released), ("race", "dob", "sex", "zip"), (), {"dob": dob})
    sizes = match_people(target, table_of(original), ("race", "dob", "sex", "zip")).sizes
    assert sizes.tolist() == [2, 2, 2, 2, 2, 2, 1, 1, 2, 2, 2, 2]


CIRIANI_1 = rows(
    "race dob sex zip marital disease",
    [
        "asian|64/04/12|F|94142|divorced|hypertension",
        "asian|64/09/13|F|94141|divorced|obesity",
        "asian|64/04/15|F|94139|married|chest pain",
        "asian|63/03/13|M|94139|married|obesity",
        "asian|63/03/18|M|94139|married|short breath",
        "black|64/09/27|F|94138|single|short breath",
        "black|64/09/27|F|94139|single|obesity",
        "white|64/09/27|F|94139|single|chest pain",
        "white|64/09/27|F|94141|widow|short breath",
    ],
)


def test_ciriani_figs_1_and_2_sue_doe_is_linked_to_her_disease():
    sue = rows("name zip dob sex marital", ["Sue J. Doe|94142|64/04/12|F|divorced"])
    target = Target(table_of(CIRIANI_1), ("race", "dob", "sex", "zip", "marital"), ("disease",))
    match = match_people(target, table_of(sue), ("zip", "dob", "sex", "marital"), "disease")
    assert match.sizes.tolist() == [1]
    assert match.n_candidates().tolist() == [1]


CIRIANI_15 = rows(
    "race dob sex zip disease",
    [
        "asian|64|F|941**|hypertension", "asian|64|F|941**|obesity", "asian|64|F|941**|chest pain",
        "asian|63|M|941**|obesity", "asian|63|M|941**|obesity",
        "black|64|F|941**|short breath", "black|64|F|941**|short breath",
        "white|64|F|941**|chest pain", "white|64|F|941**|short breath",
    ],
)  # fmt: skip


def test_ciriani_fig_15_carol_by_homogeneity_and_hellen_by_background_knowledge():
    target = Target(table_of(CIRIANI_15), ("race", "dob", "sex", "zip"), ("disease",))
    carol = match_people(target, table_of([{"race": "black", "sex": "F"}]), ("race", "sex"), "disease")
    assert (carol.sizes.tolist(), carol.n_candidates().tolist()) == ([2], [1])
    assert Homogeneity().run(target)[0].success == pytest.approx(4 / 9)
    one_excluded, two_excluded, _ = Background().run(target)
    assert one_excluded.success == pytest.approx(6 / 9), "the white women fall when short breath is ruled out"
    assert two_excluded.success == 1


DECAPITANI_3 = rows(
    "dob sex zip disease",
    [
        "1940/08/**|F|98***|Heart attack", "1940/08/**|F|98***|Cardiomyopathy", "1940/08/**|F|98***|Pericarditis",
        "1950/02/**|M|99***|COVID-19", "1950/02/**|M|99***|COVID-19", "1950/02/**|M|99***|COVID-19",
        "1950/07/**|M|99***|Dermatitis", "1950/07/**|M|99***|Short breath", "1950/07/**|M|99***|Cough",
    ],
)  # fmt: skip
DECAPITANI_4 = rows(
    "dob sex zip disease",
    [
        "1940/**/**|F|985**|Heart attack", "1940/**/**|F|985**|Cardiomyopathy", "1940/**/**|F|985**|Pericarditis",
        "1950/**/**|M|994**|COVID-19", "1950/**/**|M|994**|Dermatitis", "1950/**/**|M|994**|Cough",
        "1950/**/**|M|993**|Short breath", "1950/**/**|M|993**|COVID-19", "1950/**/**|M|993**|COVID-19",
    ],
)  # fmt: skip
DISEASES = Hierarchy.from_rows(
    "disease",
    [
        ("Heart attack", "cardiovascular", "*"), ("Cardiomyopathy", "cardiovascular", "*"),
        ("Pericarditis", "cardiovascular", "*"), ("COVID-19", "respiratory", "*"), ("Short breath", "respiratory", "*"),
        ("Cough", "respiratory", "*"), ("Dermatitis", "skin", "*"), ("Astrocytoma", "tumour", "*"),
    ],
)  # fmt: skip


def test_decapitani_fig_2_luke_lane_is_linked():
    table = rows(
        "dob sex zip disease",
        [
            "1940/08/10|F|98512|Heart attack", "1950/02/12|M|99413|COVID-19", "1940/08/04|F|98578|Cardiomyopathy",
            "1950/02/13|M|99356|COVID-19", "1950/07/12|M|99423|Dermatitis", "1940/08/11|F|98545|Pericarditis",
            "1950/07/25|M|99334|Short breath", "1950/07/30|M|99490|Cough", "1950/02/20|M|99301|COVID-19",
            "1945/12/01|M|98321|Astrocytoma",
        ],
    )  # fmt: skip
    luke = table_of([{"name": "Luke Lane", "dob": "1945/12/01", "sex": "M", "zip": "98321"}])
    target = Target(
        table_of(table), ("dob", "sex", "zip"), ("disease",), outside=Outside(luke, ("dob", "sex", "zip"))
    )
    finding = Linking().run(target)[0]
    assert finding.success == 1
    assert finding.baseline == pytest.approx(1 / 10)


def test_decapitani_fig_3_homogeneity_of_the_second_class():
    target = Target(table_of(DECAPITANI_3), ("dob", "sex", "zip"), ("disease",))
    assert Homogeneity().run(target)[0].success == pytest.approx(3 / 9)


def test_decapitani_fig_3_the_marathon_runner():
    """Two diseases ruled out leave dermatitis; one alone leaves two."""
    target = Target(table_of(DECAPITANI_3), ("dob", "sex", "zip"), ("disease",))
    one_excluded, two_excluded, _ = Background().run(target)
    assert one_excluded.success == pytest.approx(3 / 9)
    assert two_excluded.success == 1
    groups = target.groups("disease")
    runner = groups.labels.index("Dermatitis")
    assert groups.histogram.distinct()[groups.owners[groups.values == runner][0]] == 3


def test_decapitani_fig_4_skewness_two_thirds_against_one_third():
    finding = Skewness().run(Target(table_of(DECAPITANI_4), ("dob", "sex", "zip"), ("disease",)))[0]
    assert finding.success == pytest.approx(2 / 3)
    assert finding.baseline == pytest.approx(1 / 3)


def test_decapitani_fig_4_similarity_of_the_first_class():
    target = Target(table_of(DECAPITANI_4), ("dob", "sex", "zip"), ("disease",), {"disease": DISEASES})
    assert Homogeneity().run(target)[0].success == 0
    finding = Similarity().run(target)[0]
    # the three women, and the last class: short breath and COVID-19 are both respiratory
    assert finding.success == pytest.approx(6 / 9)
    women = Target(table_of(DECAPITANI_4[:6]), ("dob", "sex", "zip"), ("disease",), {"disease": DISEASES})
    assert Similarity().run(women)[0].success == pytest.approx(3 / 6)
