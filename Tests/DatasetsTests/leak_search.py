"""Looks for planted values in every byte of what the program wrote: for leaks.py."""

import base64
import gzip
import html
import io
import os
import re
import urllib.parse
import zipfile

import numpy
import pyarrow.parquet

from leak_values import normal

TOKEN = re.compile("x[aeilosuyz]{6}")
ESCAPES = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)")
BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
# Names of runs and files, checksums and words in base64 letters, of which there are very many.
PLAIN = re.compile(r"[0-9A-Fa-f_-]*|[a-z_-]*|HK.*|.*\.json|[A-Z]?[a-z]+(?:[A-Z][a-z]+)*")
SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
WIDTH = 6
# A name that the key gave to a run, and a checksum: in so many figures, any day occurs by chance.
CHANCE = re.compile(r"(?<![0-9a-z])(?:[0-9]{8}[-_][0-9]{4}[-_]8[0-9]{3}[-_]8[0-9]{3}[-_][0-9]{12}|[0-9a-f]{64})(?![0-9a-z])")


def unescaped(text):
    """The text as readers of JSON, HTML and addresses would see it."""
    text = ESCAPES.sub(lambda found: chr(int(found[1], 16)) if found[1] else SIMPLE.get(found[2], found[2]), text)
    return urllib.parse.unquote(html.unescape(text))


def decoded(text):
    """What stands in the text in base64."""
    for found in BASE64.finditer(text):
        word = found.group().rstrip("=").replace("-", "+").replace("_", "/")
        if len(word) % 4 == 1 or PLAIN.fullmatch(found.group()):
            continue
        raw = base64.b64decode(word + "=" * (-len(word) % 4))
        try:
            inner = raw.decode("utf-8")
        except UnicodeDecodeError:
            continue
        if inner.isprintable():
            yield inner


def unpacked(name, data):
    """The bytes of a file, and those of what is packed in it."""
    yield name, data
    if data[:2] == b"\x1f\x8b":
        yield from unpacked(name + " unzipped", gzip.decompress(data))
    elif data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.namelist():
                yield from unpacked(f"{name}/{member}", member.encode() + b"\n" + archive.read(member))
    elif data[:4] == b"PAR1":
        table = pyarrow.parquet.read_table(io.BytesIO(data))
        rows = "\n".join(f"{column}: {value}" for column in table.column_names for value in table[column].unique().to_pylist())
        yield name + " read", f"{table.schema}\n{table.schema.metadata}\n{rows}".encode("utf-8", "surrogatepass")


class Search:
    """Finds values by their tokens and cores."""

    def __init__(self, values, words):
        """`words` are other texts that may appear nowhere, by what they are."""
        self.tokens = {value.token: value for value in values if value.token}
        self.cores, self.codes = {}, {}
        for value in values:
            for core in value.cores:
                self.cores.setdefault(core.encode(), value)
        for word, what in words.items():
            if what == "code":
                self.codes[normal(word)] = what
            else:
                self.cores.setdefault(normal(word).encode(), what)
        self.code = re.compile("|".join(sorted(map(re.escape, self.codes), key=len, reverse=True)) or "(?!)")
        self.bytes = 0
        self.table = numpy.zeros(1 << 20, dtype=bool)
        self.starts = {}
        for core in self.cores:
            self.starts.setdefault(core[:WIDTH], []).append(core)
            self.table[self.mixed(numpy.frombuffer(core[:WIDTH], dtype=numpy.uint8))] = True

    @staticmethod
    def mixed(bytes):
        """A number below 2^20 for each six bytes."""
        windows = numpy.zeros(len(bytes) - WIDTH + 1, dtype=numpy.uint64)
        for place in range(WIDTH):
            windows = (windows << numpy.uint64(8)) | bytes[place:len(bytes) - WIDTH + 1 + place]
        return (windows * numpy.uint64(0x9E3779B97F4A7C15)) >> numpy.uint64(44)

    def occurrences(self, text):
        """What a text holds: the value or the word, and where."""
        for found in TOKEN.finditer(text):
            if found.group() in self.tokens:
                yield self.tokens[found.group()], "token", around(text, found.start())
        for found in self.code.finditer(text):
            near = [self.tokens[other.group()] for other in sorted(
                TOKEN.finditer(text, max(0, found.start() - 60), found.end() + 60),
                key=lambda other: max(other.start() - found.end(), found.start() - other.end())) if other.group() in self.tokens]
            value = next((value for value in near if value.code), None)
            yield value or "code", "core", around(text, found.start())
        data = text.encode("utf-8", "surrogatepass")
        for begin in range(0, len(data), 1 << 22):
            piece = data[begin:begin + (1 << 22) + 64]
            if len(piece) < WIDTH:
                continue
            for place in numpy.flatnonzero(self.table[self.mixed(numpy.frombuffer(piece, dtype=numpy.uint8))]):
                place = int(place)
                for core in self.starts.get(piece[place:place + WIDTH], []):
                    if place < 1 << 22 and piece.startswith(core, place) and self.stands_alone(piece, place, core):
                        yield self.cores[core], "core", around(piece[max(0, place - 50):place + 70].decode("utf-8", "replace"), 50)

    @staticmethod
    def stands_alone(data, place, core):
        """Whether figures are not part of a longer number, or of one of chance."""
        before, after = data[place - 1:place], data[place + len(core):place + len(core) + 1]
        if core[:1].isdigit() and (before.isdigit() or before == b"." and core.isdigit()):
            return False
        if core[-1:].isdigit() and after.isdigit():
            # A time may follow a day at once; but not a figure more.
            rest = re.match(rb"\d+", data[place + len(core):place + len(core) + 20]).group()
            if not (re.fullmatch(rb"\d{8}", core) and len(rest) in (4, 6)):
                return False
        around = data[max(0, place - 70):place + 100].decode("utf-8", "replace")
        at = len(data[max(0, place - 70):place].decode("utf-8", "replace"))
        return not any(found.start() <= at < found.end() for found in CHANCE.finditer(around))

    def look(self, name, data):
        """What stands in a file: the value or the word, whether its token or its core was found, and where."""
        for place, content in unpacked(name, data):
            self.bytes += len(content)
            text = content.decode("utf-8", "replace")
            plain = text.lower() if text.isascii() else "\n".join(
                line.lower() if line.isascii() else normal(line) for line in text.split("\n"))
            yield from ((what, how, place, where) for what, how, where in self.occurrences(plain))
            masked = [line for line in text.split("\n") if "\\" in line or "&" in line or "%" in line]
            inner = list(decoded(text)) if b"\x00" not in content else []
            for other in (normal(unescaped("\n".join(masked))), normal("\n".join(inner))):
                yield from ((what, how, place, where) for what, how, where in self.occurrences(other))

    def look_in(self, folder):
        """What stands in the files and names of a folder."""
        for above, folders, files in os.walk(folder):
            for name in folders + files:
                for what, how, place, where in self.look(name + " as a name", name.encode("utf-8", "surrogateescape")):
                    yield what, how, os.path.relpath(os.path.join(above, name), folder) + " as a name", where
            for name in files:
                with open(os.path.join(above, name), "rb") as opened:
                    data = opened.read()
                yield from self.look(os.path.relpath(os.path.join(above, name), folder), data)


def around(text, at):
    return text[max(0, at - 50):at + 70].replace("\n", "\\n")
