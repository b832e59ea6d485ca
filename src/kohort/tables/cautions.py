"""What must not be overlooked of a released table, in few words: what the table shows, and what its holder knows beside."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from kohort.facts import Manifest, ReleaseFacts, TableFacts
from kohort.facts.columns import Generalized, ReleasedColumn
from kohort.hierarchy.domain import SUPPRESSED
from kohort.report.columns import generalized
from kohort.report.company import company
from kohort.report.notices import several_rows, shared_values, unpromised

PERTURBED = "perturbed: released quasi-identifiers stand for groups and need not be true of a person"


def cautions(facts: ReleaseFacts) -> list[str]:
    """Return for the holder which values are not true or not hidden, which columns have no promise and of which nothing is left.

    And what was odd in the original, and whether people seem to have several rows.
    """
    several = [several_rows(facts.several_rows)] if facts.several_rows else []
    return [*_cautions(facts, columns_gone(facts)), *facts.warnings, *several]


def shown_cautions(public: Manifest) -> list[str]:
    """Return what of that the released tables show: people and losses, which the original counts, are not among it."""
    return _cautions(public, _columns_blank(public))


def _cautions(facts: TableFacts, gone: list[str]) -> list[str]:
    told = [] if facts.algorithm.truthful else [PERTURBED]
    told += company(facts).cautions(facts)
    told += shared_values(facts, company(facts).name)
    told += filter(None, [unpromised(facts)])
    return [*told, f"nothing is left of {', '.join(gone)}"] if gone else told


def columns_gone(facts: ReleaseFacts) -> list[str]:
    """Return the columns that tell nothing any more; none where columns were left out as asked."""
    if not _told_of(facts):
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


def _columns_blank(public: Manifest) -> list[str]:
    """Return the quasi-identifiers that are `*` in every released row."""
    return [column.name for column in public.columns if _blank(column)] if _told_of(public) else []


def _blank(column: ReleasedColumn) -> bool:
    return column.values == 1 and [shown.value for shown in column.shown or ()] == [SUPPRESSED]


def _told_of(facts: TableFacts) -> bool:
    """Tell whether columns of which nothing is left are no matter of course."""
    return facts.algorithm.truthful and facts.algorithm.taxonomy != "_AS"
