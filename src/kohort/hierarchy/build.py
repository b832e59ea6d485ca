"""From what a plan says of a column's hierarchy to the hierarchy itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import msgspec

from kohort.errors import InputError
from kohort.hierarchy.bands import Bands
from kohort.hierarchy.builder import Builder
from kohort.hierarchy.dates import Dates
from kohort.hierarchy.domain import Label
from kohort.hierarchy.file import File
from kohort.hierarchy.hierarchy import Hierarchy
from kohort.hierarchy.icd10 import Icd10
from kohort.hierarchy.intervals import Intervals
from kohort.hierarchy.ip import Ip
from kohort.hierarchy.mask import Mask
from kohort.hierarchy.order import Order
from kohort.hierarchy.prefix import Prefix
from kohort.hierarchy.suppress import Suppress
from kohort.hierarchy.tree import Tree
from kohort.third_parties import Available
from kohort.typed import choices_at, readable

BUILDERS: dict[str, type[Builder]] = {
    "intervals": Intervals,
    "bands": Bands,
    "dates": Dates,
    "mask": Mask,
    "prefix": Prefix,
    "icd10": Icd10,
    "ip": Ip,
    "tree": Tree,
    "order": Order,
    "file": File,
    "suppress": Suppress,
}

AVAILABLE_BUILDERS: Available[type[Builder]] = Available(
    "kohort.hierarchies", BUILDERS, BUILDERS.__getitem__, Builder
)

UNTOLD: dict[str, Any] = {"kind": Suppress.card.name}  # of a column of which a plan says nothing


def build_hierarchy(
    name: str,
    spec: Mapping[str, Any],
    texts: Sequence[Label],
    counts: Sequence[int],
    base: Path = Path(),
) -> Hierarchy:
    """Return the hierarchy that `spec` (a plan's `hierarchy = { kind = …, … }`) asks for.

    It covers every value of `texts`, the distinct values of column `name`, which stand in `counts` rows;
    `base` is the directory that paths are relative to.
    """
    hierarchy = builder_of(name, spec, base).build(name, texts, counts)
    hierarchy.encode(texts, counts)  # raises where a value is not covered
    return hierarchy


def builder_of(name: str, spec: Mapping[str, Any], base: Path = Path()) -> Builder:
    """Return the builder that `spec` names, with its options checked by their types; what they may be is for the builder."""
    kind = spec.get("kind")
    if not isinstance(kind, str) or kind not in AVAILABLE_BUILDERS:
        found = "there is no kind" if kind is None else f"there is no kind {kind!r}"
        raise InputError(
            f"column {name!r}: hierarchy: {found}; the kinds are: {', '.join(sorted(AVAILABLE_BUILDERS))}",
            code="hierarchy.unknown-kind",
            column=name,
            value=kind,
            allowed=sorted(AVAILABLE_BUILDERS),
        )
    builder = AVAILABLE_BUILDERS[kind]
    options = {option: value for option, value in spec.items() if option != "kind"}
    allowed = sorted(field.name for field in fields(builder) if field.name != "base")  # type: ignore[arg-type]
    unknown = sorted(set(options) - set(allowed))
    if unknown:
        raise InputError(
            f"column {name!r}: a hierarchy of kind {kind!r} has no option {', '.join(map(repr, unknown))}; "
            f"its options are: {', '.join(allowed) or 'none'}",
            code="hierarchy.unknown-option",
            column=name,
            hierarchy=kind,
            option=unknown[0],
            allowed=allowed,
        )
    try:
        built: Builder = msgspec.convert(options, builder)
    except msgspec.ValidationError as error:
        choices = choices_at(error, builder)
        raise InputError(
            f"column {name!r}: hierarchy of kind {kind!r}: {readable(error, builder)}",
            code="hierarchy.wrong-option",
            column=name,
            hierarchy=kind,
            **({"allowed": choices} if choices else {}),
        ) from None
    return replace(built, base=base) if isinstance(built, File) else built


def open_ends(spec: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Return the numbers below which, and from which on, a hierarchy tells no more than that, as a plan declares them."""
    kind = spec.get("kind")
    by = AVAILABLE_BUILDERS[kind].card.open_by if isinstance(kind, str) and kind in AVAILABLE_BUILDERS else ""
    told = spec.get(by) if by else None
    if told and told[0]:
        return told[0][0], told[0][-1]
    return spec.get("low"), spec.get("high")
