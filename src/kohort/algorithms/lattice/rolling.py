"""Roll-ups during a search: from prefixes, by tables made once, in whatever order classes are met."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.algorithms.lattice.packing import KEY_BITS, Packing
from kohort.classes import Classes


class Rolling:
    """Rolls classes up as `Classes.rollup` does, but does not sort the result.

    An attribute is raised from its lowest level only, as prefixes are, so one table per level is enough. Where
    keys need more than 63 bits, `Classes.rollup` does it.
    """

    def __init__(self, packing: Packing) -> None:
        self.hierarchies = packing.problem.hierarchies
        words, shifts, _ = packing.places()
        order = np.argsort(packing.order)
        self.narrow = not words.any() and int(shifts.max()) < KEY_BITS
        self.shifts = np.ascontiguousarray(shifts[order])
        self.tables = {
            (attribute, level): np.ascontiguousarray(packing.table(j, rung), np.int32)
            for j, attribute in enumerate(packing.order)
            for rung, level in enumerate(packing.rungs[j])
        }

    def up(self, source: Classes, levels: Sequence[int]) -> Classes:
        """Return the classes at `levels`; attributes that differ stand at their lowest in `source`."""
        raised = [j for j, level in enumerate(levels) if level != source.levels[j]]
        if not raised:
            return source
        if not self.narrow:
            return source.rollup(self.hierarchies, levels)
        from kohort.classes.grouping_kernels import regroup

        tables = [self.tables[j, levels[j]] for j in raised]
        starts = np.cumsum([0, *(len(table) for table in tables[:-1])])
        codes, class_of, rows = regroup(
            np.ascontiguousarray(source.codes, np.int32),
            np.ascontiguousarray(source.rows, np.int64),
            np.array(raised, np.int64),
            np.concatenate(tables),
            starts,
            self.shifts,
        )
        n = len(codes)
        people = None if source.respondents is None else source.respondents.merged(class_of, n)
        return Classes(
            codes=codes,
            levels=tuple(levels),
            sizes=rows if people is None else people.distinct(),
            rows=rows,
            sensitive={name: h.merged(class_of, n) for name, h in source.sensitive.items()},
            respondents=people,
            holders={name: h.merged(class_of, n) for name, h in source.holders.items()},
        )
