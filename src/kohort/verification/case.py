"""`Case`: a release folder before the verifier, and on whose word it is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from kohort.evidence import public_plan
from kohort.folders.release_folder import AUDIT, MANIFEST, REPORT, SIGNATURE, not_as_written, sha256
from kohort.plan import Plan
from kohort.release.opening import Opened
from kohort.release.signing import Known
from kohort.shapes import Shape, Terms, shape_of
from kohort.verification.judges import Verdict

SAME = "the files are those that were released"
WORD = "the promises are those that were made"
UNKNOWN_FILES = "not judged: only the holder's audit or a signature of a known signer can tell"
UNKNOWN_SIGNER = "not judged: name the signer by the public key"
UNKNOWN_WORD = (
    "not judged: the tables are held to what the manifest says was asked; whether that was promised, only the "
    "holder's audit, a plan or a signature of a known signer can tell"
)


PRIVATE_FOLDER = "the private folder is as it was written"
DOUBTFUL = (
    "not judged: {faults}. That is no fault of the release; but whoever did it could change the audit, on whose word it is judged: "
    "move away what is yours, put back what you changed, or make the release anew"
)
OTHER_AUDIT = "the audit, on whose word the release is judged, is not the one that was written: {faults}"
OTHER_WORD = "the private audit tells another plan than the manifest, so that one of them was changed"


class Word(StrEnum):
    """On whose word a release is held to its promises; the first of these that is at hand."""

    PLAN = "the plan"
    AUDIT = "the private audit beside it, which is believed: only the holder of the original has one"
    SIGNATURE = "the signed manifest"
    NOBODY = "the manifest"


@dataclass(frozen=True, eq=False)
class Case:
    """A folder, the files that must stand in it, and the terms by which they are judged."""

    opened: Opened
    digests: Mapping[str, str]  # of the plain files that stand there
    plan: Plan
    shape: Shape
    word: Word
    same: Verdict  # whether the files are those that were released
    promised: Verdict  # whether the plan is the one that was promised
    signed: tuple[Verdict, ...]  # who released it, where that is asked or told

    @property
    def recorded(self) -> bool:
        """Whether these are the very bytes that the holder's audit recorded."""
        return self.opened.audit is not None and self.same.holds is True

    @property
    def files(self) -> dict[str, Path]:
        """The tables by stem."""
        return self.opened.files(self.shape.stems(self.plan))

    def terms(self, original: Any) -> Terms:
        """Return what is at hand to judge the tables by; `original` is what the asker names: a path, or a frame."""
        opened, vouched = self.opened, self.word is not Word.NOBODY
        return Terms(self.plan, opened.audit, opened.private, original, vouched)

    @property
    def expected(self) -> set[str]:
        """The names that belong into the folder."""
        if self.opened.audit is not None:
            return set(self.opened.audit.files)
        told = {SIGNATURE} & set(self.opened.found)
        return {MANIFEST, REPORT, *told, *self.names}

    @property
    def names(self) -> list[str]:
        """The names under which the tables stand in the folder: those of the parts, where they are in parts."""
        return [name for path in self.files.values() for name in self.opened.parts(path)]


def case_of(opened: Opened, plan: Plan | None, signer: Known | None) -> Case:
    """Return the case: by `plan` where one is given, signed by `signer` where one is asked for."""
    digests = {name: sha256(opened.directory / name) for name, what in opened.found.items() if what == "file"}
    signed = _judge_signature(opened, digests, signer)
    vouched = bool(signed) and all(verdict.holds for verdict in signed)
    word = _word(opened, plan, vouched)
    used = plan or opened.plan()
    same = _judge_same(opened, digests, vouched)
    return Case(opened, digests, used, shape_of(used), word, same, _judge_word(opened, plan, word), signed)


def _word(opened: Opened, plan: Plan | None, vouched: bool) -> Word:
    if plan is not None:
        return Word.PLAN
    if opened.audit is not None:
        return Word.AUDIT
    return Word.SIGNATURE if vouched else Word.NOBODY


def _judge_signature(opened: Opened, digests: Mapping[str, str], signer: Known | None) -> tuple[Verdict, ...]:
    if signer is not None:
        fault = signer.fault(opened.directory, digests)
        return (Verdict(f"signed by {signer.fingerprint}", not fault, note=fault),)
    if SIGNATURE in digests and opened.audit is None:
        return (Verdict("signed", None, note=UNKNOWN_SIGNER),)
    return ()


def _judge_same(opened: Opened, digests: Mapping[str, str], vouched: bool) -> Verdict:
    if opened.audit is None:
        return Verdict(SAME, True, note="as signed") if vouched else Verdict(SAME, None, note=UNKNOWN_FILES)
    released = opened.audit.files
    changed = [name for name in sorted(released) if digests.get(name) != released[name]]
    return Verdict(
        SAME, not changed, note=f"changed since: {', '.join(map(repr, changed))}" if changed else ""
    )


def _judge_word(opened: Opened, plan: Plan | None, word: Word) -> Verdict:
    if word is Word.NOBODY:
        return Verdict(WORD, None, note=UNKNOWN_WORD)
    if opened.audit is not None and opened.manifest is not None and _is_other(opened):
        return Verdict(WORD, False, note=OTHER_WORD)
    if plan is None or opened.audit is None or _asked(plan) == _asked(opened.plan()):
        return Verdict(WORD, True, note=f"they are those of {word}")
    return Verdict(WORD, False, note="the plan is not the one that the private audit tells")


def judge_private(opened: Opened) -> list[Verdict]:
    """Return whether all that stands in the private folder is what was written there, by its listing; nothing without an audit.

    A listing beside what it lists proves nothing against somebody who changes both: it tells of accidents, and of the careless.
    """
    if opened.audit is None:
        return []
    unlike = not_as_written(opened.private)
    faults = "; ".join(f"{name!r} {fault}" for name, fault in unlike.items())
    if AUDIT in unlike:
        return [Verdict(PRIVATE_FOLDER, False, note=OTHER_AUDIT.format(faults=faults))]
    return [Verdict(PRIVATE_FOLDER, None if faults else True, note=faults and DOUBTFUL.format(faults=faults))]


def _is_other(opened: Opened) -> bool:
    """Say whether the audit beside a release tells another plan than its manifest does, which then is not from there."""
    told = opened.manifest.asked if opened.manifest is not None else {}
    return bool(_as_document(public_plan(opened.plan())) != _as_document(told))


def _as_document(told: Any) -> Any:
    """Return what was told as a document has it, whose lists are all of one kind."""
    return msgspec.json.decode(msgspec.json.encode(told))


def _asked(plan: Plan) -> dict[str, Any]:
    """Return what a plan promises and how; not where its table is, nor how long and by which seed is searched."""
    told = plan.to_dict()
    recode = {k: v for k, v in told.get("recode", {}).items() if k not in ("seed", "time_limit")}
    respondent = plan.input.respondent
    return {
        "shape": plan.input.shape,
        "sections": {name: told.get(name) for name in plan.sections},
        "columns": told.get("columns", {}),
        "require": told["require"],
        "recode": recode,
        "respondent": respondent,
    }
