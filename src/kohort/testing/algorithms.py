"""`check_algorithm`: what every algorithm must keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isclose
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.algorithms import Algorithm, Progress, Silent
from kohort.card import Card
from kohort.errors import InfeasibleError, InputError, UnfinishedError, VerificationError
from kohort.pipeline import anonymize
from kohort.plan import Plan
from kohort.preparation import chosen_algorithm
from kohort.release.release import Release
from kohort.stopping import Stop
from kohort.testing.contract import ContractError, demand, demand_card
from kohort.testing.documented import check_documented
from kohort.testing.worlds import COLUMNS, SENSITIVE, people, problem_of, untold
from kohort.third_parties import offered
from kohort.verification.judges import layout

BOUNDS = {"min_level": 1, "max_level": 2}
DIVERSITY = {"model": "l-diversity", "l": 2, "column": "ill"}


@dataclass(frozen=True)
class Trial:
    """An algorithm and what its plans say beyond the usual: what it needs to be tried on."""

    kind: type[Algorithm]
    rows: int = 60
    k: int = 3
    quasi: tuple[str, ...] = ("age", "zip")
    recode: Mapping[str, Any] = field(default_factory=dict)

    @property
    def card(self) -> Card:
        """The card of the algorithm."""
        return self.kind.card

    def table(self, seed: int, of_each: int = 1) -> pa.Table:
        """Return a table of random people."""
        return people(np.random.default_rng(seed), self.rows, ["ill"], of_each)

    def plan(
        self,
        bound: str = "",
        require: list[dict[str, Any]] | None = None,
        respondent: str | None = None,
        **recode: Any,
    ) -> Plan:
        """Return a plan for such a table."""
        columns: dict[str, Any] = {name: dict(COLUMNS[name]) for name in self.quasi} | {"ill": SENSITIVE}
        if bound:
            columns[self.quasi[0]][bound] = BOUNDS[bound]
        usual = {"algorithm": self.card.name, "seed": 3, "max_suppression": 1.0}
        told = {
            "columns": columns,
            "require": require or [{"model": "k-anonymity", "k": self.k}],
            "recode": {**usual, **self.recode, **recode},
            "input": {} if respondent is None else {"respondent": respondent},
        }
        return Plan.from_dict(told)


def check_algorithm(
    kind: type[Algorithm],
    tables: int = 3,
    rows: int = 60,
    k: int = 3,
    quasi: tuple[str, ...] = ("age", "zip"),
    **recode: Any,
) -> None:
    """Demand of an algorithm that what it finds is verified, and that its card says what it keeps.

    Random people are released through the whole pipeline: every promise holds, the score is that of the released rows,
    the suppression limit, bounds of levels and people with several rows are kept or refused by name; a search that is stopped
    returns what it has, or says that it has nothing; the same seed gives the same labels; no message quotes a cell. `recode`
    is what its plans must say beyond the usual, such as an objective or options. An algorithm that tears a column off, or
    guarantees something about everything published, needs a battery of its own and is refused.
    """
    card = demand_card(kind)
    demand(bool(card.guarantee), f"{card.name}: the guarantee on its card says what is promised, or `none`")
    check_documented(kind)
    try:
        kind()
    except TypeError:
        raise ContractError(f"{card.name}: every option needs a default") from None
    if card.covers_all or layout(card.layout).apart:
        raise InputError(
            f"check_algorithm does not serve {card.name}: what it releases is no table of classes",
            code="package.not-checked",
            algorithm=card.name,
        )
    trial = Trial(kind, rows, k, quasi, recode)
    with offered("kohort.algorithms", kind):
        for seed in range(tables):
            _check_release(trial, seed)
        _check_seed(trial)
        _check_bounds(trial)
        _check_people(trial)
        _check_diversity(trial)
        _check_infeasible(trial)
        _check_stop(trial)


def _check_release(trial: Trial, seed: int) -> None:
    name, plan, table = trial.card.name, trial.plan(max_suppression=0.5), trial.table(seed)
    try:
        _verified(trial, table, plan)
    except InfeasibleError:
        return  # of its own kind of recodings there may be none; `_check_seed` demands one
    problem = problem_of(table, plan)
    codes = problem.base.codes.copy()
    solution = chosen_algorithm(plan, problem).solve(problem, Silent())
    demand(bool((problem.base.codes == codes).all()), f"{name}: the search changed the problem it was given")
    outcome = solution.decision.apply(problem).outcome(problem)
    score = problem.objective.score(outcome)
    demand(
        isclose(solution.score, score, rel_tol=1e-9, abs_tol=1e-12),
        f"{name}: it tells a score that its rows do not have",
    )
    demand(
        outcome.suppressed <= problem.max_suppressed, f"{name}: it suppresses more rows than the plan allows"
    )


def _check_seed(trial: Trial) -> None:
    first, second = (_verified(trial, trial.table(11), trial.plan()) for _ in range(2))
    quasi = trial.quasi  # which of several equal rows is told by which label, the system's chance says
    demand(
        _told(first, quasi) == _told(second, quasi), f"{trial.card.name}: the same seed gives other labels"
    )


def _check_bounds(trial: Trial) -> None:
    for bound in BOUNDS:
        told = _tried(trial, trial.table(5), trial.plan(bound))
        if bound not in trial.card.bounds:
            demand(
                told is not None and bound in told,
                f"{trial.card.name}: its card keeps no {bound}, and it is not refused",
            )


def _check_people(trial: Trial) -> None:
    for of_each in (1, 2):
        told = _tried(trial, trial.table(6, of_each), trial.plan(respondent="who"))
        if trial.card.respondents == "nobody" or (trial.card.respondents == "one" and of_each > 1):
            demand(
                told is not None,
                f"{trial.card.name}: its card does not count such people, and the plan is not refused",
            )


def _check_diversity(trial: Trial) -> None:
    told = _tried(
        trial, trial.table(7), trial.plan(require=[{"model": "k-anonymity", "k": trial.k}, DIVERSITY])
    )
    if trial.card.keeps == "all":
        demand(
            told is None, f"{trial.card.name}: its card keeps all promises, and diversity is refused: {told}"
        )


def _check_infeasible(trial: Trial) -> None:
    plan = trial.plan(require=[{"model": "k-anonymity", "k": trial.rows + 1}], max_suppression=0.1)
    try:
        anonymize(trial.table(8), plan)
    except (InfeasibleError, InputError) as none:
        demand(untold(str(none)), f"{trial.card.name}: a message quotes a cell")
        return
    raise ContractError(f"{trial.card.name}: it released more people in a class than there are")


def _check_stop(trial: Trial) -> None:
    table = trial.table(9)
    for plan in _stopped_plans(trial, table):
        if _tried(trial, table, plan) is not None:
            continue
        stop = Stop()
        stop.pull()
        try:
            _verified(trial, table, plan, Silent(stop))
        except UnfinishedError:
            continue
        except InfeasibleError as none:
            demand(
                not _released(table, plan),
                f"{trial.card.name}: stopped, it says that there is nothing, and with time it finds it: {none}",
            )


def _stopped_plans(trial: Trial, table: pa.Table) -> list[Plan]:
    """Return plans to be stopped at: the usual one, and one that the whole table as one class breaks."""
    held = Counter(table["ill"].to_pylist())
    value, people = held.most_common(1)[0]
    share = {"model": "alpha-k", "alpha": (people - 0.5) / trial.rows, "k": trial.k, "column": "ill"}
    return [trial.plan(), trial.plan(require=[{**share, "values": [value]}])]


def _released(table: pa.Table, plan: Plan) -> bool:
    try:
        anonymize(table, plan)
    except InfeasibleError:
        return False
    return True


def _tried(trial: Trial, table: pa.Table, plan: Plan) -> str | None:
    """Release a table, verified, or return why that is refused."""
    try:
        _verified(trial, table, plan)
    except InputError as refusal:
        demand(untold(str(refusal)), f"{trial.card.name}: a message quotes a cell")
        return str(refusal)
    except InfeasibleError as none:
        demand(untold(str(none)), f"{trial.card.name}: a message quotes a cell")
    return None


def _verified(trial: Trial, table: pa.Table, plan: Plan, progress: Progress | None = None) -> Release:
    """Return a release that its judges let pass."""
    try:
        release = anonymize(table, plan, progress)
    except VerificationError as problem:
        raise ContractError(
            f"{trial.card.name}: what it found does not pass verification: {problem}"
        ) from problem
    demand(
        all(verdict.holds for verdict in release.verdicts),
        f"{trial.card.name}: not every promise could be judged",
    )
    return release


def _told(release: Release, columns: tuple[str, ...]) -> Counter[tuple[Any, ...]]:
    return Counter(zip(*(release.table[name].to_pylist() for name in columns), strict=True))
