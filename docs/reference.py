"""Writes docs/reference.md from the registries, so that it cannot drift from the code: `make docs`."""

from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path
from typing import Any

import msgspec

from kohort.algorithms import ALGORITHMS, algorithm
from kohort.attacks import ATTACKS
from kohort.facts import Audit, Manifest, ReleaseFacts
from kohort.hierarchy import BUILDERS
from kohort.metrics import METRICS
from kohort.models import MODELS
from kohort.plan import ColumnPlan, ContextPlan, InputPlan, OutputPlan, RecodePlan
from kohort.plan.rules import DEFAULT, SHAPES, rules_of
from kohort.schemas import meanings

TARGET = Path(__file__).with_name("reference.md")
HEAD = """# Reference

Generated from the registries by `make docs`; do not edit. Commands: `kohort --help` and `kohort COMMAND --help`.

Exit codes: 0 done; 2 the input or plan is wrong; 3 no solution exists (the message tells the nearest miss); 4 verification
failed (nothing was released); 5 everything that could be judged holds, but something promised could not be judged; 6 a search was stopped before it had anything to release; 130 interrupted; 1 a bug of Kohort. With `--json` a command prints one object on stdout; everything else goes to stderr.
"""


def text() -> str:
    """Return the whole page."""
    parts = [HEAD, "## The plan\n"]
    for section, struct in (
        ("[input]", InputPlan),
        ("[columns] NAME", ColumnPlan),
        ("[recode]", RecodePlan),
        ("[output]", OutputPlan),
        ("[context]", ContextPlan),
    ):
        parts.append(f"### {section}\n\n{struct.__doc__.splitlines()[0]}\n\n{_struct(struct)}\n")
    parts.append(_registry("Privacy models", "`[[require]] model = …`", MODELS))
    parts.append(_registry("Algorithms", "`[recode] algorithm = …`, options under `[recode.options]`",
                           {name: algorithm(name) for name in ALGORITHMS}))  # fmt: skip
    parts.append(_registry("Metrics and policies", "`[recode] objective = …`", METRICS))
    parts.append(_registry("Hierarchies", "`hierarchy = { kind = …, … }`", BUILDERS))
    parts += [part for shape in SHAPES if shape != DEFAULT for part in _shape(shape)]
    parts.append(
        "## Attacks\n\n`kohort attack DIR --all` runs those that need nothing but the release.\n\n"
        + _attacks()
    )
    parts.append(_documents())
    return "\n".join(parts)


def _shape(name: str) -> list[str]:
    rules = rules_of(name)
    own = [
        f"| `{field.name}` | {meanings(rules.column).get(field.name, '')} |"
        for field in msgspec.structs.fields(rules.column)
        if field.name not in ColumnPlan.__struct_fields__
    ]
    head = f'## Shape `{name}`\n\n`[input] shape = "{name}"`: {rules.summary}. Roles: {", ".join(rules.roles)}.\n'
    keys = ["Further keys of a column:\n", "| key | meaning |", "|---|---|", *own, ""] if own else []
    return [
        head,
        *keys,
        _registry(f"Promises of {name}", "`[[require]] model = …`", dict(rules.promises)),
        _registry(f"Algorithms for {name}", "`[recode] algorithm = …`", dict(rules.algorithms())),
    ]


def _documents() -> str:
    parts = [
        "## Documents\n\n`kohort schema manifest`, `kohort schema audit` and `kohort schema plan` (in Python "
        "`kohort.schema(name)`) print the JSON Schema of what is written and read. Manifest and audit bear a `version`; what an "
        "earlier one wrote is read, or refused by its number.\n"
    ]
    for title, struct in (
        ("manifest.json", Manifest),
        ("audit.json", Audit),
        ("`facts` of audit.json, `Release.facts` in Python", ReleaseFacts),
    ):
        rows = ["| key | meaning |", "|---|---|"]
        said = meanings(struct)
        rows += [f"| `{f.encode_name}` | {said.get(f.name, '')} |" for f in msgspec.structs.fields(struct)]
        parts.append(f"### {title}\n\n{struct.__doc__.splitlines()[0]}\n\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def _struct(struct: Any) -> str:
    said = meanings(struct)
    rows = ["| key | default | meaning |", "|---|---|---|"]
    for field in msgspec.structs.fields(struct):
        default = (
            "required"
            if field.required
            else repr({} if field.default is msgspec.NODEFAULT else field.default)
        )
        rows.append(f"| `{field.encode_name}` | `{default}` | {said.get(field.name, '')} |")
    return "\n".join(rows)


def _registry(title: str, where: str, registry: dict[str, Any]) -> str:
    parts = [f"## {title}\n\nIn a plan: {where}.\n"]
    for name in sorted(registry):
        kind = registry[name]
        card = kind.card
        parts.append(f"### {name}\n\n{card.summary[0].upper()}{card.summary[1:]}.\n")
        told = []
        if card.taxonomy:
            told.append(f"Taxonomy: {card.taxonomy}")
        if card.guarantee:
            told.append(f"Guarantee: {card.guarantee}")
        if card.bounds:
            told.append(f"Keeps: {', '.join(card.bounds)}")
        if not card.truthful:
            told.append("**Perturbative**: released values are not generalizations of the originals")
        if card.paper:
            told.append(f"Paper: {card.paper}")
        parts.append("\n".join(f"- {line}" for line in told) + "\n" if told else "")
        options = _options(kind)
        if options:
            parts.append(f"Parameters: {options}\n")
    return "\n".join(part for part in parts if part)


def _options(kind: Any) -> str:
    told = []
    for field in dataclasses.fields(kind):
        if not field.init or field.name in ("base",):
            continue
        if field.default is not dataclasses.MISSING:
            told.append(f"`{field.name} = {field.default!r}`")
        elif field.default_factory is not dataclasses.MISSING:
            told.append(f"`{field.name} = {field.default_factory()!r}`")
        else:
            told.append(f"`{field.name}` (required)")
    return ", ".join(told)


def _attacks() -> str:
    rows = ["| attack | what it tries |", "|---|---|"]
    for name in sorted(ATTACKS):
        card = getattr(ATTACKS[name], "card", None)
        summary = card.summary if card else inspect.getdoc(ATTACKS[name]).splitlines()[0]
        rows.append(f"| {name} | {summary} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
