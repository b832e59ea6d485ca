"""Why rows were left out, and what keeps columns from being told more finely, for the holder alone."""

from __future__ import annotations

from kohort.facts import ReleaseFacts
from kohort.facts.why import Why
from kohort.report.blocks import Block, heading, table, text
from kohort.report.words import count

STANDS = {
    True: "Told is the class that a row would be in at the released levels.",
    False: "This way of recoding has no class that a row which is left out would have been in: told is the class of all rows that "
    "share its values as exactly as the plan allows them to be told.",
}
NONE_BROKEN = "none: their classes would keep all, and the search gave the rows up for the score or for the sake of others"
SKIPPED = "Other levels were not tried while this was written, for the table has too many classes: kohort explain does."
ONE_ROW = "Of a single row `kohort explain DIR --row N` tells it, from the private folder and the original."
TRIED = "One column at a time, all others as they are, rolled up and judged as in the search; another search could change several."


def why(facts: ReleaseFacts) -> list[Block]:
    """Return which promises the rows that were left out would break, and what another level of a column would change."""
    told = facts.why
    if told is None:
        return []
    return [*_reasons(told), *_finer(told), *([text(SKIPPED)] if told.skipped else [])]


def _reasons(told: Why) -> list[Block]:
    if not told.broken:
        return []
    reasons = [(", ".join(one.promises) or NONE_BROKEN, count(one.rows)) for one in told.broken]
    coarser = [(one.column, one.level, count(one.rows)) for one in told.coarser]
    return [
        heading("Why they were left out"),
        text(f"{STANDS[told.by_levels]} {ONE_ROW}"),
        table(("promises that their classes would break", "rows"), reasons, (1,)),
        *([text(f"What it would have taken. {TRIED}")] if coarser else []),
        *(
            [
                table(
                    (
                        "column",
                        "told one level more coarsely, as",
                        "rows whose classes would keep the promises",
                    ),
                    coarser,
                    (2,),
                )
            ]
            if coarser
            else []
        ),
    ]


def _finer(told: Why) -> list[Block]:
    if not told.finer:
        return []
    rows = [
        (one.column, one.level, count(one.left_out), "yes" if one.allowed else "no") for one in told.finer
    ]
    return [
        heading("What keeps columns from being told more finely"),
        text(f"{TRIED} What the release would lose without a column, `kohort explain DIR --columns` tells."),
        table(
            ("column", "told one level more finely, as", "rows to leave out", "allowed by the plan"),
            rows,
            (2,),
        ),
    ]
