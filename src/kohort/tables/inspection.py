"""Released tables that an engine reads: of a folder, or one that anybody may have written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from kohort.arrays import IntArray
from kohort.engines import Engine, demand_source, demand_tables
from kohort.engines.memory.reading import TablesInMemory
from kohort.engines.reading import Known, Reading
from kohort.errors import InputError
from kohort.hierarchy import Label
from kohort.plan import Plan
from kohort.plurals import many
from kohort.preparation.kind import Kind
from kohort.preparation.sources import options_of_release
from kohort.release.opening import original_of
from kohort.shapes import Findings, Terms
from kohort.tables.alike_told import with_alike_told
from kohort.tables.judged_again import judge_again
from kohort.tables.public_side import public_files
from kohort.verification.judgement import Original
from kohort.verification.judges import Verdict
from kohort.verification.judges.label_forms import LabelForms, label_forms
from kohort.verification.judges.loose import UNASKED, judge_loose
from kohort.verification.judges.row_order import judge_row_order
from kohort.verification.judges.truth_words import has_truths, in_words_told


@dataclass(frozen=True, eq=False)
class TableInspection:
    """The table of a release folder, as an engine reads it."""

    keeper: type[Engine]
    reading: Reading

    @classmethod
    def of(
        cls, keeper: type[Engine], files: Mapping[str, Path], plan: Plan, memory: str | None
    ) -> TableInspection:
        """Read the files; raises InputError where they cannot be."""
        return cls(keeper, keeper.read(files, plan, memory))

    def judge(self, terms: Terms) -> Findings:
        """Judge the tables by what is at hand beside them; an original that the engine does not read is refused."""
        place = original_of(terms.original, terms.audit)
        if place is not None:
            demand_source(self.keeper, place)
        return judge_again(self.reading, terms)

    def documents(self, plan: Plan, digests: Mapping[str, str]) -> dict[str, bytes]:
        """Return manifest and report, which follow from the tables."""
        return public_files(self.reading.contents(plan), plan, digests)

    def nothing_else(self) -> Verdict:
        """Return whether the files hold nothing beside their tables."""
        return self.reading.nothing_else()

    def close(self) -> None:
        """Give back what it takes to hold them."""
        self.reading.close()


def demand_inspection(keeper: type[Engine], files: Mapping[str, Path]) -> None:
    """Refuse, before anything is read, a release that the engine does not judge."""
    demand_tables(keeper, list(files))
    for path in files.values():
        demand_source(keeper, path)


def verify_table(
    keeper: type[Engine],
    memory: str | None,
    released: Any,
    plan: Plan,
    original: Any = None,
    respondents: Sequence[int] | IntArray | None = None,
) -> list[Verdict]:
    """Judge a released table by the promises of a plan; `kohort.verify` says more."""
    kind = Kind.of(plan)
    stems = kind.layout.stems
    if len(stems) > 1:
        raise InputError(
            f"verify: this plan releases {many(len(stems), 'table')} ({', '.join(stems)}); give their folder",
            code="verify.not-a-folder",
        )
    for source in (released, *(() if original is None else (original,))):
        demand_source(keeper, source)
    with closing(keeper.read({stems[0]: released}, plan, memory, foreign=True)) as reading:
        beside = None if original is None else _in_words_told(reading.beside(original, plan), reading, plan)
        verdicts = with_alike_told(reading.judge(Known(plan, kind, beside, respondents)), reading, plan)
        forms = _label_forms(reading, plan, beside)
        loose = judge_loose(
            released, lambda path: options_of_release(path, plan), reading.nothing_else, forms
        )
        return [*verdicts, *loose, *_row_order(reading, plan, kind, beside)]


def _row_order(reading: Reading, plan: Plan, kind: Kind, original: Original | None) -> list[Verdict]:
    """Return what the order of the rows shows, where both tables are in memory: other engines keep none that could be looked at."""
    if not plan.output.shuffle or not kind.generalizes or original is None:
        return []
    if not isinstance(reading, TablesInMemory):
        return []
    [released] = reading.tables.values()
    names = set(released.columns)
    if names != set(plan.released):
        return []
    return judge_row_order(released, original.table, original.hierarchies)


def _in_words_told(original: Original, reading: Reading, plan: Plan) -> Original:
    """Return the original with the truth values of its quasi-identifiers as the released table spells them, column by column."""
    if not any(map(has_truths, original.hierarchies)):
        return original
    labels = _labels(reading, plan)
    if labels is None:
        return original
    spelled = tuple(in_words_told(own, labels[own.name]) for own in original.hierarchies)
    return replace(original, hierarchies=spelled, reference=replace(original.reference, hierarchies=spelled))


def _label_forms(reading: Reading, plan: Plan, original: Original | None) -> LabelForms:
    """Return what the spellings of the released labels show; nothing where a quasi-identifier is not there, which is told."""
    labels = _labels(reading, plan)
    if labels is None:
        return UNASKED
    return label_forms(labels, None if original is None else original.hierarchies)


def _labels(reading: Reading, plan: Plan) -> dict[str, list[Label]] | None:
    """Return the distinct labels of each quasi-identifier; None where one is not there."""
    try:
        told = reading.tuples(plan.quasi)[0]
    except InputError:
        return None
    return {c.name: [c.texts[code] for code in np.unique(c.codes).tolist()] for c in told}
