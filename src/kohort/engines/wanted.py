"""`Wanted`: what of a source an engine keeps, and how the source is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kohort.errors import InputError
from kohort.hierarchy.coarse import Coarse
from kohort.plan import Plan
from kohort.plan.coarse import coarse_columns
from kohort.preparation import check_names, watched
from kohort.table import Role


@dataclass(frozen=True)
class Wanted:
    """The columns that are asked for: those that are counted, those that are carried along, and who a row is about."""

    quasi: tuple[str, ...]
    watched: tuple[str, ...] = ()  # counted in every class: sensitive ones, guards, an objective's target
    carried: tuple[str, ...] = ()  # released as they are
    respondent: str | None = None
    optional: frozenset[str] = frozenset()  # left out where the source does not have them
    plan: Plan | None = None  # says how the source is read
    coarse: Mapping[str, Coarse] = field(
        default_factory=dict
    )  # columns that are told more coarsely than they are read
    whole: bool = False  # it must have every column that the plan names
    expected: tuple[str, ...] = ()  # names that the caller knows, where a header is in doubt
    naming: tuple[str, ...] = ()  # not released: they may tell whose rows are, where no respondent does

    @classmethod
    def by(cls, plan: Plan) -> Wanted:
        """Return what a release by this plan takes."""
        return cls(
            plan.quasi,
            watched(plan),
            plan.released,
            plan.input.respondent,
            plan=plan,
            coarse=coarse_columns(plan),
            whole=True,
            naming=plan.named(Role.IDENTIFIER) if plan.input.respondent is None else (),
        )

    @classmethod
    def by_all(cls, plans: Sequence[Plan]) -> Wanted:
        """Return what is wanted for any of some plans of the same source, respondent and columns."""
        each = [cls.by(plan) for plan in plans]
        if any(one.coarse != each[0].coarse for one in each):
            raise InputError(
                "how columns are told (round, bottom, top, unit) cannot be varied over one reading of the table; make a plan "
                "for each",
                code="plan.conflict",
                section="columns",
            )
        return replace(
            each[0],
            quasi=_union(one.quasi for one in each),
            watched=_union(one.watched for one in each),
            carried=_union(one.carried for one in each),
            naming=(),
        )

    @property
    def counted(self) -> tuple[str, ...]:
        """The columns whose values are counted, each once."""
        return _union((self.quasi, self.watched))

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are wanted, each once."""
        return _union((self.used, self.naming))

    @property
    def hidden(self) -> frozenset[str]:
        """The columns of which no value is needed, but only which rows have the same."""
        return frozenset(self.naming) - {*self.used}

    @property
    def used(self) -> tuple[str, ...]:
        """The columns that a release is made of, and who a row is about, each once."""
        people = () if self.respondent is None else (self.respondent,)
        return _union((self.counted, self.carried, people))

    def among(self, names: Sequence[str]) -> Wanted:
        """Return what is wanted of a source with these columns; refuses one that lacks what must be there."""
        if self.plan is not None and self.whole:
            check_names(names, self.plan)
        gone = self.optional - set(names)
        found = replace(
            self,
            watched=tuple(name for name in self.watched if name not in gone),
            respondent=None if self.respondent in gone else self.respondent,
            naming=tuple(name for name in self.naming if name not in gone),
        )
        for name in found.columns:
            if name not in names:
                raise InputError(
                    f"there is no column {name!r}; the table has: {', '.join(names)}",
                    code="table.unknown-column",
                    column=name,
                    allowed=list(names),
                )
        return found


def _union(parts: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for part in parts for name in part))
