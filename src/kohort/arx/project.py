"""`Project`: what a file of ARX (`.deid`) holds that a plan can say, as it stands there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kohort.arx.archive import Archive
from kohort.arx.attributes import Attribute, read_attributes
from kohort.arx.elements import Element, parse_xml
from kohort.arx.levels import LevelFiles
from kohort.errors import InputError

_MOST_XML, _MOST_DATA = 1 << 24, 1 << 31


@dataclass(frozen=True)
class Project:
    """The input side of a project; what it found out is left aside."""

    name: str
    version: str
    delimiter: str
    quote: str
    attributes: tuple[Attribute, ...]
    criteria: tuple[str, ...]
    metric: str
    suppression: str  # the share of rows that may be suppressed
    weights: dict[str, float]
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
        delimiter = project.get("separator") or ";"
        data = archive.read("data/input.csv", _MOST_DATA)
        if data is None or len(delimiter) != 1:
            raise _not_a_project(path, "it holds no data, or separates them by more than one sign")
        refusal = partial(_not_a_project, path)
        attributes = read_attributes(definition, LevelFiles(archive, delimiter, refusal).rows, refusal)
    return Project(
        name=project.get("name"),
        version=metadata.get("version"),
        delimiter=delimiter,
        quote=project.get("quote") or '"',
        attributes=attributes,
        criteria=tuple(c.text.strip() for part in config.all("criteria") for c in part.all("criterion")),
        metric=config.get("metric"),
        suppression=config.get("relativeMaxOutliers"),
        weights={
            weight.get("attribute"): _number(weight.get("weight"))
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


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.5


def _not_a_project(path: Path, why: str) -> InputError:
    return InputError(
        f"{path}: this is not a project of ARX that can be read: {why}; a project is what ARX saves as .deid",
        code="import.damaged",
        path=path,
    )
