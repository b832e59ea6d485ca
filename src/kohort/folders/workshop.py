"""Where a release is made, and how it takes the place of an earlier one: all of it or nothing, at any kill.

A workshop is the hidden folder `.NAME.kohort` beside the release `NAME`, claimed by the process that works in it. It
holds the new pair of folders, `public` and `private`; to publish it,

1. everything is flushed to the disk and a file `decided` is made,
2. the old pair goes into the workshop, public folder first,
3. the new private folder takes its name,
4. the new public folder takes its name: from here on the new release stands,
5. `decided` is removed, then the rest.

Whenever the public folder stands under its name, its own audit, or none, is beside it. Who finds a workshop whose
owner is dead goes back to the old pair where step 4 was not reached, and removes the rest where it was.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from kohort.errors import InputError
from kohort.folders.claims import LOCK, PARTS, BusyError, Claim, abandoned, claim, is_claim
from kohort.folders.parts import is_in_parts
from kohort.folders.release_folder import (
    LISTING,
    listing_with,
    open_to_others,
    private_of,
    refuse_altered,
    refuse_foreign,
    refuse_strangers,
    settled,
    write_listing,
    write_text,
)
from kohort.interrupts import heed_signals, postponed, uninterrupted
from kohort.refusals import reason, remedy

PREFIX, SUFFIX = ".", ".kohort"
DECIDED = "decided"
_KNOWN = {LOCK, DECIDED, "public", "private", "old-public", "old-private"}


class UnfinishedReleaseError(InputError):
    """A release could neither take its names nor make way again; the next run brings it to an end."""


class Workshop:
    """The new pair of folders of a release, and how it takes its names."""

    def __init__(self, final: Path, work: Path) -> None:
        self._final, self._work = final, work
        self.quiet = ExitStack()  # what lasts until the workshop is left
        self.stands = False  # under its names
        self.public, self.private = work / "public", work / "private"
        self._old = {"public": work / "old-public", "private": work / "old-private"}
        self._names = {"public": final, "private": private_of(final)}

    def publish(self, digests: Mapping[str, str]) -> None:
        """Let the new pair take the place of the old one; where that fails, the old one stands as before."""
        write_listing(self.public, self.private, digests)
        open_to_others(self.public)
        for folder in (self.public, self.private, self._work):
            _flush(folder)
        self.quiet.enter_context(uninterrupted(for_good=True))  # from here on, signals come too late
        heed_signals()
        try:
            write_text(self._work / DECIDED, "")
            _flush_entry(self._work)
            self._switch()
            _flush_entry(self._final.parent)
            (self._work / DECIDED).unlink()
            self.stands = True
        except (OSError, InputError):
            self._make_way()
            raise

    def _switch(self) -> None:
        for zone in ("public", "private"):
            if self._names[zone].exists():
                self._names[zone].rename(self._old[zone])
        # Whatever was added while we worked is now where nobody else writes.
        refuse_strangers(self._old["public"], self._old["private"])
        self.private.rename(self._names["private"])
        self.public.rename(self._names["public"])

    def settle(self) -> None:
        """Bring what a dead process left to an end: the old pair, or the new one if it stood already."""
        found = {name for name in os.listdir(self._work) if not name.startswith(PARTS)}
        strange = sorted(found - _KNOWN)
        if strange:
            raise InputError(
                f"{self._work} holds {strange[0]!r}, which is not Kohort's; move it away",
                code="release.unfinished",
                path=self._work,
            )
        if not (self._work / DECIDED).exists():
            return
        if self.public.exists():
            if not self.private.exists():
                refuse_altered(self._names["private"])  # it was ours when it was put there
            self._go_back()
        (self._work / DECIDED).unlink()

    def _make_way(self) -> None:
        try:
            self._go_back()
            (self._work / DECIDED).unlink(missing_ok=True)
        except OSError as problem:
            raise UnfinishedReleaseError(
                f"{self._final}: the release cannot be written there ({reason(problem)}), nor can the earlier one be put back; "
                f"both are in {self._work}, and the next run brings it to an end",
                code="release.unfinished",
                path=self._final,
            ) from None

    def _go_back(self) -> None:
        """Take the new pair back, as far as it has its names, and give them to the old one again."""
        for zone, new in (("public", self.public), ("private", self.private)):
            if not new.exists() and self._names[zone].exists():
                self._names[zone].rename(new)
        for zone in ("private", "public"):
            if self._old[zone].exists():
                _refuse_taken(self._names[zone])
                self._old[zone].rename(self._names[zone])


@contextmanager
def workshop(directory: Path) -> Iterator[Workshop]:
    """Yield the place where a release is made, which nobody else can enter and which is gone afterwards."""
    final = settled(directory)
    with _told(directory):
        final.parent.mkdir(parents=True, exist_ok=True)
        sweep(final.parent)
        with ExitStack() as quiet, _claimed(final) as held:
            shop = Workshop(final, held.folder)
            shop.quiet = quiet
            refuse_foreign(final)
            shop.private.mkdir(mode=0o700)
            shop.public.mkdir(mode=0o700)
            yield shop


@contextmanager
def _claimed(final: Path) -> Iterator[Claim]:
    """Claim the workshop of a release, settle what was left in it, and clear it afterwards."""
    with ExitStack() as leaving:
        with postponed():  # whoever made the folder must know that it is theirs before anything ends them
            held = _claim(final)
            leaving.callback(_leave, held)
        held.empty()
        yield held


def _claim(final: Path) -> Claim:
    work = _work(final)
    try:
        held = claim(work)
    except BusyError:
        raise InputError(
            f"another run of Kohort is writing {final}; wait until it has ended, or name another directory",
            code="release.busy",
            path=final,
        ) from None
    except FileExistsError:
        raise _in_the_way(final) from None
    try:
        Workshop(final, work).settle()
    except BaseException:
        held.close()
        raise
    return held


def refuse_in_the_way(directory: Path) -> None:
    """Refuse to write a release where somebody else's folder has the name of its workshop."""
    final = settled(directory)
    if os.path.lexists(_work(final)) and not is_claim(_work(final), begun=True):
        raise _in_the_way(final)


