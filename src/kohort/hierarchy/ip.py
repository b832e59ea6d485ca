"""Addresses of the Internet by the network that they lie in: `192.0.2.77` → `192.0.2.0/24` → `192.0.0.0/16` → … → `*`."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy.code_levels import Path, coded_hierarchy
from kohort.hierarchy.domain import Label
from kohort.hierarchy.hierarchy import Hierarchy


@dataclass(frozen=True)
class Ip:
    """Each level keeps fewer bits: `v4` of addresses of version 4, `v6` of those of version 6, as many levels of both.

    An address of version 6 is told in its shortest form. What is no address is refused; with `other` it stands under that
    label at every level above the ground.

    Complexity: linear in the distinct values × levels.

    >>> seen = Ip(v4=[24, 8], v6=[48, 32]).build("seen", ["192.0.2.77", "192.0.3.1", "2001:db8:1::7"], [1, 1, 1])
    >>> [level.labels for level in seen.levels[1:]]
    [('192.0.2.0/24', '192.0.3.0/24', '2001:db8:1::/48'), ('192.0.0.0/8', '2001:db8::/32'), ('*',)]

    References: Fuller, V. and Li, T. Classless Inter-domain Routing, RFC 4632; Kawamura, S. and Kawashima, M. A
    recommendation for IPv6 address text representation, RFC 5952.
    """

    v4: list[int] = field(default_factory=lambda: [24, 16, 8])
    v6: list[int] = field(default_factory=lambda: [64, 48, 32])
    other: str | None = None

    card: ClassVar[Card] = Card(
        "ip",
        "addresses of the Internet, of version 4 and 6, by the network that they lie in",
        words=(("v4", "{} bits of version 4 kept"), ("v6", "{} bits of version 6 kept")),
        told="by network",
    )

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:
        """Return the hierarchy over the addresses of the table."""
        self._check(name)
        names = [f"/{four} or /{six}" for four, six in zip(self.v4, self.v6, strict=True)]
        trouble = "is not an address of the Internet, such as 192.0.2.77 or 2001:db8::7"
        return coded_hierarchy(name, texts, counts, self._path, names, trouble, self.other)

    def _path(self, text: str) -> Path | None:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            return None
        if "%" in text:  # an interface of one machine
            return None
        kept = self.v4 if address.version == 4 else self.v6
        return tuple(str(ipaddress.ip_network((address, bits), strict=False)) for bits in kept)

    def _check(self, name: str) -> None:
        for option, bits, most in (("v4", self.v4, 31), ("v6", self.v6, 127)):
            fine = bits and bits[0] <= most and bits[-1] >= 1 and all(a > b for a, b in pairwise(bits))
            if not fine or len(bits) != len(self.v4):
                raise InputError(
                    f"column {name!r}: hierarchy.{option} must be descending numbers of bits to keep, of 1 to {most}, as many for "
                    "version 4 as for version 6, such as v4 = [24, 16, 8] and v6 = [64, 48, 32]",
                    code="hierarchy.wrong-option",
                    column=name,
                    option=option,
                    value=bits,
                )
