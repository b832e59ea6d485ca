"""The fields that regulators' templates ask for, filled with facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Block, table, text
from kohort.report.words import columns_of, count, people, percent, torn

BY_HOLDER = (
    "as promised; measured in people by the holder, since the release does not show whose the rows are"
)


def compliance(facts: Mapping[str, Any]) -> list[Block]:
    """Return what WP216 (GDPR), HIPAA expert determination and EMA / Health Canada templates ask for."""
    return [
        text(
            "These tables state measured facts in the order in which the templates ask for them. Whether the release is "
            "anonymous in the sense of a law is a judgement for people, who also know who will receive it and what else they hold."
        ),
        table(
            ("GDPR, Opinion WP216", "answer"),
            _wp216(facts),
            caption="GDPR (Article 29 Working Party, Opinion 05/2014)",
            open=True,
        ),
        table(("HIPAA § 164.514(b)(1)", "answer"), _hipaa(facts), caption="HIPAA expert determination"),
        table(
            ("EMA policy 0070 / Health Canada PRCI", "answer"), _ema(facts), caption="EMA and Health Canada"
        ),
    ]


def _highest(facts: Mapping[str, Any]) -> str:
    return percent(facts["risk"]["prosecutor"]["highest"])


def _wp216(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    name = "group" if torn(facts) else "class"
    alone = "; ".join(
        f"{column}: {percent(told['homogeneous_share'])} of {people(facts)} share a single value with their {name}, "
        f"largest share in a {name} {percent(told['alpha'])}"
        for column, told in facts["sensitive"].items()
        if told
    )
    if torn(facts):
        return [
            (
                "Singling out",
                "not prevented: the quasi-identifiers are released exactly, and "
                f"{percent(facts['risk']['prosecutor']['average'])} is the average chance of picking the right record",
            ),
            (
                "Linkability",
                f"not prevented: linking on the quasi-identifiers finds the right record with a chance of up to {_highest(facts)}; "
                f"{facts['column']} is linked to groups only" + _attacked(facts, "linking"),
            ),
            ("Inference", alone + _attacked(facts, "definetti")),
        ]
    return [
        (
            "Singling out",
            f"no combination of released quasi-identifiers points at fewer than {_smallest(facts)} "
            f"{people(facts)}; singling out by other means (Cohen 2022) is not excluded",
        ),
        (
            "Linkability",
            BY_HOLDER
            if facts["risk"] is None
            else f"linking on the quasi-identifiers finds the right record with a chance of at most {_highest(facts)}"
            + _attacked(facts, "linking"),
        ),
        (
            "Inference",
            alone + _attacked(facts, "definetti") if alone else _unmeasured(facts),
        ),
    ]


def _unmeasured(facts: Mapping[str, Any]) -> str:
    if columns_of(facts, "sensitive"):
        return BY_HOLDER
    return "no sensitive column was declared, so inference was not measured"


def _attacked(facts: Mapping[str, Any], name: str) -> str:
    """Return what an attack measured, as the end of a sentence; nothing where it was not run."""
    found = [told for told in facts.get("attacks") or [] if str(told["attack"]).lower().startswith(name)]
    return "".join(
        f"; attack {told['attack']}: {percent(told['success'])} (baseline {percent(told['baseline'])})"
        for told in found
    )


def _hipaa(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        ("Direct identifiers removed", _identifiers(facts)),
        ("Quasi-identifiers considered", ", ".join(columns_of(facts, "quasi"))),
        ("Method", f"{facts['algorithm']['name']} ({facts['algorithm']['paper']})"),
        ("Risk after de-identification", _risk(facts)),
        (
            "Verification",
            f"{len(facts['verdicts'])} checks on the written files, by code apart from the method",
        ),
        (
            "Whether that risk is very small",
            "for the expert to judge, from who will receive it and what they hold",
        ),
        ("Documentation", "this report, manifest.json and, with the holder, the private audit"),
    ]


def _ema(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    lines = [] if facts["risk"] is None else facts["risk"]["at_risk"]
    above = next((line for line in lines if abs(line["above"] - 1 / 11) < 1e-5), None)
    return [
        ("Context of the release, recipients", "for the holder of the data to state"),
        ("Direct identifiers", _identifiers(facts)),
        ("Quasi-identifiers", ", ".join(columns_of(facts, "quasi"))),
        ("Approach", f"quantitative; {_approach(facts)}"),
        ("Adversaries considered", "prosecutor (knows who is in the table) and marketer (wants everybody)"),
        ("Risk metric", _risk(facts)),
        (
            "Threshold of 0.09 (a class of 11)",
            "not measured"
            if above is None
            else f"{count(above['people'])} {people(facts)} ({percent(above['share'])}) are above it",
        ),
        *_cost(facts),
    ]


def _cost(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what the release cost: known to the holder of the original only."""
    if _public(facts):
        return [("Records suppressed, data utility", "with the holder, in the private audit")]
    return [
        ("Records suppressed", count(facts["suppressed"])),
        (
            "Data utility",
            f"{percent(facts['quality']['completeness'])} of rows released; detail lost: "
            + "; ".join(
                f"{c['name']} {percent(c['loss'])}" for c in facts["columns"] if c["role"] == "quasi"
            ),
        ),
    ]


def _public(facts: Mapping[str, Any]) -> bool:
    return facts.get("zone") == "public"


def _identifiers(facts: Mapping[str, Any]) -> str:
    if _public(facts):
        return "not released, nor named here: the holder's private report lists them"
    return ", ".join(columns_of(facts, "identifier")) or "none were declared"


def _approach(facts: Mapping[str, Any]) -> str:
    if torn(facts):
        return "quasi-identifiers exact, the sensitive column apart and told by groups"
    if not facts["algorithm"]["truthful"]:
        return "quasi-identifiers replaced by averages of groups"
    return "quasi-identifiers generalized, outliers suppressed"


def _risk(facts: Mapping[str, Any]) -> str:
    if torn(facts):
        return (
            f"re-identification is not bounded, the quasi-identifiers are exact: {_highest(facts)} for the most exposed record, "
            f"{_average(facts)} on average"
        )
    if facts["risk"] is None:
        return BY_HOLDER
    return f"at most {_highest(facts)} for any record, {_average(facts)} on average"


def _smallest(facts: Mapping[str, Any]) -> str:
    return count(min((step["from"] for step in facts["class_sizes"]), default=0))


def _average(facts: Mapping[str, Any]) -> str:
    return percent(facts["risk"]["prosecutor"]["average"])
