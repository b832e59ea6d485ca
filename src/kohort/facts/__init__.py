"""What is told of a release or a table, in structs: documents, reports and the command line are made from them."""

from kohort.facts.audit import Audit, Noted, Provenance
from kohort.facts.fact import VERSION
from kohort.facts.manifest import Manifest
from kohort.facts.release import ReleaseFacts
from kohort.facts.table_audit import TableAudit

__all__ = ["VERSION", "Audit", "Manifest", "Noted", "Provenance", "ReleaseFacts", "TableAudit"]
