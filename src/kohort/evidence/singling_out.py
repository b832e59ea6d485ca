"""How many released rows no other row equals, as facts."""

from __future__ import annotations

from kohort.classes.alone import Told
from kohort.facts.figures import Alone, SinglingOut
from kohort.verification.judges.contents import Contents


def singling_out(told: Contents) -> SinglingOut:
    """Return the rows that stand alone by the quasi-identifiers, with one column more, two, and all that are released."""
    standing, rows = told.standing, max(told.rows, 1)
    return SinglingOut(
        quasi=_alone(standing.quasi, rows),
        one=None if standing.one is None else _alone(standing.one, rows),
        two=None if standing.two is None else _alone(standing.two, rows),
        everything=None if standing.everything is None else _alone(standing.everything, rows),
        pairs_looked_at=standing.pairs_looked_at,
        pairs=standing.pairs,
    )


def _alone(told: Told, rows: int) -> Alone:
    return Alone(told.columns, told.alone, told.alone / rows)
