"""The demo on disk: table, level files and plan."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from pyarrow import csv as arrow_csv

from kohort.demo.diagnoses import diagnosis_tree
from kohort.demo.patients import make_patients
from kohort.demo.people import NOT_WORKING, OCCUPATIONS

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
"""


def plan_text() -> str:
    """Return the demo's plan: 5-anonymity over patients and 3 diagnoses in every class."""
    return _PLAN.replace("DIAGNOSES", "\n".join(_diagnoses()))


def write(directory: str | Path) -> Path:
    """Write patients.csv, the level files and plan.toml below `directory`; return the path of the plan."""
    directory = Path(directory)
    (directory / "hierarchies").mkdir(parents=True, exist_ok=True)
    options = arrow_csv.WriteOptions(quoting_style="needed")
    arrow_csv.write_csv(make_patients(), directory / "patients.csv", options)
    with (directory / "hierarchies" / "occupation.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";", lineterminator="\n").writerows(occupation_levels())
    plan = directory / "plan.toml"
    plan.write_text(plan_text(), encoding="utf-8")
    return plan


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
