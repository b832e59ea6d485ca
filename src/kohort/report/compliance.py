"""What regulators' templates ask for, filled with facts: no conclusion is drawn, for that is for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kohort.facts import Manifest, ReleaseFacts, TableFacts
from kohort.facts.figures import Across, AtRisk
from kohort.facts.promises import AttackFacts
from kohort.report.attacks import figure, reached
from kohort.report.blocks import Block, table, text
from kohort.report.columns import generalized, released_levels
from kohort.report.company import company
from kohort.report.context import stated
from kohort.report.left_out import may_leave_out
from kohort.report.promised import adversaries, inference_unmeasured, linking_unmeasured
from kohort.report.safe_harbor import safe_harbor
from kohort.report.several_classes_words import KNOWING, left_by, nobody_by
from kohort.report.words import by_either, columns_of, count, percent, share_of

Answers = list[tuple[str, str]]
WITH_HOLDER = "with the holder, in the private report"
LAW = (
    "These tables state what was measured, in the order in which the templates ask for it. They draw no conclusion: whether the "
    "release is anonymous in the sense of a law is a judgement for people, who also know who will receive it and what else "
    "they hold."
)
WP216 = (
    "Opinion 05/2014 (WP216, adopted 10 April 2014) is the view of an advisory body on Directive 95/46/EC, which the GDPR has "
    "replaced. Recital 26 of the GDPR asks which means are reasonably likely to be used to identify somebody; the Court of Justice "
    "has ruled on whose means count in Breyer (C-582/14, 2016) and in EDPS v SRB (C-413/23 P, 2025, which set aside T-557/20). "
    "The opinion's three questions are still a way to order what is known."
)
LINKED = (
    "remains: rows of one class are linked to each other by what they share, and to the same class in any other table that is told "
    "by the same labels (of k-anonymity the opinion says the same)"
)
APART = "remains: rows of the first table are as linkable as those of the original"
RELEASED_ONLY = "no determination is made here: it takes an expert in the sense of the rule, who documents it"
CONVENTION = (
    "0.09 is taken as 1/11, as is usual where it is read as a smallest class of 11; 1/11 is 0.0909…, so that read to the "
    "letter it takes 12"
)


def public_compliance(public: Manifest) -> list[Block]:
    """Return what the templates ask for, as far as the release shows it."""
    identifiers = "no column declared as one is released; whether and which there were, the holder's private report tells"
    cost = [("Records suppressed, data utility", WITH_HOLDER)]
    outliers = ", outliers suppressed where needed" if may_leave_out(public) else ", no row left out"
    return _templates(public, identifiers, WITH_HOLDER, outliers, cost, {})


def compliance(facts: ReleaseFacts) -> list[Block]:
    """Return what WP216 (GDPR), HIPAA and EMA / Health Canada templates ask for."""
    lost = "; ".join(f"{name} {percent(column.loss)}" for name, column in generalized(facts).items())
    cost = [
        ("Records suppressed", share_of(facts.suppressed, facts.rows)),
        ("Data utility", f"{share_of(facts.released, facts.rows, 'rows')} released; detail lost: {lost}"),
    ]
    identifiers = ", ".join(columns_of(facts, "identifier")) or "none were declared"
    outliers = ", outliers suppressed" if facts.suppressed else ", no row left out"
    levels = released_levels(facts)
    return _templates(
        facts, identifiers, _initial(facts), outliers, cost, levels, facts.attacks, facts.across
    )


def _initial(facts: ReleaseFacts) -> str:
    """Return the risk in the original, on its exact quasi-identifiers."""
    risk = facts.initial
    if risk is None:
        return "not measured"
    whom = "people" if facts.counted == "people" else "records"
    return (
        f"{percent(risk.highest)} for {share_of(risk.at_highest, risk.people, whom)}, {percent(risk.average)} on average, in the "
        "original on its exact quasi-identifiers"
    )


def _templates(
    facts: TableFacts,
    identifiers: str,
    initial: str,
    outliers: str,
    cost: Answers,
    levels: Mapping[str, str],
    attacks: Sequence[AttackFacts] = (),
    across: Mapping[str, Across] | None = None,
) -> list[Block]:
    return [
        text(LAW),
        text(WP216),
        table(
            ("The three questions of WP216", "answer"),
            _wp216(facts, attacks, across or {}),
            caption="GDPR: the questions of Opinion 05/2014",
            open=True,
        ),
        table(
            ("HIPAA, 45 CFR 164.514(b)(1)", "answer"),
            _hipaa(facts, identifiers),
            caption="HIPAA: for an expert who determines the risk",
        ),
        table(
            ("HIPAA, 45 CFR 164.514(b)(2)(i)", "verdict", "by what the plan declares"),
            safe_harbor(facts, levels),
            caption="HIPAA: the eighteen identifiers of Safe Harbor",
        ),
        table(
            ("EMA policy 0070 / Health Canada PRCI", "answer"),
            [*_ema(facts, identifiers, initial, outliers), *cost],
            caption="EMA and Health Canada",
        ),
    ]


def _wp216(facts: TableFacts, attacks: Sequence[AttackFacts], across: Mapping[str, Across]) -> Answers:
    told = company(facts)
    linked = "" if facts.risk is None else _attacked(attacks, "linking")
    alone = "; ".join(
        f"{column}: {percent(found.homogeneous_share)} of {facts.counted} ({count(found.homogeneous)}) share a single value with "
        f"their {told.name}, largest share of one value in a {told.name} {percent(found.alpha)}{_laid_over(across.get(column))}"
        for column, found in facts.sensitive.items()
    )
    inferred = alone + _attacked(attacks, "definetti") if alone else _unmeasured(facts)
    remains = LINKED if facts.apart is None else APART
    return [
        ("Singling out: can one person's records be isolated?", told.singling_out(facts)),
        (
            "Linkability: can two records of one person or group be linked?",
            f"{remains}; {told.linkability(facts)}{linked}",
        ),
        ("Inference: can a value be deduced from others with significant probability?", inferred),
    ]


def _laid_over(found: Across | None) -> str:
    """Return what people's classes tell together, as the end of a sentence; nothing where everybody stands in one."""
    if found is None:
        return ""
    if found.below or found.single or found.beyond:
        return f"; for {left_by(found)}, for {KNOWING}"
    return f"; {nobody_by(found)}"


