"""The attacks that the papers work through: who is linked, whose value is learnt."""

from __future__ import annotations

import pytest
from tests.adult import adult_directory
from tests.reference.attacks import table_of

from kohort.algorithms import Silent
from kohort.attacks import Outside, Target, association_cover
from kohort.attacks.association import Association
from kohort.attacks.background import Background
from kohort.attacks.de_finetti import DeFinetti
from kohort.attacks.homogeneity import Homogeneity
from kohort.attacks.linking import Linking
from kohort.attacks.matching import match_people
from kohort.attacks.similarity import Similarity
from kohort.attacks.skewness import Skewness
from kohort.hierarchy import Hierarchy
from kohort.pipeline import make_release
from kohort.plan import Plan
from kohort.preparation.sources import read_source
from kohort.release.draft import Draft
from kohort.verification.judges.two_tables import group_crowds


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


def test_ciriani_fig_16_association_covers_of_the_two_views():
    names = {"Sue": "F", "Claire": "F", "Ann": "F", "John": "M", "David": "M", "Mary": "F", "Alice": "F", "Carol": "F",
             "Kate": "F"}  # fmt: skip
    first = table_of([{"name": name, "sex": sex} for name, sex in names.items()])
    second = table_of(
        rows("sex disease", ["F|hypertension", "F|obesity", "F|chest pain", "F|short breath", "M|obesity"])
    )
    covers = association_cover([first, second], "name", "disease")
    assert (covers["Sue"], covers["John"], covers["David"]) == (4, 1, 1)
    assert sorted(covers.values()) == [1, 1, 4, 4, 4, 4, 4, 4, 4]
    outside = Outside(first, ("sex",), "name")
    finding = Association().run(Target(second, ("sex",), ("disease",), outside=outside))[0]
    assert finding.success == pytest.approx(2 / 9)


ADULT = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass")


def adult_release(sensitive: str, algorithm: str, require: list[dict[str, object]]) -> tuple[Plan, Draft]:
    directory = adult_directory()
    columns = {
        name: {"role": "quasi", "hierarchy": {"kind": "file", "path": f"adult_hierarchy_{name}.csv"}}
        for name in ADULT
    }
    plan = Plan(
        columns=columns | {sensitive: {"role": "sensitive"}},
        require=require,
        recode={"algorithm": algorithm, "seed": 1},
        base=directory,
    )
    return plan, make_release(directory / "adult.csv", plan, Silent())


def test_adult_mondrian_at_k_5_leaves_two_fifths_of_the_records_with_one_salary():
    """38.5 % were measured elsewhere with another implementation; cuts at ties differ."""
    plan, release = adult_release("salary-class", "mondrian", [{"model": "k-anonymity", "k": 5}])
    finding = Homogeneity().run(Target(release.tables["table"], plan.quasi, plan.sensitive))[0]
    assert finding.success == pytest.approx(0.385, abs=0.03)
    assert finding.control < 0.25


def test_adult_anatomy_at_l_3_falls_to_definetti():
    plan, release = adult_release(
        "occupation", "anatomy", [{"model": "l-diversity", "column": "occupation", "l": 3}]
    )
    original = read_source(adult_directory() / "adult.csv")[0]
    target = Target(
        release.tables["table"],
        plan.quasi,
        plan.sensitive,
        original=original,
        apart=group_crowds(release.tables["table"], release.tables["sensitive"]),
    )
    finding = DeFinetti().run(target)[0]
    assert finding.baseline == pytest.approx(1 / 3, abs=0.001)
    assert finding.control == pytest.approx(1 / 3, abs=0.02)
    assert finding.success > 0.6
    assert finding.interval[0] > 0.55
