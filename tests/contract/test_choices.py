"""Where one of some texts must stand, another one is refused with all that may: whatever is registered, whatever the section."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_type_hints

import msgspec
import pytest
from tests.trust.wrong_values import MODEL_ARGUMENTS, SPECS

from kohort.algorithms import ALGORITHMS, algorithm
from kohort.errors import InputError
from kohort.hierarchy.build import BUILDERS, build_hierarchy
from kohort.metrics import METRICS
from kohort.models import MODELS
from kohort.plan import ColumnPlan, ContextPlan, InputPlan, OutputPlan, Plan, RecodePlan
from kohort.preparation.algorithm_choice import algorithm_of

STRANGE = "nonesuch"
SECTIONS = {"input": InputPlan, "recode": RecodePlan, "output": OutputPlan, "context": ContextPlan}


def choices(kind: Any) -> dict[str, list[str]]:
    """Return the texts that each option may be, where it must be one of some."""
    hints = get_type_hints(kind, include_extras=True)
    found = {name: _enum(msgspec.json.schema(hints[name])) for name in _options(kind)}
    return {name: texts for name, texts in found.items() if texts}


def _options(kind: Any) -> list[str]:
    if issubclass(kind, msgspec.Struct):
        return [field.name for field in msgspec.structs.fields(kind)]
    return [field.name for field in fields(kind) if field.init and field.name != "base"]


def _enum(schema: Any) -> list[str]:
    here = [text for text in schema.get("enum", ()) if isinstance(text, str)]
    below = [text for part in schema.get("anyOf", ()) for text in _enum(part)]
    return [*here, *below, *(_enum(schema["items"]) if isinstance(schema.get("items"), dict) else ())]


def _plan(**sections: Any) -> dict[str, Any]:
    plan = {
        "columns": {"age": {"role": "quasi"}, "ill": {"role": "sensitive"}},
        "require": [{"model": "k-anonymity", "k": 2}],
    }
    return plan | sections


def _about(model: Any) -> dict[str, str]:
    return {"column": "ill"} if "column" in _options(model) else {}


def _asked() -> Iterator[tuple[str, dict[str, Any], list[str]]]:
    """Yield plans with one option that is none of those it may be, and these."""
    for name, kind in SECTIONS.items():
        for option, texts in choices(kind).items():
            yield f"[{name}] {option}", _plan(**{name: {option: STRANGE}}), texts
    for option, texts in choices(ColumnPlan).items():
        yield (
            f"[columns] {option}",
            _plan(columns={"age": {"role": "insensitive", option: STRANGE}, "zip": {"role": "quasi"}}),
            texts,
        )
    for name, model in MODELS.items():
        for option, texts in choices(model).items():
            needed = {f.name: MODEL_ARGUMENTS[f.name] for f in fields(model) if f.name in MODEL_ARGUMENTS}
            yield (
                f"{name} {option}",
                _plan(require=[{"model": name, **needed, **_about(model), option: STRANGE}]),
                texts,
            )
    for name in ALGORITHMS:
        for option, texts in choices(algorithm(name)).items():
            yield f"{name} {option}", _plan(recode={"algorithm": name, "options": {option: STRANGE}}), texts
    for name, metric in METRICS.items():
        for option, texts in choices(metric).items():
            yield (
                f"{name} {option}",
                _plan(recode={"objective": name, "objective_options": {option: STRANGE}}),
                texts,
            )


ASKED = list(_asked())


@pytest.mark.parametrize(("plan", "texts"), [(p, t) for _, p, t in ASKED], ids=[name for name, _, _ in ASKED])
def test_another_text_is_refused_with_those_there_are(plan: dict[str, Any], texts: list[str]) -> None:
    with pytest.raises(InputError) as refused:
        algorithm_of(Plan.from_dict(plan), 10)
    assert not [text for text in texts if text not in str(refused.value)]


OPTIONS = [
    (kind, option, texts) for kind, builder in BUILDERS.items() for option, texts in choices(builder).items()
]


@pytest.mark.parametrize(("kind", "option", "texts"), OPTIONS)
def test_so_it_is_with_hierarchies(kind: str, option: str, texts: list[str]) -> None:
    with pytest.raises(InputError) as refused:
        build_hierarchy("age", {**SPECS[kind], option: STRANGE}, ["1", "2"], [1, 1])
    assert not [text for text in texts if text not in str(refused.value)]


@pytest.mark.parametrize(("kind", "option"), [("dates", "levels"), ("icd10", "levels")])
def test_so_it_is_with_names_of_levels(kind: str, option: str) -> None:
    with pytest.raises(InputError) as refused:
        build_hierarchy("age", {**SPECS[kind], option: [STRANGE]}, ["2020-01-01"], [1])
    assert len([word for word in ("month", "year", "block", "chapter") if word in str(refused.value)]) == 2


def test_there_are_such_options() -> None:
    assert len(ASKED) > 10
    assert {("prefix", "standard"), ("mask", "side")} <= {(kind, option) for kind, option, _ in OPTIONS}
