"""The whole flow: read, prepare, search, publish, judge. The only file that sees all of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from kohort.algorithms import Progress, watched
from kohort.engines import AVAILABLE_ENGINES, DEFAULT, engine_for
from kohort.folders.originals import file_digest
from kohort.interrupts import interrupt_pulls
from kohort.notebook import shown
from kohort.plan import Plan
from kohort.plan.decided import demand_decided
from kohort.plan.rules import demand_offer
from kohort.release.draft import Draft
from kohort.release.published import Facts
from kohort.release.release import Release
from kohort.shapes import Job, shape_of
from kohort.stopping import Stop


def anonymize(
    source: Any,
    plan: Plan | Mapping[str, Any],
    progress: Progress | None = None,
    *,
    stop: Stop | None = None,
    engine: str | None = None,
    memory: str | None = None,
) -> Release:
    """Return a verified release of `source`: a dataframe, a relation, or the path of a table.

    `plan` may be the dict that its TOML spells. `stop` ends the search when it is pulled, as the first Ctrl-C does: then
    the best so far is verified and released, and its facts say so. `engine` says where the rows are kept meanwhile, by default
    where they are: in memory, or in Spark where a data frame of it is handed over; `memory`, such as "4GB", how much an engine
    on disk may hold. In a notebook a line tells how far the search is, unless a `progress` is handed over.
    Raises InfeasibleError where no recoding keeps the promises within the limits, and UnfinishedError where the search was
    stopped before it had found one.
    """
    keeper = engine_for(engine, source)
    with shown(watched(progress, stop), silent=progress is None) as onlooker:
        return Release.verified(make_release(source, Plan.of(plan), onlooker, keeper, memory))


def make_release(
    source: Any, plan: Plan, progress: Progress, engine: str = DEFAULT, memory: str | None = None
) -> Draft:
    """Return a draft, to be judged: by `Release.verified` in memory, by `Release.written` from its bytes.

    `engine` says where the rows are kept meanwhile; `memory`, such as "4GB", how much an engine on disk may hold.
    """
    demand_decided(plan)
    if engine != DEFAULT:
        demand_offer(plan, "engine")
    place = Path(source) if isinstance(source, str | Path) else None
    digest = None if place is None else file_digest(place)
    job = Job(source, plan, progress, engine, memory)
    shape, clock = shape_of(plan), job.clock
    shape.check(plan)
    held = shape.read(job)
    clock.lap("read")
    prepared = held.prepare()
    clock.lap("prepare")
    with interrupt_pulls(progress.stop):
        found = prepared.search()
    clock.lap("search")
    published = found.publish()
    facts = published.facts()
    clock.lap("recode")
    foreign = engine if AVAILABLE_ENGINES.maker(engine) else None
    return Draft(plan, published, replace(facts, seconds=clock.laps), place, progress, foreign, digest, _look)


def _look(draft: Draft, facts: Facts) -> Facts:
    """Run the quick attacks on what is saved, for its private report: from Python as from the command line."""
    from kohort.attacks.first_look import looked_at  # what is not saved is not looked at, nor waits for it

    return looked_at(draft, facts)
