"""A disk that takes nothing any more: from a call on, the kernel answers every change of a file of this process with an error.

By a filter of system calls, so that it reaches libraries in C as well (DuckDB's log, Arrow's files). It lasts until the process
ends, and its children inherit it. What is written to the first three handles still goes through.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys

REASONS = (errno.ENOSPC, errno.EIO, errno.EROFS, errno.EACCES)
AVAILABLE = sys.platform == "linux" and platform.machine() == "x86_64"
# Numbers of x86-64.
_TO_HANDLES = {"write": 1, "pwrite64": 18, "writev": 20, "pwritev": 296}
_FLUSHES = {"fsync": 74, "fdatasync": 75, "truncate": 76, "ftruncate": 77}
_CHANGES = _FLUSHES | {
    "rename": 82, "mkdir": 83, "link": 86, "chmod": 90,
    "fchmod": 91, "mkdirat": 258, "renameat": 264, "linkat": 265, "fchmodat": 268, "fallocate": 285, "renameat2": 316,
}  # fmt: skip
_REMOVALS = {"rmdir": 84, "unlink": 87, "unlinkat": 263}
_OPENAT = 257
_LOAD, _EQUAL, _ABOVE, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_SIZE = 8  # bytes of a step
_NUMBER, _FIRST, _THIRD = 0, 16, 32  # where the call and its arguments stand
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER, _ALL_THREADS = 38, 317, 1, 1


def refuse_changes(reason: int) -> None:
    """Let every later change of a file fail for a reason; what is removed makes room, so a full disk lets that through."""
    refused = _CHANGES | ({} if reason == errno.ENOSPC else _REMOVALS)
    wanted = os.O_WRONLY | os.O_RDWR | os.O_CREAT
    _install(
        *(_unless(_EQUAL, number, _step(_RETURN, _REFUSE | reason)) for number in refused.values()),
        *(
            _unless(_EQUAL, number, _if_argument(_FIRST, _ABOVE, 2, reason))
            for number in _TO_HANDLES.values()
        ),
        _unless(_EQUAL, _OPENAT, _if_argument(_THIRD, _ANY_BIT, wanted, reason)),
    )


def refuse_contents(reason: int) -> None:
    """Let files be made, renamed and removed, and nothing be written into them, as where only blocks have run out."""
    _install(
        *(_unless(_EQUAL, number, _step(_RETURN, _REFUSE | reason)) for number in _FLUSHES.values()),
        *(
            _unless(_EQUAL, number, _if_argument(_FIRST, _ABOVE, 2, reason))
            for number in _TO_HANDLES.values()
        ),
    )


def refuse_flushes(reason: int) -> None:
    """Let everything be written, nothing reach the disk for sure, and nothing that was written be taken back."""
    _install(*(_unless(_EQUAL, number, _step(_RETURN, _REFUSE | reason)) for number in _FLUSHES.values()))


def _unless(code: int, value: int, then: bytes) -> bytes:
    """Return the steps that are taken where something is met, and passed by otherwise."""
    return _step(code, value, otherwise=len(then) // _SIZE) + then


def _if_argument(place: int, code: int, value: int, reason: int) -> bytes:
    return (
        _step(_LOAD, place) + _unless(code, value, _step(_RETURN, _REFUSE | reason)) + _step(_RETURN, _ALLOW)
    )


def _step(code: int, value: int, otherwise: int = 0) -> bytes:
    """Return one step of a filter; so many are passed by where what it asks is not met."""
    return struct.pack("HBBI", code, 0, otherwise, value)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))


def _install(*parts: bytes) -> None:
    program = b"".join([_step(_LOAD, _NUMBER), *parts, _step(_RETURN, _ALLOW)])
    system = ctypes.CDLL(None, use_errno=True)
    steps = ctypes.create_string_buffer(program)
    told = _Program(len(program) // _SIZE, ctypes.cast(steps, ctypes.c_void_p))
    done = system.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or system.syscall(
        _SECCOMP, _FILTER, _ALL_THREADS, ctypes.byref(told)
    )
    if done != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
