"""What all facts are made of: frozen structs that JSON spells, with no key that is not named here."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec

VERSION: Final = 2  # of manifest and audit; 1 is what was written before they had a number

Count = Annotated[int, msgspec.Meta(ge=0, le=1 << 62)]
Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
Number = int | float  # whole numbers stay whole
Free = dict[str, Any]  # keys that a plan, an algorithm or a decision names for itself; plain JSON


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that is told."""
