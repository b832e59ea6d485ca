"""What is told as a bound is one: the best intruder is run against every algorithm, and reaches no more.

The intruder knows quasi-identifiers, picks a class by them and a row of it. He is given every rule: the best class for each
person, and for each combination of exact values, chosen with the answer at hand. Every sentence with a bound is read off the
reports, the terminal and the audit, and compared with what he reaches in exact fractions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.contract.test_algorithms import NUMBERS_ONLY, SMALL, plan_for
from tests.contract.test_people_released import stays
from tests.reference import risk as naive
from tests.reference.few_steps import FEW_STEPS
from tests.reference.release import is_true, read_release
from tests.thinned import many
from tests.unit.report.test_release_page import Page

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.errors import InfeasibleError, InputError
from kohort.evidence.grain import significant_above
from kohort.facts.table_audit import table_audit
from kohort.report.audit import audit_html
from kohort.report.audit_text import audit_lines
from kohort.report.words import at_most

NOISE = Fraction(1, 10**9)  # behind the ninth digit stands what floating point made of a figure
NUMBER = r"([\d.]+) %"
WORST = [  # sentences that say what nobody's risk exceeds
    rf"finds a record of the right person with a chance of at most {NUMBER}",
    rf"finds the right record with a chance of up to {NUMBER}",
    rf"at most {NUMBER} for any (?:record|person)",
    rf"{NUMBER} highest risk",
    rf"Picking (?:the right record|a row) of somebody known to be in the table \(prosecutor\)\D* {NUMBER}",
    rf"at most {NUMBER}, on average",
]
BY_ROWS = [  # what it does not exceed on average, rows being picked
    rf"Picking (?:the right record|a row) of somebody known to be in the table \(prosecutor\)\D* [\d.]+ % {NUMBER}",
]
AVERAGE = [  # and where of each a row or a person is picked, whichever is likelier to be right
    rf"; at most {NUMBER} on average",
    rf"{NUMBER} average risk",
    rf"Of each what is likelier to be right, a row or a person \D* [\d.]+ % {NUMBER}",
    rf"at most [\d.]+ %, on average {NUMBER}",
]
ALL_ROWS = [rf"Naming everybody in the table at once \(marketer\)\D* – {NUMBER}"]


ROWS = SMALL | {"outliers": 300}  # of sixty rows too few are alike as they stand
# Noise lets no other column be released beside it, by which a row could be told to be whose.
FOLLOWED = [name for name in ALGORITHMS if not algorithm(name).card.covers_all]


def asked(name: str, respondent: bool, rows: str, left_out: float = 0.2) -> kohort.Plan:
    plan = plan_for(name).to_dict()
    plan["columns"]["row"] = {"role": "insensitive", "allow_unique": True}
    plan["recode"] |= {"max_suppression": left_out, "suppressed_rows": rows}
    if name in FEW_STEPS:
        plan["recode"]["options"] = FEW_STEPS[name]
    if respondent:
        plan["input"] = {"respondent": "who"}
    return kohort.Plan.from_dict(plan)


def made(name: str, respondent: bool, rows: str, seed: int) -> tuple[pa.Table, kohort.Plan, Any] | None:
    """Release a table, or say that the algorithm cannot be asked for that."""
    frame = stays(ROWS.get(name, 60), seed, name in NUMBERS_ONLY)
    if not respondent:
        frame = frame.set_column(frame.column_names.index("who"), "who", pa.array(range(frame.num_rows)))
    for kept, left_out in ((rows, 0.2), ("drop", 1.0)):
        plan = asked(name, respondent, kept, left_out)
        try:
            return frame, plan, kohort.anonymize(frame, plan)
        except (InputError, InfeasibleError):
            continue
    return None


def told(text: str, sentences: list[str]) -> Iterator[Fraction]:
    for sentence in sentences:
        for found in re.findall(sentence, text):
            yield Fraction(found) / 100


def reached(frame: pa.Table, plan: kohort.Plan, shown: Any) -> tuple[Fraction, Fraction, Fraction]:
    """What the best intruder reaches against the most exposed person, on average, and in naming all rows."""
    number = [int(row) for row in shown["row"]]
    who = [frame["who"][row].as_py() for row in number]
    rows = list(zip(*(shown[name] for name in plan.quasi), strict=True))
    known = list(zip(*(frame[name].take(number).to_pylist() for name in plan.quasi), strict=True))
    by_person = naive.best_pick_of_rows(rows, who)
    by_values = naive.best_by_known_values(known, rows, who)
    worst = max(*by_person.values(), *by_values.values())
    average = sum(by_person.values(), Fraction(0)) / len(by_person)
    assert max(by_values.values()) <= max(by_person.values()), "a rule that knows less does no better"
    return worst, average, naive.best_naming_of_rows(rows, who)


@pytest.mark.parametrize("respondent", [False, True], ids=["records", "people"])
@pytest.mark.parametrize("name", FOLLOWED)
def test_no_intruder_does_better_than_any_bound_told(name: str, respondent: bool, tmp_path: Path) -> None:
    turn = list(ALGORITHMS).index(name)
    found = made(name, respondent, "blank" if turn % 2 else "drop", turn)
    if found is None:
        assert respondent, "every algorithm releases a table of records"
        return
    frame, plan, release = found
    place = release.save(tmp_path / "out")
    shown = read_release(place / "table.csv")
    worst, average, all_rows = reached(frame, plan, shown)
    chances = exposure(frame, plan, shown)
    either = sum(chances, Fraction(0)) / len(chances)
    private = Page((tmp_path / "out.private" / "report.html").read_text(encoding="utf-8")).text
    public = Page((place / "report.html").read_text(encoding="utf-8")).text
    audited = table_audit(kohort.audit(shown.assign(who=owners(frame, shown)), plan.quasi, respondent="who"))
    lines = " ".join(" ".join(audit_lines(audited, 200)).split())
    texts = [private, lines, Page(audit_html(audited)).text]
    if not respondent:
        texts.append(public)
    else:
        assert not [*told(public, [*WORST, *BY_ROWS, *AVERAGE, *ALL_ROWS])] or release.facts.apart is not None
    for text in texts:
        bounds, averages = list(told(text, WORST)), list(told(text, AVERAGE))
        by_rows = list(told(text, BY_ROWS))
        assert bounds
        assert averages
        if audited.suppressed and text not in (
            private,
            public,
        ):  # an audit leaves blank rows out, and says so
            bounds = [max(*bounds, *told(text, [rf"and the highest risk {NUMBER}"]))]
            averages = [Fraction(1)]
        assert worst <= min(bounds) + NOISE, (name, worst, bounds)
        assert average <= min([*averages, *by_rows]) + NOISE, (name, average, averages, by_rows)
        assert either <= min(averages) + NOISE, (name, either, averages)
    for text in texts[:1] + texts[3:]:
        named = list(told(text, ALL_ROWS))
        assert named
        assert all_rows <= min(named) + NOISE
    for text in (private, public)[: 1 if respondent else 2]:
        assert above(text) == [sum(risk > Fraction(1, n) for risk in chances) for n in (20, 11, 5, 3, 2)]


def above(text: str) -> list[int]:
    """The people told to bear a higher risk than each limit in use."""
    start = re.search("risk of being picked out(?:, [a-z, ]+)? (people|records) share", text)
    assert start
    table = text[start.end() :]
    found = [re.search(rf"above 1 in {n} ([\d,]+) ", table) for n in (20, 11, 5, 3, 2)]
    return [int(count[1].replace(",", "")) for count in found if count is not None]


def exposure(frame: pa.Table, plan: kohort.Plan, shown: Any) -> list[Fraction]:
    """Each person's greatest chance of being picked, by row or blindly among the people of a class."""
    who = owners(frame, shown)
    rows = list(zip(*(shown[name] for name in plan.quasi), strict=True))
    picked, crowd = naive.best_pick_of_rows(rows, who), naive.crowd_of_each_person(rows, who)
    return [max(picked[person], Fraction(1, crowd[person])) for person in picked]


