"""What a reader must know before any figure: values that are not true, columns that are not hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Block, notice
from kohort.report.words import people, percent, torn


def notices(facts: Mapping[str, Any]) -> list[Block]:
    """Return what must not be overlooked."""
    found, name = [], "group" if torn(facts) else "class"
    if not facts["algorithm"]["truthful"]:
        found.append(
            notice(
                "Perturbed values",
                "Quasi-identifiers were replaced by averages of groups. A released value need not be true of the person; "
                "use the table for statistics, not for single records.",
            )
        )
    if facts["algorithm"].get("covers_all"):
        found.append(notice("Differentially private", f"{facts['algorithm']['guarantee']}."))
    if torn(facts):
        column = facts["column"]
        found.append(
            notice(
                "Quasi-identifiers are exact",
                "Nobody is hidden: people can be recognised in the first table, the average one with a chance of "
                f"{percent(facts['risk']['prosecutor']['average'])}. Only {column} is hidden, among the values of a group. "
                f"{_inference(facts)} Release it once: whoever has two dealings of the same people knows what both groups of a "
                "person have in common.",
            )
        )
    shared = [
        f"{percent(told['homogeneous_share'])} of {people(facts)} share their {column} with everybody in their {name}"
        for column, told in facts["sensitive"].items()
        if told and told["homogeneous_share"] > 0
    ]
    if shared:
        found.append(
            notice(
                "Not every sensitive value is hidden",
                f"{'; '.join(shared)}: whoever finds the {name} knows the value. A promise of diversity would prevent that.",
            )
        )
    return found


def _inference(facts: Mapping[str, Any]) -> str:
    """Return what is known of deFinetti's attack, which learns across groups."""
    column, l = facts["column"], facts["l"]  # noqa: E741
    told = next((a for a in facts.get("attacks") or [] if "finetti" in str(a["attack"]).lower()), None)
    said = f"A model trained on both tables can guess {column} better than the promised 1 in {l} (Kifer 2009)"
    if told is None:
        return f"{said}; how much better was not measured here."
    return f"{said}: measured here, {percent(told['success'])} of guesses are right."
