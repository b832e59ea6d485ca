"""`attack`: the attacks of the literature, run against a release directory; for Python what the command is for shells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from kohort.attacks import Outside, run_attacks
from kohort.attacks.attacked_release import target_of_directory
from kohort.engines import DEFAULT
from kohort.errors import InputError
from kohort.plan import Plan
from kohort.preparation.sources import read_source


def attack(
    release: str | Path,
    with_: Any = None,
    on: Sequence[str] = (),
    identity: str | None = None,
    *,
    attacks: Sequence[str] | None = None,
    others: Sequence[str | Path] = (),
    original: str | Path | None = None,
    plan: Plan | None = None,
    engine: str = DEFAULT,
    memory: str | None = None,
) -> dict[str, Any]:
    """Return what the attacks named (all by default) came to, what those that could not run lack, and why some cannot gain.

    `release` is a directory that Kohort wrote. `with_` is a table of people (a frame, or a path) that the intruder
    holds and links on the columns `on`; `identity` is the column that names them. `others` are directories of further
    releases, `original` is the path of the original where the private audit beside the release does not tell it.
    `engine` says where the rows are kept meanwhile; `memory`, such as "4GB", how much an engine on disk may hold.
    """
    if with_ is None and (on or identity is not None):
        raise InputError(
            "attack: on and identity speak of an outside table; hand it over as with_", code="attack.no-link"
        )
    names = (on,) if isinstance(on, str) else tuple(on)
    outside = None if with_ is None else Outside(read_source(with_, expected=names)[0], names, identity)
    beside = [Path(other) for other in others]
    outcome = run_attacks(
        target_of_directory(
            Path(release), outside, beside, None if original is None else Path(original), plan, engine, memory
        ).target,
        attacks,
    )
    return {
        "attacks": [to_builtins(finding.facts()) for finding in outcome.found],
        "not_run": outcome.lacking,
        "not_applicable": outcome.not_applicable,
    }
