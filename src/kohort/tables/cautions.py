"""What must not be overlooked of a released table, in few words: what the table shows, and what its holder knows beside."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from kohort.facts import ReleaseFacts
from kohort.facts.columns import Generalized
from kohort.report.columns import generalized
from kohort.report.company import company
from kohort.report.notices import several_rows, shared_values, unpromised

PERTURBED = "perturbed: released quasi-identifiers stand for groups and need not be true of a person"


def cautions(facts: ReleaseFacts) -> list[str]:
    """Return which values are not true or not hidden, which columns have no promise, and of which nothing is left."""
    told = [] if facts.algorithm.truthful else [PERTURBED]
    told += company(facts).cautions(facts)
    told += shared_values(facts, company(facts).name)
    told += filter(None, [unpromised(facts)])
    gone = columns_gone(facts)
    return [*told, f"nothing is left of {', '.join(gone)}"] if gone else told


def private_cautions(facts: ReleaseFacts) -> list[str]:
    """Return what the original tells beside that, for its holder: what was odd in it, and whether people have several rows."""
    return [*facts.warnings, *([several_rows(facts.several_rows)] if facts.several_rows else [])]


def columns_gone(facts: ReleaseFacts) -> list[str]:
    """Return the columns that tell nothing any more; none where columns were left out as asked."""
    if facts.algorithm.taxonomy == "_AS" or not facts.algorithm.truthful:
        return []
    levels = facts.levels or {}
    return [name for name, column in generalized(facts).items() if _nothing_left(column, levels.get(name))]


def what_to_do_about(gone: list[str], plan: Path | None) -> str:
    """Return what to do about columns that tell nothing any more; `plan` is the file to compare ways by, where one is known."""
    command = "kohort compare" if plan is None else f"kohort compare {quote(str(plan))}"
    it = "it" if len(gone) == 1 else "them"
    return (
        f"nothing is left of {', '.join(gone)}; to see what other ways of recoding would keep, try {command}; or give {it} weight "
        "or a max_level, or leave another column out"
    )


def _nothing_left(column: Generalized, level: int | None) -> bool:
    """Tell whether a column tells nothing: at the top of its hierarchy, or where one label stands for all that can occur."""
    return column.height > 0 and (level == column.height or column.loss >= 1)
