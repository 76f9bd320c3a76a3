#!/usr/bin/env python3
"""Makes hostile bundles, hands them to the built program, and judges what it does.

usage: hostile_bundles.py --entrain PATH [--count N | --seconds S] [--seed N] [--limit S] [--keep FOLDER]

Every field of every file of a good bundle is set to extremes: numbers, times, paths, control characters, missing and
doubled members, links in the place of files and folders; with the sums made anew, so that the readers and not the sums
are tried. `verify`, `show`, `collate`, `export` to every format and `report`, all of them with and without pseudonyms, and
`recover`, may refuse such a bundle, and:

- end with a documented exit code, not by a signal, and within the limit of 10 s;
- write nothing outside of `--out`, and leave nothing half made in its place;
- print no control character, and no mark that turns a text around;
- lose no good bundle that lies beside a hostile one.

A failure says with which seed and number it comes again. There are negative controls: a bundle whose planted secret
would be copied, a text with a raw control character and a missing neighbour must be found by the judge itself.
"""
import argparse
import copy
import hashlib
import json
import os
import random
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import wave

HERE = os.path.dirname(os.path.abspath(__file__))
STUDY = os.path.join(HERE, "hostile.yaml")
FORMATS = ["bids", "openmhealth", "fhir", "researchkit2", "xdf", "edf", "spss", "psych-ds", "ro-crate"]
CODES = {0, 64, 65, 69, 74}
LIMIT = 10
SECRET = "a-secret-that-lies-outside"
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

NUMBERS = [
    0, -1, 1, 2, 255, 10**6, 10**9, 2**31 - 1, 2**31, -2**31, 2**53, 2**63 - 1, -2**63, 2**63, 2**64, 10**19, 10**25,
    0.5, -0.5, 1e-9, 5e-324, 1e15, 1e18, 1e19, -1e19, 9.3e18, 1e100, 1e308, -1e308, 1.7976931348623157e308, 3.5e6,
    2_678_400, 2_678_401.0, -62135596801, 253402300800, -2208988801, 32503680000, 31622400000]
TEXTS = [
    "", ".", "..", "/", "../../../../etc/passwd", "/etc/passwd", "..\\..\\x", "a/../../b", "./x", "x//y", "x/", "\x00",
    "a\x00b", "\x1b]0;owned\x07", "\x1b[2J\x1b[31m", "a\nb: whole", "a\r\nb", "\x9b31m", "\x85", "\u202eabc", "\u2066x",
    "\u200f", "\u2028", "\u061c", "\ufeff", "nan", "inf", "-inf", "1e999", "a" * 70, "b" * 300, "c" * 5000, "=1+1", "'",
    '"', "<script>alert(1)</script>", "%s%n", "é" * 40, "\U0001F469\u200D\U0001F680", "12", "0000-00-00T00:00:00+0000",
    "9999-12-31T23:59:59+9959", "2026-02-31T10:00:00+0100", "study.yaml", "journal.jsonl", "manifest.json", "steps"]
OTHERS = [None, True, False, [], {}, [None], {"": ""}, [[]], [0, 0, 0], "", 0]


