"""Lines that repeat are read once: the table, or the refusal, is the one of reading cell by cell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kohort.errors import KohortError
from kohort.table.formats import delimited, repeated_lines
from kohort.table.reading import read_table

CELLS = (
    "a",
    "b ",
    "",
    " ",
    "NA",
    "'=1",
    "ü",
    "x" * 40,
    '"',
    '"q"',
    '"two\nlines"',
    "\x01",
    "\x00",
    "1,5",
    "'",
    "\ufeff",
)
HEADS = ("\ufeff", "\ufeff\ufeff", "\ufffe", "#", "sep=;", "\x1a")
ODD_LINES = ("", " ", "a", "a,b,c,d,e,f,g", '"', "\r", '"open,b,c')


def _file(path: Path, rng: np.random.Generator) -> dict[str, object]:
    """Write some lines many times over, in one way of many, and return how the file is to be read."""
    n_columns = int(rng.integers(1, 5))
    cells = CELLS[: int(rng.integers(3, len(CELLS) + 1))] if rng.random() < 0.6 else CELLS[:8]
    delimiter = str(rng.choice([",", ";", "\t"]))
    lines = [delimiter.join(rng.choice(cells, n_columns)) for _ in range(int(rng.integers(1, 6)))]
    if rng.random() < 0.2:
        lines.append(str(rng.choice(ODD_LINES)))
    end = str(rng.choice(["\n", "\r\n", "\r"]))
    body = [str(rng.choice(lines)) for _ in range(60)]
    if rng.random() < 0.2:  # what means something at the head of a file, at the head of the rows
        body[0] = str(rng.choice(HEADS)) + body[0]
    title = ["a title", ""] if rng.random() < 0.2 else []
    text = end.join([*title, delimiter.join(f"c{i}" for i in range(n_columns)), *body]) + (
        end if rng.random() < 0.8 else ""
    )
    path.write_bytes((b"\xef\xbb\xbf" if rng.random() < 0.2 else b"") + text.encode())
    if rng.random() < 0.1:
        path.write_bytes(path.read_bytes() + b"\xff\xfe")
    return {
        "delimiter": delimiter,
        "header": True,
        "skip": len(title),
        "quote": str(rng.choice(['"', "'"])),
        "missing": ["NA"] if rng.random() < 0.5 else [],
        "footer": int(rng.integers(0, 3)),
        "unescape_formulas": bool(rng.random() < 0.5),
        **({"encoding": "utf-8"} if rng.random() < 0.5 else {}),
        **({"columns": ["c0"]} if rng.random() < 0.2 else {}),
    }


def _read(path: Path, how: dict[str, object]) -> object:
    try:
        table = read_table(path, **how)  # type: ignore[arg-type]
    except KohortError as error:
        return type(error), str(error)
    return [(column.name, column.codes.tolist(), column.values.to_pylist()) for column in table]


@pytest.mark.parametrize("seed", range(8))
def test_lines_read_once_give_the_table_that_cells_read_one_by_one_give(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(seed)
    read_once = []

    def watched(*told: object) -> object:
        table = repeated_lines.read_repeated(*told)  # type: ignore[arg-type]
        read_once.append(table is not None)
        return table

    for number in range(100):
        path = tmp_path / f"{number}.csv"
        how = _file(path, rng)
        monkeypatch.setattr(delimited, "read_repeated", lambda *_: None)
        expected = _read(path, how)
        monkeypatch.setattr(repeated_lines, "_repeats", lambda _: True)
        monkeypatch.setattr(delimited, "read_repeated", watched)
        assert _read(path, how) == expected
    assert 10 < sum(read_once) < len(read_once)


def test_a_large_file_of_few_lines_is_read_by_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "".join(f"{'x' * 100},{i % 50}\n" for i in range(200_000)), encoding="utf-8")
    assert repeated_lines._repeats(path)
    assert read_table(path)["b"].counts().tolist() == [4000] * 50
    path.write_text("a,b\n" + "".join(f"{'x' * 100},{i}\n" for i in range(200_000)), encoding="utf-8")
    assert not repeated_lines._repeats(path)
