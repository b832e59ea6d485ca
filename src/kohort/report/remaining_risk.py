"""What remains at risk, in words a data protection officer can use."""

from __future__ import annotations

from kohort.facts import ReleaseFacts, TableFacts
from kohort.facts.figures import Risk
from kohort.report.attacks import attacks
from kohort.report.blocks import Block, table, text
from kohort.report.company import company
from kohort.report.ledger import beside_others
from kohort.report.promised import journalist_rows
from kohort.report.singled_out import singling_out
from kohort.report.words import at_most, percent

KNOWN = (
    "These are bounds, rounded up, for an intruder who goes by quasi-identifiers, be it everybody's, and by nothing else that a "
    "row shows. Whoever knows values of other columns, or how these go with quasi-identifiers, may do better."
)


def remaining_risk(facts: ReleaseFacts) -> list[Block]:
    """Return the risks that were measured, what no figure covers, what earlier releases add, and what attacks came to."""
    return [*measured_risk(facts), *beside_others(facts.ledger, facts.attacks), *attacks(facts)]


def measured_risk(facts: TableFacts) -> list[Block]:
    """Return the risks that follow from the released classes, and what no figure covers."""
    rows, told = _measured(facts), company(facts)
    bounded = bool(rows) and not told.caveat
    ends = ("at most, for anybody", "at most, on average") if bounded else ("for anybody", "on average")
    return [
        text(
            f"No release is without risk. The promises bound {told.bounded()}; they say "
            "nothing about columns that were wrongly declared harmless, about other releases of the same people, or about what "
            "follows for everybody who shares some values."
        ),
        *([table(("what an intruder might do", *ends), rows, (1, 2))] if rows else []),
        *([text(KNOWN)] if bounded else []),
        *_guessed(facts),
        *singling_out(facts),
    ]


def _measured(facts: TableFacts) -> list[tuple[str, str, str]]:
    risk, told = facts.risk, company(facts)
    if risk is None:  # people, who are not shown, were counted
        return []
    whole = f"Naming everybody in the table at once (marketer): the share of rows named rightly{told.caveat}"
    return [*_picked(risk, told.caveat), (whole, "–", at_most(risk.marketer)), *journalist_rows(facts)]


def _picked(risk: Risk, caveat: str) -> list[tuple[str, str, str]]:
    """Return the risk of somebody known to be in the table; where people have several rows, by row and by person."""
    known = "of somebody known to be in the table (prosecutor)"
    if risk.rows is None:
        told = risk.prosecutor
        return [(f"Picking the right record {known}{caveat}", at_most(told.highest), at_most(told.average))]
    picks = [  # in this order: in every class somebody has as many rows as are a person's on average
        (f"Picking a row {known}{caveat}", risk.rows),
        (f"Picking blindly one of the people of the class {known}{caveat}", risk.prosecutor),
        (f"Of each what is likelier to be right, a row or a person {known}{caveat}", risk.either),
    ]
    return [(said, at_most(told.highest), at_most(told.average)) for said, told in picks if told is not None]


def _guessed(facts: TableFacts) -> list[Block]:
    """Return what a class tells of sensitive values by itself."""
    name = company(facts).name
    rows = [
        (column, percent(found.alpha), percent(found.homogeneous_share))
        for column, found in facts.sensitive.items()
    ]
    headings = (
        f"guessed from a {name} alone",
        f"largest share in a {name}",
        f"{facts.counted} in a {name} with a single value",
    )
    return [table(headings, rows, (1, 2))] if rows else []
