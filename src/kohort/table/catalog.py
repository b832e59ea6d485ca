"""Tables that a catalog knows by name, where a path could stand: `table:schema.name`."""

from __future__ import annotations

from pathlib import Path

CATALOG = "table:"


def catalog_table(path: Path) -> str | None:
    """Return the name of the table that is meant, wherever relative paths start; None where a file is.

    >>> catalog_table(Path("plans") / "table:health.people"), catalog_table(Path("people.csv"))
    ('health.people', None)
    """
    return path.name.removeprefix(CATALOG) if path.name.startswith(CATALOG) else None
