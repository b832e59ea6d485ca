"""`translated`: the plan that asks for what a project of ARX asks for, and what of it does not map."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kohort.arx.attributes import Attribute, Rows
from kohort.arx.criteria import objective_of, promise_of
from kohort.arx.project import Project
from kohort.errors import InputError
from kohort.hierarchy import SUPPRESSED
from kohort.level_files.names import file_name
from kohort.plan import Plan

FOLDER = "hierarchies"
_ROLES = {
    "IDENTIFYING_ATTRIBUTE": "identifier",
    "QUASI_IDENTIFYING_ATTRIBUTE": "quasi",
    "SENSITIVE_ATTRIBUTE": "sensitive",
    "INSENSITIVE_ATTRIBUTE": "insensitive",
}
_USUAL_WEIGHT = 0.5
_MOST_SIGNS = 100  # of a promise or metric that is quoted
_ALWAYS = (
    "suppressed rows are left out of a release; ARX keeps them with their quasi-identifiers blanked",
    "results of ARX (its lattice, filters, clipboard, output) are not read: a release is searched anew",
)


@dataclass(frozen=True)
class Translation:
    """A plan as a dict, its level files by their names, and what stands in the project that it does not say."""

    plan: dict[str, Any]
    level_files: dict[str, Rows]
    unmapped: tuple[str, ...]
    notes: dict[str, str]


def translated(project: Project, data_path: str) -> Translation:
    """Return the plan for a project whose data are written to `data_path`, beside which its level files lie in a folder.

    It fails closed: where a promise of the project has no counterpart, or a column no known type, the columns concerned are
    undecided, and `kohort anonymize` refuses the plan until somebody decides.
    """
    promises = [(criterion, promise_of(criterion)) for criterion in project.criteria]
    lost = [criterion for criterion, promise in promises if promise is None]
    files: dict[str, Rows] = {}
    columns: dict[str, dict[str, Any]] = {}
    notes: dict[str, str] = {}
    unmapped: list[str] = []
    for attribute in project.attributes:
        column, remarks = _column(attribute, files)
        if lost and column["role"] == "quasi":
            column["decided"] = False
        columns[attribute.name] = column
        notes[attribute.name] = "; ".join([f"{attribute.type} in ARX", *remarks])
        unmapped += [f"column {attribute.name!r}: {remark}" for remark in remarks]
    plan: dict[str, Any] = {
        "input": {"path": data_path, "delimiter": project.delimiter, "header": True}
        | _encoding(project.data),
        "columns": columns,
        "require": [promise for _, promise in promises if promise is not None],
        "recode": _recode(project),
    }
    waiting = "there is no such model, or not of such a number; the quasi-identifiers wait for a decision"
    unmapped = [*(f"promise {_short(criterion)!r}: {waiting}" for criterion in lost),
                *unmapped, *_settings(project, columns), *_ALWAYS]  # fmt: skip
    return Translation(plan, files, tuple(unmapped), notes)


def checked(translation: Translation) -> Plan:
    """Return the plan, which must be sound; what is wrong with the project is told as its own."""
    if not translation.plan["require"]:
        raise InputError(
            "the project asks for no promise that a plan can make; add one in ARX, such as k-anonymity, and save it again",
            code="import.nothing-mapped",
        )
    return Plan.from_dict(translation.plan)


def _column(attribute: Attribute, files: dict[str, Rows]) -> tuple[dict[str, Any], list[str]]:
    """Return what a plan says of an attribute, and what it does not."""
    role = _ROLES.get(attribute.type)
    if role is None:
        return {"role": "quasi", "decided": False}, [
            "its type is not known, so its role waits for a decision"
        ]
    column: dict[str, Any] = {"role": role}
    remarks = (
        [f"it is not microaggregated by {attribute.microaggregated}"] if attribute.microaggregated else []
    )
    deepest = 1
    if role in ("quasi", "sensitive") and attribute.hierarchy is not None:
        rows, added = _rooted(attribute.hierarchy)
        deepest = max(map(len, rows)) - 1
        remarks += [f"its hierarchy had several roots, and got {SUPPRESSED} above them"] if added else []
        name = file_name(attribute.name, files)
        files[name] = rows
        column["hierarchy"] = {"kind": "file", "path": f"{FOLDER}/{name}", "delimiter": ";", "header": False}
    elif role == "quasi":
        remarks.append("it has no hierarchy: its values are told as they are, or not at all")
    if role == "quasi":
        bounds, unkept = _bounds(attribute, deepest)
        column |= bounds
        remarks += unkept
    return column, remarks


def _rooted(rows: Rows) -> tuple[Rows, bool]:
    """Return a level file with one root: `*` above all labels where its last level holds several."""
    if len({row[-1] for row in rows}) == 1 and all(len(row) > 1 for row in rows):
        return rows, False
    return tuple((*row, SUPPRESSED) for row in rows), True


def _bounds(attribute: Attribute, deepest: int) -> tuple[dict[str, int], list[str]]:
    """Return the levels between which an attribute is released, and what is said of bounds that are none.

    Without its least level it would be told more exactly than the project allows: its role waits for a decision.
    """
    bounds: dict[str, int] = {}
    remarks: list[str] = []
    for key, level in (("min_level", attribute.least), ("max_level", attribute.greatest)):
        if level.casefold() in ("", "all") or (key, level) == ("min_level", "0"):
            continue
        if re.fullmatch("[0-9]{1,9}", level) and int(level) <= deepest:
            bounds[key] = int(level)
        elif key == "max_level":
            remarks.append(f"its greatest level is none of 0 to {deepest}, so it has no such bound")
        else:
            bounds["decided"] = False
            remarks.append(f"its least level is none of 0 to {deepest}, so it waits for a decision")
    return bounds, remarks


def _encoding(data: bytes) -> dict[str, str]:
    """Return the encoding that a plan must name: ARX writes that of its machine."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return {"encoding": "cp1252"}
    return {}


def _recode(project: Project) -> dict[str, Any]:
    return {"objective": objective_of(project.metric) or "loss", "max_suppression": _share(project) or 0.0}


def _share(project: Project) -> float | None:
    """Return the share of rows that may be suppressed; None where the project tells none from 0 to 1."""
    try:
        share = float(project.suppression)
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None


def _settings(project: Project, columns: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield the settings that are told in another way, or not at all; set weights that are."""
    told, metric = objective_of(project.metric), _short(project.metric)
    if metric and told is None:
        yield f"metric {metric!r}: the objective is loss instead"
    elif metric:
        yield f"of the metric {metric!r} the aggregate function and the preference for generalization are not carried over"
    if _share(project) is None:
        yield "relativeMaxOutliers, the share of suppressed rows, is no number from 0 to 1: max_suppression is 0"
    told_of = {name: w for name, w in project.weights.items() if columns.get(name, {}).get("role") == "quasi"}
    for name in (name for name, weight in told_of.items() if weight is None):
        yield f"column {name!r}: its weight is no number from 0 on; it has {_USUAL_WEIGHT}, as columns without one have in ARX"
    weights = {name: _USUAL_WEIGHT if weight is None else weight for name, weight in told_of.items()}
    if len(set(weights.values())) > 1:
        for name, weight in weights.items():
            columns[name]["weight"] = weight


def _short(text: str) -> str:
    return text if len(text) <= _MOST_SIGNS else f"{text[:_MOST_SIGNS]}…"
