"""What a reader must know before any figure: values that are not true, columns that are not hidden."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.facts import TableFacts
from kohort.facts.promises import AttackFacts
from kohort.report.blocks import Block, notice
from kohort.report.company import company
from kohort.report.words import count, percent


def notices(facts: TableFacts, attacks: Sequence[AttackFacts] = ()) -> list[Block]:
    """Return what must not be overlooked."""
    found, told = [], company(facts)
    if not facts.algorithm.truthful:
        found.append(
            notice(
                "Perturbed values",
                "Quasi-identifiers were replaced by values that stand for groups, such as means. A released value need not be true "
                "of the person; use the table for statistics, not for single records.",
            )
        )
    if facts.algorithm.covers_all:
        found.append(notice("Differentially private", f"{facts.algorithm.guarantee}."))
    return [*found, *told.notices(facts, attacks), *_shared(facts, told.name), *_unpromised(facts)]


def several_rows(said: str) -> str:
    """Return that people seem to have several rows, and what to do about it."""
    return f"{said}: add one, name it as [input] respondent, and release anew, or make sure that every row is another person"


def _unpromised(facts: TableFacts) -> list[Block]:
    """Return which sensitive columns are released without a promise."""
    said = unpromised(facts)
    would = f"{said[0].upper()}{said[1:]}. A promise of diversity or closeness would." if said else ""
    return [notice("Sensitive columns without a promise", would)] if said else []


def unpromised(facts: TableFacts) -> str:
    """Return that no promise is about some of the sensitive columns, and which; "" where each has one."""
    names = ", ".join(without_promise(facts))
    return (
        f"no promise is made about {names}: nothing bounds what is learnt of it about somebody"
        if names
        else ""
    )


def without_promise(facts: TableFacts) -> list[str]:
    """Return the sensitive columns that no promise is about."""
    watched = set(facts.watched)
    return [
        column.name for column in facts.columns if column.role == "sensitive" and column.name not in watched
    ]


def _shared(facts: TableFacts, name: str) -> list[Block]:
    """Return whose sensitive values are not hidden, because all around them share them."""
    shared = shared_values(facts, name)
    if not shared:
        return []
    return [
        notice(
            "Not every sensitive value is hidden",
            f"{'; '.join(shared)}: whoever finds the {name} knows the value. A promise of diversity would prevent that.",
        )
    ]


def shared_values(facts: TableFacts, name: str) -> list[str]:
    """Return, for every sensitive column, how many people share their value with all who stand where they do."""
    return [
        f"{count(told.homogeneous)} {facts.counted} ({percent(told.homogeneous_share)} of all) share their "
        f"{column} with everybody in their {name}"
        for column, told in facts.sensitive.items()
        if told.homogeneous_share > 0
    ]
