"""What is told of a release or a table, in structs: documents, reports and the command line are made from them."""

from typing import TypeAlias

from kohort.facts.audit import Audit, Noted, NotedOriginal, Provenance
from kohort.facts.fact import VERSION
from kohort.facts.head import Head, PrivateHead
from kohort.facts.manifest import Manifest
from kohort.facts.release import ReleaseFacts
from kohort.facts.table_audit import TableAudit

TableFacts: TypeAlias = Manifest | ReleaseFacts  # public or private: what pages about a table are made from

__all__ = [
    "VERSION",
    "Audit",
    "Head",
    "Manifest",
    "Noted",
    "NotedOriginal",
    "PrivateHead",
    "Provenance",
    "ReleaseFacts",
    "TableAudit",
    "TableFacts",
]
