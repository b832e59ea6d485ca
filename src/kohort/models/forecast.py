"""What can be said of a promise before any search: whether it can hold at all, and how many classes it leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from kohort.classes import Classes, Histogram
from kohort.errors import InfeasibleError
from kohort.models.model import Monotone, PrivacyModel, Reference, guards_of
from kohort.models.p_sensitive import Conditions


def forecast(
    models: Iterable[PrivacyModel], reference: Reference, max_suppressed: int = 0
) -> list[dict[str, Any]]:
    """Return, per promise, the best that the whole table as one class achieves; raise if that is too little.

    Merging is kind to every promise that is monotone under generalization: if the table in one class breaks
    it, every recoding that releases all records breaks it too (where people have several rows, promises about
    sensitive values are not, and nothing follows). Where it is monotone under suppression as
    well, so does every recoding that releases any. For p-sensitive promises Conditions 1 and 2 of Truta et al. are
    told as `max_p` and `max_clusters`.
    """
    whole = one_class(reference)
    facts = []
    for promise in models:
        if guards_of(promise):  # what people want protected is nobody's business, and nothing would be proved
            continue
        model = promise.bind(reference)
        best = float(model.achieved(whole))
        found: dict[str, Any] = {"promise": model.label, "at_best": best}
        limits = _conditions(model, reference)
        if limits is not None:
            found |= {"max_p": limits.max_p, "max_clusters": limits.max_clusters}
        hopeless = Monotone.SUPPRESSION in model.monotone or (
            max_suppressed == 0 and Monotone.GENERALIZATION in model.monotone
        )
        if hopeless and not model.holds(whole):
            raise InfeasibleError(
                f"no recoding can keep {model.label}: even the whole table in one class only reaches {best:g}; "
                "lower what is asked, or choose another model",
                nearest=found,
                code="infeasible.whole-table",
                model=model.card.name,
            )
        facts.append(found)
    return facts


def _conditions(model: PrivacyModel, reference: Reference) -> Conditions | None:
    """Return what a model that knows Truta's conditions says of them."""
    told: Callable[[Reference], Conditions] | None = getattr(model, "conditions", None)
    return None if told is None else told(reference)


def one_class(reference: Reference) -> Classes:
    """Return the whole table as a single class, all quasi-identifiers at the top of their hierarchies."""
    rows = np.array([reference.n_rows], np.int64)
    held = {name: a.pairs.whole() for name, a in reference.attributes.items() if a.pairs is not None}
    return Classes(
        codes=np.zeros((1, len(reference.hierarchies)), np.int32),
        levels=tuple(hierarchy.height for hierarchy in reference.hierarchies),
        sizes=rows if reference.people is None else np.array([reference.people], np.int64),
        rows=rows,
        sensitive={name: _histogram(a.totals) for name, a in reference.attributes.items()},
        holders=held,
    )


def _histogram(totals: Any) -> Histogram:
    held = np.flatnonzero(totals)
    return Histogram(np.array([0, len(held)]), held.astype(np.int32), totals[held], len(totals))
