"""`propose`: the plan that a table suggests, for Python what `kohort init` is for shells."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kohort.paths import usable
from kohort.plan import Plan
from kohort.preparation.sources import read_source
from kohort.proposals import note_of, plan_text
from kohort.proposals import propose as proposals_for
from kohort.proposals.file_reading import found_in, read_as_found
from kohort.proposals.proposal import Proposal
from kohort.proposals.repeated_people import repeated_people
from kohort.proposals.unknown import without_unknown
from kohort.table import Role
from kohort.table.reading import read_labels


def propose(source: Any, guard: bool = False) -> Plan:
    """Return the plan that `kohort init` drafts for a table (a frame, or a path), to be read and changed.

    Its `notes` say why each column got its role, and stand in `plan.to_toml()` too; how a file, or the cells of a frame, seem
    to be written stands in its `input`, with the reason in the notes. What nothing is known of, and what only hints at something
    sensitive, has `decided = false`: `kohort.anonymize` refuses the plan until somebody decides; with many values it is left
    out until somebody says what it is. With `guard` you decide at once to treat what nothing is known of as known to others,
    as far as the table bears it: such columns are generalized, and give way first (`weight = 0.25`), but nothing is promised
    about what they tell. Who decides that a column is sensitive (`plan.decide`) gets the promise that is drafted for such.

    >>> import pyarrow as pa
    >>> people = {"zip": ["94138", "94139", "94141"] * 4, "sex": ["f", "m"] * 6, "diagnosis": ["flu", "cold", "flu"] * 4}
    >>> plan = propose(pa.table(people))
    >>> [(name, str(column.role)) for name, column in plan.columns.items()]
    [('zip', 'quasi'), ('sex', 'quasi'), ('diagnosis', 'sensitive')]
    >>> coded = pa.table({"zip": ["94138", "94139"] * 80, "q7": [1, 1, 2, 2] * 40})
    >>> [propose(coded, guard=guard).columns["q7"].decided for guard in (False, True)]
    [False, True]
    """
    is_file = isinstance(source, str | Path)
    table, draft = (
        read_as_found(usable(source, "the table"), {}) if is_file else found_in(read_source(source)[0])
    )
    proposals = proposals_for(table, read_labels(source) if is_file else None, guard)
    proposals = without_unknown(table, proposals)
    told = tomllib.loads(plan_text(str(source) if is_file else "", proposals))
    told["input"] |= draft.options
    if not is_file:
        del told["input"]["path"]
    notes = {found.column: note_of(found) for found in proposals}
    notes |= {f"[input] {finding.key}": finding.reason for finding in draft.findings}
    doubts = [*draft.doubts, *repeated_people(table, proposals)]
    notes |= {"[input]": "; ".join(doubts)} if doubts else {}
    return replace(Plan.from_dict(told), notes=notes, promises=_promises(proposals))


def _promises(proposals: Sequence[Proposal]) -> dict[str, dict[str, Any]]:
    """Return what would be required of each column, were it sensitive; nothing of those that no promise is drafted for."""
    found: dict[str, dict[str, Any]] = {}
    for proposal in proposals:
        alone = replace(proposal, role=Role.SENSITIVE, confidence="sure", respondent=False)
        drafted = tomllib.loads(plan_text("", [alone]))["require"]
        found |= {one["column"]: one for one in drafted if "column" in one}
    return found
