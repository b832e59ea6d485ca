"""A cache of compiled kernels that follows what they call.

numba looks at the file of a kernel alone, although code and constants of other files are compiled into it. Here a
kernel is fresh as long as its file and all that it imports from Kohort are; a test demands that those be
kernel files and names of types, imported at the top.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from kohort.compiling.folder import ROOT, kernel_folder

# The compiler counts too, which is loaded for one numba only.
_IMPORTED = re.compile(rb"^ *from kohort\.([\w.]+) import", re.MULTILINE)


@cache
def stamp_of(path: Path) -> bytes:
    """Return a digest of a file and of all that it imports from Kohort."""
    text = path.read_bytes()
    found = sha256(text)
    for name in _IMPORTED.findall(text):
        found.update(stamp_of(_file_of(name.decode())))
    return found.digest()


def _file_of(name: str) -> Path:
    """Return the file of a module below kohort."""
    place = ROOT.joinpath(*name.split("."))
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Where a kernel is kept, and until when it is fresh."""

    def __init__(self, function: Callable[..., object], path: str, folder: Path) -> None:
        self._path, self._folder = Path(path), folder
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., object], path: str) -> _Locator | None:
        folder = kernel_folder()
        return None if folder is None else cls(function, path, folder)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> bytes:
        return stamp_of(self._path)

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Kept(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes: Any = (_Locator,)


class KernelCache(FunctionCache):  # type: ignore[misc]
    """The compiled forms of one kernel on disk."""

    _impl_class = _Kept
