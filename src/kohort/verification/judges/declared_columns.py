"""Judges that a release holds the declared columns and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.plurals import many
from kohort.table import Table
from kohort.verification.judges.verdict import Verdict

PROMISE = "nothing but the declared columns"


def judge_shape(released: Table, declared: Sequence[str], n_rows: int | None = None) -> Verdict:
    """Return whether the release has exactly the declared columns, and `n_rows` rows where told."""
    surplus = [name for name in released.names if name not in declared]
    lacking = [name for name in declared if name not in released.columns]
    if surplus or lacking:
        note = "; ".join(
            f"{what}: {', '.join(map(repr, names))}"
            for what, names in (("not declared", surplus), ("declared but absent", lacking))
            if names
        )
        return Verdict(PROMISE, False, note=note)
    if n_rows is not None and released.n_rows != n_rows:
        return Verdict(
            PROMISE,
            False,
            note=f"{many(released.n_rows, 'row was', 'rows were')} written instead of {n_rows:,}",
        )
    return Verdict(PROMISE, True)
