"""The demo on disk: table, level files and plan."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from pathlib import Path

from pyarrow import csv as arrow_csv

from kohort.demo.diagnoses import diagnosis_tree
from kohort.demo.patients import make_patients
from kohort.demo.people import NOT_WORKING, OCCUPATIONS
from kohort.errors import InputError
from kohort.folders.own_files import EVERYBODYS, add

TABLE, LEVELS, PLAN = "patients.csv", "hierarchies/occupation.csv", "plan.toml"

_PLAN = """\
# The demo's plan: stays in a made-up hospital, to be shared with researchers.

[input]
path = "patients.csv"
respondent = "patient_id"        # k counts patients, not stays: one patient in eight has several

[columns]
patient_id     = { role = "identifier" }
first_name     = { role = "identifier" }
last_name      = { role = "identifier" }
birth_date     = { role = "quasi", hierarchy = { kind = "dates", levels = ["year", "5-years", "decade", "20-years"] } }
sex            = { role = "quasi", hierarchy = { kind = "suppress" } }
zip            = { role = "quasi", hierarchy = { kind = "mask", char = "*" } }
occupation     = { role = "quasi", hierarchy = { kind = "file", path = "hierarchies/occupation.csv" } }
admission_date = { role = "quasi", hierarchy = { kind = "dates", levels = ["month", "quarter", "year"] } }
cost           = { role = "sensitive" }
# Columns that are not named here are not released: town (the ZIP tells it already), marital_status and education
# (the study does not need them, and each would cost detail in the others), ward (it would give the diagnosis away).

[columns.diagnosis]
role = "sensitive"

[columns.diagnosis.hierarchy]
kind = "tree"

DIAGNOSES
[[require]]
model = "k-anonymity"
k = 5

[[require]]
model = "l-diversity"
column = "diagnosis"
l = 3
variant = "distinct"

[recode]
generalize = "attribute"
suppress = "tuple"
max_suppression = 0.05
algorithm = "optimal"
objective = "loss"

[output]
format = "csv"
ledger = "kohort-ledger.duckdb"  # the demo's own, whatever KOHORT_LEDGER says: nobody in it is real
"""


def plan_text() -> str:
    """Return the demo's plan: 5-anonymity over patients and 3 diagnoses in every class."""
    return _PLAN.replace("DIAGNOSES", "\n".join(_diagnoses()))


def write(directory: str | Path) -> Path:
    """Write patients.csv, the level files and plan.toml below `directory`; return the path of the plan.

    What stands there already, to the byte, is left as it is. Anything else of one of these names is refused before a byte is
    written.
    """
    directory = Path(directory)
    for place, content in missing(directory).items():
        place.parent.mkdir(parents=True, exist_ok=True)
        _add(place, content)
    return directory / PLAN


def missing(directory: Path) -> dict[Path, bytes]:
    """Return the files of the demo that do not stand in a folder; refuse where something else has a name of theirs."""
    contents = {directory / name: content for name, content in _contents().items()}
    return {place: content for place, content in contents.items() if not _stands(place, content, directory)}


def _contents() -> dict[str, bytes]:
    """Return the files of the demo by their names, the same bytes each time."""
    table, levels = io.BytesIO(), io.StringIO()
    arrow_csv.write_csv(make_patients(), table, arrow_csv.WriteOptions(quoting_style="needed"))
    csv.writer(levels, delimiter=";", lineterminator="\n").writerows(occupation_levels())
    return {TABLE: table.getvalue(), LEVELS: levels.getvalue().encode(), PLAN: plan_text().encode()}


def _stands(place: Path, content: bytes, directory: Path) -> bool:
    """Say whether a file of the demo stands already; refuse what has its name, or that of its folder, and is something else."""
    folder = place.parent
    leads_away = folder != directory and folder.is_symlink()
    if leads_away or (os.path.lexists(folder) and not folder.is_dir()):
        raise _somebody_elses(folder)
    if not os.path.lexists(place):
        return False
    if not place.is_file() or place.stat().st_size != len(content) or place.read_bytes() != content:
        raise _somebody_elses(place)
    return True


def _add(place: Path, content: bytes) -> None:
    """Write a new file, which takes its name when it is whole: who is killed leaves no part of it under that."""
    try:
        add(place, content, EVERYBODYS)
    except FileExistsError:
        raise _somebody_elses(place) from None


def _somebody_elses(place: Path) -> InputError:
    return InputError(
        f"{place} exists and is not what this version of Kohort writes there, so nothing was written; name an empty or a new "
        "folder for the demo, or move it away",
        code="file.unwritable",
        path=place,
    )


def occupation_levels() -> Iterator[tuple[str, ...]]:
    """Return the rows of the level file of occupations: occupation, field, wider field, root."""
    for job, (field, wider, _, _) in OCCUPATIONS.items():
        yield job, field, wider, "*"
    for status, wider in NOT_WORKING.items():
        yield status, wider, "not working", "*"


def _diagnoses() -> Iterator[str]:
    for chapter, groups in diagnosis_tree().items():
        yield f'[columns.diagnosis.hierarchy.tree."{chapter}"]'
        for group, codes in groups.items():
            yield f'"{group}" = {_listed(codes)}'
        yield ""


def _listed(values: list[str]) -> str:
    return "[" + ", ".join(f'"{value}"' for value in values) + "]"
