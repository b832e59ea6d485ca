"""`Shape`: what each step of the flow is for one kind of data.

A release is made in one way, whatever its data are: **read, prepare, search, publish, judge**, and then its facts and its
report are told. `kohort.pipeline` is that sentence. Here stand the nouns between its verbs; each step hands over
what the next one needs, and nobody but the shape looks inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from kohort.algorithms import Progress
from kohort.arrays import IntArray
from kohort.plan import Plan
from kohort.release.published import Facts, Published
from kohort.shapes.clock import Clock
from kohort.shapes.inspection import Inspection
from kohort.shapes.judgement_case import Findings, Terms
from kohort.table import Table
from kohort.verification.judges import Verdict


@dataclass(frozen=True, eq=False, repr=False)
class Job:
    """What is to be released as which plan asks, who watches, and where the data are kept meanwhile."""

    source: Any
    plan: Plan
    progress: Progress
    engine: str = "memory"
    memory: str | None = None  # such as "4GB": how much an engine on disk may hold
    clock: Clock = field(default_factory=Clock)


class Held(Protocol):
    """Data that were read."""

    def prepare(self) -> Prepared:
        """Check the data against the plan and return what there is to be searched."""


class Prepared(Protocol):
    """A problem, and the algorithm that solves it."""

    def search(self) -> Found:
        """Return a solution that keeps every promise, or raise InfeasibleError."""


class Found(Protocol):
    """A solution."""

    def publish(self) -> Published:
        """Apply it to the data; return what is to be released, its facts, and the judge of what is written of it."""


class Shape(Protocol):
    """A kind of data. Shapes share plan, release, report, ledger and commands, and nothing of the steps."""

    def check(self, plan: Plan) -> None:
        """Refuse, before anything is read, what can be seen to be impossible in the plan alone."""

    def read(self, job: Job) -> Held:
        """Read the source."""

    def stems(self, plan: Plan) -> tuple[str, ...]:
        """Return the names of the tables that such a release has; the first is looked for to tell the format."""

    def documents(
        self, tables: Mapping[str, Table], plan: Plan, digests: Mapping[str, str]
    ) -> dict[str, bytes]:
        """Return manifest and report, which follow from the written tables and the public plan alone."""

    def judge(self, tables: Mapping[str, Table], terms: Terms) -> Findings:
        """Judge the tables of a release folder by what is at hand beside them."""

    def verify(
        self, released: Any, plan: Plan, original: Any, respondents: Sequence[int] | IntArray | None
    ) -> list[Verdict]:
        """Judge a released table, whoever wrote it; `respondents` names the person of each row, where known."""

    def demand_on(self, engine: str, files: Mapping[str, Path], memory: str | None) -> None:
        """Refuse, before anything is read, a release that another engine than memory does not judge."""

    def inspect_on(
        self, engine: str, files: Mapping[str, Path], plan: Plan, memory: str | None
    ) -> Inspection:
        """Read the tables of a folder into another engine than memory; only where the rules offer `engine`."""

    def verify_on(
        self,
        engine: str,
        memory: str | None,
        released: Any,
        plan: Plan,
        original: Any,
        respondents: Sequence[int] | IntArray | None,
    ) -> list[Verdict]:
        """Judge a released table in another engine than memory; only where the rules offer `engine`."""

    def outcome(self, facts: Facts, plan: Path | None = None) -> Sequence[object]:
        """Return what came out, in lines for people: texts, or tables that a terminal draws (rich).

        `plan` is the file that asked for it, for commands that name it.
        """

    def summary(self, facts: Facts) -> dict[str, Any]:
        """Return what came out for scripts: the facts that they ask for first."""
