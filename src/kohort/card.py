"""`Card`: what a registry shows of one entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Card:
    """What users are told about an algorithm, model, metric or hierarchy before they choose it."""

    name: str
    summary: str  # one line
    guarantee: str = ""  # what is promised, e.g. "optimal", "within 2 of optimal", "none"
    taxonomy: str = (
        ""  # Ciriani et al. section 3: AG_TS, AG_, AG_CS, CG_, _TS, _AS, _CS; "" where it does not apply
    )
    bounds: tuple[
        str, ...
    ] = ()  # of an algorithm: which of min_level and max_level it keeps; others are refused
    decides: Literal["class", "row"] = (
        "row"  # of an algorithm: "class", distinct tuples and their counts are all it looks at
    )
    truthful: bool = True  # False: perturbative, released values are not generalizations of the originals
    torn: bool = False  # True: quasi-identifiers stay exact, a sensitive column is told by groups in a table of its own
    paper: str = ""
    covers_all: bool = False  # what it guarantees is about everything published: nothing may stand beside it
    compares: bool = (
        False  # of a model: with the original's distribution, which a release alone does not tell
    )
    measures: bool = False  # of a hierarchy: numbers under it are quantities, not codes
    words: tuple[tuple[str, str], ...] = ()  # of a hierarchy: options that are lists, and how they are said
