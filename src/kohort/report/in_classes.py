"""A release in classes: everybody hides among those who share all released quasi-identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kohort.facts import TableFacts
from kohort.facts.figures import Risk, Sizes
from kohort.facts.promises import AttackFacts
from kohort.plurals import many
from kohort.report.blocks import Block, Figure
from kohort.report.promised import linking_unmeasured
from kohort.report.singled_out import singled_out_said
from kohort.report.words import at_most, by_either, columns_of, count, listed

GENERALIZED = "quasi-identifiers generalized"
APPROACHES = {  # by the taxonomy of Ciriani et al., rows that are left out apart
    "CG_": f"{GENERALIZED} cell by cell",
    "AG_CS": f"{GENERALIZED}, single cells suppressed where needed",
    "_CS, CG_": "single cells of quasi-identifiers suppressed or generalized",
    "_CS": "single cells of quasi-identifiers suppressed",
    "_TS": "quasi-identifiers as they are",
    "_AS": "whole quasi-identifiers suppressed, the others as they are",
}
ONE = {"people": "person", "records": "record", "rows": "row"}


@dataclass(frozen=True)
class InClasses:
    """What a report says of classes."""

    name: str = "class"
    names: str = "classes"
    caveat: str = ""
    scored: bool = True

    def number(self, facts: TableFacts) -> int:
        """Return the number of classes."""
        return facts.classes

    def sizes(self, facts: TableFacts) -> Sequence[Sizes]:
        """Return the sizes of the classes."""
        return facts.class_sizes

    def explained(self, facts: TableFacts) -> str:
        """Return what a class is."""
        said = f"A class is all {facts.counted} {_who(facts)} share every released quasi-identifier. "
        if facts.risk is None:  # rows are counted, and one person may have several
            return f"{said}Whoever knows somebody's quasi-identifiers cannot tell their rows from the others of the class."
        if facts.risk.rows is not None:
            return (
                f"{said}Whoever knows somebody's quasi-identifiers cannot tell them from the others of their class. One of its "
                "people picked blindly is the right one with a chance of one over its size; one of its rows is theirs with a "
                "chance of the share of the rows that they have: more where they have more rows than the others, else less."
            )
        return (
            f"{said}Whoever knows somebody's quasi-identifiers cannot tell them from the others of their class; the risk of "
            "picking the right one is one over the size of the class, or less where several classes fit them."
        )

    def plainly(self, facts: TableFacts) -> str:
        """Return what a class is, by the names of the columns that make it."""
        names = columns_of(facts, "quasi")
        these = "this column" if len(names) == 1 else "these columns"
        return f"All rows that read the same in {listed(names)} are a class: by {these} its {_whose(facts)} cannot be told apart."

    def where(self, facts: TableFacts) -> str:
        """Return in how many classes."""
        return f"in {many(facts.classes, 'class', 'classes')} of {facts.counted} {_who(facts)} share their quasi-identifiers."

    def protection(self, facts: TableFacts) -> list[Figure]:
        """Return how many classes there are."""
        return [("classes", count(facts.classes), "combinations of values")]

    def smallest(self, facts: TableFacts) -> list[Figure]:
        """Return how few people a class holds."""
        return [("smallest class", _smallest(facts), facts.counted)]

    def picked_out(self, risk: Risk, whom: str) -> list[Figure]:
        """Return the highest and the average risk."""
        return [
            ("highest risk", at_most(risk.highest), _pick(risk)),
            ("average risk", at_most(risk.average), f"over all {whom}"),
        ]

    def notices(self, facts: TableFacts, attacks: Sequence[AttackFacts]) -> list[Block]:  # noqa: ARG002
        """Return nothing: classes are what a reader expects."""
        return []

    def cautions(self, facts: TableFacts) -> list[str]:  # noqa: ARG002
        """Return nothing."""
        return []

    def done(self, facts: TableFacts, name: str, role: str, declared: str) -> str:  # noqa: ARG002
        """Return how a column is released."""
        if role != "quasi":
            return declared or "as it is"
        if not facts.algorithm.truthful:
            return "replaced by a value of its group"
        if facts.algorithm.taxonomy.startswith("CG"):  # cell by cell: not by the labels of a level
            return f"generalized where needed, to ranges or sets of values: {declared}"
        return f"generalized where needed: {declared}"

    def quasi_done(self) -> str:
        """Return what was done to quasi-identifiers."""
        return "generalized where needed: see below"

    def sensitive_done(self, watched: Sequence[str]) -> str:
        """Return what was done to sensitive columns: they are kept, and a promise may be about them."""
        return (
            f"kept as they are; promises are about {', '.join(watched)}" if watched else "kept as they are"
        )  # which may bound one of its values only

    def bounded(self) -> str:
        """Return what the promises bound."""
        return "what can be learnt from the declared quasi-identifiers"

    def singling_out(self, facts: TableFacts) -> str:
        """Return at how few people the release points."""
        alone = sum(step.classes for step in facts.class_sizes if step.most == 1)
        said = (
            f"{count(alone)} of {count(facts.classes)} combinations of released quasi-identifiers point at a single "
            f"{ONE[facts.counted]}"
            if alone
            else "no combination of released quasi-identifiers points at fewer than "
            f"{_smallest(facts)} {facts.counted}"
        )
        return f"{said}{singled_out_said(facts)}; singling out by other means (Cohen 2022) is not excluded"

    def linkability(self, facts: TableFacts) -> str:
        """Return the chance of finding the right record by linking."""
        if facts.risk is None:
            return f"linking on the quasi-identifiers: {linking_unmeasured(facts)}"
        return (
            "linking on the quasi-identifiers finds a record of the right person with a chance of at most "
            f"{at_most(facts.risk.highest)}"
        )

    def approach(self, facts: TableFacts) -> str:
        """Return how people are protected: what the algorithm does to columns and cells."""
        return APPROACHES.get(facts.algorithm.taxonomy, GENERALIZED)

    def risk(self, risk: Risk) -> str:
        """Return the risk that remains."""
        whom = "record" if risk.rows is None else f"person{by_either(risk)}"
        return f"at most {at_most(risk.highest)} for any {whom}; at most {at_most(risk.average)} on average"


def _pick(risk: Risk) -> str:
    """Return of what the highest risk is; where rows are the likelier pick, why it is above that of picking a person."""
    if risk.rows is None:
        return "of picking the right one"
    if risk.highest <= risk.prosecutor.highest:
        return "of picking a row of theirs"
    of_person = at_most(risk.prosecutor.highest)
    return f"of picking a row of theirs, some having several in a class; of picking the person {of_person}"


def _who(facts: TableFacts) -> str:
    return "who" if facts.counted == "people" else "that"


def _whose(facts: TableFacts) -> str:
    """Return of whom a class is: of people where they were counted, though a public page may show rows only."""
    return "rows" if facts.counted == "records" else "people"


def _smallest(facts: TableFacts) -> str:
    return count(min((step.least for step in facts.class_sizes), default=0))
