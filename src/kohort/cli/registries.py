"""`kohort algorithms | models | metrics | hierarchies | shapes | engines`: what a plan or a command can name."""

from __future__ import annotations

import json
import warnings
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from kohort.card import Card
from kohort.third_parties import Available, ThirdPartyWarning

if TYPE_CHECKING:
    from kohort.plan.rules import PlanRules

OF_SHAPES = ("algorithms", "models")  # every shape has its own
HINTS = {  # how a plan names an entry
    "algorithms": 'in a plan: [recode] algorithm = "NAME"; options and their defaults: docs/reference.md',
    "models": 'in a plan: [[require]] model = "NAME"; parameters and their defaults: docs/reference.md',
    "metrics": 'in a plan: [recode] objective = "NAME", and target = "COLUMN" where it needs one',
    "shapes": 'in a plan: [input] shape = "NAME"',
    "engines": "on the command line: --engine NAME",
    "hierarchies": 'in a plan: hierarchy = { kind = "NAME" }; options and their defaults: docs/reference.md',
}


class Entry(NamedTuple):
    """One line of a list."""

    card: Card
    shape: str = ""  # whose it is, where every shape has its own
    package: str = ""  # who offers it; nothing is said of Kohort's own

    def told(self) -> dict[str, Any]:
        """Return the entry as JSON has it."""
        said = {"shape": self.shape, "package": self.package}
        return asdict(self.card) | {key: value for key, value in said.items() if value}


def entries(kind: str) -> list[Entry]:
    """Return one registry by name: Kohort's own items, those of every shape, and those of other packages."""
    registry = available(kind)
    own = _first_shape() if kind in OF_SHAPES else ""
    found = [
        Entry(_card(kind, name, item), own, registry.maker(name)) for name, item in registry.usable().items()
    ]
    if kind in OF_SHAPES:
        found += [
            Entry(_card(kind, name, item), shape, maker)
            for shape, rules, maker in _other_shapes()
            for name, item in (rules.algorithms() if kind == "algorithms" else rules.promises).items()
        ]
    return sorted(found, key=lambda entry: (entry.card.name, entry.shape))


def _card(kind: str, name: str, item: Any) -> Card:
    """Return the card of an item; a shape has none, and is told by its rules."""
    return Card(name, item.summary) if kind == "shapes" else item.card


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
    if kind == "shapes":
        from kohort.plan.rules import AVAILABLE_SHAPES

        return AVAILABLE_SHAPES
    if kind == "engines":
        from kohort.engines import AVAILABLE_ENGINES

        return AVAILABLE_ENGINES
    from kohort.hierarchy import AVAILABLE_BUILDERS

    return AVAILABLE_BUILDERS


def _first_shape() -> str:
    """Return the shape whose registries are the ones above."""
    from kohort.plan.rules import DEFAULT

    return DEFAULT


def _other_shapes() -> list[tuple[str, PlanRules, str]]:
    """Return the other shapes with their rules, and the package that offers each."""
    from kohort.plan.rules import AVAILABLE_SHAPES

    usable = AVAILABLE_SHAPES.usable().items()
    return [(name, kind(), AVAILABLE_SHAPES.maker(name)) for name, kind in usable if name != _first_shape()]


def run(kind: str, as_json: bool) -> None:
    """Print one registry, an entry after the other, or as JSON."""
    from kohort.cli.terminal import terminal, warn
    from kohort.signs import harmless

    with warnings.catch_warnings(record=True) as left_out:
        warnings.simplefilter("always", ThirdPartyWarning)
        shown = entries(kind)
    warn(str(warning.message) for warning in left_out)
    if as_json:
        print(json.dumps([entry.told() for entry in shown]))  # noqa: T201
        return
    from rich.padding import Padding
    from rich.text import Text

    console = terminal(highlight=False)
    for entry in shown:
        card = entry.card
        console.print(Text.assemble((harmless(card.name), "bold"), f"  {_marks(kind, entry)}".rstrip()))
        said = (
            card.summary,
            _said("guarantee", card.guarantee),
            _said("paper", card.paper),
            _said("of the package", entry.package),
        )
        for line in said:
            if line:
                console.print(Padding(Text(harmless(line)), (0, 0, 0, 4)))
    console.print(HINTS[kind], style="dim", markup=False)


def _marks(kind: str, entry: Entry) -> str:
    """Return for which shape an entry is, and where an algorithm stands: its model of recoding, whether values stay true."""
    shape = f"shape {entry.shape}" if entry.shape not in ("", _first_shape()) else ""
    truthful = "truthful" if entry.card.truthful else "perturbed"
    return ", ".join(
        filter(None, (shape, *((entry.card.taxonomy, truthful) if kind == "algorithms" else ())))
    )


def _said(what: str, text: str) -> str:
    return f"{what}: {text}" if text else ""
