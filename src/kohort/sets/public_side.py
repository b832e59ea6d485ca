"""What is published beside released sets: a manifest and a report that follow from them and the public plan alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import numpy as np

from kohort.evidence import public_plan
from kohort.folders.release_folder import MANIFEST, REPORT
from kohort.plan import Plan
from kohort.plan.text import plan_toml
from kohort.report.html import render
from kohort.sets.evidence import method_facts, promise_facts
from kohort.sets.judges import MEANING, TRUTH, ToldSets, judge_sets, told_sets
from kohort.sets.original import promises_of
from kohort.sets.pages import public_page
from kohort.sets.rules import set_column
from kohort.sets.searches import search_of
from kohort.table import Table
from kohort.verification.judges import Verdict

BY_HOLDER = "checked by the holder against the original"


def documents_of(table: Table, plan: Plan, digests: Mapping[str, str]) -> dict[str, bytes]:
    """Return manifest and report by file name."""
    public = public_facts(table, plan, digests)
    text = json.dumps(public, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return {MANIFEST: text.encode("utf-8"), REPORT: render(public_page(public)).encode("utf-8")}


def public_facts(table: Table, plan: Plan, digests: Mapping[str, str]) -> dict[str, Any]:
    """Return what is told in public; of the plan nothing is looked at but its public part."""
    asked = public_plan(plan)
    plan = Plan.from_dict(asked)
    name, column = set_column(plan)
    verdicts = judge_sets(table, name, column.written_separator, promises_of(plan))
    return {
        "zone": "public",
        "shape": plan.input.shape,
        "kohort": version("kohort"),
        "promises": promise_facts(plan),
        "verdicts": [_public(verdict).facts() for verdict in verdicts],
        "algorithm": method_facts(search_of(plan).card),
        "column": name,
        **counted(told_sets(table, name, column.written_separator)),
        "asked": asked,
        "plan_toml": plan_toml(asked),
        "files": dict(sorted(digests.items())),
    }


def counted(told: ToldSets) -> dict[str, Any]:
    """Return how many people hold each label, most first, and how large the sets are; the order of rows has no say."""
    counts = told.sets.counts(len(told.labels)).tolist()
    labels = sorted(zip(told.labels, counts, strict=True), key=lambda one: (-one[1], one[0]))
    sizes, sets = np.unique(told.sets.sizes, return_counts=True)
    return {
        "people": told.sets.n_people,
        "labels": [{"label": label, "people": people} for label, people in labels],
        "sizes": [{"labels": n, "people": m} for n, m in zip(sizes.tolist(), sets.tolist(), strict=True)],
    }


def _public(verdict: Verdict) -> Verdict:
    """Return a verdict as it is told in public: nothing is released that the holder did not find true."""
    by_holder = verdict.promise in (MEANING, TRUTH) and verdict.holds is None
    return Verdict(verdict.promise, True, note=BY_HOLDER) if by_holder else verdict
