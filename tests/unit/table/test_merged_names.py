"""Names in two rows, as merged cells leave them: groups above are passed over, and nobody's row is ever taken for names."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from kohort.errors import InputError
from kohort.proposals.file_reading import read_as_found
from kohort.table.reading import read_table

NAMES = ["Ort", "Alter", "Sex", "ICD", "Tage", "Größe", "Kasse", "Note"]
GROUPS = ["Person", "Fall", "Befund"]
ROWS = 40
SUFFIXES = (".csv", ".xlsx")


def body(chance: Random, width: int) -> list[list[str]]:
    """Return rows of words and numbers in turns, an empty cell here and there."""
    cells = [
        lambda: chance.choice(["Berlin", "Bonn", "Ulm"]),
        lambda: str(chance.randint(18, 90)),
    ]
    rows = [[cells[j % 2]() if chance.random() > 0.05 else "" for j in range(width)] for _ in range(ROWS)]
    return [["Berlin", *row[1:]] for row in rows]


def grouped(chance: Random, width: int) -> list[str]:
    """Return a row of groups over so many columns, each told once, in its first cell."""
    starts = sorted(chance.sample(range(2, width), k=min(2, width - 2)))[: chance.randint(1, 2)]
    told = {0: GROUPS[0]} | {start: GROUPS[i + 1] for i, start in enumerate(starts)}
    return [told.get(j, "") for j in range(width)]


def written(folder: Path, suffix: str, rows: list[list[str]]) -> Path:
    path = folder / f"table{suffix}"
    if suffix == ".csv":
        path.write_text("\n".join(",".join(row) for row in rows), encoding="utf-8")
        return path
    xlsxwriter: Any = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for i, row in enumerate(rows):
            for j, cell in enumerate(row):
                if cell:
                    sheet.write(i, j, int(cell) if cell.isdigit() else cell)
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("seed", range(12))
def test_groups_above_the_names_are_passed_over(seed: int, suffix: str, tmp_path: Path) -> None:
    chance = Random(seed)
    width = chance.randint(4, len(NAMES))
    groups = grouped(chance, width)
    repeated = [next(told for told in groups[j::-1] if told) for j in range(width)]
    title = [["Export 2024", *[""] * (width - 1)]] * (seed % 2)
    for above in (groups, repeated):
        path = written(tmp_path, suffix, [*title, above, NAMES[:width], *body(chance, width)])
        table, draft = read_as_found(path, {})
        assert list(table.names) == NAMES[:width]
        assert table.n_rows == ROWS
        assert draft.options["skip"] == len(title) + 1
        with pytest.raises(InputError, match="look like a title") as asked:
            read_table(path)
        assert asked.value.code == "table.title"


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("seed", range(12))
def test_names_that_stand_in_both_rows_are_asked_for(seed: int, suffix: str, tmp_path: Path) -> None:
    chance = Random(seed)
    width, own = chance.randint(5, len(NAMES)), chance.randint(1, 2)
    first = [*NAMES[:own], "Vorher", *[""] * (width - own - 1)]
    below = [*[""] * own, *NAMES[own:width]]
    twice = [*NAMES[:own], *(["n", "wert"] * width)[: width - own]]
    for second in (below, twice):
        path = written(tmp_path, suffix, [first, second, *body(chance, width)])
        with pytest.raises(InputError) as refused:
            read_as_found(path, {})
        assert refused.value.code in ("table.header", "table.repeated-name")
        assert not any(cell in str(refused.value) for cell in ("Berlin", "Bonn", "Ulm"))


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("seed", range(12))
def test_a_name_that_is_missing_makes_no_row_of_a_person_names(
    seed: int, suffix: str, tmp_path: Path
) -> None:
    """Also where that person's numbers are not known, and stand as words."""
    chance = Random(seed)
    width = chance.randint(4, len(NAMES))
    gap = chance.randrange(1, width - 1)
    header = [name if j != gap else "" for j, name in enumerate(NAMES[:width])]
    rows = body(chance, width)
    unknown = [cell if j % 2 == 0 else "k.A." for j, cell in enumerate(rows[0])]
    for first in (rows[0], unknown):
        path = written(tmp_path, suffix, [header, first, *rows[1:]])
        with pytest.raises(InputError) as refused:
            read_as_found(path, {})
        assert refused.value.code in ("table.header", "table.header-unclear")
