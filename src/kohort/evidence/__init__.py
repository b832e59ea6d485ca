"""What a release can tell of itself: the facts that manifest, report and `--json` show."""

from kohort.evidence.facts import release_facts
from kohort.evidence.public import public_facts
from kohort.evidence.task import check_task, task_facts

__all__ = ["check_task", "public_facts", "release_facts", "task_facts"]
