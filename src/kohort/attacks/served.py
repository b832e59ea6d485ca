"""What an engine does not serve of an attack is refused by name, before anything is read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kohort.engines import AVAILABLE_ENGINES, Engine, demand_source, demand_tables
from kohort.errors import InputError
from kohort.paths import usable
from kohort.release.documents import SeenAudit
from kohort.table.formats import READERS


def demand_counted(keeper: type[Engine], files: Sequence[Path], others: Sequence[Path]) -> None:
    """Refuse what an engine that keeps rows on disk does not attack: several tables, formats, several releases."""
    demand_tables(keeper, [path.stem for path in files])
    for path in files:
        demand_source(keeper, path)
    if others:
        raise InputError(
            f"attack: several releases are compared row by row, and the {keeper.card.name} engine does not hold them; "
            "leave the second release out, or use the memory engine",
            code="engine.needs-rows",
            engine=keeper.card.name,
        )


def demand_original(keeper: type[Engine], original: Any, audit: SeenAudit | None) -> None:
    """Refuse an original in a format of another package's engine, and say which engine reads it and how it is named."""
    if not isinstance(original, str | Path):
        return demand_source(keeper, original)
    suffix = usable(original, "the original").suffix.lower()
    if suffix in keeper.reads or suffix in READERS:
        return demand_source(keeper, original)
    made = None if audit is None else audit.engine
    able = [name for name, kind in AVAILABLE_ENGINES.usable().items() if suffix in kind.reads]
    maker = "" if made is None else f"; the release was made by the engine {made!r}"
    raise InputError(
        f"{original}: the {keeper.card.name} engine does not read files with the suffix {suffix!r}{maker}; "
        f"{_next_step(made, able)}",
        code="attack.engine",
        engine=made or keeper.card.name,
        path=original,
        format=suffix,
        allowed=sorted(keeper.reads),
    )


def _next_step(made: str | None, able: Sequence[str]) -> str:
    """Say with which engine the attack can be run: that which made the release, or one that reads its original."""
    other = "name the original in a format that Kohort reads"
    if made is None and not able:
        return f"{other}, or leave it out"
    if made is not None and made not in able:
        return f"install the package that offers it and say engine = {made!r}, or {other}"
    return f"say engine = {(made or able[0])!r}, or {other}"
