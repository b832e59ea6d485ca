"""The release ledger: who was released when, in which class; private, by keyed hashes only.

Releases about the same people can give away together what none of them gives away alone: whoever stands in class
a of one and in class b of another hides only among the people of a ∩ b, and has a sensitive value that
occurs in both (`together`). The ledger keeps, for each release, the class of every person, so that a new release
can be laid over all that were shared before it leaves the house.

Persons, rows and values stand in it as keyed hashes, cut to 63 bits, never as they are and never as a bare hash,
which could be reversed by trying names. The key lies beside the ledger, readable by its owner alone. Ledger and key
belong to the private zone. The key seals the ledger too: a wrong key, a damaged or an edited ledger is refused.

What is written is a draft. It counts once it is marked as shared (`kohort.share`), until it is withdrawn, also when
another one took its directory. How many drafts nobody marked is told with every comparison: one may have been given away.
"""

from kohort.ledger.entry import Entry, entry_of_nobody, promised_crowd
from kohort.ledger.held import Held
from kohort.ledger.ledger import Comparison, Ledger
from kohort.ledger.recording import (
    FILE,
    LOCATION,
    Recorded,
    check_ledger,
    demand_together,
    facts_of,
    ledger_path,
    recorder,
    unrecorded,
    usual_place,
)
from kohort.ledger.together import Together, compose

__all__ = [
    "FILE",
    "LOCATION",
    "Comparison",
    "Entry",
    "Held",
    "Ledger",
    "Recorded",
    "Together",
    "check_ledger",
    "compose",
    "demand_together",
    "entry_of_nobody",
    "facts_of",
    "ledger_path",
    "promised_crowd",
    "recorder",
    "unrecorded",
    "usual_place",
]
