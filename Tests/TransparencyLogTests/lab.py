"""A laboratory that runs real sessions, and writes logs as the page TransparencyLog says: for changes.py."""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PAGES = pathlib.Path(__file__).resolve().parents[2] / "Sources/Documentation/Entrain.docc"
STUDY = """
entrain: 1
study: {{identifier: {name}, title: Calm}}
outcomes: {{primary: {{measure: answer, of: mood, relativeTo: before}}}}
{arms}
tasks:
  - identifier: main
    steps:
      - {{type: consent, identifier: consent, document: I take part of my own will.}}
      - {{type: question, identifier: before, title: Before, answer: {{scale: {{from: 1, to: 5}}}}}}
      {step}
      - {{type: question, identifier: mood, title: Mood, answer: {{scale: {{from: 1, to: 5}}}}}}
      - {{type: completion, identifier: end, title: Thank you!}}
"""
ARMS = """arms:
  - {{identifier: short, ratio: {0}, title: A short rest, values: {{words: Short}}}}
  - {{identifier: long, ratio: {1}, title: A long rest, values: {{words: Long}}}}
allocation:
  commitment: none yet
  {allocation}
"""
QUESTION = "- {{type: question, identifier: {name}, title: Your {name}, answer: {{choice: [{choices}]}}}}"
STEP = "- {type: allocation, identifier: arm}"


def digest(data):
    return hashlib.sha256(data).hexdigest()


def run_name(bundle):
    """What the log calls the run of a bundle, or of a run's UUID."""
    return digest(pathlib.Path(bundle).name[:36].encode())