def _unmeasured(facts: TableFacts) -> str:
    if columns_of(facts, "sensitive"):
        return inference_unmeasured(facts)
    return "no sensitive column was declared, so inference was not measured"


def _attacked(attacks: Sequence[AttackFacts], name: str) -> str:
    """Return what an attack measured, as the end of a sentence; nothing where it was not run."""
    return "".join(
        f"; attack {told.attack}: {reached(told)} (baseline {figure(told, told.baseline)})"
        for told in attacks
        if told.attack.lower().startswith(name)
    )


def _hipaa(facts: TableFacts, identifiers: str) -> Answers:
    return [
        ("Determination", RELEASED_ONLY),
        ("Anticipated recipients", stated(facts.asked, "recipient")),
        ("Direct identifiers removed", identifiers),
        ("Quasi-identifiers considered", ", ".join(columns_of(facts, "quasi"))),
        ("Method", f"{facts.algorithm.name} ({facts.algorithm.paper})"),
        ("Risk measured in the release", _risk(facts)),
        ("Verification", f"{len(facts.verdicts)} checks on the written files, by code apart from the method"),
        ("Documentation", "this report, manifest.json and, with the holder, the private audit"),
    ]


def _ema(facts: TableFacts, identifiers: str, initial: str, outliers: str) -> Answers:
    return [
        ("Context of the release, recipients", stated(facts.asked, "recipient")),
        ("Direct identifiers", identifiers),
        ("Quasi-identifiers", ", ".join(columns_of(facts, "quasi"))),
        ("Approach", f"quantitative; {_approach(facts)}{outliers}"),
        ("Adversaries considered", adversaries(facts)),
        ("Initial risk", initial),
        ("Residual risk", _risk(facts)),
        ("Threshold of 0.09", _threshold(facts)),
        ("Convention", CONVENTION),
    ]


def _threshold(facts: TableFacts) -> str:
    """Return whether the highest risk keeps to 1/11, and how many do not."""
    lines = () if facts.risk is None else facts.risk.at_risk
    above = next((line for line in lines if abs(line.above - 1 / 11) < 1e-5), None)
    if facts.risk is None or above is None:
        return "not measured here"
    whole = facts.risk.prosecutor.people
    return f"{_verdict(above)}: {share_of(above.people, whole, facts.counted)} bear a risk above 1/11{by_either(facts.risk)}"


def _verdict(above: AtRisk) -> str:
    return "not met" if above.people else "met"


def _approach(facts: TableFacts) -> str:
    if not facts.algorithm.truthful:
        return "quasi-identifiers replaced by values that stand for groups"
    return company(facts).approach(facts)


def _risk(facts: TableFacts) -> str:
    return linking_unmeasured(facts) if facts.risk is None else company(facts).risk(facts.risk)
