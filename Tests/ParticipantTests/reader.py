"""A reader who follows the README and the users' pages: each command is typed as it stands, in its order, in a new folder.

Of other pages the commands are typed if a comment says what the reader has or does; otherwise they are read. On every page, each command and
option must be one that the program knows.

    python3 Tests/ParticipantTests/reader.py --entrain ENTRAIN [--page NAME]…

What the reader of a page does not see stands in comments before a block:

    <!-- has: COMMANDS -->             what the reader has when they come to this place, such as participants
    <!-- not run: REASON -->           the block needs what a machine of tests does not have
    <!-- needs: PROGRAM -->            the block is left out where the program is not installed
    <!-- needs port: 8080 -->          another program may have the port: then the block is left out
    <!-- ends with: 65 -->             its exit code, which stands in the page's text, too
    <!-- sees WORDS, types KEYS | … -->  at a terminal: when the screen shows WORDS, KEYS are pressed (⏎ is Return)
    <!-- beside, until WORDS -->       goes on in a terminal of its own while the page does; the next block waits for WORDS there
    <!-- after what goes on beside --> waits for the end of it
    <!-- writes: FILE -->              what the reader saves under this name
    <!-- in FILE, before: LINE -->     where the reader puts the block; `after` and `instead of` likewise, to a LINE that begins so

Ends with 1 if a block does not do what the page says, and says what ran, what did not, and why.
"""

import argparse
import collections
import concurrent.futures
import fcntl
import functools
import os
import pty
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

from screen import Screen

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
BOOK = os.path.join(ROOT, "Sources/Documentation/Entrain.docc")
# A block that takes longer hangs.
PATIENCE = 300
BLOCK = re.compile(r"^<!-- has: ([^\n]*) -->$|((?:^<!-- [^\n]* -->\n+)*)^```(sh|yaml|python)\n(.*?)^```$", re.M | re.S)


class Wrong(Exception):
    """The page and the program differ."""


def pages():
    """The README, then the pages in the order of their books, but for those that tell of the past; and which of them are for users."""
    with open(f"{BOOK}/Entrain.md") as file:
        topics = file.read().split("## Topics\n")[1]
    users = ["README"] + re.findall(r"<doc:(\w+)>", topics.split("\n### For makers")[0])
    texts = {}
    for name in ["README", *re.findall(r"<doc:(\w+)>", topics)]:
        if name not in ("Changelog", "Decisions"):
            with open(f"{ROOT}/README.md" if name == "README" else f"{BOOK}/{name}.md") as file:
                texts[name] = file.read()
    return texts, users


