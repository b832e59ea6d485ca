"""What a plan may not ask for where the promise is about everything that is published (differential privacy)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy import UNTOLD
from kohort.plan import ColumnPlan, Plan, RecodePlan
from kohort.table.formats import WORKBOOKS
from kohort.table.roles import Role
from kohort.toml import toml_key


def refuse_uncovered(plan: Plan, card: Card) -> None:
    """Refuse a plan by which anything of the table would be published beside what the promise covers.

    The plan alone is looked at, before the table is: a refusal that depends on the table would tell of it.
    """
    if card.covers_all:
        for problem in (*_columns(plan), *_settings(plan)):
            raise InputError(
                f"{problem} (algorithm {card.name})", code="algorithm.uncovered", algorithm=card.name
            )


def _columns(plan: Plan) -> Iterator[str]:
    for name in plan.released:
        column = plan.columns[name]
        if column.role is not Role.QUASI:
            yield (
                f"[columns] {name}: a column of role {column.role} would be released as it is, and show which records "
                'stand together; give it role = "identifier", which is not released, or "quasi" with bounds of its own'
            )
        else:
            yield from _column(name, column)


def _column(name: str, column: ColumnPlan) -> Iterator[str]:
    if column.hierarchy != UNTOLD:
        yield (
            f"[columns] {name}: its hierarchy would be built over the values of the table, and refuse some; leave it "
            f"out, and declare what may be released as [recode.options.bounds] {toml_key(name)} = [least, greatest]"
        )
    if column.min_level or column.max_level is not None:
        yield (
            f"[columns] {name}: min_level and max_level bound generalization, and nothing is generalized; leave them out"
        )


def _settings(plan: Plan) -> Iterator[str]:
    if Path(plan.input.path or "").suffix.lower() in WORKBOOKS:
        yield (
            "[input] path is a workbook, in which a record without any value cannot be told from no record, and the number "
            "of records is public; export it as csv"
        )
    if plan.input.respondent is not None:
        yield (
            "[input] respondent: ε holds per record, and a person with several records would be covered several times less; "
            "make one record per person of them first, and leave respondent out"
        )
    if plan.recode.objective != RecodePlan().objective:
        yield (
            "[recode] objective: nothing is chosen by it, and a score that no number can hold for some values would refuse their "
            "table alone; leave it out"
        )
    if plan.recode.seed is not None:
        yield (
            "[recode] seed: noise that can be drawn again can be taken off again, so it never comes from a seed; leave it out"
        )
    if not plan.output.shuffle:
        yield "[output] shuffle is false: the order of the rows would tell which records stand together; leave it out"
