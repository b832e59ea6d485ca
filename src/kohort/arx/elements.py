"""The small XML of ARX as nested elements. Document types and entities are refused: nothing expands, nothing is fetched."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from xml.parsers import expat

from kohort.errors import InputError

_DEEPEST = 50
_MOST = 200_000  # elements of a document


@dataclass(slots=True)
class Element:
    """A name, the text directly in it, and what stands below."""

    name: str
    text: str = ""
    below: list[Element] = field(default_factory=list)

    def all(self, name: str) -> list[Element]:
        """Return the elements of that name directly below."""
        return [element for element in self.below if element.name == name]

    def get(self, name: str) -> str:
        """Return the text of the first element of that name directly below, "" where there is none."""
        return next((element.text.strip() for element in self.all(name)), "")


def parse_xml(content: bytes, where: str) -> Element:
    """Return the root element of a document.

    >>> parse_xml(b"<config><criteria><criterion>5-anonymity</criterion></criteria></config>", "it").below[0].get("criterion")
    '5-anonymity'
    """
    root = Element("")
    open_elements = [root]
    open_texts: list[list[str]] = [[]]
    number = count(1)

    def start(name: str, _: dict[str, str]) -> None:
        element = Element(name)
        open_elements[-1].below.append(element)
        open_elements.append(element)
        open_texts.append([])
        if len(open_elements) > _DEEPEST or next(number) > _MOST:
            raise _UnreadError

    def end(_: str) -> None:
        open_elements.pop().text = "".join(open_texts.pop())

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = lambda part: open_texts[-1].append(part)
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    parser.ExternalEntityRefHandler = _refuse
    try:
        parser.Parse(_decoded(content), True)
    except (expat.ExpatError, _UnreadError):
        raise InputError(
            f"{where} is not XML as ARX writes it, or has a document type or entities, which are not read",
            code="import.damaged",
        ) from None
    return root.below[0]


class _UnreadError(Exception):
    """Something that ARX does not write."""


def _refuse(*_: object) -> int:
    raise _UnreadError


def _decoded(content: bytes) -> str:
    """Return the text: ARX names no encoding and writes that of its machine."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
