"""What is left to decide, asked once where several columns are one question.

Such are the items of a questionnaire (`A1` to `A5`, answered on one scale) and the yes-and-no columns that one variable was
taken apart into.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np

from kohort.hierarchy.numerals import canonical
from kohort.plurals import many
from kohort.proposals.proposal import Proposal
from kohort.table import Column, Table

_NO_PROMISE = (
    "nothing is promised about what such a column tells: call sensitive what must not be learnt of a person"
)
_LEAST = 3  # columns that are asked together
_NUMBERED = re.compile(r"(.*?)[ ._-]?([0-9]+)")
_WORDED = re.compile(r"(.+)[ ._-][^ ._-]+")
_YES = ("1", "1.0", "True", "true")
_NO = ("0", "0.0", "False", "false")


def asked_together(table: Table, proposals: Sequence[Proposal]) -> list[list[str]]:
    """Return the columns that wait for a decision, in the order of the table; those of one question together."""
    waiting = [proposal for proposal in proposals if not proposal.decided]
    return [[found.column for found in alike] for alike in _questionnaires(_runs(waiting, table), table)]


def decisions(
    questions: Sequence[Sequence[str]], unsure: Sequence[str] = (), unwatched: Sequence[str] = ()
) -> str:
    """Return how many decisions are left, and about which columns; beside these what is proposed and not sure.

    Of sensitive columns that are `unwatched` by any promise it is said too: to agree is to leave them so.

    >>> decisions([["q7"], ["A1", "A2", "A3", "A4"]])
    '2 decisions for you, about 5 columns: q7, A1 … A4'
    >>> decisions([], ["job"])
    'no decisions are left to you, but 1 column is unsure (job): agree, or change its role'
    >>> decisions([], ["job"], ["hiv"])
    'no decisions are left to you, but 1 column is unsure (job): agree, or change its role; no promise watches hiv'
    """
    doubt = "; ".join([*([_doubt(unsure)] if unsure else []), *_without_promise(unwatched)])
    if not questions and doubt:
        return f"no decisions are left to you, but {doubt}"
    if not questions:
        return "no decisions are left to you but to agree; nothing is sure before you have read the plan"
    columns = sum(map(len, questions))
    several = "decision" if len(questions) == 1 else "decisions"
    about = f", about {many(columns, 'column')}" if columns > len(questions) else ""
    told = f"{len(questions)} {several} for you{about}: {', '.join(map(_shown, questions))}"
    return f"{told}; {doubt}" if doubt else told


def _without_promise(unwatched: Sequence[str]) -> list[str]:
    return [f"no promise watches {', '.join(unwatched)}"] if unwatched else []


def _doubt(unsure: Sequence[str]) -> str:
    whose = "its role" if len(unsure) == 1 else "their roles"
    return f"{many(len(unsure), 'column is', 'columns are')} unsure ({', '.join(unsure)}): agree, or change {whose}"


def treated_as_known(proposals: Sequence[Proposal]) -> list[str]:
    """Return that nothing is known of some columns, and what was decided about them; nothing where there are none."""
    guarded = [proposal.column for proposal in proposals if proposal.guarded]
    if not guarded:
        return []
    which = "it is" if len(guarded) == 1 else "they are"
    return [
        f"nothing tells what {', '.join(guarded)} may be: {which} treated as known to others, as the guard decides, which costs "
        f"detail; {_NO_PROMISE}"
    ]


def left_out(proposals: Sequence[Proposal]) -> list[str]:
    """Return which columns a release lacks because nothing is known of them; nothing where there are none."""
    unknown = [proposal.column for proposal in proposals if proposal.unknown]
    if not unknown:
        return []
    what, them = ("it may be", "it") if len(unknown) == 1 else ("they may be", "them")
    return [f"left out, for nothing tells what {what}: {', '.join(unknown)}; to release {them}, write a role"]


def left_to_guard(questions: Sequence[Sequence[str]]) -> list[str]:
    """Return which decisions could be taken at once, and what that does not do; nothing where there are none.

    >>> left_to_guard([["q7"], ["A1", "A2", "A3"]])[0].partition(":")[0]
    '2 of the decisions (q7, A1 … A3) can be taken at once by a guard'
    """
    if not questions:
        return []
    which = "it is" if sum(map(len, questions)) == 1 else "they are"
    return [
        f"{many(len(questions), 'of the decisions', 'of the decisions')} ({', '.join(map(_shown, questions))}) can be taken at "
        f"once by a guard: {which} then treated as known to others, which costs detail; {_NO_PROMISE}"
    ]


def _shown(columns: Sequence[str]) -> str:
    return columns[0] if len(columns) == 1 else f"{columns[0]} … {columns[-1]}"


def _questionnaires(runs: Iterable[list[Proposal]], table: Table) -> Iterator[list[Proposal]]:
    """Yield the runs, those of items next to each other that are answered on one scale together: `A1` to `A5`, `B1` to `B5`."""
    before: list[Proposal] = []
    for run in runs:
        if before and _are_items(run) and _are_items(before) and _one_question([*before, *run], table):
            before = [*before, *run]
            continue
        yield from [before] if before else []
        before = run
    yield from [before] if before else []


def _are_items(run: Sequence[Proposal]) -> bool:
    return len(run) >= _LEAST and all(_before_number(found.column) is not None for found in run)


def _one_question(run: Sequence[Proposal], table: Table) -> bool:
    return len({found.role for found in run}) == 1 and _on_one_scale([table[found.column] for found in run])


def _runs(waiting: Sequence[Proposal], table: Table) -> Iterator[list[Proposal]]:
    """Yield what is asked together: neighbours of one name before a number or a word, with values that fit."""
    alone: list[Proposal] = []
    for run in _asked(waiting, _before_number, _on_one_scale, table):
        if len(run) == 1:
            alone += run
            continue
        yield from _asked(alone, _before_word, _taken_apart, table)
        yield run
        alone = []
    yield from _asked(alone, _before_word, _taken_apart, table)


def _asked(
    waiting: Sequence[Proposal],
    name: Callable[[str], str | None],
    fits: Callable[[Sequence[Column]], bool],
    table: Table,
) -> Iterator[list[Proposal]]:
    for before, found in groupby(waiting, key=lambda proposal: (name(proposal.column), proposal.role)):
        run = list(found)
        together = before[0] is not None and len(run) >= _LEAST and fits([table[p.column] for p in run])
        yield from [run] if together else ([one] for one in run)


def _before_number(column: str) -> str | None:
    found = _NUMBERED.fullmatch(column)
    return found[1] if found else None


def _before_word(column: str) -> str | None:
    found = _WORDED.fullmatch(column)
    return found[1] if found else None


def _on_one_scale(columns: Sequence[Column]) -> bool:
    """Say whether one column holds all values of the others; 2.0 is 2, as files have it where some answers are missing."""
    held = [{canonical(text) for text in column.texts if text is not None} for column in columns]
    return set.union(*held) == max(held, key=len)


def _taken_apart(columns: Sequence[Column]) -> bool:
    """Say whether all columns say yes or no, and no row says yes twice."""
    if not all(text in (*_YES, *_NO, None) for column in columns for text in column.texts):
        return False
    yes = [np.array([text in _YES for text in column.texts])[column.codes] for column in columns]
    return int(np.sum(yes, axis=0).max(initial=0)) <= 1
