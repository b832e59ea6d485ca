"""What remains at risk, in words a data protection officer can use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Block, table, text
from kohort.report.words import percent


def remaining_risk(facts: Mapping[str, Any]) -> list[Block]:
    """Return the risks that were measured, and what no figure covers."""
    risk = facts["risk"]
    rows = [
        (
            "Picking the right record of somebody known to be in the table (prosecutor)",
            percent(risk["prosecutor"]["highest"]),
            percent(risk["prosecutor"]["average"]),
        ),
        ("Naming everybody in the table at once (marketer)", "–", percent(risk["marketer"])),
    ]
    for name, told in facts["sensitive"].items():
        rows.append((f"Learning {name} from the class alone, best guess", percent(told["alpha"]), "–"))
        rows.append(
            (f"Being in a class with a single value of {name}", "–", percent(told["homogeneous_share"]))
        )
    blocks = [
        text(
            "No release is without risk. The promises bound what can be learnt from the declared quasi-identifiers; they say "
            "nothing about columns that were wrongly declared harmless, about other releases of the same people, or about what "
            "can be inferred about groups."
        ),
        table(("what an intruder might do", "in the worst case", "on average"), rows, (1, 2)),
    ]
    attacks = facts.get("attacks") or []
    if attacks:
        blocks.append(
            table(
                ("attack", "success", "by chance or without the release", "95 % interval", "in words"),
                [
                    (
                        told["attack"],
                        percent(told["success"]),
                        percent(told["baseline"]),
                        "–" if told.get("interval") is None else " to ".join(map(percent, told["interval"])),
                        told["sentence"],
                    )
                    for told in attacks
                ],
                (1, 2, 3),
            )
        )
    else:
        blocks.append(
            text(
                "The attacks of the literature have not been run on this release yet: kohort attack RELEASE --all."
            )
        )
    return blocks
