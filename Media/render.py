#!/usr/bin/env python3
"""Renders the music clips and the spoken sample of Entrain from their sources.

    python3 Media/render.py               render everything, rewrite clips.yaml and the table in README.md
    python3 Media/render.py NAME ...      render only these, keep the other files as they are
    python3 Media/render.py --check       verify the files against clips.yaml; exit status 1 on any fault
    python3 Media/render.py --midi DIR    also keep the MIDI files, in DIR

The sources are scores/*.score (the format is described in README.md) and
spoken_instruction.txt. Needs Python 3.9 or later, fluidsynth, ffmpeg with libvorbis,
espeak-ng (for the spoken sample only) and the sound font FluidR3_GM. Nothing is
downloaded. Every random choice is seeded by the score, so that the same packages give
the same bytes.
"""

import argparse
import array
import hashlib
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

MEDIA = Path(__file__).resolve().parent
SCORES = MEDIA / "scores"
CATALOGUE = MEDIA / "clips.yaml"
README = MEDIA / "README.md"

CLIPS = [
    "chill_preview_3",
    "chill_preview_4",
    "dark_preview_4",
    "happy_preview_1",
    "light_preview_2",
    "light_preview_3",
]
SPOKEN = "spoken_instruction"
LICENCE = "CC0-1.0"

SOUND_FONTS = [
    "/usr/share/sounds/sf2/FluidR3_GM.sf2",
    "/usr/share/soundfonts/FluidR3_GM.sf2",
    "/usr/share/soundfonts/FluidR3_GM2-2.sf2",
]

RATE = 44100
QUALITY = 5
TARGET = -18.0          # LUFS, integrated
SPREAD = 0.5            # LU, greatest difference between any two files
PEAK = -1.0             # dBTP, highest allowed
LEAD_IN = 0.100         # s of silence before the first note
LEAD_OUT = 0.100        # s of silence after the fade
EDGE = 0.020            # s at either end that must be silent
EDGE_LEVEL = 1e-4       # -80 dBFS
SIZE = 1_000_000        # bytes
PPQ = 960               # MIDI ticks per written unit


class Fault(Exception):
    """A mistake in a score, or a tool that failed."""


# --------------------------------------------------------------------------- scores

LETTERS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
ACCIDENTALS = {"": 0, "#": 1, "b": -1}

CHORDS = {
    "": (0, 4, 7), "m": (0, 3, 7), "6": (0, 4, 7, 9), "69": (0, 2, 4, 7, 9),
    "7": (0, 4, 7, 10), "9": (0, 2, 4, 7, 10), "13": (0, 2, 4, 7, 9, 10),
    "sus4": (0, 5, 7), "7sus4": (0, 5, 7, 10), "9sus4": (0, 2, 5, 7, 10),
    "13sus4": (0, 2, 5, 7, 9, 10), "maj7": (0, 4, 7, 11), "maj9": (0, 2, 4, 7, 11),
    "m6": (0, 3, 7, 9), "m7": (0, 3, 7, 10), "m9": (0, 2, 3, 7, 10),
    "m11": (0, 2, 3, 5, 7, 10), "madd9": (0, 2, 3, 7), "add9": (0, 2, 4, 7),
}

DRUMS = {
    "kick": 36, "stick": 37, "snare": 38, "clap": 39, "hat": 42, "open": 46,
    "ride": 51, "crash": 49, "tambourine": 54, "bongo": 60, "conga": 63, "low": 64,
    "shaker": 70, "triangle": 81,
}
STRENGTHS = {"X": 18, "x": 0, "o": -20}

TOKEN = re.compile(r"(\[[^\]]*\]|<[^>]*>|\([^)]*\)|[A-G][#b]?\d|r|\d):([\w.]+)([\^,]?)\s*")


def pitch(name):
    found = re.fullmatch(r"([A-G])([#b]?)(\d)", name)
    if not found:
        raise Fault(f"not a pitch: {name}")
    letter, accidental, octave = found.groups()
    return 12 * (int(octave) + 1) + LETTERS[letter] + ACCIDENTALS[accidental]


