"""A name run together from known words (`lhrwage`, `fatheduc`, `colgpa`), taken apart.

Unlike a word that is found somewhere within a name, the pieces must make up all of it, so that shorter ones can be trusted.
"""

from __future__ import annotations

from collections.abc import Collection

from kohort.proposals.words import SHORT_PIECES

_LEAST = 4  # letters of a word that may be a piece, unless it is one of SHORT_PIECES
# What stands before, behind and between the words of variables in studies, and says nothing about what they hold.
_SMALL = (
    "l ln log sq sqr sqrt i ir n nb num cnt count tot total avg ave mean max min med sum any all has is was ever "
    "never cur curr current prev prior past last first second new oth other own self sp spouse hus husb husband wife "
    "fam family hh house fath father moth mother mom dad par parent child col coll hs pre post base baseline bl fu hr "
    "hrs hrly hourly day days daily wk week weekly mon month monthly yr yrs year annual yearly mins rel adj raw std "
    "scaled idx index cat grp group class cl code cd flag yn dum ind ratio rate pct perc percent share per real gross "
    "net brutto netto lag diff chg change delta am pm op exp no nr the of in at to for and usd eur"
)
_BESIDE = frozenset(_SMALL.split())


def pieces_of(name: str, known: Collection[str]) -> list[str]:
    """Return the known words that a name is run together from, with nothing but small words beside them; [] where it is not.

    A single letter counts at the front only: `lwage`, not `Wagen`.

    >>> pieces_of("lhrwage", {"wage", "income"}), pieces_of("prowager", {"wage"})
    (['wage'], [])
    """
    plain = name.rstrip("0123456789")
    fewest: list[tuple[str, ...] | None] = [(), *[None] * len(plain)]
    for end in range(1, len(plain) + 1):
        told = ((fewest[start], plain[start:end]) for start in range(end) if end - start > 1 or not start)
        ways = [
            (*before, piece)
            for before, piece in told
            if before is not None and (piece in known or piece in _BESIDE)
        ]
        fewest[end] = min(ways, key=len, default=None)
    return [piece for piece in fewest[-1] or () if piece in known]


def may_be_piece(word: str) -> bool:
    """Tell whether a word is trusted as a piece of a name: long enough, and none that says nothing by itself."""
    return (len(word) >= _LEAST or word in SHORT_PIECES) and word not in _BESIDE


def small_words() -> frozenset[str]:
    """Return what stands beside the words of variables in studies and says nothing about what they hold."""
    return _BESIDE