class Lab:
    """A folder with a study, results, and what the results were after each event. The questions are asked before the arm."""

    def __init__(self, program, folder, name="calm", allocation="", questions=(), ratios=(1, 1), create=()):
        self.program, self.folder = os.path.abspath(program), pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self.results = self.folder / "results"
        self.results.mkdir()
        self.ledger = ["--ledger", "ledger"] if allocation else []
        self.states = []
        study = self.folder / "study.yaml"
        steps = [QUESTION.format(name=question, choices=", ".join(choices)) for question, choices in questions]
        steps += [STEP] if allocation else []
        arms = ARMS.format(*ratios, allocation=allocation) if allocation else ""
        text = STUDY.format(name=name, arms=arms, step="\n      ".join(steps))
        study.write_text(text.replace("  commitment: none yet\n", ""))
        if allocation:
            said = self.call("allocation", "create", "study.yaml", "--out", "ledger", *create)
            assert said.returncode == 0, said.stderr
            study.write_text(text.replace("commitment: none yet", re.search(r"commitment: (\w+)", said.stdout).group()))

    def call(self, *arguments, keys="", folder=None):
        return subprocess.run(
            [self.program, *map(str, arguments)], input=keys, capture_output=True, text=True, cwd=folder or self.folder)

    def command(self, code, *options, out="results"):
        return ["run", "study.yaml", "--plain", "--audio", "none", "--participant", code, "--out", str(out),
                *self.ledger, *options]

    def attempt(self, code, *options, out="results", answers=(), mood=4):
        return self.call(*self.command(code, *options, out=out), keys="\n".join(["yes", "3", *answers, str(mood), "\n\n"]))

    def run(self, code, *options, out="results", answers=(), mood=4):
        said = self.attempt(code, *options, out=out, answers=answers, mood=mood)
        assert said.returncode == 0, said.stderr
        return pathlib.Path(re.search(r"saved in (\S+)", said.stdout).group(1)).name

    def begin(self, code, *options, out="results", answers=()):
        """A run that has come to its last question, and waits there."""
        child = subprocess.Popen(
            [self.program, *self.command(code, *options, out=out)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, cwd=self.folder)
        child.stdin.write("\n".join(["yes", "3", *answers, ""]))
        child.stdin.flush()
        for line in child.stdout:
            if "Mood" in line:
                break
        return child

    def kill(self, code, *options, out="results", answers=()):
        child = self.begin(code, *options, out=out, answers=answers)
        child.kill()
        child.communicate()

    def keep(self):
        """Keeps the results as they are now: what an honest laboratory has at this moment."""
        state = self.folder / f"state-{len(self.states)}"
        try:
            shutil.copytree(self.results, state, symlinks=True)
        except shutil.Error as problem:
            # A run that goes on replaces files while they are copied.
            if any(".running/" not in path for path, _, _ in problem.args[0]):
                raise
        self.states.append(state)


def bundles(results):
    return [place for place in sorted(results.iterdir()) if (place / "journal.jsonl").exists() and len(place.name) == 36]


def seal(bundle):
    """Makes the checksums of a bundle anew."""
    names = sorted(str(p.relative_to(bundle)) for p in bundle.rglob("*") if p.is_file() and p.name != "SHA256SUMS")
    (bundle / "SHA256SUMS").write_text("".join(f"{digest((bundle / n).read_bytes())}  {n}\n" for n in names))


def verifier(folder):
    """The verifier of the page, as a script."""
    page = (PAGES / "TransparencyLog.md").read_text()
    script = pathlib.Path(folder) / "verify.py"
    script.write_text(re.search(r"## A verifier\n.*?```python\n(.*?)```", page, re.S).group(1))

    def judge(results, *kept):
        said = subprocess.run([sys.executable, str(script), str(results), *map(str, kept)], capture_output=True, text=True)
        return said.returncode, said.stdout, said.stderr
    return judge


# The log itself, from the page's sections "Files" and "Entries".

def sha(data):
    return hashlib.sha256(data).digest()


def root(hashes):
    if len(hashes) < 2:
        return hashes[0] if hashes else sha(b"")
    left = 1 << (len(hashes) - 1).bit_length() - 1
    return sha(b"\x01" + root(hashes[:left]) + root(hashes[left:]))


def beside(hashes, index):
    """The hashes beside the way of an entry to the root."""
    if len(hashes) < 2:
        return []
    left = 1 << (len(hashes) - 1).bit_length() - 1
    if index < left:
        return beside(hashes[:left], index) + [root(hashes[left:])]
    return beside(hashes[left:], index - left) + [root(hashes[:left])]


def tile(number):
    path = "%03d" % (number % 1000)
    while number := number // 1000:
        path = "x%03d/" % (number % 1000) + path
    return path


def read_entries(log):
    size = int((log / "checkpoint").read_text().split("\n")[1])
    entries = []
    for start in range(0, size, 256):
        part = f".p/{size - start}" if size - start < 256 else ""
        data = (log / "tile/entries" / (tile(start // 256) + part)).read_bytes()
        while data:
            length = int.from_bytes(data[:2], "big")
            entries.append(data[2:2 + length])
            data = data[2 + length:]
    return entries


class Key:
    def __init__(self, text=None, name=None):
        seed = base64.b64decode(text.strip().split("+", 4)[4])[1:] if text else os.urandom(32)
        self.name = text.split("+")[2] if text else name
        self.file = tempfile.NamedTemporaryFile()
        self.file.write(bytes.fromhex("302e020100300506032b657004220420") + seed)
        self.file.flush()
        public = subprocess.run(["openssl", "pkey", "-inform", "DER", "-in", self.file.name, "-pubout", "-outform", "DER"],
                                capture_output=True, check=True).stdout[-32:]
        self.identifier = sha(self.name.encode() + b"\n\x01" + public)[:4]
        self.verifier = f"{self.name}+{self.identifier.hex()}+{base64.b64encode(bytes([1]) + public).decode()}\n"
        self.secret = f"PRIVATE+KEY+{self.name}+{self.identifier.hex()}+{base64.b64encode(bytes([1]) + seed).decode()}\n"

    def checkpoint(self, size, head):
        text = f"{self.name}\n{size}\n{base64.b64encode(head).decode()}\n"
        with tempfile.NamedTemporaryFile() as note:
            note.write(text.encode())
            note.flush()
            signature = subprocess.run(
                ["openssl", "pkeyutl", "-sign", "-inkey", self.file.name, "-keyform", "DER", "-rawin", "-in", note.name],
                capture_output=True, check=True).stdout
        return f"{text}\n— {self.name} {base64.b64encode(self.identifier + signature).decode()}\n"


def write_log(log, entries, key):
    """Writes a whole log anew."""
    shutil.rmtree(log, ignore_errors=True)
    leaves = [sha(b"\x00" + entry) for entry in entries]

    def write(path, data):
        (log / path).parent.mkdir(parents=True, exist_ok=True)
        (log / path).write_bytes(data)
    for start in range(0, len(entries), 256):
        some = entries[start:start + 256]
        part = f".p/{len(some)}" if len(some) < 256 else ""
        write(f"tile/entries/{tile(start // 256)}{part}", b"".join(len(e).to_bytes(2, "big") + e for e in some))
    level, hashes = 0, leaves
    while hashes:
        for start in range(0, len(hashes), 256):
            some = hashes[start:start + 256]
            part = f".p/{len(some)}" if len(some) < 256 else ""
            write(f"tile/{level}/{tile(start // 256)}{part}", b"".join(some))
        hashes = [root(hashes[start:start + 256]) for start in range(0, len(hashes) - 255, 256)]
        level += 1
    write("checkpoint", key.checkpoint(len(entries), root(leaves)).encode())
    write("verifier-key", key.verifier.encode())
    write("secret-key", key.secret.encode())


def prove(bundle, entries, index, key):
    """Writes the proof of a bundle as of the moment at which its run began."""
    leaves = [sha(b"\x00" + entry) for entry in entries[:index + 1]]
    lines = [base64.b64encode(one).decode() + "\n" for one in beside(leaves, index)]
    (bundle / "begun.tlog-proof").write_text(
        f"c2sp.org/tlog-proof@v1\nindex {index}\n" + "".join(lines) + "\n" + key.checkpoint(index + 1, root(leaves)))