def chord_classes(symbol):
    """The pitch classes of a chord symbol, with those of its bass note."""
    found = re.fullmatch(r"([A-G])([#b]?)([^/]*)(?:/([A-G])([#b]?))?", symbol)
    if not found or found.group(3) not in CHORDS:
        raise Fault(f"not a chord symbol: {symbol}")
    root = LETTERS[found.group(1)] + ACCIDENTALS[found.group(2)]
    classes = {(root + step) % 12 for step in CHORDS[found.group(3)]}
    if found.group(4):
        classes.add((LETTERS[found.group(4)] + ACCIDENTALS[found.group(5)]) % 12)
    return classes


def tokens(text):
    """'C5:1 [A3 C4]:2' as (what, length, mark)."""
    result, at = [], 0
    text = text.strip()
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise Fault(f"cannot read '{text[at:]}'")
        result.append(found.groups())
        at = found.end()
    return result


class Part:
    def __init__(self, name):
        self.name = name
        self.options = {}
        self.figures = {}
        self.patterns = {}
        self.bars = []

    def number(self, key, default):
        return float(self.options.get(key, default))

    @property
    def drums(self):
        return bool(self.patterns)


class Score:
    """One clip, read from scores/NAME.score."""

    def __init__(self, identifier):
        self.identifier = identifier
        self.path = SCORES / f"{identifier}.score"
        self.header = {}
        self.harmony = []
        self.parts = []
        self.read()
        units, denominator = (int(n) for n in self.header["meter"].split("/"))
        self.bar_units = units
        self.beat_units = 3 if (denominator == 8 and units % 3 == 0) else 1
        self.tempo = float(self.header["tempo"])
        self.bars = int(self.header["bars"])
        self.swing = float(self.header.get("swing", 0.5))
        self.tail = float(self.header["tail"].split()[0])
        self.dynamics = [tuple(float(n) for n in item.split())
                         for item in self.header["dynamics"].split(",")]
        self.verify_lengths()

    def read(self):
        section, pattern = None, None
        for number, raw in enumerate(self.path.read_text(encoding="utf-8").splitlines(), 1):
            line = raw.strip()
            if not line or line.startswith("#"):
                continue
            try:
                if line.startswith("part "):
                    section = Part(line[5:].strip())
                    self.parts.append(section)
                    pattern = None
                elif line == "harmony":
                    section = "harmony"
                elif line.startswith("|"):
                    bars = [bar.strip() for bar in line.strip("|").split("|")]
                    target = self.harmony if section == "harmony" else section.bars
                    for bar in bars:
                        target.append(target[-1] if bar == "%" else bar)
                    pattern = None
                elif line.startswith("figure "):
                    name, body = line[7:].split("=")
                    section.figures[name.strip()] = tokens(body)
                elif line.startswith("pattern "):
                    pattern = section.patterns.setdefault(line[8:].strip(), [])
                elif pattern is not None:
                    drum, steps = line.split(None, 1)
                    pattern.append((DRUMS[drum], steps.replace(" ", "")))
                else:
                    key, value = line.split(":", 1)
                    (self.header if section is None else section.options)[key.strip()] = value.strip()
            except (ValueError, KeyError, AttributeError, IndexError) as error:
                raise Fault(f"{self.path.name}, line {number}: {line} ({error})") from error

    def verify_lengths(self):
        for part in self.parts:
            if len(part.bars) != self.bars:
                raise Fault(f"{self.identifier}, {part.name}: {len(part.bars)} bars, not {self.bars}")
        if len(self.harmony) != self.bars:
            raise Fault(f"{self.identifier}, harmony: {len(self.harmony)} bars, not {self.bars}")

    def chord_at(self, unit):
        """The pitch classes of the harmony at a position; a bar's chords share it equally."""
        bar = min(int(unit // self.bar_units), self.bars - 1)
        symbols = self.harmony[bar].split()
        index = int((unit - bar * self.bar_units) * len(symbols) / self.bar_units + 1e-6)
        return chord_classes(symbols[min(index, len(symbols) - 1)])

    def level(self, unit):
        """The dynamics, linear between the bars given in the header."""
        bar = unit / self.bar_units + 1
        points = self.dynamics
        if bar <= points[0][0]:
            return points[0][1]
        for (bar0, level0), (bar1, level1) in zip(points, points[1:]):
            if bar <= bar1:
                return level0 + (level1 - level0) * (bar - bar0) / (bar1 - bar0)
        return points[-1][1]

    def pace(self, unit):
        """The tempo as a factor of the nominal one: 1, then the closing ritardando."""
        if "ritardando" not in self.header:
            return 1.0
        start, end, factor = (float(n) for n in self.header["ritardando"].split())
        bar = unit / self.bar_units + 1
        share = min(1.0, max(0.0, (bar - start) / (end - start)))
        return 1 + (factor - 1) * share

    def unit_seconds(self, unit):
        return 60 / (self.tempo * self.beat_units * self.pace(unit))

    def swung(self, unit):
        if self.swing == 0.5:
            return unit
        beat, rest = divmod(unit, 1)
        rest = rest * 2 * self.swing if rest <= 0.5 else self.swing + (rest - 0.5) * 2 * (1 - self.swing)
        return beat + rest

    # A note is (start, length, pitch, mark, spread): start and length in units,
    # spread is the place of a note in its chord.
    def notes(self, part):
        result = []
        for bar_index, bar in enumerate(part.bars):
            bar_start = bar_index * self.bar_units
            where = f"{self.identifier}, {part.name}, bar {bar_index + 1}"
            if bar == "-":
                continue
            if part.drums:
                for name in bar.split():
                    for drum, steps in part.patterns[name]:
                        for step, mark in enumerate(steps):
                            if mark in STRENGTHS:
                                start = bar_start + step * self.bar_units / len(steps)
                                result.append((start, 0.25, drum, STRENGTHS[mark], 0))
                continue
            at = 0.0
            for what, length, mark in tokens(bar):
                accent = {"^": 12, ",": -12, "": 0}[mark]
                if what.startswith("<"):
                    voices = [pitch(name) for name in what[1:-1].split()]
                    at = self.figure(part, length, voices, bar_start, at, accent, result, where)
                    continue
                length = float(length)
                if what != "r":
                    names = what[1:-1].split() if what.startswith("[") else [what]
                    for place, name in enumerate(names):
                        result.append((bar_start + at, length, pitch(name), accent, place))
                at += length
            if abs(at - self.bar_units) > 1e-6:
                raise Fault(f"{where}: {at:g} units, not {self.bar_units}")
        self.verify_notes(part, result)
        return result

    def figure(self, part, name, voices, bar_start, at, accent, result, where):
        if name not in part.figures:
            raise Fault(f"{where}: no figure {name}")
        steps = part.figures[name]
        end = at + sum(float(length) for _, length, _ in steps)
        for what, length, mark in steps:
            if what != "r":
                for place, voice in enumerate(what.strip("()").split()):
                    sounding = end - at if part.options.get("ring") == "yes" else float(length)
                    weight = accent + {"^": 10, ",": -10, "": 0}[mark]
                    result.append((bar_start + at, sounding, voices[int(voice) - 1], weight, place))
            at += float(length)
        return at

    def verify_notes(self, part, notes):
        if part.drums:
            return
        low, high = (pitch(name) for name in part.options["range"].split())
        for start, _, note, _, _ in notes:
            bar = int(start // self.bar_units) + 1
            if not low <= note <= high:
                raise Fault(f"{self.identifier}, {part.name}, bar {bar}: note {note} is out of range")
            if part.options.get("chordal") == "yes" and note % 12 not in self.chord_at(start):
                raise Fault(f"{self.identifier}, {part.name}, bar {bar}: note {note} is not in the chord")


# ----------------------------------------------------------------------------- MIDI

def variable_length(value):
    data = [value & 0x7F]
    while value := value >> 7:
        data.append(0x80 | value & 0x7F)
    return bytes(reversed(data))


def track(events, end):
    """A track chunk from (tick, order, message)."""
    data, last = bytearray(), 0
    for tick, _, message in sorted(events, key=lambda event: event[:2]):
        data += variable_length(tick - last) + message
        last = tick
    data += variable_length(max(0, end - last)) + b"\xff\x2f\x00"
    return b"MTrk" + struct.pack(">I", len(data)) + bytes(data)


def clamp(value, low=1, high=127):
    return max(low, min(high, int(round(value))))


def midi(score):
    """The MIDI file of a score, and the length of its music in seconds."""
    def tempo_message(unit):
        return b"\xff\x51\x03" + struct.pack(">I", round(1e6 * score.unit_seconds(unit)))[1:]

    # Ticks: PPQ to the unit; the tempo events therefore give the length of a unit.
    lead = round(LEAD_IN / score.unit_seconds(0) * PPQ)
    total_units = score.bars * score.bar_units
    conductor, seconds, last = [(0, 0, tempo_message(0))], LEAD_IN, None
    for quarter in range(total_units * 4):
        unit = quarter / 4
        if score.pace(unit) != last:
            last = score.pace(unit)
            conductor.append((lead + round(unit * PPQ), 0, tempo_message(unit)))
        seconds += score.unit_seconds(unit) / 4
    end = lead + round((total_units + (score.tail + 1) / score.unit_seconds(total_units)) * PPQ)
    tracks = [track(conductor, end)]

    channels = iter([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12])
    for index, part in enumerate(score.parts):
        channel = 9 if part.drums else next(channels)
        chance = random.Random(f"{score.identifier}/{score.header['seed']}/{index}")

        def spread_out():       # bell-shaped, within -1 ... 1
            return (chance.random() + chance.random() + chance.random()) / 1.5 - 1

        program = int(part.options["instrument"].split()[0])
        events = [
            (0, 0, bytes([0xC0 | channel, program])),
            (0, 1, bytes([0xB0 | channel, 7, clamp(part.number("volume", 90))])),
            (0, 2, bytes([0xB0 | channel, 10, clamp(64 + part.number("pan", 0), 0)])),
            (0, 3, bytes([0xB0 | channel, 91, clamp(part.number("reverb", 40), 0)])),
            (0, 4, bytes([0xB0 | channel, 93, 0])),
            (0, 5, bytes([0xB0 | channel, 11, 127])),
        ]
        notes = sorted(score.notes(part))
        mean = sum(note[2] for note in notes) / max(1, len(notes))
        loose = part.number("loose", 7) / 1000
        drift, drift_start = 0.0, None
        played = []
        for start, length, note, weight, place in notes:
            unit = score.unit_seconds(start)
            if start != drift_start:        # the notes of a chord share one deviation
                drift, drift_start = spread_out() * loose, start
            late = drift + place * part.number("roll", 5) / 1000 + chance.random() * 0.002
            at = score.swung(start) + max(-0.02, late) / unit
            gate = part.number("gate", 0.95)
            stop = score.swung(start + length) - (1 - gate) * length
            velocity = part.number("velocity", 70) + weight + 3.5 * spread_out()
            if start % score.bar_units == 0:
                velocity += 4
            elif start % score.beat_units:
                velocity -= 4
            velocity += part.number("contour", 0) * (note - mean)
            velocity *= score.level(start)
            played.append([lead + round(at * PPQ), lead + round(stop * PPQ), note, clamp(velocity)])

        # A struck note ends the one that still sounds on the same key.
        played.sort()
        previous = {}
        for item in played:
            item[1] = max(item[1], item[0] + PPQ // 32)
            before = previous.get(item[2])
            if before is not None and before[1] >= item[0]:
                before[1] = max(before[0] + 1, item[0] - 1)
            previous[item[2]] = item
        for on, off, note, velocity in played:
            events.append((max(0, on), 8, bytes([0x90 | channel, note, velocity])))
            events.append((off, 7, bytes([0x80 | channel, note, 0])))

        # Wind and string notes swell into their middle and taper off.
        if part.options.get("breath") == "yes":
            for on, off, _, _ in played:
                taper = 0.45 if off - on > 3 * PPQ else 0.16
                for step in range(13):
                    share = step / 12
                    shape = (0.80 + 0.20 * share / 0.35 if share < 0.35
                             else 1 - taper * (share - 0.35) / 0.65)
                    tick = on + round((off - on) * share)
                    events.append((max(0, tick), 6, bytes([0xB0 | channel, 11, clamp(112 * shape)])))
        tracks.append(track(events, end))

    header = b"MThd" + struct.pack(">IHHH", 6, 1, len(tracks), PPQ)
    return header + b"".join(tracks), seconds


# ---------------------------------------------------------------------------- sound

def run(*command, binary=False):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise Fault(f"{command[0]} failed:\n{done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout if binary else done.stdout.decode() + done.stderr.decode(errors="replace")


def sound_font():
    for path in [os.environ.get("ENTRAIN_SOUND_FONT"), *SOUND_FONTS]:
        if path and Path(path).is_file():
            return path
    raise Fault("the sound font FluidR3_GM is missing (Debian: fluid-soundfont-gm); "
                "ENTRAIN_SOUND_FONT may name its file")


def ffmpeg(*words, binary=False):
    return run("ffmpeg", "-hide_banner", "-nostdin", "-nostats", *words, binary=binary)


def measure(path):
    """Integrated loudness (LUFS) and true peak (dBTP) by EBU R 128, of the decoded file."""
    text = ffmpeg("-i", path, "-filter_complex",
                  "ebur128=peak=true:metadata=1:framelog=verbose,ametadata=print:key=lavfi.r128.I:file=-",
                  "-f", "null", "-")
    loudness = float(re.findall(r"lavfi\.r128\.I=(-?[\d.]+)", text)[-1])
    peak = float(re.findall(r"Peak:\s+(-?[\d.]+|-inf) dBFS", text)[-1])
    return loudness, peak


def decoded(path):
    """The decoded samples, stereo interleaved, as floats."""
    samples = array.array("f")
    samples.frombytes(ffmpeg("-i", path, "-f", "f32le", "-ac", "2", "-ar", RATE, "-", binary=True))
    if sys.byteorder == "big":
        samples.byteswap()
    return samples


def encode(source, target, length, fade, tags):
    """Fades, places between silent edges, brings to the target loudness by gain alone, encodes."""
    samples = round(length * RATE)
    sounding = samples - round(LEAD_OUT * RATE)
    shape = (f"highpass=f=28,aresample={RATE},aformat=channel_layouts=stereo,"
             f"afade=t=in:ss=0:ns={round(0.02 * RATE)},apad,atrim=end_sample={sounding},"
             f"afade=t=out:ss={sounding - round(fade * RATE)}:ns={round(fade * RATE)}:curve=hsin,"
             f"apad=pad_len={samples - sounding}")
    metadata = [word for key, value in tags.items() for word in ("-metadata", f"{key}={value}")]
    shaped = source.with_suffix(".shaped.wav")
    ffmpeg("-y", "-i", source, "-af", shape, "-c:a", "pcm_f32le", shaped)
    gain = TARGET - measure(shaped)[0]
    for _ in range(4):
        ffmpeg("-y", "-i", shaped, "-af", f"volume={gain:.4f}dB:precision=float",
               "-map_metadata", "-1", *metadata, "-c:a", "libvorbis", "-q:a", QUALITY,
               "-fflags", "+bitexact", "-flags:a", "+bitexact", "-f", "ogg", target)
        loudness, _ = measure(target)
        if abs(loudness - TARGET) < 0.03:
            return
        gain += TARGET - loudness
    raise Fault(f"{target.name}: the loudness does not settle at {TARGET} LUFS")


def render_clip(identifier, work, keep_midi):
    score = Score(identifier)
    data, seconds = midi(score)
    song = work / f"{identifier}.mid"
    song.write_bytes(data)
    if keep_midi:
        keep_midi.mkdir(parents=True, exist_ok=True)
        (keep_midi / song.name).write_bytes(data)
    room = dict(zip(("room-size", "damp", "level", "width"), score.header["reverb"].split()))
    settings = [word for key, value in room.items() for word in ("-o", f"synth.reverb.{key}={value}")]
    wave = work / f"{identifier}.wav"
    run("fluidsynth", "-n", "-i", "-q", "-R", "1", "-C", "0", "-g", "0.4", "-r", RATE, *settings,
        "-o", "synth.cpu-cores=1", "-T", "wav", "-O", "float", "-F", wave, sound_font(), song)
    encode(wave, MEDIA / f"{identifier}.ogg", seconds + score.tail + LEAD_OUT,
           min(score.tail, float(score.header.get("fade", "1.6 s").split()[0])),
           {"title": score.header["title"], "album": "Entrain", "license": LICENCE})


def render_spoken(work):
    wave = work / f"{SPOKEN}.wav"
    padded = work / f"{SPOKEN}.padded.wav"
    run("espeak-ng", "-v", "en-gb", "-a", "60", "-s", "130", "-p", "48", "-g", "3",
        "-f", MEDIA / f"{SPOKEN}.txt", "-w", wave)
    ffmpeg("-y", "-i", wave, "-af",
           "highpass=f=80,equalizer=f=600:t=q:w=1:g=-2.5,"
           f"silenceremove=start_periods=1:start_threshold=-60dB,adelay={round(LEAD_IN * 1000)}:all=1",
           "-c:a", "pcm_f32le", padded)
    length = float(run("ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", padded))
    encode(padded, MEDIA / f"{SPOKEN}.ogg", length + LEAD_OUT, 0.05,
           {"title": "Spoken instruction", "album": "Entrain", "license": LICENCE})


# ------------------------------------------------------------------------ catalogue

KEYS = ["identifier", "file", "title", "tempo", "mode", "mood", "energy",
        "duration", "loudness", "sha256", "licence"]


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def describe(identifier):
    """The entry of a clip: what the score says, and what the encoded file measures."""
    header = Score(identifier).header
    path = MEDIA / f"{identifier}.ogg"
    loudness, peak = measure(path)
    return {
        "identifier": identifier,
        "file": path.name,
        "title": header["title"],
        "tempo": header["tempo"],
        "mode": header["mode"],
        "mood": header["mood"],
        "energy": header["energy"],
        "duration": f"{len(decoded(path)) / 2 / RATE:.1f} s",
        "loudness": f"{loudness:.1f} LUFS",
        "sha256": sha256(path),
        "licence": LICENCE,
    }, loudness, peak


def write_catalogue():
    lines, rows = ["entrain: 1", "clips:"], []
    for identifier in CLIPS:
        entry, loudness, peak = describe(identifier)
        for number, key in enumerate(KEYS):
            lines.append(f"{'  - ' if number == 0 else '    '}{key}: {entry[key]}")
        size = (MEDIA / entry["file"]).stat().st_size / 1000
        rows.append(f"| `{identifier}` | {entry['title']} | {entry['tempo']} | {entry['mode']} | "
                    f"{entry['mood']} | {entry['energy']} | {entry['duration']} | "
                    f"{loudness:.2f} | {peak:.1f} | {size:.0f} kB |")
    CATALOGUE.write_text("\n".join(lines) + "\n", encoding="utf-8")

    path = MEDIA / f"{SPOKEN}.ogg"
    loudness, peak = measure(path)
    rows.append(f"| `{SPOKEN}` | (speech) | | | | | {len(decoded(path)) / 2 / RATE:.1f} s | "
                f"{loudness:.2f} | {peak:.1f} | {path.stat().st_size / 1000:.0f} kB |")
    table = ["| identifier | title | tempo (bpm) | mode | mood | energy | duration | LUFS | dBTP | size |",
             "|---|---|---:|---|---|---:|---:|---:|---:|---:|", *rows]
    if README.is_file():
        text = README.read_text(encoding="utf-8")
        text = re.sub(r"(<!-- measured -->\n).*?(<!-- /measured -->)",
                      lambda found: found.group(1) + "\n".join(table) + "\n" + found.group(2),
                      text, flags=re.S)
        README.write_text(text, encoding="utf-8")


def read_catalogue():
    lines = CATALOGUE.read_text(encoding="utf-8").splitlines()
    if lines[:2] != ["entrain: 1", "clips:"]:
        raise Fault("clips.yaml: does not begin with 'entrain: 1' and 'clips:'")
    entries = []
    for line in lines[2:]:
        found = re.fullmatch(r"(  - |    )(\w+): (.+)", line)
        if not found or (found.group(1) == "    " and not entries):
            raise Fault(f"clips.yaml: cannot read '{line}'")
        if found.group(1) == "  - ":
            entries.append({})
        entries[-1][found.group(2)] = found.group(3)
    return entries


def check():
    faults, levels = [], {}

    def expect(holds, text):
        if not holds:
            faults.append(text)

    def check_sound(name, path):
        loudness, peak = measure(path)
        levels[name] = loudness
        samples = decoded(path)
        edge = 2 * round(EDGE * RATE)
        start = max(abs(sample) for sample in samples[:edge])
        end = max(abs(sample) for sample in samples[-edge:])
        expect(peak <= PEAK, f"{name}: true peak {peak:.1f} dBTP is above {PEAK} dBTP")
        expect(start <= EDGE_LEVEL, f"{name}: the start is not silent ({start:.6f})")
        expect(end <= EDGE_LEVEL, f"{name}: the end is not silent ({end:.6f})")
        expect(path.stat().st_size < SIZE, f"{name}: the file is larger than {SIZE} bytes")
        seconds = len(samples) / 2 / RATE
        print(f"{name:20} {seconds:6.2f} s  {loudness:7.2f} LUFS  {peak:6.1f} dBTP  {path.stat().st_size:7} bytes")
        return seconds, loudness

    entries = read_catalogue()
    expect([entry.get("identifier") for entry in entries] == CLIPS, "clips.yaml: not the six clips in order")
    for entry in entries:
        name = entry.get("identifier", "?")
        if list(entry) != KEYS:
            faults.append(f"{name}: the keys are not {', '.join(KEYS)}")
            continue
        path = MEDIA / entry["file"]
        if not path.is_file():
            faults.append(f"{name}: {entry['file']} is missing")
            continue
        expect(sha256(path) == entry["sha256"], f"{name}: sha256 differs")
        seconds, loudness = check_sound(name, path)
        listed = float(entry["duration"].removesuffix(" s"))
        expect(abs(seconds - listed) <= 0.051, f"{name}: lasts {seconds:.2f} s, not {listed} s")
        expect(30 <= seconds <= 40, f"{name}: lasts {seconds:.2f} s, not 30 to 40 s")
        listed = float(entry["loudness"].removesuffix(" LUFS"))
        expect(abs(loudness - listed) <= 0.1, f"{name}: {loudness:.2f} LUFS, not {listed}")
        score = Score(name)
        for part in score.parts:
            score.notes(part)
        for key in ("title", "tempo", "mode", "mood", "energy"):
            expect(entry[key] == score.header[key], f"{name}: {key} differs from the score")
    path = MEDIA / f"{SPOKEN}.ogg"
    if path.is_file():
        check_sound(SPOKEN, path)
    else:
        faults.append(f"{path.name} is missing")
    if levels:
        spread = max(levels.values()) - min(levels.values())
        expect(spread <= SPREAD, f"the loudness spans {spread:.2f} LU, more than {SPREAD} LU")
    for fault in faults:
        print(f"fault: {fault}", file=sys.stderr)
    if not faults:
        print(f"{len(entries)} clips and the spoken sample agree with clips.yaml")
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description="Renders and checks the clips of Entrain.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="clips to render (all)")
    parser.add_argument("--check", action="store_true", help="verify the files against clips.yaml")
    parser.add_argument("--midi", type=Path, metavar="DIR", help="also keep the MIDI files here")
    options = parser.parse_args()
    try:
        if options.check:
            return check()
        for name in options.names:
            if name not in CLIPS + [SPOKEN]:
                raise Fault(f"no clip {name}")
        with tempfile.TemporaryDirectory() as work:
            for name in options.names or CLIPS + [SPOKEN]:
                print(f"rendering {name}")
                if name == SPOKEN:
                    render_spoken(Path(work))
                else:
                    render_clip(name, Path(work), options.midi)
        missing = [name for name in CLIPS + [SPOKEN] if not (MEDIA / f"{name}.ogg").is_file()]
        if missing:
            print(f"clips.yaml is left as it is; not rendered yet: {', '.join(missing)}")
            return 0
        write_catalogue()
        return 0
    except (Fault, OSError, KeyError) as fault:
        print(f"fault: {fault}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
