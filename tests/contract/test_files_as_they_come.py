"""Files as other programs write them, and as countries do: each comes back with the values that went into it."""

from __future__ import annotations

import csv
import io
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import kohort
from kohort.errors import InputError
from kohort.hierarchy.calendar import date_pattern, format_days, iso_days
from kohort.preparation.sources import read_source
from kohort.proposals import propose
from kohort.proposals.evidence import Evidence
from kohort.proposals.file_reading import read_as_found
from kohort.table import Column, Role, Table
from kohort.table.reading import read_table
from kohort.table.streaming import STREAMS, open_stream

FILES = Path(__file__).parents[1] / "data" / "files"
NAMES = ("age", "sex", "town", "pay", "born", "seen")
TOLD = {"R-write-table-blanks.txt": {"delimiter": " "}, "openpyxl.xlsx": {"table": "people"}}
MADE = sorted(
    p.name
    for p in FILES.iterdir()
    if p.suffix not in (".md", ".py", ".R") and p.name not in ("truth.csv", "protected.xlsx")
)


def truth() -> list[dict[str, str]]:
    with (FILES / "truth.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def days_of(column: Column) -> list[Any]:
    """The day that each row tells, by the format that is found in it."""
    told = Evidence(column).date_format
    assert told is not None, column.name
    pattern = None if told == "iso" else date_pattern(told)
    texts = [text for text in column.texts if text is not None]
    days, fine = iso_days(texts) if pattern is None else format_days(texts, pattern, 2026)
    assert fine.all()
    of_text = dict(zip(texts, days.tolist(), strict=True))
    return [None if text is None else of_text[text] for text in by_row(column)]


def by_row(column: Column) -> list[str | None]:
    return [column.texts[code] for code in column.codes]


def meant(table: Table) -> Counter[tuple[Any, ...]]:
    """What the rows say, however they are spelled: numbers, words and days."""
    numbers = {n: [None if t is None else float(t) for t in by_row(table[n])] for n in ("age", "pay")}
    words = {n: by_row(table[n]) for n in ("sex", "town")}
    days = {n: days_of(table[n]) for n in ("born", "seen")}
    columns = numbers | words | days
    return Counter(zip(*(columns[name] for name in NAMES), strict=True))


def streamed(path: Path, told: Mapping[str, Any]) -> Table:
    stream = open_stream(path, **told)
    pieces = [piece.to_arrow() for piece in stream.pieces(stream.names)]
    return Table.from_arrow(pa.concat_tables(pieces))


def cells(table: Table) -> dict[str, list[str | None]]:
    return {column.name: by_row(column) for column in table}


@pytest.mark.parametrize("name", MADE)
def test_a_file_of_another_program_comes_back_with_its_values(name: str) -> None:
    told = TOLD.get(name, {})
    table, draft = read_as_found(FILES / name, told)
    assert set(NAMES) <= set(table.names)
    assert meant(table) == meant(read_table(FILES / "truth.csv"))
    assert not draft.doubts
    for proposal in propose(table):
        if proposal.column not in NAMES:  # the names of rows are nobody's column
            assert proposal.role is Role.IDENTIFIER
            assert "no name" in proposal.reason
    if (FILES / name).suffix in STREAMS:
        assert cells(streamed(FILES / name, {**told, **draft.options})) == cells(table)


def test_a_plan_proposed_in_python_reads_the_file_as_init_does() -> None:
    plan = kohort.propose(FILES / "R-write-csv2.csv")
    assert (plan.input.decimal, plan.input.missing) == (",", (".",))
    assert kohort.Plan.from_dict(tomllib.loads(plan.to_toml())).input == plan.input
    assert plan.columns["unnamed1"].role is Role.IDENTIFIER


@pytest.mark.parametrize("name", [name for name in MADE if name.endswith((".xlsx", ".xls", ".ods"))])
def test_one_cell_at_midnight_is_a_moment_among_moments(name: str) -> None:
    seen = read_as_found(FILES / name, TOLD.get(name, {}))[0]["seen"]
    assert pa.types.is_timestamp(seen.values.type)
    midnight = [moment for moment in seen.values.to_pylist() if not (moment.hour or moment.minute)]
    assert midnight == [datetime.fromisoformat(truth()[5]["seen"])]


def test_a_workbook_with_a_password_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="protected by a password") as refused:
        read_table(FILES / "protected.xlsx")
    assert refused.value.code == "table.protected"


def test_a_workbook_with_several_sheets_asks_for_one() -> None:
    with pytest.raises(InputError, match=r"several sheets; state one of them as table .*: notes, people"):
        read_as_found(FILES / "openpyxl.xlsx", {})


