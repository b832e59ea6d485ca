"""What a plan says and nobody would heed: refused where it would be taken for a promise, told where it does no harm.

A guard that no promise reads, a population, a target or a table of a file that has none look as if something were done
about them: such a plan is refused before anything is read. Seeds, objectives, weights and what may be left out are told
instead: plans are made to compare algorithms and objectives, every score is computed by them, whoever minimises it, and
a limit on suppression is kept where nothing is suppressed. Who heeds what stands on the cards (`Card.heeds`,
`Card.leaves_out`), not here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kohort.card import Card
from kohort.errors import InputError
from kohort.metrics import AVAILABLE_METRICS, Metric
from kohort.plan import InputPlan, Plan, RecodePlan
from kohort.plan.sections import told_fields
from kohort.preparation.table_problem import takes_target
from kohort.table.formats import HEEDED, READERS
from kohort.table.roles import Role

_ABOUT_FILES = ("table", "delimiter", "encoding", "header", "skip", "footer")


def refuse_idle(plan: Plan) -> None:
    """Refuse what a plan for a table says of guards, a population or a target that nothing in it reads.

    And of releases together, where there would be none to compare with.
    """
    for name in plan.named(Role.GUARD):
        if name not in plan.guards:
            raise InputError(
                f"[columns] {name}: no promise reads this guard, so that nobody's wish would be kept; name it as the guard "
                'of a [[require]], or give it role = "identifier"',
                code="plan.no-effect",
                column=name,
                option="role",
                role=Role.GUARD,
            )
    if plan.input.population is not None and all(m.card.counts != "population" for m in plan.require):
        raise InputError(
            "[input] population: no promise of the plan counts the population, so that nobody is hidden in it; leave it "
            "out, or require one that does (`kohort models`)",
            code="plan.no-effect",
            section="input",
            option="population",
        )
    if plan.recode.target is not None and not takes_target(plan.recode.objective):
        raise InputError(
            f"[recode] target: the objective {plan.recode.objective!r} predicts nothing; leave it out, or name an objective "
            f"that does: {', '.join(name for name in AVAILABLE_METRICS if takes_target(name))}",
            code="plan.no-effect",
            section="recode",
            option="target",
            objective=plan.recode.objective,
        )
    _refuse_alone(plan)


def _refuse_alone(plan: Plan) -> None:
    """Refuse to demand something of several releases together where they are not recorded, or nobody is recognised."""
    if plan.output.together != "demand":
        return
    if plan.input.respondent is None:
        raise InputError(
            '[output] together is "demand", but the plan names no respondent, so that nobody can be recognised in another '
            "release; name the column that tells who a row is about as [input] respondent",
            code="plan.conflict",
            section="output",
            option="together",
        )
    if plan.output.ledger == "":
        raise InputError(
            '[output] together is "demand", but ledger = "" records nothing; leave one of them out',
            code="plan.conflict",
            section="output",
            option="together",
        )


def refuse_unread(plan: Plan, source: Any) -> None:
    """Refuse what [input] says of a file and neither the format of the source nor the population's has.

    A data frame is no file, and has none of it, unless the plan names the file that is meant beside it; which values mean
    missing is heeded in frames as in files.
    """
    if plan.input.path is not None and not isinstance(source, str | Path):
        return
    files = [Path(file) for file in (source, plan.input.population) if isinstance(file, str | Path)]
    refuse_unheeded(plan.input, files, "a data frame" if not isinstance(source, str | Path) else None)


def refuse_unheeded(said: InputPlan, files: Sequence[Path], what: str | None = None) -> None:
    """Refuse what is said of a file and none of these files has; `what` the first of them is where that is no file."""
    suffixes = [file.suffix.lower() for file in files]
    readers = [READERS[suffix] for suffix in suffixes if suffix in READERS]
    if suffixes and not readers:
        return  # of a format that nobody reads, which is told where it would be read
    heeded = frozenset[str]().union(*(HEEDED[reader] for reader in readers))
    found, told = what or f"a {suffixes[0]} file", told_fields(said)
    for option in _ABOUT_FILES:
        if option in told and option not in heeded:
            able = ", ".join(suffix for suffix, reader in READERS.items() if option in HEEDED[reader])
            raise InputError(
                f"[input] {option}: {found} has none; leave it out (formats that have: {able})",
                code="plan.no-effect",
                section="input",
                option=option,
                format=suffixes[0] if suffixes else "",
            )


def idle(plan: Plan, algorithm: Card, metric: Metric | None = None) -> Iterator[str]:
    """Yield what the plan says and the search did not go by, in words; none of it weakens a promise."""
    heeded, name = set(algorithm.heeds), algorithm.name
    if plan.recode.seed is not None and "seed" not in heeded:
        yield f"[recode] seed: {name} leaves nothing to chance, so that it changes nothing"
    yield from _left_in(plan.recode, algorithm)
    if metric is None:
        return
    minimised = "objective" in heeded or ("target" in heeded and bool(metric.reads))
    if plan.recode.objective != RecodePlan().objective and not minimised:
        yield (
            f"[recode] objective: {name} does not go by it; {metric.card.name} only says how the release is scored"
        )
    heeded |= set(metric.card.heeds) if "objective" in heeded else set()
    for column in plan.quasi:
        for key in ("weight", "suppression_cost"):
            if getattr(plan.columns[column], key) != 1 and key not in heeded:
                yield (
                    f"[columns] {column}: {key} changes nothing in what {name} decides for the objective "
                    f"{metric.card.name}; it only counts in the scores of the private report"
                )


def _left_in(recode: RecodePlan, algorithm: Card) -> Iterator[str]:
    """Yield what the plan says of rows that are left out, where the algorithm leaves out none."""
    may = recode.suppress in (None, "tuple")
    if algorithm.leaves_out and may:
        return
    usual, who = RecodePlan(), algorithm.name if may else f'suppress = "{recode.suppress}"'
    heeded = may and "max_suppression" in algorithm.heeds
    if recode.max_suppression not in (0, usual.max_suppression) and not heeded:
        yield f"[recode] max_suppression: {who} leaves no row out, so that it changes nothing"
    if recode.suppressed_rows != usual.suppressed_rows:
        yield f"[recode] suppressed_rows: {who} leaves no row out, so that there is none to blank"
