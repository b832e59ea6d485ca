"""`kohort import`: a project of ARX as a plan."""

from __future__ import annotations

import json
from pathlib import Path
from shlex import quote


def run(project: Path, output: Path, as_json: bool) -> None:
    """Write the plan, its data and level files, and say what of the project they do not hold."""
    from kohort.arx.writing import import_project
    from kohort.cli.terminal import say

    made = import_project(project, output)
    if as_json:
        told = {
            "plan": str(made.plan),
            "data": str(made.data),
            "level_files": list(map(str, made.level_files)),
            "unmapped": list(made.unmapped),
        }
        print(json.dumps(told))  # noqa: T201
        return
    say(f"plan: {made.plan}")
    say(f"data (the original: do not share it): {made.data}")
    say(f"level file: {place}" for place in made.level_files)
    say(f"does not map: {remark}" for remark in made.unmapped)
    say(f"read the plan, then: kohort anonymize {quote(str(made.plan))}")
