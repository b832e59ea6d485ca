"""Where the demo may be: a folder without releases and ledger of somebody's own."""

from __future__ import annotations

import json
from pathlib import Path

from kohort.demo.files import PLAN, TABLE, missing
from kohort.errors import InputError
from kohort.folders.release_folder import AUDIT, private_of, refuse_foreign, sha256
from kohort.ledger import FILE
from kohort.plan import Plan
from kohort.release.documents import load_json

RELEASE = "release"


def refuse_others(directory: Path) -> None:
    """Refuse a folder in which the demo's release would take the place of another, or be put down in another's ledger."""
    release = directory / RELEASE
    refuse_foreign(release)
    whole = not missing(directory)
    if _stands(release) and not (whole and _is_the_demos(release, directory)):
        raise _refused(release, "a release that is not known to be the demo's")
    ledger = next(iter(sorted(directory.glob(f"{FILE}*"))), None)
    if ledger is not None and not whole:
        raise _refused(
            ledger, "of a ledger that other releases are recorded in: the demo's files are not beside it"
        )


def _stands(release: Path) -> bool:
    """Say whether there is anything of a release; empty folders are nobody's loss."""
    return any(folder.is_dir() and any(folder.iterdir()) for folder in (release, private_of(release)))


def _is_the_demos(release: Path, directory: Path) -> bool:
    """Say whether a release was made from the demo's table by the demo's plan, of which both stand in the folder."""
    try:
        audit = load_json(private_of(release) / AUDIT)
    except InputError:
        return False
    plan = json.loads(json.dumps(Plan.load(directory / PLAN).to_dict()))
    return (audit.get("plan"), audit.get("original_digest")) == (plan, sha256(directory / TABLE))


def _refused(place: Path, what: str) -> InputError:
    return InputError(
        f"{place} is {what}, so nothing was written; name an empty or a new folder for the demo",
        code="file.unwritable",
        path=place,
    )
