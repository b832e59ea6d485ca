"""A project of ARX written as a plan, its data and its level files: nothing that is there already is replaced."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from kohort.arx.project import read_project
from kohort.arx.translation import FOLDER, checked, translated
from kohort.errors import InputError
from kohort.folders.own_files import add
from kohort.folders.release_folder import refuse_within
from kohort.level_files.column import column_levels
from kohort.plan import Plan


@dataclass(frozen=True)
class Imported:
    """Where things were written, and what of the project is not among them."""

    plan: Path
    data: Path
    level_files: tuple[Path, ...]
    unmapped: tuple[str, ...]


def import_project(project_path: Path, plan_path: Path) -> Imported:
    """Write the plan that a project asks for, and beside it its data and level files; return what does not map.

    What the written plan says is tried: a hierarchy that does not fit the data is among what does not map.
    """
    refuse_within(plan_path)
    project = read_project(project_path)
    data = plan_path.with_name(f"{plan_path.stem}-data.csv")
    translation = translated(project, data.name)
    plan = replace(checked(translation), notes=translation.notes)
    files = {plan_path.parent / FOLDER / name: _csv(rows) for name, rows in translation.level_files.items()}
    _demand_room([plan_path, data, *files])
    with _all_or_nothing() as write:
        for place, content in {data: project.data, **files}.items():
            write(place, content)
        unmapped = [*translation.unmapped, *_unfit(replace(plan, base=plan_path.parent))]
        head = "".join(f"# does not map: {_on_one_line(remark)}\n" for remark in unmapped)
        version = _on_one_line(project.version) or "unknown version"
        origin = f"# A plan made from a project of ARX ({version}). Read it before you run it.\n"
        write(plan_path, (origin + head + "\n" + plan.to_toml()).encode())
    return Imported(plan_path, data, tuple(files), tuple(unmapped))


def _unfit(plan: Plan) -> list[str]:
    found: list[str] = []
    for name, column in plan.columns.items():
        if column.hierarchy is None:
            continue
        try:
            column_levels(plan, name)
        except InputError as refused:
            found.append(str(refused))
    return found


def _csv(rows: tuple[tuple[str, ...], ...]) -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _demand_room(places: list[Path]) -> None:
    for place in places:
        try:
            taken = place.exists()
        except OSError as problem:  # a name too long, a folder that may not be looked into
            raise _unwritable(place, problem) from None
        if taken:
            raise InputError(
                f"{place} exists; name another plan to write, in a directory of its own",
                code="file.unwritable",
                path=place,
            )


@contextmanager
def _all_or_nothing() -> Iterator[Callable[[Path, bytes], None]]:
    """Yield how files are written; where one cannot be, or anything else ends it, those before and new folders go again."""
    with ExitStack() as made:

        def write(place: Path, content: bytes) -> None:
            try:
                for folder in reversed([folder for folder in place.parents if not folder.exists()]):
                    folder.mkdir()
                    made.callback(_gone, folder.rmdir)
                add(place, content)
                made.callback(_gone, place.unlink)
            except OSError as problem:
                raise _unwritable(place, problem) from None

        yield write
        made.pop_all()


def _gone(remove: Callable[[], None]) -> None:
    with suppress(OSError):  # somebody else was quicker, or put something into the folder
        remove()


def _unwritable(place: Path, problem: OSError) -> InputError:
    return InputError(
        f"{place}: it cannot be written ({problem.strerror}); name another plan to write",
        code="file.unwritable",
        path=place,
    )


def _on_one_line(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
