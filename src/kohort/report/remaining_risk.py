"""What remains at risk, in words a data protection officer can use."""

from __future__ import annotations

from kohort.facts import ReleaseFacts, TableFacts
from kohort.report.attacks import attacks
from kohort.report.blocks import Block, table, text
from kohort.report.company import company
from kohort.report.ledger import beside_others
from kohort.report.words import percent


def remaining_risk(facts: ReleaseFacts) -> list[Block]:
    """Return the risks that were measured, what no figure covers, what earlier releases add, and what attacks came to."""
    return [*measured_risk(facts), *beside_others(facts.ledger, facts.attacks), *attacks(facts)]


def measured_risk(facts: TableFacts) -> list[Block]:
    """Return the risks that follow from the released classes, and what no figure covers."""
    rows = _measured(facts)
    headings = ("what an intruder might do", "in the worst case", "on average")
    return [
        text(
            f"No release is without risk. The promises bound {company(facts).bounded()}; they say "
            "nothing about columns that were wrongly declared harmless, about other releases of the same people, or about what "
            "can be inferred about groups."
        ),
        *([table(headings, rows, (1, 2))] if rows else []),
    ]


def _measured(facts: TableFacts) -> list[tuple[str, str, str]]:
    risk, told = facts.risk, company(facts)
    if risk is None:  # people, who are not shown, were counted
        return []
    rows = [
        (
            f"Picking the right record of somebody known to be in the table (prosecutor){told.caveat}",
            percent(risk.prosecutor.highest),
            percent(risk.prosecutor.average),
        ),
        (f"Naming everybody in the table at once (marketer){told.caveat}", "–", percent(risk.marketer)),
    ]
    for column, found in facts.sensitive.items():
        rows.append((f"Guessing {column} from the {told.name} alone", percent(found.alpha), "–"))
        single = f"Being in a {told.name} with a single value of {column}"
        rows.append((single, "–", percent(found.homogeneous_share)))
    return rows
