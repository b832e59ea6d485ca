"""Pixels of a PNG file as browsers write it: 8 bits, RGB or RGBA, not interlaced."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]  # (height, width, 3)


def read_png(path: Path) -> Pixels:
    """Return the pixels, without transparency."""
    raw = path.read_bytes()
    assert raw[:8] == b"\x89PNG\r\n\x1a\n"
    place, packed = 8, b""
    width = height = channels = 0
    while place < len(raw):
        (length,) = struct.unpack(">I", raw[place : place + 4])
        kind, body = raw[place + 4 : place + 8], raw[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert depth == 8
            assert colour in (2, 6)
            assert interlaced == 0
            channels = 3 if colour == 2 else 4
        elif kind == b"IDAT":
            packed += body
        place += 12 + length
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * channels)
    pixels = np.zeros((height, width, channels), np.uint8)
    above = np.zeros((width, channels), np.uint8)
    for y, line in enumerate(lines):
        above = _unfiltered(int(line[0]), line[1:].reshape(width, channels), above)
        pixels[y] = above
    return pixels[:, :, :3]


def _unfiltered(kind: int, line: Pixels, above: Pixels) -> Pixels:
    if kind == 0:
        return line
    if kind == 1:
        return np.cumsum(line, axis=0, dtype=np.uint8)
    if kind == 2:
        return line + above
    found = np.zeros_like(line)
    left = [0] * line.shape[1]
    corner = [0] * line.shape[1]
    for x, (values, up) in enumerate(zip(line.tolist(), above.tolist(), strict=True)):
        guess = map(_average if kind == 3 else _paeth, left, up, corner)
        left = [(value + told) & 255 for value, told in zip(values, guess, strict=True)]
        corner = up
        found[x] = left
    return found


def _average(left: int, up: int, _: int) -> int:
    return (left + up) // 2


def _paeth(left: int, up: int, corner: int) -> int:
    estimate = left + up - corner
    return min(
        (abs(estimate - left), 0, left), (abs(estimate - up), 1, up), (abs(estimate - corner), 2, corner)
    )[2]


def write_png(path: Path, pixels: Pixels) -> None:
    """Write pixels as a PNG file."""
    height, width, _ = pixels.shape
    lines = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(lines.tobytes(), 9))
        + chunk(b"IEND", b"")
    )
