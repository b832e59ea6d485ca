"""The promises of ARX in the words of a plan: ARX tells them as it prints them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Parts = Mapping[str, str]
_FOR = r" for attribute '(?P<column>.*)'"
_WHOLE = r"[0-9]{1,15}"  # more digits than these are no number that a plan can hold
_NUMBER = rf"{_WHOLE}(?:\.[0-9]{{1,40}})?(?:[eE]-?[0-9]{{1,2}})?"


def _l_diversity(parts: Parts) -> dict[str, Any]:
    variant = {"distinct": "distinct", "entropy": "entropy", "shannon-entropy": "entropy"}[parts["variant"]]
    l: float = float(parts["l"])  # noqa: E741 - as the paper has it
    return {
        "model": "l-diversity",
        "l": int(l) if l.is_integer() else l,
        "variant": variant,
        "column": parts["column"],
    }


_FORMS: tuple[tuple[str, Callable[[Parts], dict[str, Any]]], ...] = (
    (rf"(?P<k>{_WHOLE})-anonymity", lambda p: {"model": "k-anonymity", "k": int(p["k"])}),
    (rf"(?P<variant>distinct|entropy|shannon-entropy)-(?P<l>{_NUMBER})-diversity{_FOR}", _l_diversity),
    (
        rf"recursive-\((?P<c>{_NUMBER}),\s*(?P<l>{_WHOLE})\)-diversity{_FOR}",
        lambda p: {"model": "l-diversity", "l": int(p["l"]), "c": float(p["c"]), "variant": "recursive", "column": p["column"]},
    ),
    (
        rf"(?P<t>{_NUMBER})-closeness with (?P<distance>equal|ordered|hierarchical) (?:ground-)?distance{_FOR}",
        lambda p: {"model": "t-closeness", "t": float(p["t"]), "distance": p["distance"], "column": p["column"]},
    ),
    (
        rf"(?P<variant>basic|enhanced)-(?P<beta>{_NUMBER})-likeness{_FOR}",
        lambda p: {"model": "beta-likeness", "beta": float(p["beta"]), "variant": p["variant"], "column": p["column"]},
    ),
    (
        rf"(?P<delta>{_NUMBER})-disclosure privacy{_FOR}",
        lambda p: {"model": "delta-disclosure", "delta": float(p["delta"]), "column": p["column"]},
    ),
    (rf"\((?P<risk>{_NUMBER})\)-avg-reidentification-risk", lambda p: {"model": "average-risk", "risk": float(p["risk"])}),
)  # fmt: skip


def promise_of(criterion: str) -> dict[str, Any] | None:
    """Return what a plan requires for a criterion of ARX; None where it has no word for it.

    >>> promise_of("5-anonymity"), promise_of("distinct-3-diversity for attribute 'ill'")["l"], promise_of("(0.1,0.9)-presence")
    ({'model': 'k-anonymity', 'k': 5}, 3, None)
    """
    for form, promise in _FORMS:
        found = re.fullmatch(form, criterion, re.DOTALL)
        if found:
            return promise(found.groupdict())
    return None


_METRICS = (("discern", "discernibility"), ("loss", "loss"), ("entropy", "entropy"), ("ambiguity", "ambiguity"),
            ("precision", "precision"),
            ("average equivalence class size", "average-class-size"), ("aecs", "average-class-size"))  # fmt: skip


def objective_of(metric: str) -> str | None:
    """Return the objective of a plan for a metric of ARX, by how ARX prints it; None where there is none."""
    said = metric.casefold()
    return next((objective for word, objective in _METRICS if word in said), None)
