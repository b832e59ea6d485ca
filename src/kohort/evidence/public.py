"""The facts as outsiders may see them: small counts as `<k`, the original told coarsely."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kohort.evidence.grain import coarse, grain, rounded, significant, unit

# Figures of classes that compare with the original's distribution; the others follow from the release itself.
_COMPARED = ("beta", "beta_enhanced", "delta", "delta_of_values_that_occur")
ENOUGH = 20  # times k: in smaller tables a mean or a median could be somebody's value
_SHARES = ("loss", "precision", "entropy")  # metrics between 0 and 1


def public_facts(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts with small counts of people written as `<k` and the original told coarsely.

    What follows from the released table alone is told exactly. What compares with the original has three
    digits, shares of the original whole per cent (or k records, if that is more), means as many digits as k
    records hardly change, and none in tables of few people. Where fewer than k rows were suppressed, their
    number is hidden; so is every figure from which it could be computed.
    """
    k, n = facts["k"], facts["rows"]
    told = facts | {
        "zone": "public",
        "sensitive": {name: _compared(figures, k) for name, figures in facts["sensitive"].items()},
        "verdicts": [_verdict(verdict) for verdict in facts.get("verdicts", [])],
        "losses": facts["losses"] | _rounded_entropy(facts["losses"]),
        "risk": _risk(facts["risk"], k),
        "class_sizes": _masked(facts["class_sizes"], "records", k),
        **_groups(facts, k),
        "divergence": _divergence(facts["divergence"]),
        "numbers": [_numbers(column, k, n) for column in facts["numbers"]] if n >= ENOUGH * k else [],
        "correlations": [_correlation(line) for line in facts["correlations"]] if n >= ENOUGH * k else [],
    }
    if facts.get("task"):
        told["task"] = {
            key: significant(value) if isinstance(value, float) else value
            for key, value in facts["task"].items()
        }
    return _without_suppressed(told, grain(k, n)) if 0 < facts["suppressed"] < k else told


def _without_suppressed(told: dict[str, Any], step: float) -> dict[str, Any]:
    """Hide a small number of suppressed rows, the number of rows before, and what tells either."""
    k, released = told["k"], told["released"]
    told = told | {"suppressed": f"<{k}", "rows": f"{released} to {released + k - 1}"}
    told["losses"] = {name: coarse(told["losses"][name], step) for name in _SHARES if name in told["losses"]}
    told["score"] = told["losses"].get(told["objective"])
    told["quality"] = {name: coarse(share, step) for name, share in told["quality"].items()}
    told["columns"] = [
        column | {"loss": coarse(column["loss"], step)} if "loss" in column else column
        for column in told["columns"]
    ]
    # Bounds and gaps of the score, and forecasts, are computed with the number of rows.
    return {key: value for key, value in told.items() if key not in ("forecast", "bound", "gap")}


def _groups(facts: dict[str, Any], k: int) -> dict[str, Any]:
    sizes = facts.get("group_sizes")
    return {} if sizes is None else {"group_sizes": _masked(sizes, "records", k)}


def _compared(figures: dict[str, Any], k: int) -> dict[str, Any]:
    if not figures:
        return figures
    told = figures | {name: _three(figures[name]) for name in _COMPARED}
    told["t"] = {distance: _three(value) for distance, value in figures["t"].items()}
    if 0 < figures["homogeneous"] < k:
        told |= {"homogeneous": f"<{k}"}
    return told


def _three(value: Any) -> Any:
    return significant(value) if isinstance(value, float) else value


def _verdict(verdict: dict[str, Any]) -> dict[str, Any]:
    return verdict | {"achieved": _three(verdict["achieved"])}


def _rounded_entropy(losses: dict[str, Any]) -> dict[str, Any]:
    return {"entropy": significant(losses["entropy"])} if "entropy" in losses else {}


def _risk(risk: dict[str, Any], k: int) -> dict[str, Any]:
    highest = risk["prosecutor"]["at_highest"]
    shown = f"<{k}" if 0 < highest < k else highest
    return risk | {
        "prosecutor": risk["prosecutor"] | {"at_highest": shown},
        "at_risk": [
            line | {"people": f"<{k}", "share": None} if 0 < line["people"] < k else line
            for line in risk["at_risk"]
        ],
        "distribution": _masked(risk["distribution"], "people", k),
    }


def _masked(bins: Sequence[dict[str, Any]], counted: str, k: int) -> list[dict[str, Any]]:
    """Return the bins with counts below k hidden, and one more where a single hidden one could be computed."""
    hidden = {i for i, step in enumerate(bins) if 0 < step[counted] < k}
    others = [i for i, step in enumerate(bins) if step[counted] >= k]
    shown: dict[int, str] = dict.fromkeys(hidden, f"<{k}")
    if len(hidden) == 1 and others:
        least = min(others, key=lambda i: bins[i][counted])
        shown[least] = f"≥{k}"
    return [step | {counted: shown[i]} if i in shown else step for i, step in enumerate(bins)]


def _divergence(divergence: dict[str, Any]) -> dict[str, Any]:
    pairs = divergence["pairs"]
    return {
        "columns": {
            name: None if bits is None else round(bits, 2) for name, bits in divergence["columns"].items()
        },
        "pairs": None
        if pairs is None
        else [line | {"bits": None if line["bits"] is None else round(line["bits"], 2)} for line in pairs],
    }


def _correlation(line: dict[str, Any]) -> dict[str, Any]:
    return line | {side: None if line[side] is None else round(line[side], 2) for side in ("before", "after")}


def _numbers(column: dict[str, Any], k: int, n_rows: int) -> dict[str, Any]:
    to = unit(column["deviation"][0], k, n_rows)
    return column | {
        figure: [rounded(value, to) for value in column[figure]] for figure in ("mean", "median", "deviation")
    }