def _in_the_way(final: Path) -> InputError:
    work = _work(final)
    return InputError(
        f"{work} is needed to write {final} and is not Kohort's; move it away",
        code="release.unfinished",
        path=work,
    )


def _leave(held: Claim) -> None:
    """Clear a workshop, unless it holds what must be brought to an end: then the next run does that."""
    with postponed():
        if not (held.folder / DECIDED).exists():
            with suppress(OSError):
                held.clear()
        held.close()


def recover(directory: Path) -> None:
    """Bring to an end what a killed run left of a release; nothing, where another one is writing it."""
    final = settled(directory)
    held = abandoned(_work(final)) if final.name else None
    if held is None:
        return
    try:
        with _told(directory):
            Workshop(final, held.folder).settle()
    except InputError:
        held.close()
        raise
    _leave(held)


def sweep(parent: Path) -> None:
    """Bring to an end what killed runs left in a folder, of any release; what cannot be, or has no lock, stays as it is."""
    with suppress(OSError):
        for name in os.listdir(parent):
            if name.startswith(PREFIX) and name.endswith(SUFFIX) and len(name) > len(PREFIX + SUFFIX):
                with suppress(InputError):
                    recover(parent / name.removeprefix(PREFIX).removesuffix(SUFFIX))


def amend(place: Path, directory: Path, texts: Mapping[str, str]) -> None:
    """Write files of a release anew, in its public or its private folder, and list them."""
    with amending(directory) as write:
        write(place, texts)


@contextmanager
def amending(directory: Path) -> Iterator[Callable[[Path, Mapping[str, str]], None]]:
    """Yield what writes files of a release anew; until it is done, nobody else changes the release."""
    final = settled(directory)
    private = private_of(final)
    with ExitStack() as leaving:
        with _told(directory):
            held = leaving.enter_context(_claimed(final))

        def write(place: Path, texts: Mapping[str, str]) -> None:
            zone = "private" if settled(place) == private else "public"

            def listed(stand: bool) -> None:
                listing = listing_with(private, zone, texts, stand)
                if listing is not None:
                    _replace(held.folder / "private", private / LISTING, listing)

            is_new = any(not (place / name).exists() for name in texts)
            with _told(place):
                listed(stand=not is_new)  # first, so that no file is ever unlisted
                for name, text in texts.items():
                    _replace(held.folder / zone, place / name, text)
                if is_new:
                    listed(stand=True)

        yield write


def _replace(stage: Path, path: Path, text: str) -> None:
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    write_text(stage, text)
    stage.chmod(mode)
    _flush_file(stage)
    stage.replace(path)


def _work(final: Path) -> Path:
    return final.with_name(f"{PREFIX}{final.name}{SUFFIX}")


def _refuse_taken(place: Path) -> None:
    if place.exists():
        raise InputError(
            f"{place} belongs to a release that a killed run put aside, and something else stands there now; move that away, "
            "then run the same command again",
            code="release.unfinished",
            path=place,
        )


@contextmanager
def _told(place: Path) -> Iterator[None]:
    """Turn what the system refuses into an error that says where."""
    try:
        yield
    except OSError as problem:
        raise InputError(
            f"{place}: the release cannot be written there ({reason(problem)}); {remedy(problem)}",
            code="release.unwritable",
            path=place,
        ) from None


def _flush(folder: Path) -> None:
    """See to it that the files of a folder and their names are on the disk."""
    for entry in os.scandir(folder):
        if entry.is_file(follow_symlinks=False):
            _flush_file(Path(entry.path))
        elif is_in_parts(Path(entry.path)):
            _flush(Path(entry.path))
    _flush_entry(folder)


def _flush_file(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _flush_entry(folder: Path) -> None:
    if os.name != "posix":  # pragma: no cover - Windows knows no handles of folders
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
