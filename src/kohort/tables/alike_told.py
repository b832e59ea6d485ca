"""Sensitive values that a reader takes for the same: told beside every promise about them, by the verifier as by the search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from kohort.engines.reading import Reading
from kohort.errors import InputError
from kohort.models.model import guards_of
from kohort.plan import Plan
from kohort.table.alike import alike_values
from kohort.verification.judges import Verdict


def with_alike_told(verdicts: Sequence[Verdict], reading: Reading, plan: Plan) -> list[Verdict]:
    """Return the verdicts, those on promises about a column of which released values look alike with a word about it.

    `7` and `7.0` count as two values, as `Flu` and `flu ` do, since nothing says that they are one; so a promise may hold that
    a reader would not call kept. How many there are is said, and never which.
    """
    columns = {model.label: sorted(model.reads - guards_of(model)) for model in plan.require}
    told = {name: _told(reading, name) for name in {name for read in columns.values() for name in read}}
    notes = {promise: [note for name in read for note in told[name]] for promise, read in columns.items()}
    return [_noted(verdict, notes.get(verdict.promise, [])) for verdict in verdicts]


def _told(reading: Reading, name: str) -> list[str]:
    """Return what is to be said of a released column; nothing where it is not there, which is told elsewhere."""
    try:
        column = reading.tuples([name])[0][name]
    except InputError:
        return []
    return alike_values(name, column.values.take(pa.array(np.unique(column.codes))))


def _noted(verdict: Verdict, notes: Sequence[str]) -> Verdict:
    return replace(verdict, note="; ".join(filter(None, (verdict.note, *notes)))) if notes else verdict