def owners(frame: pa.Table, shown: Any) -> list[Any]:
    return [frame["who"][int(row)].as_py() for row in shown["row"]]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "name", ["mondrian", "mondrian-relaxed", "cells-exact", "k-member", "forest", "mdav", "optimal"]
)
def test_who_knows_everybody_and_weighs_every_assignment_is_no_surer_of_a_row(name: str, seed: int) -> None:
    """Where labels overlap: all ways in which seven people can have the seven rows, each as likely as any other."""
    frame = stays(7, 20 + seed, numeric=False)
    plan = asked(name, False, "drop").to_dict()
    plan["require"] = [{"model": "k-anonymity", "k": 2}]
    plan["recode"]["max_suppression"] = 0
    try:
        release = kohort.anonymize(frame, kohort.Plan.from_dict(plan))
    except (InputError, InfeasibleError):
        pytest.skip("no release")
    rows = list(zip(*(release.table[n].to_pylist() for n in ("age", "zip", "sex")), strict=True))
    known = list(zip(*([str(v) for v in frame[n].to_pylist()] for n in ("age", "zip", "sex")), strict=True))
    truthful = algorithm(name).card.truthful
    fits = [[not truthful or all(map(_true, row, values, range(3))) for row in rows] for values in known]
    surest = naive.surest_owner(fits)
    assert surest <= Fraction(release.facts.risk.prosecutor.highest).limit_denominator(10**6)


