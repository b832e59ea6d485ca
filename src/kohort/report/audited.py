"""Whose the figures of an audit are, what they are shares of, and who picks somebody out."""

from __future__ import annotations

from kohort.facts.table_audit import TableAudit
from kohort.plurals import many
from kohort.report.words import by_either, count

ONE = {"people": "person", "records": "record"}


def counted_as(facts: TableAudit) -> str:
    """Return what is counted: people where a respondent is named, else records."""
    return "people" if facts.respondent else "records"


def in_all(facts: TableAudit) -> str:
    """Return how many of these the table has, suppressed ones among them."""
    return count(facts.rows if facts.respondents is None else facts.respondents)


def picked_out(facts: TableAudit) -> str:
    """Return whose risk is told, and by whom it is borne."""
    return (
        "Risks are those of being picked out by quasi-identifiers, for an intruder who knows that somebody is in the table "
        f"(prosecutor){by_either(facts.risk)}."
    )


def made_sure(facts: TableAudit) -> str:
    """Return what a diversity is where people have several rows; nothing where each has one."""
    if facts.risk.rows is None:
        return ""
    return " Of people with several values, a diversity is what is made sure of whichever one is taken for each: it may be greater."


def blank_beside(facts: TableAudit) -> str:
    """Return that suppressed rows are counted, where there are such: who knows more can tell them apart."""
    if not facts.suppressed:
        return ""
    rows = many(facts.suppressed, "suppressed row is", "suppressed rows are")
    return f" The {rows} counted here, for other columns tell them apart."