@dataclass(frozen=True)
class Style:
    """How a country, or a program, writes a table as text."""

    day: str = "%Y-%m-%d"
    moment: str = "%Y-%m-%d %H:%M:%S"
    decimal: str = "."
    mark: str = ""  # between thousands
    nothing: str = ""
    delimiter: str = ","
    encoding: str = "utf-8"
    ends: str = "\n"
    title: tuple[str, ...] = ()
    numbered: bool = False
    trailing: bool = False
    padded: str = ""
    shouted: bool = False
    options: dict[str, Any] = field(default_factory=dict)

    def number(self, text: str, fraction: bool) -> str:
        if not text:
            return self.nothing
        if not fraction:
            return text
        whole, _, rest = text.partition(".")
        groups = f"{int(whole):,}".replace(",", self.mark)
        return f"{groups}{self.decimal}{rest}"

    def rows(self) -> Iterator[list[str]]:
        yield [*([""] if self.numbered else []), *NAMES, *([""] if self.trailing else [])]
        for i, row in enumerate(truth(), start=1):
            town = row["town"].upper() if self.shouted and i % 3 == 0 else row["town"]
            yield [
                *([str(i)] if self.numbered else []),
                self.number(row["age"], fraction=False),
                row["sex"],
                town + self.padded,
                self.number(row["pay"], fraction=True),
                date.fromisoformat(row["born"]).strftime(self.day),
                datetime.fromisoformat(row["seen"]).strftime(self.moment) + self.padded,
                *([""] if self.trailing else []),
            ]

    def write(self, path: Path) -> Path:
        text = io.StringIO(newline="")
        text.write("".join(line + self.ends for line in self.title))
        csv.writer(text, delimiter=self.delimiter, lineterminator=self.ends).writerows(self.rows())
        path.write_bytes(text.getvalue().encode(self.encoding))
        return path


STYLES = {
    "plain": Style(),
    "German": Style("%d.%m.%Y", "%d.%m.%Y %H:%M", ",", ".", "k.A.", ";", "cp1252", "\r\n"),
    "Austrian, with a title": Style("%d.%m.%Y", "%d.%m.%Y, %H:%M", ",", ".", "-", ";", title=("Klinik Nord", "", "Stand: Mai")),
    "Swiss": Style("%d.%m.%Y", "%d.%m.%Y %H.%M", ".", "\u2019", "keine Angabe", ";", trailing=True),
    "French": Style("%d/%m/%Y", "%d/%m/%Y %H:%M:%S", ",", "\u202f", "n.r.", ";", "utf-8-sig", "\r\n"),
    "Spanish": Style("%d-%m-%Y", "%d-%m-%Y %H:%M", ",", ".", "s/d", "\t"),
    "American": Style("%m/%d/%Y", "%m/%d/%Y %I:%M %p", ".", ",", "N/A", ","),
    "Polish": Style("%Y.%m.%d", "%Y.%m.%d %H:%M", ",", "\u00a0", "brak danych", "|", "utf-16"),
    "Hungarian": Style("%Y. %m. %d.", "%Y. %m. %d. %H:%M", ",", " ", "nincs adat", ";"),
    "Czech": Style("%d. %m. %Y", "%d. %m. %Y %H:%M", ",", " ", "neuvedeno", ";"),
    "two-digit years": Style("%d.%m.%y", "%d.%m.%y %H:%M", nothing="NA", numbered=True),
    "pandas": Style(numbered=True, nothing="nan", moment="%Y-%m-%dT%H:%M:%S"),
    "codes for nothing": Style(nothing="-99"),
    "blanks and capitals": Style(nothing="?", padded=" ", shouted=True),
}  # fmt: skip


@pytest.mark.parametrize("name", STYLES)
def test_a_table_in_any_style_comes_back_with_its_values(name: str, tmp_path: Path) -> None:
    style = STYLES[name]
    path = style.write(tmp_path / "people.csv")
    table, draft = read_as_found(path, {})
    expected = meant(read_table(FILES / "truth.csv"))
    if "fold" in draft.options:
        expected = Counter({(a, s, t.lower(), *rest): n for (a, s, t, *rest), n in expected.items()})
    assert ("fold" in draft.options) == style.shouted
    assert meant(table) == expected
    assert not draft.doubts
    assert cells(streamed(path, draft.options)) == cells(table)
    left = {p.column for p in propose(table) if p.role is Role.IDENTIFIER}
    assert left == set(table.names) - set(NAMES)


@pytest.mark.parametrize("name", STYLES)
def test_a_frame_of_the_same_cells_is_read_by_its_plan_as_the_file_is(name: str, tmp_path: Path) -> None:
    path = STYLES[name].write(tmp_path / "people.csv")
    table, draft = read_as_found(path, {})
    frame = read_table(path, skip=draft.options.get("skip", 0)).to_arrow()
    plan = kohort.propose(frame)
    assert cells(read_source(frame, plan)[0]) == cells(table)
    reasons = {f"[input] {found.key}": found.reason for found in draft.findings if found.key != "skip"}
    assert {key: note for key, note in plan.notes.items() if key.startswith("[input] ")} == reasons
    assert all(" ".join(reason.split()) in plan.to_toml() for reason in reasons.values())
    assert kohort.Plan.from_dict(tomllib.loads(plan.to_toml())).input == plan.input


def test_what_is_in_doubt_about_cells_stands_in_a_plan_made_in_python() -> None:
    plan = kohort.propose(pa.table({"q": ["1", "2", "3", "9"] * 10, "age": [str(20 + i) for i in range(40)]}))
    doubt = "9 in 10 cells of 'q' may mean that a value is missing"
    assert plan.input.missing_in == {}
    assert doubt in plan.to_toml()
    assert "9 in 10 cells" in plan._repr_html_()
    assert kohort.Plan.from_dict(tomllib.loads(plan.to_toml())) == plan
