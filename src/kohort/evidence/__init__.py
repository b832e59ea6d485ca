"""What is told of a release: to its holder all of it, in public what the released tables say themselves."""

from kohort.evidence.asked import public_plan
from kohort.evidence.plain import as_facts
from kohort.evidence.public import card_of, manifest_bytes, public_facts
from kohort.evidence.release import release_facts
from kohort.evidence.singling_out import singling_out
from kohort.evidence.task import check_task, task_facts

__all__ = [
    "as_facts",
    "card_of",
    "check_task",
    "manifest_bytes",
    "public_facts",
    "public_plan",
    "release_facts",
    "singling_out",
    "task_facts",
]
