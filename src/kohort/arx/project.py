"""`Project`: what a file of ARX (`.deid`) holds that a plan can say, as it stands there."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from functools import partial
from math import isfinite
from pathlib import Path

from kohort.arx.archive import Archive
from kohort.arx.attributes import Attribute, read_attributes
from kohort.arx.elements import Element, parse_xml
from kohort.arx.levels import LevelFiles
from kohort.arx.quoting import USUAL, Quoting
from kohort.errors import InputError

_MOST_XML, _MOST_DATA = 1 << 24, 1 << 31


@dataclass(frozen=True)
class Project:
    """The input side of a project; what it found out is left aside."""

    name: str
    version: str
    delimiter: str
    attributes: tuple[Attribute, ...]
    criteria: tuple[str, ...]
    metric: str
    suppression: str  # the share of rows that may be suppressed
    weights: dict[str, float | None]  # None: told, and no weight
    data: bytes


def read_project(path: Path) -> Project:
    """Return what a project holds; what is no project, or hostile, is refused by name.

    References: the project files of ARX (Prasser, F. et al.): a zip archive of `metadata.xml`, `project.xml`, `data/input.csv`,
    `input/config.xml`, `input/definition.xml`, `input/hierarchies/*.csv`. Serialized Java objects in it are not looked at.
    """
    with Archive(path) as archive:
        metadata, project, config, definition = (
            _xml(archive, path, name)
            for name in ("metadata.xml", "project.xml", "input/config.xml", "input/definition.xml")
        )
        quoting = Quoting(
            project.get("separator") or ";", project.get("quote") or USUAL, project.get("escape") or USUAL
        )
        data = archive.read("data/input.csv", _MOST_DATA)
        refusal = partial(_not_a_project, path)
        if data is None or any(len(sign) != 1 or not sign.isascii() for sign in astuple(quoting)):
            raise refusal(
                "it holds no data, or separates or quotes cells by other signs than single ones of ASCII"
            )
        data = quoting.requoted(data, refusal)
        attributes = read_attributes(definition, LevelFiles(archive, quoting, refusal).rows, refusal)
    return Project(
        name=project.get("name"),
        version=metadata.get("version"),
        delimiter=quoting.delimiter,
        attributes=attributes,
        criteria=tuple(c.text.strip() for part in config.all("criteria") for c in part.all("criterion")),
        metric=config.get("metric"),
        suppression=config.get("relativeMaxOutliers"),
        weights={
            weight.get("attribute"): _weight(weight.get("weight"))
            for part in config.all("attributeWeights")
            for weight in part.all("attributeWeight")
        },
        data=data,
    )


def _xml(archive: Archive, path: Path, name: str) -> Element:
    content = archive.read(name, _MOST_XML)
    if content is None:
        raise _not_a_project(path, f"it has no {name}")
    return parse_xml(content, f"{path}: {name}")


def _weight(text: str) -> float | None:
    """Return a weight from 0 on; None where the text is none."""
    try:
        weight = float(text)
    except ValueError:
        return None
    return weight if isfinite(weight) and weight >= 0 else None


def _not_a_project(path: Path, why: str) -> InputError:
    return InputError(
        f"{path}: this is not a project of ARX that can be read: {why}; a project is what ARX saves as .deid",
        code="import.damaged",
        path=path,
    )
