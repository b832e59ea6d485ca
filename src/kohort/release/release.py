"""`Release`: what came out and was verified, with its evidence."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from kohort.paths import usable
from kohort.plan import Plan
from kohort.release.draft import Draft, demand
from kohort.release.published import Content, Facts, Judgement
from kohort.release.saving import IN_CATALOG, write_release
from kohort.release.signing import Signer
from kohort.report.ledger import gives_away, said_of
from kohort.verification.judges import Verdict

MARKS = {True: "✓", False: "✗", None: "?"}


class TogetherWarning(UserWarning):
    """A release that stands gives people away together with earlier ones."""


@dataclass(eq=False, repr=False)
class Release:
    """What is released, the facts about it and the verdicts of its judges.

    What is public is the tables, and what follows from them and the plan. Everything else here compares them
    with the original and is for its holder.
    """

    draft: Draft
    facts: Facts  # private; `save` adds what was found when it was written
    judgement: Judgement
    directory: Path | None = None  # where it stands, if it was written

    @classmethod
    def verified(cls, draft: Draft) -> Release:
        """Return a draft as a release once its tables are judged as they are in memory."""
        judgement = draft.judge(draft.tables)
        demand(judgement.verdicts, draft.plan)
        verdicts = tuple(verdict.facts() for verdict in judgement.verdicts)
        return cls(draft, replace(judgement.told(draft.facts), verdicts=verdicts), judgement)

    @classmethod
    def written(
        cls, draft: Draft, directory: str | Path, format: str | None = None, *, sign: str | Path | None = None
    ) -> Release:
        """Return a draft as a release once it is written, as `save` does, and judged from its bytes."""
        signer = None if sign is None else Signer.load(usable(sign, "the key"))
        place = usable(directory, "the directory")
        asked = draft.plan.output
        told = asked.format if asked.table is None else IN_CATALOG
        written = write_release(draft, place, format or told, signer)
        return cls(draft, written.facts, written.judgement, place)

    def __repr__(self) -> str:
        """Return what came out, in one line: notebooks are shared, so it follows from the released tables and the public plan.

        What the original tells beside that stands in `cautions`, to which it points whether or not there is more: how many
        there are may turn on a person who was left out.
        """
        shown = self.judgement.shown()
        promises = ", ".join(f"{verdict.promise} {MARKS[verdict.holds]}" for verdict in shown.verdicts)
        cautioned = f"caution: {'; '.join(shown.cautions)}; " if shown.cautions else ""
        return (
            f"Release({shown.headline}; {promises}; {cautioned}"
            "see .table, .levels, .cautions, .losses, .verdicts, .save(directory))"
        )

    def _repr_html_(self) -> str:
        """Return the first screen of the private report: in a notebook it is the holder who looks."""
        return self.draft.published.screen(self.facts)

    @property
    def plan(self) -> Plan:
        """What was asked."""
        return self.draft.plan

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What its judges found of every promise; they know the original."""
        return tuple(self.judgement.verdicts)

    @property
    def tables(self) -> Mapping[str, Content]:
        """The released tables by file stem; where an engine keeps the rows, what writes them."""
        return self.draft.tables

    @property
    def table(self) -> Any:
        """The released table, the first where there are several, in the type that was handed in."""
        return self.draft.published.convert(next(iter(self.tables.values())))

    @property
    def levels(self) -> dict[str, int] | None:
        """The level of every quasi-identifier, where whole attributes were generalized."""
        return self.facts.levels

    @property
    def suppressed(self) -> int:
        """The number of rows that were left out."""
        return self.facts.suppressed

    @property
    def cautions(self) -> tuple[str, ...]:
        """What must not be overlooked, as the command line says it; for the holder of the original, as the facts are.

        Sensitive columns without a promise, values that are not hidden, columns of which nothing is left, what was odd in the
        original, and that people seem to have several rows.
        """
        return tuple(self.draft.published.cautions(self.facts))

    @property
    def losses(self) -> dict[str, float | None]:
        """What was lost, by every metric; None where that is not finite."""
        return dict(self.facts.losses)

    def save(
        self, directory: str | Path, format: str | None = None, *, sign: str | Path | None = None
    ) -> Path:
        """Write the release to `directory` and its private audit to `directory`.private.

        Everything is written under other names first, the tables are verified from their bytes, and only
        then do the directories take their names: a failure or a killed process leaves nothing that looks
        like a release. An earlier release of that name stays until the new one stands; a directory that holds
        anything else is refused. Where releases are recorded, it is compared with earlier ones and recorded
        before it stands. The format is the plan's unless another is named. `sign` is the private key of whoever
        releases it (`kohort keygen`). What was found while it was written is among `facts` afterwards; where it gives
        people away together with earlier releases (`facts.ledger`), a TogetherWarning says so.
        """
        self.facts = Release.written(self.draft, directory, format, sign=sign).facts
        ledger = self.facts.ledger
        if ledger is not None and gives_away(ledger):
            warnings.warn(said_of(ledger), TogetherWarning, stacklevel=2)
        return Path(directory)
