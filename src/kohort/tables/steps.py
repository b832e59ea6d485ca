"""A table on its way to a release: read, reduced to its classes, searched, recoded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kohort.algorithms import Algorithm
from kohort.algorithms.nothing_found import demand_kept_together, merging_keeps
from kohort.algorithms.partition.grouped_search import solved
from kohort.engines import Engine, demand_algorithm
from kohort.engines.preparing import prepare, several_rows
from kohort.engines.room import demand_counted
from kohort.models.forecast import forecast
from kohort.preparation import chosen_algorithm
from kohort.recode import Problem, Solution
from kohort.recode.levels import settled
from kohort.recode.spelling import apply_spelled
from kohort.shapes import Job
from kohort.table import Table
from kohort.tables.published_table import PublishedTable


@dataclass(frozen=True, eq=False, repr=False)
class HeldTable:
    """A table that an engine keeps, and the population it is of, where the plan names one."""

    job: Job
    keeper: Engine
    population: Table | None

    def prepare(self) -> PreparedTable:
        """Reduce the table to its classes, and choose the algorithm."""
        self.job.progress.update("reducing the table to its classes")
        problem = prepare(self.keeper, self.job.plan, self.population)
        algorithm = chosen_algorithm(self.job.plan, problem)
        demand_algorithm(type(self.keeper), algorithm.card)
        demand_counted(problem, algorithm)
        expected = forecast(problem.models, problem.reference, problem.max_suppressed)
        return PreparedTable(self, problem, algorithm, expected, several_rows(self.keeper))


@dataclass(frozen=True, eq=False, repr=False)
class PreparedTable:
    """The classes of a table, what is promised of them, and who searches."""

    held: HeldTable
    problem: Problem
    algorithm: Algorithm
    forecast: list[dict[str, Any]]
    several_rows: str  # what speaks for people with several rows, where the plan names no respondent

    def search(self) -> FoundTable:
        """Search on the classes."""
        solution = solved(self.problem, self.algorithm, self.held.job.progress)
        counted = self.problem.nodes
        if counted is not None:
            solution = replace(solution, facts={**solution.facts, "counted": counted.counted})
        return FoundTable(replace(self, problem=settled(self.problem, solution)), solution)


@dataclass(frozen=True, eq=False, repr=False)
class FoundTable:
    """A decision about a table."""

    prepared: PreparedTable
    solution: Solution

    def publish(self) -> PublishedTable:
        """Apply the decision to the rows."""
        held = self.prepared.held
        held.job.progress.update("recoding the rows")
        problem, recoded = apply_spelled(self.solution.decision, self.prepared.problem)
        if not merging_keeps(problem):
            demand_kept_together(problem, self.prepared.algorithm, recoded.outcome(problem).classes)
        found = replace(self, prepared=replace(self.prepared, problem=problem))
        return PublishedTable(found, recoded, held.keeper.release(held.job.plan, problem, recoded))
