"""Writes docs/reference.md from the registries, so that it cannot drift from the code: `make docs`."""

from __future__ import annotations

import dataclasses
import inspect
import re
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
from kohort.toml import toml_value

TARGET = Path(__file__).with_name("reference.md")
HEAD = """# Reference

Made by `make docs` from the registries; do not edit. The commands have [a page of their own](commands.md).

Exit codes: 0 done; 2 the input or plan is wrong; 3 no solution was found (the message says whether there is none, and tells the nearest miss); 4 verification
failed (nothing was released); 5 everything that could be judged holds, but something promised could not be judged; 6 a search was stopped before it had anything to release; 130 interrupted; 1 standard output was closed or full, so that not all was told (what was written stands), or a bug of Kohort, which stderr then says. With `--json` a command prints one object on stdout, an error included, also where it is called with options that there are not (exit code 2); interrupted, it prints none. Everything else goes to stderr.
"""
TAXONOMY = (
    "`[recode] algorithm = …`, options under `[recode.options]`. The taxonomy is that of Ciriani et al.: what is generalized (AG whole columns, CG cells), "
    "and what is suppressed (TS rows, AS columns, CS cells); the [how-to](how-to.md) shows how a plan asks for each. *Keeps* names the bounds on "
    "levels that an algorithm serves; it refuses a plan with others"
)


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
    parts.append(_registry("Algorithms", TAXONOMY,
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
        default = {} if field.default is msgspec.NODEFAULT else field.default
        told = "required" if field.required else "" if default is None else f"`{_spelled(default)}`"
        rows.append(f"| `{field.encode_name}` | {told} | {said.get(field.name, '')} |")
    return "\n".join(rows)


def _registry(title: str, where: str, registry: dict[str, Any]) -> str:
    parts = [f"## {title}\n\nIn a plan: {where}.\n"]
    for name in sorted(registry):
        kind = registry[name]
        card = kind.card
        parts.append(f"### {name}\n\n{_sentence(card.summary)}\n")
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
        parts.append(_explained(kind))
    return "\n".join(part for part in parts if part)


def _options(kind: Any) -> str:
    told = []
    for field in dataclasses.fields(kind):
        if not field.init or field.name in ("base",):
            continue
        if field.default_factory is not dataclasses.MISSING:
            told.append(f"`{field.name} = {_spelled(field.default_factory())}`")
        elif field.default is dataclasses.MISSING:
            told.append(f"`{field.name}` (required)")
        else:
            told.append(
                f"`{field.name}`" if field.default is None else f"`{field.name} = {_spelled(field.default)}`"
            )
    return ", ".join(told)


def _spelled(value: Any) -> str:
    """Return a default as a plan would spell it."""
    return toml_value(value).replace("{  }", "{}")


def _sentence(summary: str) -> str:
    """Return a summary as a sentence; the papers' letters stay small."""
    small = re.match(r"[klpt]\b", summary)
    return f"{summary if small else summary[0].upper() + summary[1:]}."


def _explained(kind: Any) -> str:
    """Return what the docstring says of an item beyond its promise: its parameters, its guarantee, where it departs from its paper."""
    paragraphs = re.split(r"\n\s*\n", inspect.getdoc(kind) or "")[1:]
    told = [part for part in paragraphs if not part.startswith((">>>", "Complexity:", "References:"))]
    return "\n\n".join(told) + "\n" if told else ""


def _attacks() -> str:
    rows = ["| attack | what it tries |", "|---|---|"]
    for name in sorted(ATTACKS):
        card = getattr(ATTACKS[name], "card", None)
        summary = card.summary if card else inspect.getdoc(ATTACKS[name]).splitlines()[0]
        rows.append(f"| {name} | {summary} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
