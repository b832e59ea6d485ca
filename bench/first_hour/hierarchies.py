"""What hierarchies lose that `kohort init` proposes, beside those made by hand and those of one width."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from bench.first_hour.tables import frame_of

from kohort.hierarchy import build_hierarchy
from kohort.proposals.concepts import concept_of
from kohort.proposals.evidence import Evidence
from kohort.proposals.fitting import fitting_hierarchy
from kohort.proposals.number_fitting import fitting_intervals
from kohort.table import Column, Table
from kohort.table.frames import from_frame

BY_HAND = tomllib.loads((Path(__file__).parent / "by_hand.toml").read_text(encoding="utf-8"))
ADULT = Path(os.environ.get("KOHORT_ADULT", Path(__file__).parents[3] / "shared" / "data" / "adult"))


def proposed(column: Column) -> dict[str, Any]:
    """Return the hierarchy that `init` proposes for a quasi-identifier."""
    concept = concept_of(column.name)
    return fitting_hierarchy(Evidence(column), concept.name if concept else None)[0]


def by_hand(table: Mapping[str, Any]) -> dict[str, dict[str, Any]] | None:
    """Return the hierarchies that a steward would write for the quasi-identifiers of a table; None where nobody did."""
    told = next((plan for plan in BY_HAND["plan"] if plan["table"] == table["name"]), None)
    if told is None:
        return None
    if "hierarchies" in told:
        return dict(told["hierarchies"])
    return {c: {"kind": "file", "path": str(ADULT / told["level_files"].format(c))} for c in table["quasi"]}


def first_level_loss(column: Column, spec: Mapping[str, Any]) -> float:
    """Return the share of its detail that a column loses where it is told by level 1 of a hierarchy."""
    counts = column.counts()
    hierarchy = build_hierarchy(column.name, spec, column.texts, counts.tolist())
    labels = hierarchy.levels[min(1, hierarchy.height)].of_ground[hierarchy.encode(column.texts, counts)]
    under = np.bincount(labels)[
        labels
    ]  # of the values of the table: those beyond an open end are many, not one
    told = float((under * counts).sum()) / (len(counts) * int(counts.sum()))
    return (told - 1 / len(counts)) / (1 - 1 / len(counts))


def amounts(tables: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a row for every amount that was looked at."""
    yield "| table | column | one width, as before | proposed | by hand |"
    yield "|---|---|--:|--:|--:|"
    held = {table["name"]: table for table in tables}
    losses = []
    for told in BY_HAND["amount"]:
        frame = frame_of(dict(held[told["table"]]))[[told["column"]]]
        read: Table = from_frame(frame)[0]
        column = read[told["column"]]
        specs = [
            fitting_intervals(Evidence(column)),
            proposed(column),
            {"kind": "bands", "ends": told["ends"]},
        ]
        losses.append([first_level_loss(column, spec) for spec in specs])
        yield (
            f"| {told['table']} | {told['column']} | "
            + " | ".join(f"{loss:.0%}" for loss in losses[-1])
            + " |"
        )
    mean = np.mean(losses, axis=0)
    yield "| **mean** | | " + " | ".join(f"**{loss:.0%}**" for loss in mean) + " |"
