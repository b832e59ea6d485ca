"""The release ledger: who was released when, in which class; private, by keyed hashes only.

Two releases about the same people can give away together what neither gives away alone: whoever stands in class
a of one and in class b of the other hides only among the people of a ∩ b, and has a sensitive value that
occurs in both. The ledger keeps, for each release, the class of every person, so that a new release
can be compared with all earlier ones before it leaves the house.

Persons, rows and values stand in it as HMAC-SHA-256 under a random key, cut to 64 bits, never as they are and
never as a bare hash, which could be reversed by trying names. The key lies beside the ledger, readable by its
owner alone. Ledger and key belong to the private zone.

A release that takes the place of an earlier one in the same directory replaces it in the ledger too: the
earlier one stays in the history and is not compared any more.
"""

from kohort.ledger.entry import Entry
from kohort.ledger.ledger import Comparison, Ledger
from kohort.ledger.recording import FILE, LOCATION, Pending, ledger_path, recorder

__all__ = ["FILE", "LOCATION", "Comparison", "Entry", "Ledger", "Pending", "ledger_path", "recorder"]
