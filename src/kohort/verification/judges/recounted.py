"""The original counted once more: what classes are compared with must be what the original says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.arrays import IntArray
from kohort.errors import VerificationError
from kohort.hierarchy import Label
from kohort.models import Attribute, Reference
from kohort.table import Table
from kohort.verification.judges.definitions.held import Held
from kohort.verification.judges.definitions.whole import per_value


def recount(original: Table, respondent: str | None, reference: Reference) -> None:
    """Refuse a reference whose values, or holders of values, are not those of the original's rows."""
    for name, attribute in reference.attributes.items():
        column = original[name]
        counts = np.bincount(column.codes, minlength=len(column.texts))
        demand_counts(attribute, column.texts, counts)
        if attribute.pairs is not None and respondent is not None:
            _demand_holders(attribute, original[respondent].codes, column.codes)


def demand_counts(attribute: Attribute, texts: Sequence[Label], counts: IntArray) -> None:
    """Refuse an attribute that knows other values than these, or other numbers of records that hold them."""
    found = dict(zip(texts, counts.tolist(), strict=True))
    if found != dict(zip(attribute.labels, attribute.totals.tolist(), strict=True)):
        raise _differing(attribute.name)


def _demand_holders(attribute: Attribute, people: IntArray, values: IntArray) -> None:
    """Refuse an attribute that knows other numbers of people who hold a value, or who hold so many."""
    assert attribute.pairs is not None
    held = Held.of(np.zeros(len(people), np.int64), people, values)
    holding = per_value(held.holding(), len(attribute.labels))
    own, known = (np.bincount(np.bincount(person)) for person in (held.entries.owner, attribute.pairs.person))
    if not (np.array_equal(holding, attribute.holding) and np.array_equal(own, known)):
        raise _differing(attribute.name)


def _differing(column: str) -> VerificationError:
    return VerificationError(
        f"column {column!r} of the original was counted in two ways, and the counts differ: a bug of Kohort, please report it "
        "with the plan",
        code="verify.failed",
        column=column,
    )
