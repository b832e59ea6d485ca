"""`kohort algorithms | models | metrics | hierarchies`: what a plan can name."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from kohort.card import Card

KINDS = ("algorithms", "models", "metrics", "hierarchies")


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
    """Print one registry, as a table or as JSON."""
    shown = cards(kind)
    if as_json:
        print(json.dumps([asdict(card) for card in shown], ensure_ascii=False))  # noqa: T201
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("name", no_wrap=True, style="bold")
    if kind == "algorithms":
        table.add_column("model", no_wrap=True)
        table.add_column("values", no_wrap=True)
    for heading in ("what it does", "guarantee", "paper"):
        table.add_column(heading)
    for card in shown:
        where = (card.taxonomy, "truthful" if card.truthful else "perturbed") if kind == "algorithms" else ()
        table.add_row(card.name, *where, card.summary, card.guarantee, card.paper)
    Console().print(table)
