"""Makes the files beside it from truth.csv: `python make_files.py`, then `Rscript make_files.R` where R is installed.

Needs pandas, polars, openpyxl, xlwt, odfpy, pyreadstat and msoffcrypto-tool; nothing of Kohort, which only reads them.
"""

from datetime import datetime
from pathlib import Path

import msoffcrypto.format.ooxml
import pandas
import polars
import pyreadstat
import xlwt
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P
from openpyxl import Workbook

HERE = Path(__file__).parent
truth = pandas.read_csv(HERE / "truth.csv", parse_dates=["born", "seen"])
rows = [[None if pandas.isna(cell) else cell for cell in row] for row in truth.itertuples(index=False)]


def cell(value):
    return value.to_pydatetime() if isinstance(value, datetime) else value


truth.to_csv(HERE / "pandas.csv")
truth.to_csv(
    HERE / "pandas-german.csv",
    sep=";",
    decimal=",",
    na_rep="k.A.",
    date_format="%d.%m.%Y %H:%M",
    encoding="cp1252",
)
polars.read_csv(HERE / "truth.csv", try_parse_dates=True).write_csv(
    HERE / "polars.tsv",
    separator="\t",
    null_value="-",
    datetime_format="%d/%m/%Y %H:%M:%S",
    date_format="%d/%m/%Y",
)

book = Workbook()
book.active.title = "notes"
book.active.append(["made for the tests"])
sheet = book.create_sheet("people")
sheet.append(["Clinic North: people seen in 2021"])
sheet.append([])
sheet.append(list(truth.columns))
for row in rows:
    sheet.append(list(map(cell, row)))
book.save(HERE / "openpyxl.xlsx")

office = msoffcrypto.format.ooxml.OOXMLFile((HERE / "openpyxl.xlsx").open("rb"))
with (HERE / "protected.xlsx").open("wb") as target:
    office.encrypt("secret", target)

old = xlwt.Workbook()
sheet = old.add_sheet("people")
day = xlwt.easyxf(num_format_str="DD.MM.YYYY HH:MM")
for i, name in enumerate(truth.columns):
    sheet.write(0, i, name)
for j, row in enumerate(rows, start=1):
    for i, value in enumerate(row):
        told = cell(value)
        if told is not None:
            sheet.write(j, i, told, day) if isinstance(told, datetime) else sheet.write(j, i, told)
old.save(HERE / "xlwt.xls")

document = OpenDocumentSpreadsheet()
table = Table(name="people")
for row in [list(truth.columns), *rows]:
    line = TableRow()
    for value in row:
        told = cell(value)
        if told is None:
            line.addElement(TableCell())
        elif isinstance(told, datetime):
            line.addElement(TableCell(valuetype="date", datevalue=told.isoformat()))
        elif isinstance(told, str):
            text = TableCell(valuetype="string")
            text.addElement(P(text=told))
            line.addElement(text)
        else:
            line.addElement(TableCell(valuetype="float", value=told))
    table.addElement(line)
document.spreadsheet.addElement(table)
document.save(HERE / "odfpy.ods")

labels = {"age": "Age in years", "pay": "Monthly pay"}
for write, name in ((pyreadstat.write_sav, "pyreadstat.sav"), (pyreadstat.write_dta, "pyreadstat.dta")):
    write(truth, str(HERE / name), column_labels=labels)
