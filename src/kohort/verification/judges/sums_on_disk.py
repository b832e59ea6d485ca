"""Whether released classes hold exactly the rows of the original that are told as they are, by sums of keyed digests.

The digests of what each row of a class holds beside its labels are added up, in the release and in the original. Where a class
has as many rows in both and the same sums, it holds the same rows: two sums of 64 bits by keys that are drawn for this one
comparison and forgotten agree otherwise by chance only, once in about 2^64 comparisons where texts are told by MD5, else in
2^128. So rows need neither be joined nor be grouped by all that they hold. Where a sum differs, nothing is said: part of a
class may have been left out.

References: Clarke, D. et al. Incremental multiset hash functions and their application to memory integrity checking.
ASIACRYPT 2003.
"""

from __future__ import annotations

from collections.abc import Sequence

from kohort.verification.judges.cell_store import WRITTEN
from kohort.verification.judges.cells import Cells


def same_sums(cells: Cells, as_told: str, quasi: Sequence[str], carried: Sequence[str]) -> bool:
    """Say whether every written class holds the rows that `as_told` tells with its labels, no more and no fewer."""
    digests = cells.digests(WRITTEN, carried)
    if digests is None:
        return False
    keys = cells.keys(WRITTEN, quasi)
    sums = ["count(*) AS n", *(f"sum({digest}) AS sum_{i}" for i, digest in enumerate(digests))]
    sums += [f"count({digests[0]}) AS told"]  # a sum passes over what is not known
    line = ", ".join([*(f"{key} AS {name}" for name, key in keys.items()), *sums])
    found = ["n", "told", *(f"sum_{i}" for i in range(len(digests)))]
    differs = " OR ".join(f"written_sums.{name} IS DISTINCT FROM true_sums.{name}" for name in found)
    differs += " OR written_sums.told <> written_sums.n"
    return not cells.number(
        f"SELECT count(*) FROM (SELECT {line} FROM {WRITTEN} GROUP BY ALL) AS written_sums "
        f"LEFT JOIN (SELECT {line} FROM {as_told} GROUP BY ALL) AS true_sums USING ({', '.join(keys)}) WHERE {differs}"
    )