def _true(label: Any, value: str, j: int) -> bool:
    text = None if label is None else str(label)
    if j == 1 and text is not None and text != "*" and text.endswith("*"):
        return value.startswith(text.rstrip("*"))
    return is_true(text, value, None)


@pytest.mark.parametrize(("held", "n", "people", "told_as"), [(3, 8, 5, "37.5 %"), (8, 9, 2, "88.9 %")])
def test_a_person_with_several_rows_of_a_class_is_found_by_them(
    held: int, n: int, people: int, told_as: str
) -> None:
    """One patient has 3 of 8 rows: 37.5 %, not one over the five people; and 8 of 9."""
    who = ["p0"] * held + [f"p{1 + i % (people - 1)}" for i in range(n - held)]
    facts = kohort.audit(pa.table({"zip": ["1"] * n, "who": who}), ["zip"], respondent="who")
    assert facts["risk"]["prosecutor"]["highest"] == 1 / people
    assert facts["risk"]["rows"]["highest"] == held / n
    lines = list(audit_lines(table_audit(facts)))
    assert any(line.strip().startswith(f"at most {told_as}") for line in lines)
    first = next(i for i, line in enumerate(lines) if "picking a row of theirs" in line)
    assert "picking one of the people" in lines[first + 1], "the worst stands first"


@pytest.mark.parametrize("rows", ["drop", "blank"])
def test_a_frontier_tells_the_risk_of_rows(rows: str) -> None:
    """Each point is the release with that k; its intruder picks rows, blank ones too."""
    frame, told_of = stays(60, 1, numeric=False), 0
    for point in kohort.frontier(frame, asked("optimal", True, rows), k=[2, 3, 4]).to_pylist():
        plan = asked("optimal", True, rows).to_dict()
        plan["require"][0]["k"] = point["value"]
        plan["output"] = {"ledger": ""}
        try:
            shown = kohort.anonymize(frame, kohort.Plan.from_dict(plan)).table.to_pydict()
        except InfeasibleError:
            continue
        worst, _, _ = reached(frame, kohort.Plan.from_dict(plan), shown)
        chances = exposure(frame, kohort.Plan.from_dict(plan), shown)
        assert worst <= Fraction(point["highest_risk"]) + NOISE
        assert sum(chances) / len(chances) <= Fraction(point["average_risk"]) + NOISE
        told_of += 1
    assert told_of


def test_blank_rows_are_a_class_that_can_be_picked_from() -> None:
    """Ten people in one class, and two who are suppressed but stand in the table as `*`."""
    plan = kohort.Plan.from_dict(
        {
            "columns": {"zip": {"role": "quasi", "hierarchy": {"kind": "suppress"}}},
            "require": [{"model": "k-anonymity", "k": 2}],
            "recode": {"algorithm": "outliers", "max_suppression": 0.5, "suppressed_rows": "blank"},
        }
    )
    release = kohort.anonymize(pa.table({"zip": ["1"] * 10 + ["2", "3"]}), plan)
    assert (release.facts.classes, release.facts.suppressed) == (2, 2)
    assert release.facts.risk.highest == 1 / 2
    assert release.facts.risk.average == 2 / 12


@many(n=[*range(1, 200), 997, 30_162, 999_983])
def test_bounds_round_up(n: int) -> None:
    for held in {1, n // 3 or 1, n - 1 or 1, n}:
        exact = Fraction(held, n)
        said = Fraction(at_most(held / n).removesuffix(" %")) / 100
        assert exact <= said + exact * NOISE
        assert said <= exact * Fraction(102, 100), "and by no more than the third digit"
        assert exact <= Fraction(repr(significant_above(held / n, 6))) * (1 + NOISE)


def test_exact_shares_are_told_as_they_are() -> None:
    assert [at_most(share) for share in (1.0, 0.5, 0.25, 0.2, 0.125, 0.05, 0.0)] == [
        "100 %", "50 %", "25 %", "20 %", "12.5 %", "5 %", "0 %",
    ]  # fmt: skip
