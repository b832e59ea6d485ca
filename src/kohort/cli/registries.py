"""`kohort algorithms | models | metrics | hierarchies`: what a plan can name."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from kohort.card import Card
from kohort.third_parties import Available, ThirdPartyWarning

OF_SHAPES = ("algorithms", "models")  # every shape has its own
KINDS = ("algorithms", "models", "metrics", "hierarchies")
HINTS = {  # how a plan names an entry
    "algorithms": 'in a plan: [recode] algorithm = "NAME"; options and their defaults: docs/reference.md',
    "models": 'in a plan: [[require]] model = "NAME"; parameters and their defaults: docs/reference.md',
    "metrics": 'in a plan: [recode] objective = "NAME"',
    "hierarchies": 'in a plan: hierarchy = { kind = "NAME" }; options and their defaults: docs/reference.md',
}


def cards(kind: str) -> list[Card]:
    """Return the cards of one registry, by name: Kohort's own, those of every shape, and those of other packages."""
    found = available(kind).usable()
    if kind in OF_SHAPES:
        found |= {name: entry for shape in _others() for name, entry in _named(kind, shape).items()}
    return sorted((entry.card for entry in found.values()), key=lambda card: card.name)


def available(kind: str) -> Available[Any]:
    """Return one registry with what other packages add to it."""
    if kind == "algorithms":
        from kohort.algorithms import AVAILABLE_ALGORITHMS

        return AVAILABLE_ALGORITHMS
    if kind == "models":
        from kohort.models import AVAILABLE_MODELS

        return AVAILABLE_MODELS
    if kind == "metrics":
        from kohort.metrics import AVAILABLE_METRICS

        return AVAILABLE_METRICS
    from kohort.hierarchy import AVAILABLE_BUILDERS

    return AVAILABLE_BUILDERS


def _others() -> list[str]:
    """Return the shapes other than the first, whose registries are the ones above."""
    from kohort.plan.rules import DEFAULT, SHAPES

    return [shape for shape in SHAPES if shape != DEFAULT]


def _named(kind: str, shape: str) -> Mapping[str, Any]:
    """Return what plans of a shape can name."""
    from kohort.plan.rules import rules_of

    rules = rules_of(shape)
    return rules.algorithms() if kind == "algorithms" else rules.promises


def run(kind: str, as_json: bool) -> None:
    """Print one registry, an entry after the other, or as JSON."""
    from kohort.cli.terminal import terminal, warn

    with warnings.catch_warnings(record=True) as left_out:
        warnings.simplefilter("always", ThirdPartyWarning)
        shown, makers = cards(kind), available(kind)
    warn(str(warning.message) for warning in left_out)
    if as_json:
        told = [asdict(card) | _of(makers.maker(card.name)) for card in shown]
        print(json.dumps(told))  # noqa: T201
        return
    from rich.padding import Padding
    from rich.text import Text

    console = terminal(highlight=False)
    for card in shown:
        console.print(Text.assemble((card.name, "bold"), f"  {_marks(kind, card)}".rstrip()))
        said = (
            card.summary,
            _said("guarantee", card.guarantee),
            _said("paper", card.paper),
            _said("of the package", makers.maker(card.name)),
        )
        for line in said:
            if line:
                console.print(Padding(Text(line), (0, 0, 0, 4)))
    console.print(HINTS[kind], style="dim", markup=False)


def _marks(kind: str, card: Card) -> str:
    """Return for which shape an entry is, and where an algorithm stands: its model of recoding, whether values stay true."""
    if kind not in OF_SHAPES:
        return ""
    shapes = [f"shape {shape}" for shape in _others() if card.name in _named(kind, shape)]
    truthful = "truthful" if card.truthful else "perturbed"
    return ", ".join(filter(None, (*shapes, *((card.taxonomy, truthful) if kind == "algorithms" else ()))))


def _of(maker: str) -> dict[str, str]:
    return {"package": maker} if maker else {}


def _said(what: str, text: str) -> str:
    return f"{what}: {text}" if text else ""
