"""Facts of a release, written by hand: 100 rows, three suppressed, two quasi-identifiers, one sensitive column."""

from __future__ import annotations

from typing import Any

import msgspec

from kohort.facts import ReleaseFacts


def facts(**changes: Any) -> ReleaseFacts:
    """Return the facts, some of them changed."""
    return msgspec.convert(told(**changes), ReleaseFacts)


def torn(**changes: Any) -> ReleaseFacts:
    """Return the facts of Anatomy's two tables, some of them changed."""
    return msgspec.convert(told_torn() | changes, ReleaseFacts)


def told(**changes: Any) -> dict[str, Any]:
    """Return the facts as JSON spells them, some of them changed."""
    whole: dict[str, Any] = {
        "shape": "table",
        "counted": "records",
        "rows": 1000,
        "released": 960,
        "suppressed": 40,
        "classes": 12,
        "levels": {"age": 2, "zip": 1},
        "k": 5,
        "objective": "loss",
        "score": 0.25,
        "optimal": True,
        "search": {"nodes": 12, "checked": 7},
        "decision": {"levels": {"age": 2, "zip": 1}},
        "watched": [],
        "apart": None,
        "noise": {},
        "displaced": {},
        "losses": {"loss": 0.25, "precision": 0.5, "entropy": 0.61234567, "discernibility": 123456.0, "min-suppression": 40.0},
        "quality": {"accuracy": 0.5, "completeness": 0.96},
        "marginals": [{"name": "age", "labels": ["20-39", "40-59"], "before": [52, 48], "after": [55, 45],
                       "rows": [[520, 528], [480, 432]], "distance": 0.03}],
        "divergence": {"columns": {"age": 0.123456, "zip": None}, "pairs": [{"columns": ["age", "zip"], "bits": 1.23456}]},
        "numbers": [{"name": "age", "mean": [40.123, 41.2], "median": [39.0, 40.0], "deviation": [13.1, 12.9]}],
        "correlations": [{"columns": ["age", "cost"], "before": 0.31234, "after": 0.3}],
        "class_sizes": [
            {"from": 5, "to": 7, "classes": 4, "records": 24},
            {"from": 8, "to": 15, "classes": 8, "records": 936},
        ],
        "risk": {
            "prosecutor": {"highest": 0.2, "average": 0.0125, "people": 960, "at_highest": 5},
            "marketer": 0.0125,
            "at_risk": [{"above": 0.05, "people": 24, "share": 0.025}, {"above": 1 / 11, "people": 0, "share": 0.0}],
            "distribution": [
                {"least": 4, "most": 7, "risk": 0.25, "classes": 4, "people": 24},
                {"least": 8, "most": 15, "risk": 0.125, "classes": 8, "people": 936},
            ],
        },
        "sensitive": {"illness": sensitive()},
        "columns": [
            {"name": "name", "role": "identifier", "released": False},
            quasi("age", 2, ["exact", "5 wide", "20 wide", "any value"], "20-39"),
            quasi("zip", 1, ["exact", "1 hidden", "any value"], "9413*"),
            {"name": "illness", "role": "sensitive", "released": True},
        ],
        "undeclared": ["ward"],
        "algorithm": {
            "name": "optimal", "summary": "the best levels", "taxonomy": "AG_TS", "guarantee": "optimal",
            "truthful": True, "torn": False, "covers_all": False, "paper": "Somebody 2012",
        },
        "promises": [{"promise": "5-anonymity", "guarantee": "no fewer than k", "paper": "Samarati 2001"}],
        "asked": {"columns": {}, "require": [{"model": "k-anonymity", "k": 5}]},
        "plan_toml": "[[require]]\nmodel = \"k-anonymity\"\n",
        "versions": {"kohort": "0", "python": "3"},
        "verdicts": [{"promise": "5-anonymity", "achieved": 5, "holds": True}],
        "files": {"table.csv": "ab" * 32},
        "forecast": [{"promise": "5-anonymity", "at_best": 1000.0}],
    }  # fmt: skip
    return whole | changes


def quasi(
    name: str, level: int | None, names: list[str], example: str | None, **changes: Any
) -> dict[str, Any]:
    """Return what is told of one quasi-identifier."""
    levels = [{"name": n, "labels": 40 >> i, "example": None} for i, n in enumerate(names)]
    if level is not None:
        levels[level]["example"] = example
    generalized = {
        "hierarchy": "intervals", "height": len(names) - 1, "level": level, "levels": levels, "domain": 40, "values": 40,
        "released_values": 2, "example": example, "loss": 0.4321,
    }  # fmt: skip
    return {"name": name, "role": "quasi", "released": True, "generalized": generalized | changes}


def sensitive(**changes: Any) -> dict[str, Any]:
    """Return what is told of one sensitive column."""
    return {
        "values": 9, "distinct_l": 3, "entropy_l": 2.5, "recursive_l": {"3": 2}, "recursive_c": 1.5,
        "t": {"equal": 0.412345, "ordered": 0.2}, "alpha": 0.6, "beta": 3.14159, "beta_enhanced": None, "delta": None,
        "delta_of_values_that_occur": 1.23456, "homogeneous": 0, "homogeneous_share": 0.0,
    } | changes  # fmt: skip


def told_torn() -> dict[str, Any]:
    """Return the facts of Anatomy's two tables as JSON spells them."""
    whole = told()
    sizes = [{"from": 3, "to": 3, "classes": 12, "records": 36}]
    whole["apart"] = {"column": "illness", "l": 3, "least": 1, "groups": 12, "sizes": sizes}
    whole["algorithm"] = whole["algorithm"] | {"name": "anatomy", "taxonomy": "", "torn": True}
    promise = "distinct 3-diversity of illness in every group"
    whole["promises"] = [{"promise": promise, "guarantee": "who finds a person's group", "paper": "M 2007"}]
    whole["verdicts"] = [{"promise": promise, "achieved": 3, "holds": True}]
    whole["asked"] = {"columns": {}, "require": [{"model": "l-diversity", "l": 3, "column": "illness"}]}
    whole["levels"] = {"age": 0, "zip": 0}
    return whole
