"""Ways of recoding side by side: what each loses, leaves out and leaves at risk, from one reading of the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import convert, to_builtins
from msgspec.structs import replace

from kohort.algorithms import Progress, watched
from kohort.engines import DEFAULT, Engine, Wanted, demand_search, engine_for, opened
from kohort.engines import engine as engine_of
from kohort.errors import InputError
from kohort.facts.comparison import FOUND, INFEASIBLE, NOT_FOUND, NOT_TRIED, REFUSED, Trial, less_with_more
from kohort.notebook import shown
from kohort.plan import Plan
from kohort.plan.decided import demand_decided
from kohort.plan.rules import demand_offer
from kohort.points import asking, crowd_parameter, point_of, whole
from kohort.preparation.ways import Way, ways_of
from kohort.recode import Problem
from kohort.stopping import Stop
from kohort.table.framed import framed

PATIENCE = 10.0  # seconds of search for each way and k, where nobody says
GONE = 1 - 1e-9  # of a column's detail


def compare(
    source: Any,
    plan: Plan | Mapping[str, Any],
    progress: Progress | None = None,
    *,
    k: Sequence[int] | None = None,
    algorithms: Sequence[str] | None = None,
    time_limit: float = PATIENCE,
    stop: Stop | None = None,
    engine: str | None = None,
    memory: str | None = None,
) -> Any:
    """Return what several ways of recoding come to, for several k: score, classes, rows suppressed, risk, detail lost.

    A frame of the kind that was handed in, with a row for each way and k; of a path, a list of dicts. All are scored by
    the plan's objective and held to its promises, and the first way is the plan's own. `algorithms` names others to try
    than those that are tried by themselves; `k` other strengths than the plan's own, half and double of it. `status`
    is found, infeasible (it is proved that there is nothing to find), not found, refused (the way cannot keep what the
    plan asks for) or not tried; `reason` says why. `less_at_k` is a larger k with which the same way came to a lower score:
    its release keeps the smaller k too.

    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["94138", "94139", "94141", "94142"]})
    >>> asked = {"columns": {"zip": {"role": "quasi", "hierarchy": {"kind": "mask"}}},
    ...          "require": [{"model": "k-anonymity", "k": 2}]}
    >>> found = compare(people, asked, k=[2], algorithms=["mondrian"])
    >>> found.select(["algorithm", "own", "classes"]).to_pylist()
    [{'algorithm': 'optimal', 'own': True, 'classes': 2}, {'algorithm': 'mondrian', 'own': False, 'classes': 2}]

    The table is read and reduced to its classes once. `time_limit` is of each search, in seconds. When `stop` is pulled,
    or at the first Ctrl-C in a search, what is in hand counts, and the rest is not tried. The figures are about the
    original, as a private audit is: not for publication. `engine` says where the rows are kept meanwhile (by default
    in memory, of data frames of Spark there); `memory`, such as "4GB", how much an engine on disk may hold.
    """
    plan = Plan.of(plan)
    keeper = engine_for(engine, source)
    with shown(watched(progress, stop), silent=progress is None) as onlooker:
        trials = trials_of(source, plan, onlooker, k, algorithms, time_limit, keeper, memory)
        return framed(to_builtins(trials), source)


def trials_of(
    source: Any,
    plan: Plan,
    progress: Progress,
    k: Sequence[int] | None = None,
    algorithms: Sequence[str] | None = None,
    time_limit: float = PATIENCE,
    engine: str = DEFAULT,
    memory: str | None = None,
) -> list[Trial]:
    """Return a trial for each k and way, in the order in which they were made."""
    demand_offer(plan, "compare")
    demand_decided(plan)
    kind = engine_of(engine)
    plans = dict(_strengths(plan.with_settings({"recode.time_limit": _seconds(plan, time_limit)}), k))
    wanted = list(plans.values())
    demand_search(kind, wanted[0].with_settings({"recode.algorithm": None}))
    keeper = opened(engine, source, Wanted.by_all(wanted), memory)
    problem = whole(keeper, wanted[0])
    ways = ways_of(plan, keeper.table.n_rows, algorithms)
    trials: list[Trial] = []
    for strength, asked in plans.items():
        for way in ways:
            progress.update(_note(way, strength), len(trials), len(plans) * len(ways))
            told = (
                {"status": NOT_TRIED} if progress.stop.pulled else _tried(kind, way, asked, problem, progress)
            )
            drawn = "seed" in way.card.heeds and plan.recode.seed is None
            head = {
                "algorithm": way.algorithm,
                "way": way.words,
                "own": way.own,
                "k": strength,
                "by_chance": drawn,
            }
            trials.append(convert(head | told, Trial))
    return [replace(trial, less_at_k=_less_at(trial, trials)) for trial in trials]


def _less_at(trial: Trial, trials: Sequence[Trial]) -> int | None:
    """Return the larger k by which the same way came to the least score, where that is below its own.

    Searches that prove nothing can do so. What keeps a larger k keeps a smaller one.
    """
    same = [other for other in trials if (other.algorithm, other.own) == (trial.algorithm, trial.own)]
    found = [(other.score, other.k) for other in less_with_more(trial, same)]
    return min(found)[1] if found else None


def _seconds(plan: Plan, time_limit: float) -> float:
    """Return how long each search may take: as long as is said, and as the plan says."""
    if not time_limit > 0:
        raise InputError(
            f"compare: time_limit is {time_limit}; it must be a number of seconds above 0",
            code="compare.time-limit",
            option="time_limit",
            value=time_limit,
        )
    return min(time_limit, plan.recode.time_limit or time_limit)


def _strengths(plan: Plan, k: Sequence[int] | None) -> Iterator[tuple[int | None, Plan]]:
    """Yield each k with the plan that asks for it; the plan itself where nothing that it requires has a k."""
    parameter = crowd_parameter(plan)
    if parameter is None:
        if k is not None:
            raise InputError(
                "compare: k is given, and nothing that the plan requires has a k; leave it out",
                code="plan.no-k",
                option="k",
            )
        yield None, plan
        return
    own: Any = plan.require[int(parameter.split(".")[1])]
    for value in sorted({max(2, own.k // 2), own.k, 2 * own.k}) if k is None else dict.fromkeys(k):
        yield value, plan.with_settings({parameter: value})


def _note(way: Way, strength: int | None) -> str:
    return way.algorithm if strength is None else f"{way.algorithm}, k = {strength}"


def _tried(kind: type[Engine], way: Way, asked: Plan, problem: Problem, progress: Progress) -> dict[str, Any]:
    """Return what came of a way, and where it cannot be gone, why."""
    try:
        plan = way.of(asked)
        point = point_of(kind, plan, asking(problem, plan, problem.n_rows), progress)
    except InputError as refusal:
        return {"status": REFUSED, "code": refusal.code, "reason": str(refusal)}
    if not point["feasible"]:
        status = INFEASIBLE if point["feasible"] is False else NOT_FOUND
        return {"status": status, "code": point["code"], "reason": point["reason"]}
    gone = [name for name, share in point["lost"].items() if share >= GONE]
    told = {name: value for name, value in point.items() if name in Trial.__struct_fields__}
    return told | {"status": FOUND, "gone": gone}
