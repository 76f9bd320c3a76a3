#!/usr/bin/env python3
"""Draws the five faces in faces/, from unpleasant (1) to pleasant (5), as PNG.

usage: faces.py
"""
import math, os, struct, zlib

SIZE, FINER = 160, 3


def shade(x, y, smile):
    """How dark a point of the unit square is, 0 to 1; `smile` is -1 to 1."""
    x, y = 2 * x - 1, 2 * y - 1
    outline = abs(math.hypot(x, y) - 0.88) < 0.045
    eyes = math.hypot(abs(x) - 0.32, y + 0.26) < 0.1
    mouth = abs(x) < 0.48 and abs(y - 0.36 - smile * (0.16 - 0.95 * x * x)) < 0.045 * math.hypot(1, 1.9 * smile * x)
    return 1.0 if outline or eyes or mouth else 0.0


def png(rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


for number, smile in enumerate([-1, -0.5, 0, 0.5, 1], start=1):
    parts = [(place + 0.5) / FINER for place in range(FINER)]
    rows = [
        [255 - round(225 * sum(shade((x + i) / SIZE, (y + j) / SIZE, smile) for i in parts for j in parts) / FINER**2)
         for x in range(SIZE)]
        for y in range(SIZE)]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "faces", f"face-{number}.png"), "wb") as file:
        file.write(png(rows))
