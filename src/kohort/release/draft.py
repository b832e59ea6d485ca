"""`Draft`: a release that nobody has judged yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kohort.algorithms import AVAILABLE_ALGORITHMS, Progress
from kohort.errors import VerificationError
from kohort.facts import Provenance
from kohort.folders.release_folder import refuse_within
from kohort.ledger import ledger_path
from kohort.paths import resolved
from kohort.plan import Plan
from kohort.release.published import Content, Facts, Judgement, Published
from kohort.verification.judges import Verdict


@dataclass(frozen=True, eq=False, repr=False)
class Draft:
    """What a search came to, before its judges: it becomes a `Release` by them, in memory or from its bytes."""

    plan: Plan
    published: Published
    facts: Facts  # private; whoever judges and writes it adds verdicts, files and seconds
    source: Path | None  # the original, where it is a file
    progress: Progress
    engine: str | None = None  # that of another package, where one read the original
    digest: str | None = None  # of the original before it was read, where it is a file of usual size
    look: Callable[[Draft, Facts], Facts] | None = (
        None  # what adds to the facts what the release alone gives away
    )

    @property
    def tables(self) -> Mapping[str, Content]:
        """The tables that would be released."""
        return self.published.tables

    def judge(self, written: Mapping[str, Any]) -> Judgement:
        """Judge written tables by what is promised of this draft."""
        self.progress.update("verifying what was written")
        return self.published.judge(written)

    def looked_at(self, facts: Facts) -> Facts:
        """Return the facts with what whoever has nothing but the release learns from it, where that is looked at."""
        return facts if self.look is None else self.look(self, facts)

    def private(self) -> Provenance:
        """Return what only the holder of the original may see: the whole plan, seed, reference distributions."""
        noted = self.published.noted()
        return Provenance(
            plan=self.plan.to_dict(),
            base=str(resolved(self.plan.base)),
            original=None if self.source is None else str(resolved(self.source)),
            original_digest=self.digest,
            engine=self.engine,
            seed=self.plan.recode.seed,
            people=noted.people,
            reference=noted.reference,
        )


def kept_files(source: Path | None, plan: Plan, directory: Path) -> list[Path]:
    """Return the files that a release in `directory` must not be written over: what it is made from, and the ledger."""
    ledger = ledger_path(plan, directory)
    if ledger is not None:
        refuse_within(ledger, "[output] ledger")
    return [
        *([] if source is None else [source]),
        *(plan.base / path for path in plan.rules.paths(plan)),
        *([] if ledger is None else [ledger]),
    ]


def demand(verdicts: list[Verdict], plan: Plan) -> None:
    """Raise where a verdict is not that the promise holds; a release that another package's search made is theirs."""
    broken = [verdict for verdict in verdicts if verdict.holds is not True]
    if broken:
        maker, fault = _whose(broken, plan)
        raise VerificationError(
            f"the release did not pass verification, and nothing was released ({'; '.join(map(_told, broken))}); this is a bug "
            f"of {fault} or a file that changed underneath it: please report it with the plan",
            code="verify.failed",
            **({"package": maker} if maker else {}),
        )


def _whose(broken: Sequence[Verdict], plan: Plan) -> tuple[str, str]:
    """Return the packages whose fault it can be, and the same in words: the search, and models where only theirs broke."""
    name, models = plan.recode.algorithm or "", {verdict.package for verdict in broken}
    maker = AVAILABLE_ALGORITHMS.maker(name)
    faults = {maker: f"{maker}, whose algorithm {name!r} made it,"} if maker else {}
    if "" not in models:  # no promise and no rule of Kohort's own is broken
        faults |= {model: f"{model}, whose model says what is kept," for model in sorted(models - {maker})}
    return " and ".join(faults), " or of ".join(faults.values()) or "Kohort"


def _told(verdict: Verdict) -> str:
    achieved = "" if verdict.achieved is None else f"achieved {verdict.achieved:.4g}"
    return ": ".join(filter(None, (verdict.promise, verdict.note or achieved)))
