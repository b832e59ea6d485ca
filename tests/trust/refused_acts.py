"""Everything that changes a ledger, on a disk that takes nothing from some step on; what is said must be what is so.

Run as `python -m tests.trust.refused_acts PLACE POINTS all|some`: prints one JSON object for each try. A step is one of
`tests.trust.kills`; each try is a process of its own, forked from one that holds everything ready. `some`: one reason at each point, in turn.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from itertools import cycle, product
from pathlib import Path
from typing import Any

from tests.trust.kills import FILE, Steps, _restore, _spread, made, snapshot
from tests.trust.refusing import REASONS, refuse_changes, refuse_contents, refuse_flushes

from kohort.errors import KohortError
from kohort.ledger import Ledger
from kohort.release.release import Release
from kohort.sharing import mark_as_shared

WAYS = {"changes": refuse_changes, "contents": refuse_contents, "flushes": refuse_flushes}
NOTED = ("id", "shared", "withdrawn", "forgotten")


def acts(place: Path) -> dict[str, Callable[[], object]]:
    """Return what is tried, by name; where there is an earlier release, it is draft 1."""
    out, ledger = place / "out", Ledger(place / FILE)
    first, second = made(3), made(2)

    def save(release: Release) -> None:
        ledger.check()  # as the command does before it searches
        release.save(out, "csv")

    return {
        "the first release": lambda: save(first),
        "a release": lambda: save(second),
        "share": lambda: mark_as_shared(out),
        "mark as shared and forget": lambda: ledger.amend(shared=1, forget=1),
        "discard drafts": lambda: ledger.discard_drafts(),
    }


def noted(place: Path) -> list[list[bool | int]]:
    """Return what a ledger says of every release, whether it is there or not."""
    if not (place / FILE).exists() or not (place / f"{FILE}.key").exists():
        return []
    found = Ledger(place / FILE).releases()
    return [[line["id"], *(bool(line[name]) for name in NOTED[1:])] for line in found]


def tried(act: Callable[[], object], steps: Steps) -> dict[str, Any]:
    """Act in a child; return what it says of an error, the code of that, and the steps it took."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writer, 1)  # which still takes what is written
        told: dict[str, Any] = {"code": None, "said": ""}
        try:
            steps.begin()
            act()
        except KohortError as problem:
            told = {"code": problem.code, "said": str(problem)}
        except BaseException as problem:
            told = {"code": type(problem).__name__, "said": str(problem)}
        steps.end()
        os.write(1, json.dumps(told | {"steps": steps.count}).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        found = answer.read()
    os.waitpid(child, 0)
    return json.loads(found)


def struck(place: Path, points: int, every: bool) -> Iterator[dict[str, Any]]:
    """Yield what came of each try: what was said, what the ledger and the folder are like, and whether it can be done again."""
    turns = cycle(product(WAYS, REASONS))
    for name, act in acts(place).items():
        before = snapshot(place)
        steps = tried(act, Steps(None, lambda: None))["steps"]
        done = noted(place)
        _restore(place, before)
        stood = noted(place)
        tried_again = False
        for n in _spread(steps, points) if every else [*_spread(steps, points + 2)][1:-1]:
            for way, reason in product(WAYS, REASONS) if every else [next(turns)]:
                told = tried(act, Steps(n, lambda way=way, reason=reason: WAYS[way](reason)))  # type: ignore[misc]
                after = snapshot(place)
                seen = noted(place)
                again = ""
                if told["said"] and (every or not tried_again):
                    again, tried_again = tried(act, Steps(None, lambda: None))["said"], True
                yield told | {
                    "act": name, "way": way, "reason": reason, "step": n, "before": stood, "done": done, "after": seen,
                    "folder": public(after) == public(before), "again": again,
                }  # fmt: skip
                _restore(place, before)
        if name == "the first release":
            act()


def public(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: content for name, content in files.items() if name.startswith(f"out{os.sep}")}


if __name__ == "__main__":
    where, points, how = sys.argv[1:]
    for told in struck(Path(where), int(points), how == "all"):
        print(json.dumps(told))  # noqa: T201
