"""One cell that names somebody, in a column that would be kept as it is: it is asked about."""

from __future__ import annotations

import pyarrow as pa
import pytest

import kohort

STRAYS = (
    "Anna Miller",
    "Krause, Eva",
    "Juan García",
    "078-05-1120",
    "DE89370400440532013000",
    "DE89 3704 0044 0532 0130 00",
    "anna@example.org",
    "https://example.org/anna",
    "192.168.10.77",
    "+49 30 1234567",
    "123e4567-e89b-12d3-a456-426614174000",
    "RSSMRA85T10A562S",
    "QQ123456C",
    "756.9217.0769.85",
    "850515-1234",
    "131052-308T",
    "C01X00T47",
    "00482913",
    "Иван Петров",
    "王小明",
    "محمد علي",
    "@maria_r",
    "tel:06-12345678",
    "maria (at) gmx.it, 0612345",
)
COLUMNS = {
    "hiv_status": ["pos", "neg"],
    "diagnosis": ["Multiple Sclerosis", "Diabetes Mellitus", "flu", "Crohn Disease"],
    "drug": ["aspirin", "ibuprofen", "metformin"],
    "icd10": ["E11.9", "I10", "J45.0", "B20"],
    "income_group": ["low", "mid", "high"],
    "religion": ["catholic", "none", "muslim", "jewish"],
}


def undecided(name: str, cells: list[str]) -> bool:
    table = pa.table({"zip": [str(10_000 + i % 20) for i in range(len(cells))], name: cells})
    column = kohort.propose(table).columns[name]
    return not column.decided or column.role in ("identifier", "quasi")


@pytest.mark.parametrize("stray", STRAYS)
@pytest.mark.parametrize("name", COLUMNS)
def test_a_cell_that_names_somebody_is_asked_about(name: str, stray: str) -> None:
    usual = [COLUMNS[name][i % len(COLUMNS[name])] for i in range(300)]
    assert undecided(name, [*usual, stray])


@pytest.mark.parametrize("name", ["hiv_status", "diagnosis", "drug"])
def test_nothing_is_asked_where_no_cell_does(name: str) -> None:
    usual = [COLUMNS[name][i % len(COLUMNS[name])] for i in range(300)]
    assert not undecided(name, usual)