def dump(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


def places(value, path=()):
    """Every place in a JSON value, the value itself too."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], path + (key,))
    elif isinstance(value, list):
        for index in range(min(len(value), 6)):
            yield from places(value[index], path + (index,))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def changed(chance, value):
    """The value with one place of it changed."""
    path = chance.choice(list(places(value)))
    old = at(value, path)
    kind = chance.random()
    if isinstance(old, bool) or old is None:
        new = chance.choice(OTHERS + NUMBERS)
    elif isinstance(old, (int, float)):
        new = chance.choice(NUMBERS) if kind < 0.9 else chance.choice(TEXTS + OTHERS)
    elif isinstance(old, str):
        new = chance.choice(TEXTS) if kind < 0.9 else chance.choice(NUMBERS + OTHERS)
    else:
        new = chance.choice(OTHERS + TEXTS[:8])
    new = copy.deepcopy(new)
    if not path:
        return new
    parent = at(value, path[:-1])
    if isinstance(parent, dict) and kind > 0.97:
        del parent[path[-1]]
    elif isinstance(parent, list) and kind > 0.97:
        parent.insert(path[-1], json.loads(json.dumps(old)))
    elif isinstance(parent, dict) and kind > 0.95:
        parent[chance.choice(TEXTS)] = new
    else:
        parent[path[-1]] = new
    return value


def dumped(value):
    """JSON as the program writes it; whole numbers of 2^63 and more stay whole."""
    return dump(value).encode("utf-8", "surrogatepass")


def change_json(chance, file):
    with open(file, "rb") as opened:
        value = json.loads(opened.read())
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        value = changed(chance, value)
    with open(file, "wb") as opened:
        opened.write(dumped(value))


def change_lines(chance, file):
    with open(file, "rb") as opened:
        lines = opened.read().splitlines()
    for _ in range(chance.choice([1, 1, 2])):
        index = chance.randrange(len(lines))
        how = chance.random()
        if how < 0.85:
            try:
                lines[index] = dumped(changed(chance, json.loads(lines[index])))
            except ValueError:
                pass
        elif how < 0.9:
            lines.insert(index, lines[index])
        elif how < 0.95 and len(lines) > 1:
            del lines[index]
        else:
            other = chance.randrange(len(lines))
            lines[index], lines[other] = lines[other], lines[index]
    with open(file, "wb") as opened:
        opened.write(b"".join(line + b"\n" for line in lines))


def change_bytes(chance, file):
    with open(file, "rb") as opened:
        content = bytearray(opened.read())
    for _ in range(chance.choice([1, 2, 8])):
        if content:
            content[chance.randrange(len(content))] = chance.choice([0, 10, 27, 34, 44, 48, 57, 92, 123, 127, 155, 255])
    if chance.random() < 0.2:
        del content[chance.randrange(len(content) + 1):]
    with open(file, "wb") as opened:
        opened.write(content)


def change_path(chance, bundle, outside):
    """The manifest lists, names or counts files that are elsewhere."""
    manifest = os.path.join(bundle, "manifest.json")
    with open(manifest, "rb") as opened:
        value = json.loads(opened.read())
    target = chance.choice([outside, os.path.relpath(outside, bundle), "../" * 12 + outside.lstrip("/"), *TEXTS[:11]])
    entry = chance.choice(value["files"])
    how = chance.random()
    if how < 0.4:
        value["files"].append(dict(entry, path=target))
    elif how < 0.6:
        entry["path"] = target
    elif how < 0.75:
        value["runUUID"] = chance.choice([target, "../" + value["runUUID"], value["runUUID"].lower(), "x"])
    elif how < 0.9:
        entry["step"] = chance.choice([target, "../../x", "a/b", "\x1b[1m"])
    else:
        entry["bytes"] = chance.choice(NUMBERS)
    with open(manifest, "wb") as opened:
        opened.write(dumped(value))


def change_link(chance, bundle, outside):
    """A link stands in the place of a file or a folder."""
    files = [os.path.join(root, name) for root, _, names in os.walk(bundle) for name in names]
    folders = [os.path.join(root, name) for root, names, _ in os.walk(bundle) for name in names]
    place = chance.choice(files + folders)
    how = chance.random()
    if how < 0.5:
        kept = place + ".kept" if chance.random() < 0.5 else os.path.join(os.path.dirname(outside), f"kept-{chance.random()}")
        os.rename(place, kept)
        os.symlink(os.path.abspath(kept), place)
    elif how < 0.75:
        shutil.rmtree(place) if os.path.isdir(place) else os.remove(place)
        os.symlink(chance.choice([outside, os.path.dirname(outside), "/dev/zero", "/dev/stdin", "/nowhere", ".", ".."]), place)
    elif how < 0.9:
        os.symlink(outside, os.path.join(os.path.dirname(place), "extra.json"))
    else:
        shutil.rmtree(place) if os.path.isdir(place) else os.remove(place)
        if chance.random() < 0.5:
            os.mkfifo(place)
        else:
            os.mkdir(place)


def change_study(chance, bundle):
    file = os.path.join(bundle, "study.yaml")
    with open(file, encoding="utf-8") as opened:
        lines = opened.read().splitlines()
    index = chance.randrange(len(lines))
    key, colon, _ = lines[index].partition(":")
    lines[index] = key + colon + " " + json.dumps(chance.choice(TEXTS + [str(number) for number in NUMBERS]))
    with open(file, "w", encoding="utf-8", errors="surrogatepass") as opened:
        opened.write("\n".join(lines) + "\n")


def seal(bundle, own=True):
    """Makes the manifest's list and the sums anew, as somebody does who knows how."""
    manifest = os.path.join(bundle, "manifest.json")

    def digest(file):
        with open(file, "rb") as opened:
            return hashlib.sha256(opened.read()).hexdigest()

    def isPlain(file):
        return os.path.isfile(file) and not os.path.islink(file)

    if own and isPlain(manifest):
        try:
            with open(manifest, "rb") as opened:
                value = json.loads(opened.read())
            for entry in value["files"]:
                file = os.path.join(bundle, entry["path"])
                if isPlain(file):
                    entry["sha256"], entry["bytes"] = digest(file), os.path.getsize(file)
            with open(manifest, "wb") as opened:
                opened.write(dumped(value))
        except (ValueError, KeyError, TypeError, OSError):
            pass
    lines = []
    for root, _, names in os.walk(bundle):
        for name in names:
            file = os.path.join(root, name)
            if isPlain(file) and name != "SHA256SUMS":
                lines.append(f"{digest(file)}  {os.path.relpath(file, bundle)}\n")
    sums = os.path.join(bundle, "SHA256SUMS")
    if os.path.isdir(sums) or not isPlain(sums):
        return
    with open(sums, "w", encoding="utf-8", errors="surrogateescape") as opened:
        opened.write("".join(sorted(lines, key=lambda line: line[66:])))


def make(chance, good, bundle, outside):
    """A hostile copy of a good bundle, and what was done to it."""
    shutil.copytree(good, bundle)
    # A run of its own, so that none is left out as known.
    for name in ["manifest.json", "journal.jsonl", "result.json"]:
        with open(os.path.join(bundle, name), "rb+") as opened:
            content = opened.read().replace(os.path.basename(good).encode(), os.path.basename(bundle).encode())
            opened.seek(0)
            opened.write(content)
    files = [os.path.join(root, name) for root, _, names in os.walk(bundle) for name in sorted(names)]
    kind = chance.random()
    # What readers look at most is changed most.
    wanted = ["result.json", "manifest.json", "plan.json"] + ["journal.jsonl"] * 2
    if kind < 0.5:
        file = os.path.join(bundle, chance.choice(wanted))
        change_lines(chance, file) if file.endswith("l") else change_json(chance, file)
    elif kind < 0.7:
        file = chance.choice([file for file in files if file.endswith(".json") and "/steps/" in file])
        change_json(chance, file)
    elif kind < 0.8:
        change_path(chance, bundle, outside)
        file = "paths"
    elif kind < 0.88:
        change_link(chance, bundle, outside)
        file = "links"
    elif kind < 0.93:
        change_study(chance, bundle)
        file = "study.yaml"
    elif kind < 0.97:
        file = chance.choice(files)
        change_bytes(chance, file)
    else:
        file = "sums"
        with open(os.path.join(bundle, "SHA256SUMS"), "a", encoding="utf-8") as opened:
            opened.write("0" * 64 + "  " + chance.choice(["../x", "/etc/passwd", "x\x1b[1m", "a/../b", ""]) + "\n")
    if file != "sums" and chance.random() < 0.95:
        seal(bundle, own=chance.random() < 0.95)
    return os.path.relpath(file, bundle) if os.path.isabs(file) else file


def participant(bundle):
    with open(os.path.join(bundle, "manifest.json"), "rb") as opened:
        return json.loads(opened.read())["participant"]


class Judge:
    """Runs the program and keeps what it did wrong."""

    def __init__(self, entrain, limit=LIMIT):
        self.entrain = entrain
        self.limit = limit
        self.faults = []
        self.runs = 0

    def judge(self, name, code, printed):
        if code is None:
            self.faults.append(f"{name}: it did not end within {self.limit} s")
        elif code not in CODES:
            self.faults.append(f"{name}: exit code {code}: {printed[-300:]!r}")
        found = UNSAFE.search(printed)
        if found:
            self.faults.append(f"{name}: it printed {found.group()!r}: {printed[max(0, found.start() - 80):][:160]!r}")
        if SECRET in printed:
            self.faults.append(f"{name}: it printed what lies outside")

    def run(self, name, *words):
        self.runs += 1
        try:
            done = subprocess.run([self.entrain, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=self.limit)
            code, printed = done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            code, printed = None, ""
        self.judge(name, code, printed)
        return code, printed

    def look_for_secret(self, folder, name):
        """Nothing that is written may hold what lies outside, or be a link."""
        for root, folders, names in os.walk(folder):
            for entry in folders + names:
                file = os.path.join(root, entry)
                if os.path.islink(file):
                    self.faults.append(f"{name}: it wrote the link {entry!r}")
                elif os.path.isfile(file):
                    with open(file, "rb") as opened:
                        if SECRET.encode() in opened.read():
                            self.faults.append(f"{name}: {entry!r} holds what lies outside")

    def expect(self, name, isTrue, what):
        if not isTrue:
            self.faults.append(f"{name}: {what}")


def snapshot(folder):
    return {os.path.join(root, name): os.lstat(os.path.join(root, name)).st_mtime_ns
            for root, folders, names in os.walk(folder) for name in folders + names}


def attack(judge, hostile, good, home, out, what):
    """Hands hostile bundles, with a good one beside them, to every command."""
    names = sorted(os.listdir(hostile))
    neighbour = os.path.basename(good)
    before = snapshot(home)
    paths = [os.path.join(hostile, name) for name in names]
    judge.run(f"verify {what}", "verify", *paths)
    judge.run(f"verify as JSON {what}", "verify", "--format", "json", *paths)
    code, printed = judge.run(f"show {what}", "show", *paths)
    if code is not None:
        judge.expect(f"show {what}", "participant P01, session 1" in printed, "the good neighbour is missing")
    judge.run(f"show as JSON {what}", "show", "--format", "json", *paths)
    judge.run(f"study status {what}", "study", "status", hostile)
    dataset = os.path.join(out, "dataset")
    code, printed = judge.run(f"collate {what}", "collate", hostile, "--out", dataset)
    if code is not None:
        rows = ""
        for root, _, files in os.walk(os.path.join(dataset, "sessions")):
            for file in files:
                with open(os.path.join(root, file), encoding="utf-8", errors="replace") as opened:
                    rows += opened.read()
        judge.expect(f"collate {what}", neighbour in rows, "the good neighbour is missing")
    judge.run(f"analyse {what}", "analyse", dataset, "--include-simulated")
    judge.run(f"report {what}", "report", dataset, "--include-simulated", "--out", os.path.join(out, "dataset.html"))
    for name, path in zip(names, paths):
        if name != neighbour:
            judge.run(f"report of {name}, {what}", "report", path, "--include-simulated", "--out", os.path.join(out, f"{name}.html"))
    for form in FORMATS:
        target = os.path.join(out, form)
        code, printed = judge.run(f"export {form} {what}", "export", hostile, "--include-simulated", "--to", form, "--out", target)
        judge.expect(f"export {form} {what}", os.path.isdir(target), "nothing was exported of the good neighbour")
        left = [name for name in os.listdir(out) if ".partial-" in name]
        judge.expect(f"export {form} {what}", not left, f"it left {left}")
    attack_by_key(judge, hostile, out, what)
    attack_recovery(judge, hostile, neighbour, out, what)
    judge.look_for_secret(out, what)
    judge.expect(what, snapshot(home) == before, "something was written outside of --out")


def attack_by_key(judge, hostile, out, what):
    """The same for those who may not know who took part, and with the folder of the clips."""
    key = os.path.join(os.path.dirname(out), "key")
    with open(key, "wb") as opened:
        opened.write(hashlib.sha256(b"key").digest())
    hidden = ["--pseudonymise", key, "--shift-dates"]
    shown = ["--include-simulated", "--stimuli", os.path.dirname(out)]
    for name, *words in [
        ("collate by pseudonym", "collate", hostile, *hidden),
        ("report by pseudonym", "report", hostile, "--include-simulated", *hidden),
        ("export of bundles by pseudonym", "export", hostile, "--to", "researchkit2", "--include-simulated", *hidden),
        ("export bids with clips", "export", hostile, "--to", "bids", *shown),
        ("export bids by pseudonym", "export", hostile, "--to", "bids", *shown, *hidden),
    ]:
        judge.run(f"{name} {what}", *words, "--out", os.path.join(out, name.replace(" ", "-")))


def copy_anything(source, target):
    """A pipe in the place of a file is copied as one."""
    if stat.S_ISFIFO(os.stat(source).st_mode):
        os.mkfifo(target)
    else:
        shutil.copy2(source, target)


def attack_recovery(judge, hostile, neighbour, out, what):
    """Bundles as runs that were killed just before they were sealed."""
    folder = os.path.join(out, "killed")
    shutil.copytree(hostile, folder, symlinks=True, copy_function=copy_anything)
    for name in os.listdir(folder):
        for file in ("manifest.json", "SHA256SUMS", "result.json"):
            path = os.path.join(folder, name, file)
            if os.path.lexists(path) and not os.path.isdir(path):
                os.remove(path)
        os.rename(os.path.join(folder, name), os.path.join(folder, name + ".running"))
    code, printed = judge.run(f"recover {what}", "recover", folder)
    judge.expect(f"recover {what}", os.path.isfile(os.path.join(folder, neighbour, "result.json")), f"the good neighbour is missing: {printed[-300:]}")
    judge.run(f"verify what was recovered {what}", "verify", os.path.join(folder, neighbour))
    # Links that were planted stay where they were, and nothing else is written through them.
    for root, folders, names in os.walk(folder):
        for entry in folders + names:
            if os.path.islink(os.path.join(root, entry)):
                os.remove(os.path.join(root, entry))


def controls(judge):
    """The judge must find what it is made to find."""
    broken = Judge(judge.entrain)
    broken.judge("control", -5, "")
    broken.judge("control", None, "")
    broken.judge("control", 0, "a\x1b[2J")
    broken.judge("control", 0, "a\u202e")
    broken.judge("control", 0, SECRET)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "x"), "w") as opened:
            opened.write(SECRET)
        broken.look_for_secret(folder, "control")
    broken.expect("control", False, "missing")
    return len(broken.faults) == 7


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--count", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=10**9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=12, help="hostile bundles that are handed over together")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds in which a command must end; more where other work is about")
    parser.add_argument("--keep", help="where the bundles of a failure are copied")
    options = parser.parse_args()
    judge = Judge(os.path.abspath(options.entrain), options.limit)
    if not controls(judge):
        print("the judge is broken: it does not find what was planted")
        return 70
    began = time.monotonic()
    made = batch = 0
    with tempfile.TemporaryDirectory() as scratch:
        home = os.path.join(scratch, "home")
        os.makedirs(os.path.join(home, "beside"))
        outside = os.path.join(home, "beside", "secret.json")
        with open(outside, "w") as opened:
            opened.write(json.dumps({"items": [], "secret": SECRET}))
        runs = os.path.join(scratch, "runs")
        study = shutil.copy(STUDY, scratch)
        with open(os.path.join(scratch, "clips.yaml"), "w") as opened:
            opened.write("entrain: 1\nclips:\n  - {identifier: silence, file: silence.wav, duration: 5 s}\n")
        with wave.open(os.path.join(scratch, "silence.wav"), "wb") as sound:
            sound.setparams((1, 2, 8000, 0, "NONE", ""))
            sound.writeframes(bytes(2 * 8000 * 5))
        done = subprocess.run(
            [judge.entrain, "rehearse", study, "--participants", "4", "--out", runs], capture_output=True, text=True)
        if done.returncode != 0:
            print(done.stdout + done.stderr)
            return 1
        bundles = sorted(os.path.join(runs, name) for name in os.listdir(runs) if len(name) == 36)
        neighbour = next(bundle for bundle in bundles if participant(bundle) == "P01")
        bundles.remove(neighbour)
        while made < options.count and time.monotonic() - began < options.seconds:
            batch += 1
            hostile = os.path.join(home, "bundles")
            os.makedirs(hostile)
            shutil.copytree(neighbour, os.path.join(hostile, os.path.basename(neighbour)))
            said = []
            for index in range(min(options.at_once, options.count - made)):
                chance = random.Random(f"{options.seed} {batch} {index}")
                name = "%08X-0000-4000-8000-%012X" % (batch, index)
                said.append(make(chance, chance.choice(bundles), os.path.join(hostile, name), outside))
                made += 1
            out = os.path.join(scratch, "out")
            os.makedirs(out)
            known = len(judge.faults)
            attack(judge, hostile, neighbour, home, out, f"(seed {options.seed}, batch {batch})")
            if len(judge.faults) > known and options.keep:
                shutil.copytree(hostile, os.path.join(options.keep, f"batch-{batch}"), symlinks=True, dirs_exist_ok=True,
                                copy_function=copy_anything)
            for fault in judge.faults[known:]:
                print(fault, "of", ", ".join(said))
            sys.stdout.flush()
            shutil.rmtree(hostile)
            shutil.rmtree(out)
            for name in os.listdir(os.path.dirname(outside)):
                if name.startswith("kept-"):
                    kept = os.path.join(os.path.dirname(outside), name)
                    shutil.rmtree(kept) if os.path.isdir(kept) else os.remove(kept)
    print(f"{made} hostile bundles, {judge.runs} commands, {time.monotonic() - began:.0f} s: {len(judge.faults)} faults")
    return 1 if judge.faults else 0


if __name__ == "__main__":
    sys.exit(main())
