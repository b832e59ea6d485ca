"""Judges that a table which stands by itself, whoever wrote it, is all that its file holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from kohort.errors import InputError
from kohort.folders.parts import is_in_parts, part_name, parts_of
from kohort.table.catalog import catalog_table
from kohort.table.formats import DELIMITED, LOOKS, READERS, STORED
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.parquet_forms import with_room_for_forms
from kohort.table.formats.text_layout import text_layout
from kohort.table.spellings import several_spellings
from kohort.verification.judges.beside import BESIDE
from kohort.verification.judges.label_forms import LabelForms
from kohort.verification.judges.verdict import Verdict

SPELLED = "every value is spelled in one way"
TWO_WAYS = (
    "{} hold values that are read as one and spelled in several ways, by which people can be told apart"
)
IN_OTHER_WORDS = (
    "{} hold labels whose spelling does not follow from what they mean (other words, another order, items twice, needless "
    "quotes, zeros or signs, no blank behind a comma), by which people can be told apart"
)
ESCAPED = (
    "labels of {} have an apostrophe in front, by which delimited text and workbooks keep a text from being computed, and which "
    "other formats tell as part of it: take it out where the table is converted, or judge the text that was released"
)
MEANT = (
    "not judged: what the intervals or sets of {} mean, and so in how many ways each is spelled, is known to whoever has the "
    "original"
)
FOLDER = "not judged: it is a folder that is not called like a table, and a format is known by that"
UNSEEN = (
    "not judged: files of this format can spell one value in ways that are not looked at (formats of cells, codes, words that "
    "are stored unlike), and this one is not as Kohort writes it"
)
NO_FILE = (
    "not judged but for labels: a value may have several forms in a frame or a catalog (objects, bits of numbers, kinds of "
    "missing); save the table and verify the file"
)
FORMS = "not judged: {} are stored in a type that has several forms of one value"
AS_TEXT = "all of a text is in its cells, and these are quoted by a rule"
NOT_ALIKE = "not judged: the lines of the text are not all alike; save the table anew"
UNRULED = "not judged: in {} cells are quoted by no rule, or bytes are not as its encoding has them; save the table anew"
UNNUMBERED = (
    "not judged: its parts are not called part-00000 and so on, or do not all end alike; save the table anew"
)
FOUND = "{} also holds: {}; take that out, or save the table alone"

Options = Callable[[Path], Sequence[ReadingOptions]]
UNASKED = LabelForms()


def judge_loose(
    released: Any, options: Options, rewritten: Callable[[], Verdict], forms: LabelForms = UNASKED
) -> list[Verdict]:
    """Return whether a file spells every value in one way, and holds nothing beside its table.

    The file is read by the first of the options by which it can be. `forms` is what its labels show, and all that is judged of
    frames and tables of a catalog.
    """
    file = _file(released)
    if file is None:
        return [_with_forms(Verdict(SPELLED, None, note=NO_FILE), forms)]
    if file.suffix.lower() not in READERS or (file.is_dir() and not is_in_parts(file)):
        return [_with_forms(Verdict(SPELLED, None, note=FOLDER), forms), Verdict(BESIDE, None, note=FOLDER)]
    try:
        told, doubled = _spellings(file, options(file))
    except InputError as problem:
        note = f"not judged: {problem}"
        spelled = Verdict(SPELLED, None, note=note)
        return [_with_forms(spelled, forms), _beside(file, None, note, rewritten)]
    beside = _beside(file, told, "", rewritten)
    return [_with_forms(_spelled(file, doubled, beside), forms), beside]


def _with_forms(spelled: Verdict, forms: LabelForms) -> Verdict:
    """Return whether values are spelled in one way, as their cells and the meanings of their labels show it."""
    if forms.wrong:
        found = [spelled.note] * (spelled.holds is False)
        others = [name for name in forms.wrong if name not in forms.escaped]
        found += [IN_OTHER_WORDS.format(_named(others))] * bool(others)
        found += [ESCAPED.format(_named(forms.escaped))] * bool(forms.escaped)
        return Verdict(SPELLED, False, note="; ".join(found))
    if forms.unknown and spelled.holds:
        return Verdict(SPELLED, None, note=MEANT.format(_named(forms.unknown)))
    return spelled


def _named(columns: Sequence[str]) -> str:
    return ", ".join(map(repr, columns))


def _spellings(file: Path, every: Sequence[ReadingOptions]) -> tuple[ReadingOptions, list[str]]:
    """Return the first options by which a file can be read, and the columns in which a value has several spellings."""
    *others, last = every
    for told in others:
        with suppress(InputError):
            return told, several_spellings(file, told)
    return last, several_spellings(file, last)


def _spelled(file: Path, doubled: Sequence[str], beside: Verdict) -> Verdict:
    """Return whether values are spelled in one way: found not to be, or known to be since the whole file is as it should be."""
    suffix = file.suffix.lower()
    if doubled:
        return Verdict(SPELLED, False, note=TWO_WAYS.format(_named(doubled)))
    if beside.holds:
        return Verdict(SPELLED, True)
    if suffix in DELIMITED:
        return Verdict(SPELLED, None, note=NOT_ALIKE if beside.holds is False else beside.note)
    if suffix in STORED:
        return Verdict(SPELLED, None, note=UNSEEN)
    forms = with_room_for_forms(file)
    return Verdict(SPELLED, None if forms else True, note=FORMS.format(_named(forms)) if forms else "")


def _beside(
    file: Path, told: ReadingOptions | None, unread: str, rewritten: Callable[[], Verdict]
) -> Verdict:
    """Return whether a file holds nothing beside its table.

    What is found by a look at its parts is told. Where nothing is, the file is held to what Kohort writes of its cells:
    only that shows that no byte of it says more. Of delimited text a look at every byte shows it.
    """
    suffix = file.suffix.lower()
    if suffix in DELIMITED:
        return Verdict(BESIDE, None, note=unread) if told is None else _beside_text(file, told)
    try:
        found = LOOKS[suffix](file) if suffix in LOOKS else []
    except InputError as problem:
        return Verdict(BESIDE, None, note=f"not judged: {problem}")
    if found:
        return Verdict(BESIDE, False, note=FOUND.format(repr(file.name), "; ".join(found)))
    return rewritten()


def _beside_text(file: Path, told: ReadingOptions) -> Verdict:
    layout = text_layout(file, told)
    found = [*layout.found, *_beside_parts(file)]
    if found:
        return Verdict(BESIDE, False, note=FOUND.format(repr(file.name), "; ".join(found)))
    if not layout.by_rule:
        return Verdict(BESIDE, None, note=UNRULED.format(repr(file.name)))
    if not _numbered_alike(file):
        return Verdict(BESIDE, None, note=UNNUMBERED)
    return Verdict(BESIDE, True, note=AS_TEXT)


def _beside_parts(file: Path) -> list[str]:
    """Return what stands in the folder of a table in parts and is none of them."""
    others = set(file.iterdir()) - set(parts_of(file)) if file.is_dir() else set()
    return [repr(other.name) for other in sorted(others)]


def _numbered_alike(file: Path) -> bool:
    """Say whether parts are plain files that are called by their numbers and end alike: else names or ends may tell more."""
    if not file.is_dir():
        return True
    parts = parts_of(file)
    called = [part_name(number, file.suffix) for number in range(len(parts))]
    return (
        [part.relative_to(file).as_posix() for part in parts] == called
        and not any(part.is_symlink() for part in parts)
        and len({_ends_with_a_line(part) for part in parts}) == 1
    )


def _ends_with_a_line(part: Path) -> bool:
    with part.open("rb") as text:
        text.seek(max(part.stat().st_size - 4, 0))
        return text.read().rstrip(b"\0").endswith((b"\n", b"\r"))


def _file(released: Any) -> Path | None:
    """Return where a table stands that is a file, or a folder of its parts."""
    if not isinstance(released, str | Path) or catalog_table(Path(released)) is not None:
        return None
    return Path(released)
