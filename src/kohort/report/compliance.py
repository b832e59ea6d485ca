"""The fields that regulators' templates ask for, filled with facts."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.facts import Manifest, ReleaseFacts, TableFacts
from kohort.facts.promises import AttackFacts
from kohort.report.blocks import Block, table, text
from kohort.report.columns import generalized
from kohort.report.company import company
from kohort.report.in_classes import BY_HOLDER
from kohort.report.words import columns_of, count, percent

Answers = list[tuple[str, str]]


def public_compliance(public: Manifest) -> list[Block]:
    """Return what the templates ask for, as far as the release shows it."""
    identifiers = "not released, nor named here: the holder's private report lists them"
    cost = [("Records suppressed, data utility", "with the holder, in the private audit")]
    return _templates(public, identifiers, cost)


def compliance(facts: ReleaseFacts) -> list[Block]:
    """Return what WP216 (GDPR), HIPAA expert determination and EMA / Health Canada templates ask for."""
    lost = "; ".join(f"{name} {percent(column.loss)}" for name, column in generalized(facts).items())
    cost = [
        ("Records suppressed", count(facts.suppressed)),
        ("Data utility", f"{percent(facts.quality.completeness)} of rows released; detail lost: {lost}"),
    ]
    identifiers = ", ".join(columns_of(facts, "identifier")) or "none were declared"
    return _templates(facts, identifiers, cost, facts.attacks)


def _templates(
    facts: TableFacts, identifiers: str, cost: Answers, attacks: Sequence[AttackFacts] = ()
) -> list[Block]:
    return [
        text(
            "These tables state measured facts in the order in which the templates ask for them. Whether the release is "
            "anonymous in the sense of a law is a judgement for people, who also know who will receive it and what else they hold."
        ),
        table(
            ("GDPR, Opinion WP216", "answer"),
            _wp216(facts, attacks),
            caption="GDPR (Article 29 Working Party, Opinion 05/2014)",
            open=True,
        ),
        table(
            ("HIPAA § 164.514(b)(1)", "answer"),
            _hipaa(facts, identifiers),
            caption="HIPAA expert determination",
        ),
        table(
            ("EMA policy 0070 / Health Canada PRCI", "answer"),
            [*_ema(facts, identifiers), *cost],
            caption="EMA and Health Canada",
        ),
    ]


def _wp216(facts: TableFacts, attacks: Sequence[AttackFacts]) -> Answers:
    told = company(facts)
    linked = "" if facts.risk is None else _attacked(attacks, "linking")
    alone = "; ".join(
        f"{column}: {percent(found.homogeneous_share)} of {facts.counted} share a single value with their {told.name}, "
        f"largest share in a {told.name} {percent(found.alpha)}"
        for column, found in facts.sensitive.items()
    )
    inferred = alone + _attacked(attacks, "definetti") if alone else _unmeasured(facts)
    return [
        ("Singling out", told.singling_out(facts)),
        ("Linkability", told.linkability(facts) + linked),
        ("Inference", inferred),
    ]


def _unmeasured(facts: TableFacts) -> str:
    if columns_of(facts, "sensitive"):
        return BY_HOLDER
    return "no sensitive column was declared, so inference was not measured"


def _attacked(attacks: Sequence[AttackFacts], name: str) -> str:
    """Return what an attack measured, as the end of a sentence; nothing where it was not run."""
    return "".join(
        f"; attack {told.attack}: {percent(told.success)} (baseline {percent(told.baseline)})"
        for told in attacks
        if told.attack.lower().startswith(name)
    )


def _hipaa(facts: TableFacts, identifiers: str) -> Answers:
    return [
        ("Direct identifiers removed", identifiers),
        ("Quasi-identifiers considered", ", ".join(columns_of(facts, "quasi"))),
        ("Method", f"{facts.algorithm.name} ({facts.algorithm.paper})"),
        ("Risk after de-identification", _risk(facts)),
        ("Verification", f"{len(facts.verdicts)} checks on the written files, by code apart from the method"),
        (
            "Whether that risk is very small",
            "for the expert to judge, from who will receive it and what they hold",
        ),
        ("Documentation", "this report, manifest.json and, with the holder, the private audit"),
    ]


def _ema(facts: TableFacts, identifiers: str) -> Answers:
    lines = () if facts.risk is None else facts.risk.at_risk
    above = next((line for line in lines if abs(line.above - 1 / 11) < 1e-5), None)
    return [
        ("Context of the release, recipients", "for the holder of the data to state"),
        ("Direct identifiers", identifiers),
        ("Quasi-identifiers", ", ".join(columns_of(facts, "quasi"))),
        ("Approach", f"quantitative; {_approach(facts)}"),
        ("Adversaries considered", "prosecutor (knows who is in the table) and marketer (wants everybody)"),
        ("Risk metric", _risk(facts)),
        (
            "Threshold of 0.09 (a class of 11)",
            "not measured"
            if above is None
            else f"{count(above.people)} {facts.counted} ({percent(above.share)}) are above it",
        ),
    ]


def _approach(facts: TableFacts) -> str:
    if not facts.algorithm.truthful:
        return "quasi-identifiers replaced by averages of groups"
    return company(facts).approach()


def _risk(facts: TableFacts) -> str:
    return BY_HOLDER if facts.risk is None else company(facts).risk(facts.risk)