@functools.cache
def help_of(entrain, command):
    done = subprocess.run([entrain, "help", *command], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def unknown(entrain, text):
    """What the program does not know of the commands in a text, in blocks and between words."""
    spans = [line for _, _, kind, block in BLOCK.findall(text) if kind == "sh" for line in block.replace("\\\n", " ").splitlines()]
    spans += [" ".join(span.split()) for span in re.findall(r"`(entrain [^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))]
    for span in spans:
        for command in re.findall(r"(?:^|[|(;&] *)entrain ([a-z].*)", span):
            words = re.sub(r"'[^']*'|\"[^\"]*\"|#.*", "…", command).split(" -- ")[0].split()
            path = (words[0],)
            if (said := help_of(entrain, path)) and "SUBCOMMANDS" in said and words[1:] and re.fullmatch("[a-z]+", words[1]):
                path += (words[1],)
                said = help_of(entrain, path)
            if said is None:
                yield f"'{span}': the program has no command '{' '.join(path)}'"
                continue
            for option in re.findall(r"(?<!\S)--[a-z][a-z-]*", " ".join(words)):
                if not re.search(rf"{option}(?![a-z-])", said):
                    yield f"'{span}': '{' '.join(path)}' has no {option}"


class Terminal:
    """A command at a pseudo-terminal: each screen that has come to rest is answered by the first rule whose words it shows."""

    def __init__(self, command, environment, rules):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.screen, self.rules, self.said, self.code = Screen(80, 24), rules, "", None

    def sit(self):
        unseen, typed = "", time.monotonic()
        while True:
            if not select.select([self.file], [], [], 0.4)[0]:
                keys = next((keys for words, keys in self.rules if words in self.screen.text or words in unseen), "")
                # A key that came too soon after the one before counts as held down, so it is pressed again.
                if keys and (unseen or time.monotonic() > typed + 2):
                    for key in keys.replace("⏎", "\r"):
                        os.write(self.file, key.encode())
                        time.sleep(0.1)
                    typed = time.monotonic()
                unseen = ""
                continue
            try:
                data = os.read(self.file, 65536).decode(errors="replace")
            except OSError:
                data = ""
            if not data:
                self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
                return
            self.said, unseen = self.said + data, unseen + data
            self.screen.feed(data)

    def start(self):
        self.thread = threading.Thread(target=self.sit, daemon=True)
        self.thread.start()

    def wait(self, holds):
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end or self.code is not None:
                self.end()
                raise Wrong(f"is not as the page says; the screen shows:\n{self.screen.text}\n{self.said[-1000:]!r}")
            time.sleep(0.1)

    def end(self):
        if self.code is None:
            os.killpg(self.pid, signal.SIGTERM)


class Reader:
    """Somebody at a machine with `entrain` on the path, who has read nothing else."""

    def __init__(self, entrain, folder):
        self.folder = folder
        self.state = os.path.join(folder, ".state")
        programs, home, here = (os.path.join(folder, name) for name in ("bin", "home", "here"))
        for name in (self.state, programs, home, here):
            os.mkdir(name)
        for name in ("entrain", "entrain-monitor"):
            os.symlink(os.path.join(os.path.dirname(os.path.abspath(entrain)), name), os.path.join(programs, name))
        environment = {
            "PATH": programs + ":" + os.environ["PATH"], "HOME": home, "ENTRAIN_DATA": ROOT, "LANG": "C.UTF-8", "TERM": "xterm-256color",
            "http_proxy": "http://127.0.0.1:9", "no_proxy": "localhost,127.0.0.1"}
        self.environment = environment
        with open(f"{self.state}/here", "w") as file:
            file.write(here)
        open(f"{self.state}/variables", "w").close()
        self.beside = []

    @property
    def here(self):
        with open(f"{self.state}/here") as file:
            return file.read().strip()

    def shell(self, text):
        """A block for bash, which begins where the one before ended, with its variables."""
        return ["bash", "-c", f"cd {self.here!r}; . {self.state}/variables; set -aeo pipefail\n"
                f"trap 'code=$?; pwd >{self.state}/here; export -p >{self.state}/variables; exit $code' EXIT\n{text}"]

    def run(self, text):
        done = subprocess.Popen(
            self.shell(text), env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, start_new_session=True)
        try:
            said, _ = done.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(done.pid, signal.SIGKILL)
            raise Wrong(f"has not ended after {PATIENCE} s") from None
        return done.returncode, said

    def sit(self, text, rules, until=None):
        """The same at a terminal. With `until` it goes on beside what comes next."""
        terminal = Terminal(self.shell(text), self.environment, rules)
        terminal.start()
        if until:
            self.beside.append(terminal)
            terminal.wait(lambda: until in terminal.said or until in terminal.screen.text)
            return 0, ""
        terminal.thread.join(PATIENCE)
        if terminal.code is None:
            terminal.end()
            raise Wrong(f"has not ended after {PATIENCE} s; the screen shows:\n{terminal.screen.text}")
        return terminal.code, terminal.said

    def write(self, name, text, place=None):
        path = os.path.join(self.here, name)
        if place:
            how, line = place
            with open(path) as file:
                lines = file.read().splitlines()
            found = [number for number, one in enumerate(lines) if one.strip().startswith(line)]
            if len(found) != 1:
                raise Wrong(f"{name} has {len(found)} lines that begin with '{line}'")
            first, last = {"before": (0, 0), "after": (1, 1), "instead of": (0, 1)}[how]
            lines[found[0] + first:found[0] + last] = text.splitlines()
            text = "\n".join(lines) + "\n"
        with open(path, "w") as file:
            file.write(text)


def note(notes, pattern):
    return next((found for line in notes.splitlines() if (found := re.fullmatch(f"<!-- {pattern} -->", line))), None)


def reason_not_to(notes, taken):
    """Why a block is left out. `taken` are the ports that another program has."""
    if found := note(notes, "not run: (.*)"):
        return found[1]
    if (found := note(notes, "needs: (.*)")) and not shutil.which(found[1]):
        return f"{found[1]} is not installed"
    if found := note(notes, "needs port: (.*)"):
        with socket.socket() as one:
            if note(notes, "beside, .*") and one.connect_ex(("127.0.0.1", int(found[1]))) == 0:
                taken.add(found[1])
        return f"another program has port {found[1]}" if found[1] in taken else None
    return None


def do(reader, page, notes, text):
    """Types a block of commands, and compares its exit code with the page."""
    code = int(found[1]) if (found := note(notes, "ends with: (.*)")) else 0
    if code and not re.search(rf"\b{code}\b", re.sub(r"<!--.*?-->|^```.*?^```", "", page, flags=re.M | re.S)):
        raise Wrong(f"{text}the page does not say that this ends with {code}")
    if note(notes, "after what goes on beside"):
        for terminal in reader.beside:
            terminal.thread.join(PATIENCE)
            terminal.wait(lambda: terminal.code is not None)
    rules = note(notes, "(sees .*)")
    rules = [re.fullmatch("sees (.*), types (.*)", rule.strip()).groups() for rule in rules[1].split(" | ")] if rules else []
    until = note(notes, "beside, until (.*)")
    if rules or until:
        ended, said = reader.sit(text, rules, until and until[1])
    else:
        ended, said = reader.run(text)
    if ended != code:
        raise Wrong(f"{text}ended with {ended}, not {code}:\n{said[-3000:]}")


def follow(name, words, entrain, is_users=True):
    """Does what a page says: what was done, how often each kind of block ran or did not, and how the page and the program differ."""
    said, seen, taken, folder = [], collections.Counter(), set(), tempfile.mkdtemp(prefix="reader.")
    reader, began = Reader(entrain, folder), time.monotonic()
    is_followed = is_users or bool(re.search("^<!-- (has|writes|sees) ?", words, re.M))
    try:
        if strange := list(unknown(entrain, words)):
            raise Wrong("\n".join(strange))
        for has, notes, kind, text in BLOCK.findall(words):
            if has:
                do(reader, words, "", has + "\n")
            elif kind == "sh" and not is_followed:
                seen[kind, "read"] += 1
            elif reason := reason_not_to(notes, taken):
                seen[kind, "not run"] += 1
                said.append(f"not run   {name}: {text.splitlines()[0]}: {reason}")
            elif kind == "sh":
                do(reader, words, notes, text)
                seen[kind, "ran"] += 1
            elif found := note(notes, "writes: (.*)"):
                reader.write(found[1], text)
                seen[kind, "ran"] += 1
            elif found := note(notes, "in (.*), (before|after|instead of): (.*)"):
                reader.write(found[1], text, (found[2], found[3]))
                seen[kind, "ran"] += 1
            elif is_users and name not in ("Cookbook", "StudyFormat"):
                # CookbookTests checks and rehearses those.
                raise Wrong(f"{text}nothing says what the reader does with this listing")
        if is_followed:
            said.append(f"ok        {name}: {seen['sh', 'ran']} blocks of commands in {time.monotonic() - began:.0f} s")
        return said, seen, None
    except Wrong as wrong:
        return said, seen, f"{name}: {wrong}"
    finally:
        for terminal in reader.beside:
            terminal.end()
        shutil.rmtree(folder, ignore_errors=True)


# Each has a mistake that the reader must see.
MISTAKES = (
    "```sh\nentrain check nothing.yaml\n```\n", "```yaml\nentrain: 1\n```\n", "<!-- ends with: 65 -->\n```sh\nexit 65\n```\n",
    "Type `entrain run study.yaml --colour red`.\n", "<!-- not run: no -->\n```sh\nentrain study rename\n```\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--page", action="append", help="a page's name, or README; all of them if nothing is said")
    options = parser.parse_args()
    for page in MISTAKES:
        if not follow("a page with a mistake", page, options.entrain)[2]:
            sys.exit(f"the reader does not see what is wrong with\n{page}")
    texts, users = pages()
    names = [name for name in texts if not options.page or name in options.page]
    code, seen = 0, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(4) as readers:
        for said, counts, wrong in readers.map(lambda name: follow(name, texts[name], options.entrain, name in users), names):
            seen += counts
            print(*said, *[f"NOT SO    {wrong}"] * bool(wrong), sep="\n", end="\n" if said or wrong else "", flush=True)
            code = code or bool(wrong)
    print(f"{len(names)} pages; " + "; ".join(
        f"{kind}: " + ", ".join(f"{seen[kind, what]} blocks {what}" for what in ("ran", "not run", "read") if seen[kind, what])
        for kind in sorted({kind for kind, _ in seen})))
    sys.exit(code)


main()
