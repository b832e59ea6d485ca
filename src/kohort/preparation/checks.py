"""What a table must be like to fit a plan."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.errors import InputError
from kohort.plan import Plan
from kohort.plurals import many
from kohort.table import Role
from kohort.table.empty_rows import of_nobody

_FEW = 10  # rows that say nothing about a column


def check_names(names: Sequence[str], plan: Plan) -> None:
    """Refuse a table that lacks columns which the plan names."""
    absent = [name for name in plan.columns if name not in names]
    absent += [name for name in _read_by_name(plan) if name not in names]
    if absent:
        # Where the plan knows none of them, the first row may be somebody's: then its cells are not told.
        known = any(name in names for name in plan.columns)
        held = (
            f"its columns are: {', '.join(names)}"
            if known
            else f"it has {many(len(names), 'column')} of other names{_undivided(names, plan)}"
        )
        raise InputError(
            f"the plan names {', '.join(map(repr, absent))}, which the table does not have; {held}",
            code="plan.unknown-column",
            columns=absent,
        )


def _undivided(names: Sequence[str], plan: Plan) -> str:
    """Return what to look at where a table has one column and the plan names several: the sign between them."""
    if len(names) > 1 or len(plan.columns) == 1:
        return ""
    told = plan.input.delimiter
    said = "" if told is None else f", which is {told!r},"
    return f"; if it is a text file, see whether [input] delimiter{said} is the sign between its columns"


def _read_by_name(plan: Plan) -> list[str]:
    """Return the columns that [input] names, each once, where [columns] does not."""
    told = plan.input
    people = [] if told.respondent is None else [told.respondent]
    return [
        name for name in dict.fromkeys([*people, *told.missing_in, *told.fold]) if name not in plan.columns
    ]


def check_people(plan: Plan, people: int, nobody: int, first: int) -> None:
    """Refuse rows of nobody, of which the first is told by its place, and a k that not even all people together reach."""
    if nobody:
        raise InputError(
            f"respondent column {plan.input.respondent!r}: {of_nobody(nobody, first)}; "
            "give every row a respondent, or leave such rows out",
            code="table.no-respondent",
            column=plan.input.respondent,
            rows=nobody,
        )
    counted = "row" if plan.input.respondent is None else "respondent"
    for model in plan.require:
        k = model.demand.crowd
        if k > people:
            raise InputError(
                f"[[require]] {model.card.name}: k is {k} but the table has {many(people, counted)}; "
                f"k must be at most {people}",
                code="model.parameter",
                model=model.card.name,
                option="k",
                value=k,
                most=people,
            )


def pointing(plan: Plan) -> tuple[str, ...]:
    """Return the columns that are released as they are and must not point at single rows."""
    return tuple(
        name
        for name in plan.released
        if plan.columns[name].role is not Role.QUASI and not plan.columns[name].allow_unique
    )


def check_pointer(name: str, role: Role, alone: int, others: int, n_rows: int) -> None:
    """Refuse to release a column as it is whose values mostly point at single people (ATTACKS 11).

    `alone` are the rows whose value no other row has, or where people have several rows no other person; `others` those
    that do not hold the most frequent value, which may be 0, none or missing: remarks on a few people point at them
    although most rows have none.
    """
    mostly = n_rows >= _FEW and alone > n_rows / 2
    if mostly or (others >= _FEW and alone > others / 2):
        of = f"{many(n_rows, 'row')}" if mostly else f"{many(others, 'row')} without its most frequent value"
        raise InputError(
            f"[columns] {name}: declared {role}, but {alone:,} of {of} hold a value that nobody "
            'else has, so it can identify people; give it role = "identifier" or "quasi", tell it more coarsely '
            '(round, bottom, top of numbers; unit = "month" of dates), or set allow_unique = true if you are sure',
            code="plan.identifying",
            column=name,
            role=role,
            rows=alone,
        )
