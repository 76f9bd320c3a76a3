#!/usr/bin/env python3
"""Makes the digest of what studies say a second time, from the page Registration and with another YAML parser.

usage: study_meaning.py --entrain PATH [--edits N] [--seed N]

Every study under Studies is frozen; its `meaningSHA256` must be that of this script. Then N random edits of all studies together:
a comment, or an empty line, must leave the digest as it is, any other edit of a value, a key or a line must change it, and
both implementations must agree.
"""
import argparse
import glob
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
NO_TEXT = re.compile(
    r"(|~|null|Null|NULL|true|True|TRUE|false|False|FALSE|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))")


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def pairs_of(node):
    """The keys of a mapping, and behind them those that '<<' adds and that it has not itself."""
    own = {key.value: value for key, value in node.value if key.tag != "tag:yaml.org,2002:merge"}
    for key, value in node.value:
        if key.tag == "tag:yaml.org,2002:merge":
            for other in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                own = own | {name: inner for name, inner in pairs_of(other) if name not in own}
    return list(own.items())


def lines_of(node, path):
    if isinstance(node, yaml.ScalarNode):
        plain = node.style is None and NO_TEXT.fullmatch(node.value)
        return [f"{path} = {node.value if plain else quoted(node.value)}"]
    if isinstance(node, yaml.SequenceNode):
        found = [f"{path} [{len(node.value)}]"]
        for index, item in enumerate(node.value):
            found += lines_of(item, f"{path}/{index}")
        return found
    pairs = [(key, value) for key, value in pairs_of(node) if not for_authors(key, value, path)]
    found = [f"{path} {{{len(pairs)}}}"]
    for key, value in pairs:
        pointer = key.replace("~", "~0").replace("/", "~1")
        found += lines_of(value, f"{path}/{pointer if quoted(pointer)[1:-1] == pointer and ' ' not in pointer else quoted(pointer)}")
    return found


def for_authors(key, value, path):
    if path == "/study" and key == "registration":
        return True
    open_names = any(f"/{name}/" in path + "/" for name in ["arms", "conditions", "clips", "pool"])
    return key == "comment" and isinstance(value, yaml.ScalarNode) and not open_names


def digest(study, files):
    """The digest; `files` has the bytes of the other files by name."""
    found = lines_of(yaml.compose(study), "")
    for name in sorted(files, key=lambda name: name.encode()):
        if name.endswith((".yaml", ".yml")):
            found += lines_of(yaml.compose(files[name]), quoted(name))
        else:
            found.append(f"{quoted(name)} = {quoted(files[name].decode())}")
    return hashlib.sha256("".join(line + "\n" for line in found).encode()).hexdigest()


class Frozen:
    """What the program writes of a study."""

    def __init__(self, entrain, study, scratch):
        self.folder = os.path.join(scratch, "frozen")
        shutil.rmtree(self.folder, ignore_errors=True)
        done = subprocess.run([entrain, "freeze", study, "--out", self.folder], capture_output=True, text=True)
        self.problem = None if done.returncode == 0 else done.stdout + done.stderr
        if self.problem:
            return
        with open(os.path.join(self.folder, "registration.json"), encoding="utf-8") as file:
            self.registration = json.load(file)
        self.files = {}
        for entry in self.registration["files"]:
            with open(os.path.join(self.folder, entry["path"]), "rb") as file:
                self.files[entry["name"]] = file.read()
        self.study = self.files.pop(self.registration["studyFile"])
        self.meaning = self.registration["meaningSHA256"]


def in_block(lines, index):
    """Whether a line is part of a text after `|` or `>`, where nothing is a comment."""
    indent = len(lines[index]) - len(lines[index].lstrip(" "))
    for line in reversed(lines[:index]):
        own = len(line) - len(line.lstrip(" "))
        if line.strip() and own < indent:
            if re.search(r"[|>]-?\s*$", line):
                return True
            indent = own
    return False


def edited(chance, text):
    """The text with one line of it edited, whether that is a change, and what was done; `None` where it is not tried."""
    lines = text.split("\n")
    index = chance.randrange(len(lines))
    line = lines[index]
    if re.search(r"[|>]-?\s*$", line) or "#" in line or not line.strip() or in_block(lines, index):
        return None
    how = chance.choice(["comment", "line", "digit", "word", "key", "gone"])
    if how == "comment":
        lines.insert(index, re.match(" *", line).group() + "# Said on Monday.")
        return "\n".join(lines), False, how
    if how == "line":
        lines.insert(index, "")
        return "\n".join(lines), False, how
    if how == "digit" and re.search(r": .*[0-9]", line):
        lines[index] = re.sub(r"([0-9])(?=[^0-9]*$)", lambda found: str((int(found.group()) + 1) % 10), line, count=1)
    elif how == "word" and re.search(r": [A-Za-z]", line):
        lines[index] = re.sub(r": ([A-Za-z])", r": x\1", line, count=1)
    elif how == "key" and re.search(r"[a-zA-Z]+:", line):
        lines[index] = re.sub(r"([a-zA-Z]+):", r"\1x:", line, count=1)
    elif how == "gone":
        del lines[index]
    else:
        return None
    return "\n".join(lines), True, how


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--edits", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    entrain = os.path.abspath(options.entrain)
    chance = random.Random(options.seed)
    faults, agreed, refused, seen = [], 0, 0, {}
    with tempfile.TemporaryDirectory() as scratch:
        # Studies name files beside and above them.
        for folder in ["Studies", "Media"]:
            shutil.copytree(os.path.join(ROOT, folder), os.path.join(scratch, folder))
        paths = sorted(glob.glob(os.path.join(scratch, "Studies", "**", "*.yaml"), recursive=True))
        paths = [path for path in paths if b"\ntasks:" in open(path, "rb").read()]
        for path in paths:
            frozen = Frozen(entrain, path, scratch)
            if frozen.problem or digest(frozen.study, frozen.files) != frozen.meaning:
                faults.append(f"{path}: {frozen.problem or 'another digest'}")
            else:
                seen[path] = frozen
                agreed += 1
        tried = 0
        while tried < options.edits and seen:
            path = chance.choice(sorted(seen))
            own = seen[path]
            edit = edited(chance, own.study.decode())
            if edit is None:
                continue
            tried += 1
            text, is_change, how = edit
            try:
                now = digest(text.encode(), own.files)
            except yaml.YAMLError:
                refused += 1
                continue
            # The comment of authors is none.
            if is_change and now == own.meaning and "comment" not in how:
                if not re.search(r"comment|registration", text):
                    faults.append(f"{path}: '{how}' is no change: {text[:200]!r}")
            if not is_change and now != own.meaning:
                faults.append(f"{path}: '{how}' is a change")
            if tried % 10 == 0:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                frozen = Frozen(entrain, path, scratch)
                with open(path, "wb") as file:
                    file.write(own.study)
                if frozen.problem:
                    refused += 1
                elif frozen.meaning != digest(text.encode(), frozen.files):
                    faults.append(f"{path}: '{how}' has another digest in the program")
                else:
                    agreed += 1
    for fault in faults:
        print(fault)
    print(f"{len(seen)} studies, {tried} edits, {agreed} digests equal to the program's, {refused} edits that are no study, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
