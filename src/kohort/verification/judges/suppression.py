"""Judges that a release did not leave out more rows than the plan allows."""

from __future__ import annotations

from kohort.plurals import many
from kohort.verification.judges.verdict import Verdict

SUPPRESSION = "no more rows left out than allowed"
UNKNOWN = "not judged: it takes the original table, or the private audit, to tell how many there were"


def judge_suppression(
    released: int, rows: int | None, allowed: int | None, blank: int | None = None
) -> Verdict:
    """Return whether at most `allowed` of the original `rows` are not released; how many is not told.

    The number is the holder's: it says how many people stand out. Where the plan leaves rows `blank`, all are there, and so
    many of them tell nothing: that everybody sees, and it is told.
    """
    if rows is None or allowed is None:
        return Verdict(SUPPRESSION, None, note=UNKNOWN)
    if released > rows:
        return Verdict(SUPPRESSION, False, note="more rows are released than the original has")
    if blank is None:
        return Verdict(SUPPRESSION, rows - released <= allowed)
    note = (
        f"{many(blank, 'row is', 'rows are')} * in every quasi-identifier, and {allowed:,} may be"
        if blank > allowed
        else ""
    )
    return Verdict(SUPPRESSION, released == rows and not note, note=note)
