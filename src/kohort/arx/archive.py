"""A zip archive of strangers: entries are read by name, never unpacked by it, and none grows without end."""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path

from kohort.errors import InputError
from kohort.table.reading import check_file

_MOST_ENTRIES = 10_000
_MOST_TIMES = 1_000  # that an entry may be longer than it is packed, once it is long
_LONG = 1 << 20
_PACKED = (
    zipfile.ZIP_STORED,
    zipfile.ZIP_DEFLATED,
)  # as Java packs; others may ask for gigabytes to unpack a byte
_UNREADABLE = (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, NotImplementedError, ValueError,
               RuntimeError, LookupError, OverflowError)  # fmt: skip


class Archive:
    """The entries of a project, each read up to a limit."""

    def __init__(self, path: Path) -> None:
        """Open the archive; what is none, or has too many entries or two of one name, is refused."""
        self._path = path
        if not path.is_file():
            check_file(path)
        try:
            self._zip = zipfile.ZipFile(path)
        except PermissionError as problem:
            raise InputError(
                f"{path} cannot be read: {problem.strerror}; check its permissions",
                code="table.unreadable",
                path=path,
            ) from None
        except _UNREADABLE:
            raise self._damaged("it is no readable zip archive") from None
        if len(self._zip.infolist()) > _MOST_ENTRIES:
            raise self._damaged(f"it has more than {_MOST_ENTRIES:,} entries")
        if len(self._zip.NameToInfo) < len(self._zip.infolist()):
            raise self._damaged("two entries have one name")

    def __enter__(self) -> Archive:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._zip.close()

    def names(self) -> list[str]:
        """Return the names of the entries."""
        return self._zip.namelist()

    def read(self, name: str, most: int) -> bytes | None:
        """Return the bytes of an entry, None where there is none; one longer than `most` is refused."""
        if name not in self._zip.NameToInfo:
            return None
        info = self._zip.getinfo(name)
        if info.flag_bits & 1:
            raise self._damaged("it is protected by a password")
        if info.compress_type not in _PACKED:
            raise self._damaged("an entry is packed in another way than ARX packs")
        if info.file_size > most or info.file_size > max(_LONG, _MOST_TIMES * info.compress_size):
            raise self._damaged(
                f"an entry is longer than {most >> 20} MiB, or packed more tightly than text is"
            )
        try:
            with self._zip.open(info) as entry:
                content = entry.read(most + 1)
        except _UNREADABLE:
            raise self._damaged("an entry cannot be unpacked") from None
        if len(content) > most:  # whatever its header says
            raise self._damaged(f"an entry is longer than {most >> 20} MiB")
        return content

    def _damaged(self, why: str) -> InputError:
        return InputError(
            f"{self._path}: this is not a project of ARX that can be read: {why}; save it with ARX again",
            code="import.damaged",
            path=self._path,
        )
