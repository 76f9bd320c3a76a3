"""Makes small mistakes in chosen files, one at a time, and lists those that no test finds.

usage: python3 Tests/TidyTests/mutations.py [--count 200] [--seed 1] [--rooms Allocating,StudyEngine] [--only PART OF A PATH]
Each room is built in a copy that has only what its tests need (.build/mutations): half a minute for a mistake, after some minutes
for the first. A mistake that does not build, or that leaves a test waiting for two minutes, counts as found.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import time

from tree import HOME, copy

COPY = os.path.join(HOME, ".build/mutations")

# What draws, seals, times, works out and hides; each room with the tests that guard it.
ROOMS = {
    "Allocating": ["Allocating/Allocation*.swift", "Allocating/Ledger*.swift"],
    "StudyEngine": ["StudyEngine/Drawing/*.swift", "StudyEngine/Running/Visit*.swift",
                    "StudyEngine/Running/TaskRun+*.swift", "StudyEngine/Running/RunMemory.swift"],
    "Results": ["Results/HeldKeys.swift", "Results/Recording.swift", "Results/RecordingStatistics.swift", "Results/RunQuality.swift",
                "Results/RunningBundle*.swift", "Platform/Files/*.swift"],
    "Datasets": ["Statistics/*.swift",
                 "Analysing/GroupContrasts.swift", "Deidentifying/*.swift", "Analysing/OutcomeValue.swift"],
    "Physiology": ["Physiology/Variability/*.swift", "Physiology/HeartRateMean.swift", "Physiology/Strap/*.swift"],
}

MISTAKES = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" \+ ", " - "), (r" - ", " + "),
    (r" && ", " || "), (r" \|\| ", " && "), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\bmin\(", "max("), (r"\bmax\(", "min("),
    (r"(?<![\w.\"])(\d+)(?![\w.])", lambda found: str(int(found.group(1)) + 1)), (r"\bfirst\b", "last"), (r"\.\.<", "..."),
    (r"^(\s*)(try \S+\.sync\(.*\))$", r"\1"),
]


def entries(text, start):
    """The balanced entries of the list of targets."""
    place = text.index("\n    targets: [", start) + len("\n    targets: [")
    found = []
    while True:
        begin = re.compile(r"\s*(?://[^\n]*\n\s*)*(\.\w+\()").match(text, place)
        if not begin:
            return found
        depth, end = 1, begin.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        found.append(text[begin.start(1):end])
        place = end + (text[end] == ",")


def reduced(manifest, room):
    """The manifest with only the tests of a room, and what they need."""
    targets = {re.search(r'name: "([^"]+)"', entry).group(1): entry for entry in entries(manifest, 0)}
    needed, ahead = set(), [f"{room}Tests"]
    while ahead:
        name = ahead.pop()
        if name not in needed and name in targets:
            needed.add(name)
            listed = re.search(r"dependencies: \[(.*?)\](?=,|\s*\))", targets[name], re.S)
            ahead += re.findall(r'"([^"]+)"', re.sub(r"\.product\([^)]*\)", "", listed.group(1))) if listed else []
    text = re.sub(r"products: \[.*?\n    \],", "products: [],", manifest, count=1, flags=re.S)
    for name, entry in targets.items():
        if name not in needed:
            text = re.sub(re.escape(entry) + r",?", "", text, count=1)
    return text


def build():
    return subprocess.run(["swift", "build", "--build-tests", "-Xswiftc", "-gnone", "--disable-default-traits"], cwd=COPY, capture_output=True, text=True)


def passes():
    try:
        return subprocess.run(["swift", "test", "--skip-build", "--disable-default-traits", "-Xswiftc", "-gnone"], cwd=COPY, capture_output=True,
                              timeout=120, env=dict(os.environ, http_proxy="http://127.0.0.1:9")).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def mistakes(path):
    """Every mistake that can be made in a file: line, old and new text."""
    with open(path) as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines):
        code = line.split("//")[0]
        if not code.strip() or '"' in code or code.lstrip().startswith(("import", "package import", "precondition", "@")):
            continue
        for pattern, new in MISTAKES:
            for found in re.finditer(pattern, code):
                changed = code[:found.start()] + found.expand(new) + code[found.end():] if isinstance(new, str) else \
                    code[:found.start()] + new(found) + code[found.end():]
                yield number, line, changed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    rooms = options.rooms.split(",")
    made = survived = 0
    for room in rooms:
        copy(COPY)
        with open(f"{COPY}/Package.swift") as file:
            manifest = file.read()
        with open(f"{COPY}/Package.swift", "w") as file:
            file.write(reduced(manifest, room))
        if (whole := build()).returncode or not passes():
            sys.exit(f"{room} does not build and pass without a mistake:\n{(whole.stdout + whole.stderr)[-2000:]}")
        listed = subprocess.run(["bash", "-c", "ls " + " ".join(f"Sources/{pattern}" for pattern in ROOMS[room])], cwd=COPY, capture_output=True,
                                text=True).stdout.split()
        possible = [(path, *mistake) for path in listed if options.only in path for mistake in mistakes(os.path.join(COPY, path))]
        for path, number, old, new in chance.sample(possible, min(len(possible), options.count // len(rooms))):
            file = os.path.join(COPY, path)
            with open(file) as source:
                text = source.read()
            lines = text.split("\n")
            lines[number] = new
            with open(file, "w") as target:
                target.write("\n".join(lines))
            began = time.monotonic()
            made += 1
            if build().returncode == 0 and passes():
                survived += 1
                print(f"{path}:{number + 1}: nobody misses it ({time.monotonic() - began:.0f} s)\n-{old}\n+{new}", flush=True)
            with open(file, "w") as target:
                target.write(text)
    print(f"{made} mistakes in {', '.join(rooms)}: {survived} survive")


main()
