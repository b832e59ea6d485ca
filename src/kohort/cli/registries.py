"""`kohort algorithms | models | metrics | hierarchies`: what a plan can name."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from kohort.card import Card

KINDS = ("algorithms", "models", "metrics", "hierarchies")
HINTS = {  # how a plan names an entry
    "algorithms": 'in a plan: [recode] algorithm = "NAME"; options and their defaults: docs/reference.md',
    "models": 'in a plan: [[require]] model = "NAME"; parameters and their defaults: docs/reference.md',
    "metrics": 'in a plan: [recode] objective = "NAME"',
    "hierarchies": 'in a plan: hierarchy = { kind = "NAME" }; options and their defaults: docs/reference.md',
}


def cards(kind: str) -> list[Card]:
    """Return the cards of one registry, by name."""
    if kind == "algorithms":
        from kohort.algorithms import ALGORITHMS, algorithm

        found: list[Any] = [algorithm(name) for name in ALGORITHMS]
    elif kind == "models":
        from kohort.models import MODELS

        found = list(MODELS.values())
    elif kind == "metrics":
        from kohort.metrics import METRICS

        found = list(METRICS.values())
    else:
        from kohort.hierarchy import BUILDERS

        found = list(BUILDERS.values())
    return sorted((entry.card for entry in found), key=lambda card: card.name)


def run(kind: str, as_json: bool) -> None:
    """Print one registry, an entry after the other, or as JSON."""
    shown = cards(kind)
    if as_json:
        print(json.dumps([asdict(card) for card in shown]))  # noqa: T201
        return
    from rich.padding import Padding
    from rich.text import Text

    from kohort.cli.terminal import terminal

    console = terminal(highlight=False)
    for card in shown:
        console.print(Text.assemble((card.name, "bold"), f"  {_marks(kind, card)}".rstrip()))
        for line in (card.summary, _said("guarantee", card.guarantee), _said("paper", card.paper)):
            if line:
                console.print(Padding(Text(line), (0, 0, 0, 4)))
    console.print(HINTS[kind], style="dim", markup=False)


def _marks(kind: str, card: Card) -> str:
    """Return where an algorithm stands: its model of recoding, and whether values stay true."""
    if kind != "algorithms":
        return ""
    return ", ".join(filter(None, (card.taxonomy, "truthful" if card.truthful else "perturbed")))


def _said(what: str, text: str) -> str:
    return f"{what}: {text}" if text else ""
