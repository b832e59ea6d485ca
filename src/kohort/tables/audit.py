"""What a table achieves as it stands, wherever its rows are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kohort.classes.alone import Counting
from kohort.engines import Engine, Node, Wanted, engine_for, opened
from kohort.engines.preparing import several_rows
from kohort.engines.room import lacking_for_bottom, refuse_bottom
from kohort.errors import InputError
from kohort.facts.table_audit import table_audit
from kohort.plan import Plan
from kohort.plan.rules import demand_offer
from kohort.preparation import sensitive_hierarchies
from kohort.report.audit import audit_page
from kohort.report.first_screen import first_screen
from kohort.risk import Counted, check_roles, counted_facts
from kohort.risk.known_beside import unique_in
from kohort.table.alike import alike_warning
from kohort.table.roles import Role


class Audit(dict[str, Any]):
    """What a table achieves as it stands, as JSON spells it; a notebook shows the first screen of its page."""

    def _repr_html_(self) -> str:
        """Return k, the risks and who is unique, for the holder of the table."""
        return first_screen(audit_page(table_audit(self)))


def audit(
    source: Any,
    quasi: Sequence[str] | None = None,
    sensitive: Sequence[str] | None = None,
    respondent: str | None = None,
    *,
    plan: Plan | Mapping[str, Any] | None = None,
    population: Any = None,
    sampling_fraction: float | None = None,
    engine: str | None = None,
    memory: str | None = None,
) -> Audit:
    """Return what a table (a frame, or a path) achieves as it stands: k, l, t, p, α, β, δ and the risks.

    Roles may be named here or taken from a plan, which also gives the hierarchies of sensitive columns. `engine`
    says where the rows are kept meanwhile (by default in memory, of data frames of Spark there); `memory`, such as "4GB", how
    much an engine on disk may hold.
    """
    plan = None if plan is None else Plan.of(plan)
    if plan is not None:
        demand_offer(plan, "audit")
    wanted = _wanted(quasi, sensitive, respondent, plan)
    engine = engine_for(engine, source, population)
    keeper = opened(engine, source, wanted, memory)
    wanted = keeper.wanted
    check_roles(wanted.quasi, wanted.watched, wanted.respondent)
    crowd = None
    if population is not None:
        people = frozenset() if wanted.respondent is None else frozenset({wanted.respondent})
        asked = replace(wanted, watched=(), optional=people, expected=())
        crowd = _counted(opened(engine, population, asked, memory))
    facts = counted_facts(
        _counted(keeper),
        wanted.quasi,
        wanted.watched,
        wanted.respondent,
        {} if plan is None else sensitive_hierarchies(keeper.table, plan, wanted.watched),
        sampling_fraction=sampling_fraction,
        population=crowd,
    )
    told = [] if wanted.respondent is None else alike_warning(wanted.respondent, keeper.names_alike())
    several = several_rows(keeper)
    told += [f"{several}: add one, and name it as respondent"] if several else []
    return Audit(facts | {"warnings": told})


def _wanted(
    quasi: Sequence[str] | None, sensitive: Sequence[str] | None, respondent: str | None, plan: Plan | None
) -> Wanted:
    """Return the roles as named, else those of the plan as far as the table has such columns."""
    if quasi is None and plan is None:
        raise InputError("audit: name the quasi-identifiers, or give a plan that does", code="audit.columns")
    named = (*(quasi or ()), *(sensitive or ()), *([respondent] if respondent else []))
    optional: set[str] = set()
    watched, who = tuple(sensitive or ()), respondent
    if plan is not None:
        if sensitive is None:
            watched = plan.sensitive
            optional |= set(watched)
        if respondent is None and plan.input.respondent is not None:
            who = plan.input.respondent
            optional.add(who)
    roles = tuple(quasi) if quasi is not None else () if plan is None else plan.quasi
    check_roles(roles, () if sensitive is None else watched, respondent)
    naming = () if plan is None or who is not None else plan.named(Role.IDENTIFIER)
    optional |= {*naming} - {*named}
    return Wanted(roles, watched, (), who, frozenset(optional), plan, expected=named, naming=naming)


def _counted(keeper: Engine) -> Counted:
    """Return the table with the classes of its own values."""
    quasi, watched = keeper.wanted.quasi, keeper.wanted.watched
    ground = Node.of_values(keeper.table, quasi)
    if lacking := lacking_for_bottom(keeper, ground, watched):
        raise refuse_bottom("an audit", "name fewer quasi-identifiers", lacking)
    reduced = keeper.reduce(ground, watched)
    return Counted(keeper.table, reduced.base, keeper.people()[0], _unique(keeper) if watched else None)


def _unique(keeper: Engine) -> Counting:
    """Return who counts people that are unique with sensitive columns: from the tuples of all, or where the rows are."""
    quasi, watched = keeper.wanted.quasi, keeper.wanted.watched
    together = Node.of_values(keeper.table, (*quasi, *watched))
    if not lacking_for_bottom(keeper, together, ()):
        return unique_in(keeper.count(together, ()), len(quasi), watched)

    def unique(columns: tuple[str, ...]) -> int:
        node = Node.of_values(keeper.table, (*quasi, *columns))
        if keeper.wanted.respondent is not None:
            return keeper.alone_in(node)
        sizes, classes = keeper.sizes(node)
        return int(classes[sizes == 1].sum())

    return unique
