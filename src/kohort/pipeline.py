"""The whole flow: read, prepare, search, publish, judge. The only file that sees all of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kohort.algorithms import Progress, Silent
from kohort.plan import Plan
from kohort.release.draft import Draft
from kohort.release.release import Release
from kohort.shapes import Job, shape_of


def anonymize(source: Any, plan: Plan, progress: Progress | None = None) -> Release:
    """Return a verified release of `source`: a dataframe, a relation, or the path of a table.

    Raises InfeasibleError where no recoding keeps the promises within the limits.
    """
    return Release.verified(make_release(source, plan, progress or Silent()))


def make_release(
    source: Any, plan: Plan, progress: Progress, engine: str = "memory", memory: str | None = None
) -> Draft:
    """Return a draft, to be judged: by `Release.verified` in memory, by `Release.written` from its bytes.

    `engine` says where the rows are kept meanwhile; `memory`, such as "4GB", how much an engine on disk may hold.
    """
    job = Job(source, plan, progress, engine, memory)
    shape, clock = shape_of(plan), job.clock
    shape.check(plan)
    held = shape.read(job)
    clock.lap("read")
    prepared = held.prepare()
    clock.lap("prepare")
    found = prepared.search()
    clock.lap("search")
    published = found.publish()
    facts = published.facts()
    clock.lap("recode")
    place = Path(source) if isinstance(source, str | Path) else None
    return Draft(plan, published, facts | {"seconds": clock.laps}, place, progress)
