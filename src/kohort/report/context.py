"""For whom a release is made, why and on what ground: what [context] of the plan says, which nobody judges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Block, table, text

FIELDS = {
    "recipient": "Recipient",
    "purpose": "Purpose",
    "legal_basis": "Legal basis",
    "dpia": "Data protection impact assessment",
    "reviewer": "Reviewed by",
    "date": "Date of the review",
}
CONTEXT = "For whom, what for, on what ground"  # the title
NOT_SAID = "not said in the plan"


def context(asked: Mapping[str, Any], every: bool = False) -> list[Block]:
    """Return what the holder says of the release; `every` names what is not said too."""
    told = asked.get("context", {})
    rows = [(said, told.get(name, NOT_SAID)) for name, said in FIELDS.items() if every or name in told]
    if not rows:
        return []
    return [
        text("As the holder states it in the plan, under [context]. Kohort cannot check it."),
        table(("", ""), rows),
    ]


def stated(asked: Mapping[str, Any], name: str) -> str:
    """Return what the holder says in one field."""
    return str(asked.get("context", {}).get(name, NOT_SAID))
