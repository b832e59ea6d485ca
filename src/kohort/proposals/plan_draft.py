"""A plan drafted from proposals: TOML with the reason for every column beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kohort.hierarchy import UNTOLD
from kohort.proposals.choices import role_said
from kohort.proposals.proposal import Proposal
from kohort.proposals.words import HOUSEHOLD
from kohort.table import Role
from kohort.toml import toml_key, toml_value

_MARKS = {"sure": "", "unsure": "UNSURE: ", "undecided": "DECIDE: "}
_COMMON = 0.8  # share of the most frequent value
_MANY = 8  # quasi-identifiers: of more, the lattice may have millions of nodes


def plan_text(path: str, proposals: Sequence[Proposal], k: int = 5, diversity: int = 3) -> str:
    """Return a plan for the table at `path` (as the plan is to name it), ready to be read and changed.

    It asks for k-anonymity, and for l-diversity of each sensitive column but those of which nearly all rows have the same
    value. It holds column names, and no cell value.
    """
    return "\n".join(_lines(path, proposals, k, diversity)) + "\n"


def _lines(path: str, proposals: Sequence[Proposal], k: int, diversity: int) -> Iterator[str]:
    waiting = [p.column for p in proposals if not p.decided]
    unsure = sum(p.confidence == "unsure" for p in proposals)
    guarded = sum(p.guarded for p in proposals)
    yield "# A plan drafted by `kohort init`. It is a proposal: read it, change it, then run `kohort anonymize` on it."
    if waiting:
        yield f"# {len(waiting)} of {len(proposals):,} columns are marked DECIDE: write the role of each, take out decided = false."
        yield "# As quasi, nothing is promised about what a column tells; what is sensitive needs a [[require]] about it as well."
    if unsure:
        yield f"# {unsure} of {len(proposals):,} columns are marked UNSURE: not released or generalized, to be safe."
    if guarded:
        yield f"# Nothing is known of {guarded} of these: whoever drafted this with a guard decided to treat them as"
        yield "# known to others. Their detail counts less (weight), and nothing is promised about what they tell: what must not"
        yield "# be learnt of a person is sensitive."
    yield ""
    yield "[input]"
    yield f"path = {toml_value(path)}"
    respondent = next((p for p in proposals if p.respondent), None)
    if respondent:
        whom = "households" if respondent.concept == HOUSEHOLD else "people"
        yield f"respondent = {toml_value(respondent.column)}  # promises count {whom}, not rows"
    else:
        yield '# respondent = "…"  # name the column that tells people apart if someone may have several rows'
    yield ""
    yield "# What stands here of hierarchies (widths, ends, levels) is published with the release: keep it round and general."
    yield "# Roles: identifier (not released), quasi (others may know it of a person: generalized), sensitive (must not be learnt"
    yield "# of a person: kept, watched by promises), insensitive (neither: kept). What is kept can be told coarsely: round,"
    yield '# bottom and top of numbers, unit = "month" of dates.'
    yield "[columns]"
    for proposal in proposals:
        yield from _column(proposal)
    yield ""
    yield from _requirements(proposals, k, diversity)
    yield "[recode]"
    yield "max_suppression = 0.05  # at most this share of rows may be left out"
    yield 'objective = "loss"'
    if sum(p.role is Role.QUASI for p in proposals) > _MANY:
        yield "# So many columns are generalized that a search for the best release may take hours. The best found in this time is"
        yield "# released, and the release says how far from the best it may be; without a limit it ends by itself, or by Ctrl-C."
        yield "time_limit = 60  # seconds"
    yield ""
    yield "[output]"
    yield 'format = "csv"'


def _column(proposal: Proposal) -> Iterator[str]:
    yield f"# {note_of(proposal)}"
    told: dict[str, Any] = {"role": str(proposal.role), **proposal.coarse}
    if not proposal.decided:
        told["decided"] = False
    if proposal.weight != 1:
        told["weight"] = proposal.weight
    if proposal.hierarchy is not None:
        told["hierarchy"] = proposal.hierarchy
        if proposal.hierarchy == UNTOLD and proposal.distinct > 10:
            yield '# (labels by a tree or a level file, kind = "tree" or "file", would keep more detail than suppress)'
    if proposal.instead:
        kept = {"role": str(Role.QUASI), "min_level": 1, "hierarchy": proposal.instead}
        yield f"# (to keep something of it, never as it is: {toml_value(kept)})"
    yield f"{toml_key(proposal.column)} = {toml_value(told)}"


def unwatched(proposals: Sequence[Proposal]) -> list[str]:
    """Return the sensitive columns for which no promise is drafted, since nearly all rows share one value."""
    return [p.column for p in proposals if p.role is Role.SENSITIVE and p.decided and p.common > _COMMON]


def note_of(proposal: Proposal) -> str:
    """Return why a column has its role, and whether somebody should look, as it stands in a plan.

    >>> from kohort.table import Role
    >>> note_of(Proposal("q7", Role.QUASI, "nothing tells what it is", "undecided", None, None, 9, 2, 0.2, 0.5, 0.6))
    'DECIDE: quasi or sensitive: nothing tells what it is'
    """
    return f"{_MARKS[proposal.confidence]}{role_said(proposal)}: {proposal.reason}"


def _requirements(proposals: Sequence[Proposal], k: int, diversity: int) -> Iterator[str]:
    people = min((p.distinct if p.respondent else p.rows for p in proposals), default=k)
    yield "[[require]]"
    yield 'model = "k-anonymity"'
    yield f"k = {max(2, min(k, people))}"
    yield ""
    sensitive = [p for p in proposals if p.role is Role.SENSITIVE and p.decided]
    for proposal in sensitive:
        if proposal.common > _COMMON:
            yield f"# No promise watches {proposal.column}: nearly all rows share one value of it."
            continue
        yield "[[require]]"
        yield 'model = "l-diversity"'
        yield f"column = {toml_value(proposal.column)}"
        yield f"l = {max(2, min(diversity, proposal.distinct))}"
        yield 'variant = "distinct"'
        yield ""
