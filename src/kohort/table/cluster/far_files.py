"""Files that executors open: by the whole path, wherever they run, and told by the name that somebody gave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kohort.errors import InputError, KohortError
from kohort.refusals import reason


def start_of_names() -> Path:
    """Return the folder in which relative paths begin here, and nowhere else; none where it is gone."""
    try:
        return Path.cwd()
    except OSError:  # whole paths are found all the same
        return Path()


@contextmanager
def seen_from_afar(start: Path, named: Path) -> Iterator[Path]:
    """Yield the whole path of a file that was named in a folder, once it can be opened; errors tell it as it was named."""
    place = start / named
    try:
        place.open("rb").close()
    except OSError as problem:
        raise InputError(
            f"the executors of Spark cannot open {named} ({reason(problem)}); name a path that all its machines see alike, and "
            "that may be read there",
            code="engine.executors",
            engine="spark",
            path=named,
        ) from None
    try:
        yield place
    except KohortError as problem:
        told = {"path": named} if "path" in problem.fields else {}
        raise problem.reworded(str(problem).replace(str(place), str(named)), **told) from None
