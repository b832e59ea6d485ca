"""A release in two tables: quasi-identifiers exact, a sensitive column apart and told by groups (Anatomy)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kohort.facts import TableFacts
from kohort.facts.figures import Risk, Sizes
from kohort.facts.head import Apart
from kohort.facts.promises import AttackFacts
from kohort.plurals import many
from kohort.report.blocks import Block, Figure, notice
from kohort.report.singled_out import singled_out_said
from kohort.report.words import at_most, columns_of, count, listed, percent


@dataclass(frozen=True)
class InGroups:
    """What a report says of groups."""

    apart: Apart
    name: str = "group"
    names: str = "groups"
    caveat: str = ": not bounded by any promise, for quasi-identifiers are exact"
    scored: bool = False

    def number(self, facts: TableFacts) -> int:  # noqa: ARG002
        """Return the number of groups."""
        return self.apart.groups

    def sizes(self, facts: TableFacts) -> Sequence[Sizes]:  # noqa: ARG002
        """Return the sizes of the groups."""
        return self.apart.sizes

    def explained(self, facts: TableFacts) -> str:  # noqa: ARG002
        """Return what a group is, and what it is not."""
        return (
            f"The rows of the first table are put into groups. The second table tells which values of {self.apart.column} occur "
            "in each group and how often, but not whose they are. Groups hide nobody: the risk of being picked out is that of "
            "the exact quasi-identifiers in the first table, as of any table that is released as it is."
        )

    def plainly(self, facts: TableFacts) -> str:
        """Return what a group is, and that nobody hides in it."""
        return (
            f"Who the rows are about is not hidden: {listed(columns_of(facts, 'quasi'))} stand as they are. The rows are put into "
            f"groups, and a second table tells the values of {self.apart.column} in each group, but not whose they are."
        )

    def where(self, facts: TableFacts) -> str:  # noqa: ARG002
        """Return in how many groups, and in which table what stands."""
        column = self.apart.column
        return (
            f"in {many(self.apart.groups, 'group')}: one table holds every column but {column}, another how often each value of "
            f"{column} occurs in each group."
        )

    def protection(self, facts: TableFacts) -> list[Figure]:
        """Return how many groups there are, and how much one tells."""
        told = facts.sensitive.get(self.apart.column)
        largest = percent(None if told is None else told.alpha)
        return [
            ("groups", count(self.apart.groups), "each with its own values"),
            ("largest share", largest, f"of one {self.apart.column} in a group"),
        ]

    def smallest(self, facts: TableFacts) -> list[Figure]:  # noqa: ARG002
        """Return nothing: in the smallest group nobody hides, nor in any other."""
        return []

    def picked_out(self, risk: Risk, whom: str) -> list[Figure]:
        """Return the highest and the average risk, which nothing bounds."""
        return [
            ("highest risk", at_most(risk.highest), "of being recognised: nobody is hidden"),
            ("average risk", at_most(risk.average), f"over all {whom}"),
        ]

    def notices(self, facts: TableFacts, attacks: Sequence[AttackFacts]) -> list[Block]:
        """Return that nobody is hidden."""
        return [
            notice(
                "Quasi-identifiers are exact",
                "Nobody is hidden: people can be recognised in the first table, the average one with a chance of "
                f"{_average(facts)}. Only {self.apart.column} is hidden, among the values of a group. "
                f"{self._inferred(attacks)} Release it once: whoever has two dealings of the same people knows what both groups of "
                "a person have in common.",
            )
        ]

    def _inferred(self, attacks: Sequence[AttackFacts]) -> str:
        """Return what is known of deFinetti's attack, which learns across groups."""
        told = next((a for a in attacks if "finetti" in a.attack.lower()), None)
        said = (
            f"A model trained on both tables may guess {self.apart.column} better than the promised 1 in {self.apart.l} "
            "(Kifer 2009)"
        )
        if told is None:
            return f"{said}; how much better was not measured here."
        return f"{said}: measured here, {percent(told.success)} of guesses are right."

    def cautions(self, facts: TableFacts) -> list[str]:
        """Return that nobody is hidden."""
        average = 0.0 if facts.risk is None else facts.risk.average
        return [
            "two tables: quasi-identifiers are released as they are, so nobody is hidden: who knows them picks the right row "
            f"with a chance of {average:.0%} on average; only {self.apart.column} is, and whoever learns across groups may guess "
            "it (kohort attack); release it once, for the groups of a second dealing would intersect with these"
        ]

    def done(self, facts: TableFacts, name: str, role: str, declared: str) -> str:  # noqa: ARG002
        """Return in which table a column stands."""
        coarse = declared if role != "quasi" else ""
        if name == self.apart.column:
            return f"told by groups, in a table of its own{f', and {coarse}' if coarse else ''}"
        return coarse or "as it is"

    def quasi_done(self) -> str:
        """Return what was done to quasi-identifiers: nothing."""
        return "kept exact"

    def sensitive_done(self, watched: Sequence[str]) -> str:  # noqa: ARG002
        """Return what was done to the column apart."""
        return f"{self.apart.column} told by groups, in a table of its own"

    def bounded(self) -> str:
        """Return what the promises bound, and what they do not."""
        return f"how much of {self.apart.column} a group tells by itself, and do not hide who is in the table"

    def singling_out(self, facts: TableFacts) -> str:
        """Return that it is not prevented."""
        return (
            "not prevented: the quasi-identifiers are released exactly, and "
            f"{_average(facts)} is the average chance of picking the right record{singled_out_said(facts)}"
        )

    def linkability(self, facts: TableFacts) -> str:
        """Return that it is not prevented, but for the column apart."""
        return (
            f"not prevented: linking on the quasi-identifiers finds the right record with a chance of up to {_highest(facts)}; "
            f"{self.apart.column} is linked to groups only"
        )

    def approach(self, facts: TableFacts) -> str:  # noqa: ARG002
        """Return how people are protected."""
        return "quasi-identifiers exact, the sensitive column apart and told by groups"

    def risk(self, risk: Risk) -> str:
        """Return the risk that remains, which nothing bounds."""
        return (
            f"re-identification is not bounded, the quasi-identifiers are exact: {percent(risk.highest)} for the most "
            f"exposed record, {percent(risk.average)} on average"
        )


def _average(facts: TableFacts) -> str:
    return percent(None if facts.risk is None else facts.risk.average)


def _highest(facts: TableFacts) -> str:
    return at_most(None if facts.risk is None else facts.risk.highest)
