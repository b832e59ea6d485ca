"""Names of files that stand for columns: no name of a column leads out of a folder."""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import chain, count


def file_name(column: str, taken: Container[str] = ()) -> str:
    """Return a plain name for the level file of a column, other than those `taken`.

    >>> file_name("../Zip code"), file_name("a/b", {"a_b.csv"}), file_name("..")
    ('Zip_code.csv', 'a_b-2.csv', 'column.csv')
    """
    plain = re.sub(r"[^\w-]+", "_", column).strip("_")[:80].encode()[:200].decode(errors="ignore") or "column"
    names = chain([f"{plain}.csv"], (f"{plain}-{n}.csv" for n in count(2)))
    return next(name for name in names if name not in taken)
