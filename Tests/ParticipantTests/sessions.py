"""People at a terminal: random sessions typed into a real pseudo-terminal, each compared with the person's own record.

    python3 Tests/ParticipantTests/sessions.py --entrain ENTRAIN [--sessions N | --seconds S] [--seed SEED]

A person waits for nothing but the screen. Each keeps a record of what was entered and of what was seen to be confirmed, reads
no word of the program's own understanding, and compares every value of the bundle with the record. Ends with 1 at the first
session that differs, and says which seed makes it again.
"""

import argparse
import fcntl
import glob
import json
import os
import pty
import random
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

from screen import Screen

PATIENCE = 30
KINDS = [
    "scale", "wide", "labelled", "hidden", "continuous", "choice", "choices", "other", "others", "boolean", "number", "whole", "text",
    "lines", "date", "birthday", "timeOfDay", "evening",
]
# What is typed stands in a line of its own.
TYPED = ("continuous", "number", "whole", "text", "date", "birthday", "timeOfDay", "evening")
ARMS = ["music", "quiet"]
MOODS = ["calm", "glad", "sad", "tired", "awake", "bored", "warm"]


class Difference(Exception):
    """The program does not do what it should."""


class Disturbed(Exception):
    """The machine was too busy to type as a person does."""


class Terminal:
    """A program at a pseudo-terminal."""

    def __init__(self, command, columns=80, rows=24):
        self.screen = Screen(columns, rows)
        self.said = ""
        self.has_begun = False
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", LANG="C.UTF-8", http_proxy="http://127.0.0.1:9")
            os.execv(command[0], command)
        self.decoder = b""
        self.resize(columns, rows)
        self.code = None
        self.last = ("", 0.0)
        self.sentences = set()

    def resize(self, columns, rows):
        self.screen.resize(columns, rows)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.file, text.encode())
        self.last = (text, time.monotonic())

    def press(self, key):
        """Presses a key; the same twice only as fast as nobody takes for one that is held."""
        if self.last[0] == key:
            self.rest(self.last[1] + 1.1 - time.monotonic())
        self.type(key)

    def hold(self, key):
        """Holds a key for almost a second; a keyboard repeats it after a while."""
        self.press(key)
        for pause in [0.4] + [0.03] * 15:
            before = self.last[1]
            self.rest(pause)
            self.type(key)
            if self.last[1] - before > pause + 0.05:
                raise Disturbed()

    def rest_until(self, condition, seconds):
        """Waits a while; who sees nothing happen then presses the key again."""
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            self.read(0.1)

    def rest(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(max(0, end - time.monotonic()))

    def read(self, seconds):
        """Takes in what is shown next; False where the program has ended."""
        if not select.select([self.file], [], [], seconds)[0]:
            return True
        try:
            got = os.read(self.file, 65536)
        except OSError:
            got = b""
        if not got:
            return False
        self.decoder += got
        text = self.decoder.decode("utf-8", "ignore")
        whole = self.decoder.decode("utf-8", "replace")
        self.decoder = b"" if not whole.endswith("\ufffd") else self.decoder[-3:]
        self.said += text
        if not self.has_begun and re.search(r"revision \d+ of ", self.said):
            self.has_begun = True
            os.write(self.file, b"\r")
        self.screen.feed(text)
        self.sentences |= {int(number) for number in re.findall(r"\bS(\d+)\.", self.screen.text)}
        return True

    def wait(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end or not self.read(min(1, PATIENCE)):
                raise Difference(f"never seen: {what}\n{self.screen.text}\n---\n{self.said[-600:]!r}")

    def finish(self):
        while self.read(PATIENCE):
            pass
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.file)
        return self.code

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        self.finish()

    def hang_up(self):
        """The terminal is closed, by its window or a broken line."""
        os.close(self.file)
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def answer_format(kind, chance):
    if kind == "scale":
        return {"scale": {"from": 1, "to": 9}}
    if kind == "wide":
        return {"scale": {"from": -20, "to": 80}}
    if kind == "labelled":
        return {"scale": {"from": -3, "to": 3, "labels": {"-3": "awful", "0": "so so", "3": "lovely"}}}
    if kind == "hidden":
        return {"continuous": {"from": 0, "to": 10, "decimals": 1, "start": 5, "showNumber": False}}
    if kind == "continuous":
        return {"continuous": {"from": 0, "to": 10, "decimals": 1}}
    if kind in ("choice", "choices", "other", "others"):
        choices = [{"value": mood, "text": f"I am {mood}"} for mood in MOODS[: chance.randint(3, 7)]]
        if kind.startswith("other"):
            choices.append({"value": "else", "text": "Something else", "other": True})
        if kind == "others":
            choices.append({"value": "none", "text": "None of these", "exclusive": True})
        order = {"order": chance.choice(["shuffle", "reverse"])} if chance.random() < 0.4 else {}
        return {"choice" if kind in ("choice", "other") else "choices": choices} | order
    if kind == "number":
        return {"number": {"unit": "kg", "min": 20, "max": 300}}
    if kind == "whole":
        return {"number": {"min": -5, "max": 40, "integer": True}}
    if kind == "lines":
        return {"text": {"multipleLines": True}}
    if kind == "birthday":
        return {"date": {"min": "1950-01-01", "max": "2010-12-31"}}
    if kind == "evening":
        return {"timeOfDay": {"min": "18:00"}}
    return {kind: {}}


def day(chance, first, last):
    year, month, day = chance.randint(first, last), chance.randint(1, 12), chance.randint(13, 28)
    form = chance.choice(["{y}-{m:02}-{d:02}", "{d}.{m}.{y}", "{m}/{d}/{y}", "{d}/{m}/{y}"])
    return form.format(y=year, m=month, d=day), f"{year}-{month:02}-{day:02}"


def time_of_day(chance, first):
    hour, minute = chance.randint(first, 23), chance.randint(0, 59)
    half = hour % 12 or 12
    name = "am" if hour < 12 else "PM"
    text = chance.choice([f"{hour}:{minute:02}", f"{half}:{minute:02} {name}", f"{hour:02}.{minute:02}", f"{hour}h{minute:02}"])
    return text, f"{hour:02}:{minute:02}"


class Item:
    """A question, and what a person may type there: texts with their meanings, and texts that mean nothing."""

    def __init__(self, name, kind, is_optional, chance, format=None):
        self.name, self.kind, self.is_optional = name, kind, is_optional
        self.format = format or answer_format(kind, chance)
        self.title = f"Item {name}"

    def yaml(self):
        return {"identifier": self.name, "title": self.title, "optional": self.is_optional, "answer": self.format}

    @property
    def is_list(self):
        return self.kind in ("choice", "choices", "other", "others", "boolean")

    def choices(self):
        return self.format.get("choice") or self.format["choices"]

    def options(self):
        return [choice["value"] for choice in self.choices()]

    def words(self, value):
        return next(choice["text"] for choice in self.choices() if choice["value"] == value)

    def meaning(self, chance, shown=None):
        """A text, and the value that it is to be stored as; `shown` are the choices in the order on the screen."""
        kind = self.kind
        if kind in ("scale", "wide", "labelled"):
            scale = self.format["scale"]
            value = chance.randint(scale["from"], scale["to"])
            return str(value), value
        if kind in ("continuous", "hidden"):
            tenths = chance.randint(0, 100)
            return f"{tenths // 10}{chance.choice('.,')}{tenths % 10}", tenths / 10
        if kind in ("choice", "choices", "other", "others"):
            return self.choice(chance, self.options() if shown is None else shown)
        if kind == "boolean":
            value = chance.random() < 0.5
            return chance.choice(["y", "yes", "1"] if value else ["n", "no", "2"]), value
        if kind == "number":
            whole, part = chance.randint(20, 299), chance.randint(0, 9)
            return f"{whole}{chance.choice('.,')}{part}{chance.choice(['', ' kg'])}", float(f"{whole}.{part}")
        if kind == "whole":
            value = chance.randint(-5, 40)
            return str(value), value
        if kind == "text":
            words = [chance.choice(["skip", "back", "quit", "é", "日本", "sixty", "a", "'x'", "q", "/"]) for _ in range(chance.randint(1, 4))]
            text = " ".join(words)
            return text, text
        if kind == "lines":
            text = "\n".join(chance.choice(["skip it", "xxa", "日本", "two words", "xxq"]) for _ in range(chance.randint(1, 3)))
            return text, text
        return day(chance, *((1900, 2026) if kind == "date" else (1950, 2010))) if kind in ("date", "birthday") else time_of_day(
            chance, 0 if kind == "timeOfDay" else 18)

    def choice(self, chance, shown):
        """Picks by number, as the numbers stand on the screen, or by words where not all are on show."""
        number = {value: str(index + 1) for index, value in enumerate(shown)}
        plain = [choice["value"] for choice in self.choices() if not choice.get("other") and not choice.get("exclusive")]
        if not shown:
            value = chance.choice(plain)
            return self.words(value), [value]
        if self.kind.startswith("other") and chance.random() < 0.5:
            own = chance.choice(["gardening", "my cat", "été"])
            also = [chance.choice(plain)] if self.kind == "others" and chance.random() < 0.5 else []
            picked = sorted(also + ["else"], key=self.options().index)
            return " ".join(number[value] for value in also + ["else"]) + ": " + own, (picked, own)
        if self.kind in ("choice", "other"):
            value = chance.choice(plain)
            return chance.choice([number[value], self.words(value).lower()]), [value]
        if self.kind == "others" and chance.random() < 0.2:
            return number["none"], ["none"]
        picked = chance.sample(plain, chance.randint(1, 3))
        return chance.choice([" ", ", ", ","]).join(number[value] for value in picked), sorted(picked, key=self.options().index)

    def nonsense(self, chance):
        """A text that must be refused; None where there is none."""
        count = len(self.options()) if self.kind in ("choice", "choices", "other", "others") else 0
        text = chance.choice({
            "scale": ["0", "sixty", "7.5", "1e1"], "wide": ["81", "1007", "abc", "--5"], "labelled": ["4", "-4", "0.5", "nice"],
            "continuous": ["5,25", "11", "1e0", "sixty"], "hidden": ["10,1", "much"], "choice": ["99", "90", "x"],
            "choices": ["99", "1 99", "q"], "other": ["99", str(count)], "others": ["99", f"{count - 1}", f"1 {count}"],
            "boolean": ["3", "maybe"], "number": ["1e2", "19", "301", "1,2,3", "70x"], "whole": ["3.5", "41", "-6", "ten"],
            "text": [None], "lines": [None], "date": ["3/4/1987", "1987-02-30", "today", "1.2.87"],
            "birthday": ["1949-12-31", "2011-01-01", "5/6/1990"], "timeOfDay": ["24:00", "7:5", "13:15 pm", "noon"],
            "evening": ["17:59", "5:59 PM", "0:30"],
        }[self.kind])
        # Where all options have one digit, two digits are two answers: of nine, 99 is the ninth.
        return None if count == 9 and text and "99" in text else text


class Page:
    def __init__(self, number, items, kind, chance):
        self.name, self.items, self.kind = f"page{number}", items, kind
        self.title = f"Page {number}."
        self.is_form = kind != "question"
        self.is_reviewed = kind == "form" and number % 2 == 0
        self.order = chance.choice(["fixed", "fixed", "shuffle", "reverse"])
        # In the order in which they were on the screen.
        self.shown = []

    def yaml(self):
        step = {"identifier": self.name, "title": self.title, "type": self.kind}
        if self.kind == "form":
            return step | {"review": self.is_reviewed, "order": self.order, "questions": [item.yaml() for item in self.items]}
        if self.kind == "matrix":
            items = [{key: value for key, value in item.yaml().items() if key != "answer"} for item in self.items]
            return step | {"order": self.order, "answer": self.items[0].format, "items": items}
        item = self.items[0]
        return step | {"optional": item.is_optional, "answer": item.format}


class Reading:
    """A page to read, or a document to agree to, of marked sentences."""

    items = []

    def __init__(self, number, is_consent, chance):
        self.name, self.title, self.is_consent = f"read{number}", f"Reading {number}.", is_consent
        self.is_signed = is_consent and chance.random() < 0.5
        self.count = chance.randint(3, 90) if is_consent else 1
        self.time = f"{chance.choice([100, 900])} ms" if chance.random() < 0.3 else None

    def yaml(self):
        step = {"identifier": self.name, "title": self.title}
        if self.time:
            step["leastTime"] = self.time
        if not self.is_consent:
            return step | {"type": "instruction", "text": "Please read on."}
        sentences = [f"S{number}. *Words* to be read, **slowly**." for number in range(self.count)]
        document = "# Consent\n\n" + "\n".join(("- " if number % 3 else "\n") + text for number, text in enumerate(sentences))
        step |= {"type": "consent", "document": document, "declined": "That is quite all right."}
        return step | ({"signature": "typed"} if self.is_signed else {})


class Review:
    """All answers once more, from which any can be changed."""

    name, title, items = "review", "Look over.", []

    def yaml(self):
        return {"identifier": self.name, "title": self.title, "type": "review"}

    def rows(self, pages, record):
        """What is to be seen: for each question its page's number, its title and, where it is plain, what was entered."""
        for number, page in enumerate(pages):
            for item in page.shown if isinstance(page, Page) else []:
                text, value = record.entered.get(item.name, ("", None))
                yield number, item.title if page.is_form else page.title, (
                    "not answered" if not text else str(value) if item.kind in ("text", "scale", "wide", "whole") else "")

    @staticmethod
    def line(title, words):
        return f"{title} {words}" if title[-1] in ".?!:" else f"{title}: {words}"


class Late:
    """A question with too little time, in which half of an answer is typed."""

    name, title, items = "late", "Hurry.", []

    def __init__(self, chance):
        self.keeps = chance.random() < 0.5

    def yaml(self):
        return {
            "identifier": self.name, "title": self.title, "type": "question", "timeLimit": "2500 ms",
            "atTimeLimit": "keep" if self.keeps else "missing", "answer": {"number": {"integer": True, "min": 0, "max": 99}},
        }


def study(chance):
    pages = [Reading(0, True, chance)] if chance.random() < 0.4 else []
    pages += [Reading(number, False, chance) for number in range(1, chance.choice([1, 1, 3]))]
    for number in range(1, chance.randint(2, 4) + 1):
        kind = chance.choice(["form", "form", "form", "matrix", "question", "question"])
        count = 1 if kind == "question" else chance.randint(2, 4)
        shared = chance.choice(["scale", "labelled", "boolean", "choice"])
        format = answer_format(shared, chance) if kind == "matrix" else None
        items = [
            Item(
                f"page{number}" if kind == "question" else f"item{number}{chr(97 + index)}",
                shared if kind == "matrix" else chance.choice(KINDS), chance.random() < 0.4, chance, format)
            for index in range(count)
        ]
        pages.append(Page(number, items, kind, chance))
    if chance.random() < 0.4:
        pages.append(Review())
    elif chance.random() < 0.4:
        pages.append(Late(chance))
    steps = [page.yaml() for page in pages] + [{"type": "completion", "identifier": "done", "title": "The end."}]
    return pages, {
        "entrain": 1, "study": {"identifier": "typed", "title": "Typed"}, "tasks": [{"identifier": "task", "steps": steps}],
    }


class Record:
    """What was entered, and what was seen to be confirmed."""

    def __init__(self):
        self.confirmed = []
        self.entered = {}

    def confirm(self, page):
        names = [page.name] if isinstance(page, Reading) else [item.name for item in page.items]
        self.confirmed.append((page.name, {name: self.entered.get(name, ("", None))[1] for name in names}))

    def run_out(self, page):
        self.confirmed.append((page.name, {page.name: 4 if page.keeps else None}))


class Leaves(Exception):
    """The person leaves, or the program is killed."""


class AtScreen:
    """A person at the screen."""

    def __init__(self, terminal, chance, record, folder, ends):
        self.terminal, self.chance, self.record, self.folder, self.ends = terminal, chance, record, folder, ends
        self.is_locked, self.changes = False, 0

    def try_to_get_out(self, item, page):
        """Tries all that would leave or stop the program if it were not locked."""
        for _ in range(3):
            self.terminal.press("\x03")
            self.see("For the experimenter")
            self.terminal.type("\x1a" + self.chance.choice(["", "exit", "sesam", "Sesame"]))
            self.terminal.press("\r")
            self.terminal.press("\x1b")
            self.terminal.wait(lambda: "For the experimenter" not in self.shown(), "the way back")

    def shown(self):
        return self.terminal.screen.text

    def see(self, *texts):
        self.terminal.wait(lambda: all(text in self.shown() for text in texts), " and ".join(map(repr, texts)))

    def is_on(self, page):
        """Whether the page is on show; "Saved: Page 1." is not."""
        return any(line.strip() == page.title for line in self.terminal.screen.lines)

    def see_page(self, page):
        self.terminal.wait(lambda: self.is_on(page) and "Return" in self.shown(), page.title)

    def marked(self, text):
        """Whether the question with that title takes the keys."""
        return any(re.match(r"\s*› " + re.escape(text), line) for line in self.terminal.screen.lines)

    def run(self, pages):
        number = 0
        while number < len(pages):
            page = pages[number]
            if isinstance(page, Reading):
                self.read(page, None if number + 1 == len(pages) else pages[number + 1])
                number += 1
            elif isinstance(page, Review):
                number = self.look_over(page, pages, number)
            elif isinstance(page, Late):
                self.hurry(page)
                number += 1
            else:
                number += self.answer(page, is_first=number == 0)
        self.see("The end.", "finish")
        self.terminal.press("\r")

    def hurry(self, page):
        """Types half an answer, and is not asked any more."""
        self.terminal.wait(lambda: self.is_on(page), page.title)
        self.see("Time left 0:0")
        self.terminal.type("4")
        self.terminal.wait(lambda: not self.is_on(page), f"{page.title} is over")
        self.record.run_out(page)

    def look_over(self, page, pages, number):
        """Reads all answers, and sends them or goes back to one."""
        self.terminal.wait(lambda: self.is_on(page), page.title)
        seen = []
        while True:
            self.terminal.wait(lambda: "read on" in self.shown() or "send" in self.shown(), "what Return does")
            self.terminal.rest(0.2)
            seen += [line.strip() for line in self.terminal.screen.lines]
            if "read on" not in self.shown():
                break
            self.terminal.press("\r")
            self.terminal.rest(0.5)
        rows = list(page.rows(pages, self.record))
        for index, (_, title, words) in enumerate(rows):
            wanted = f"( ) {index + 1}  {page.line(title, words)}"
            if not any(line.startswith(wanted) for line in seen):
                raise Difference(f"not among the answers to look over: {wanted!r} in {seen}")
        if self.changes == 2 or self.chance.random() < 0.4:
            self.terminal.press("\r")
            self.terminal.wait(lambda: not self.is_on(page), f"{page.title} is left")
            return number + 1
        self.changes += 1
        index = self.chance.randrange(len(rows))
        self.terminal.type(str(index + 1))
        self.see(f"(•) {index + 1}  {rows[index][1]}")
        self.terminal.press("\r")
        self.terminal.wait(lambda: self.is_on(pages[rows[index][0]]), f"{pages[rows[index][0]].title} again")
        return rows[index][0]

    def read(self, page, next):
        self.terminal.wait(lambda: self.is_on(page), page.title)
        if page.is_consent:
            self.decide(page)
        else:
            self.terminal.wait(lambda: "Return" in self.shown(), f"{page.title} may be left")
            if self.chance.random() < 0.5:
                self.terminal.hold("\r")
                self.terminal.wait(lambda: self.is_on(next), f"{next.title} and no page behind it after a held key")
            else:
                self.terminal.press("\r")
        self.terminal.wait(lambda: not self.is_on(page), f"{page.title} is left")

    def decide(self, page):
        """Reads to the end, and then decides; what is to be agreed to was on the screen, all of it."""
        end = time.monotonic() + 3 * PATIENCE
        while "I agree" not in self.shown():
            if time.monotonic() > end:
                raise Difference(f"no end of the document:\n{self.shown()}")
            before = self.shown()
            self.terminal.hold("\r") if self.chance.random() < 0.1 else self.terminal.press("\r")
            self.terminal.rest_until(lambda: self.shown() != before, 8)
            # Who presses the key again has seen the whole picture first.
            self.terminal.rest(1.1)
        if missed := set(range(page.count)) - self.terminal.sentences:
            raise Difference(f"to agree to before it was read: {sorted(missed)}")
        self.terminal.wait(lambda: "you can go on in" not in self.shown(), f"the least time of {page.title}")
        if self.ends == "decline":
            if "(•) 1" not in self.shown():
                self.terminal.type("\x1b[B")
                self.see("(•) 1")
            self.terminal.type("\x1b[B")
            self.see("(•) 2")
            self.record.entered[page.name] = ("#2", False)
            self.terminal.press("\r")
            self.record.confirm(page)
            raise Leaves("decline")
        # Who comes back finds the decision as it was left.
        if "(•) 1" not in self.shown():
            self.terminal.type("\x1b[B")
            self.see("(•) 1")
        name = "Ada Lovelace"[: self.chance.randint(1, 12)].strip()
        if page.is_signed:
            self.terminal.press("\r")
            self.terminal.wait(lambda: self.marked("Your full name"), "the name")
            self.terminal.type("\x15" + name)
            self.terminal.wait(lambda: any(line.strip() == "> " + name for line in self.terminal.screen.lines), f"the name {name}")
        self.record.entered[page.name] = (f"#1\n{name}" if page.is_signed else "#1", (True, name if page.is_signed else None))
        if self.ends == "kill" and self.chance.random() < 0.3:
            self.be_killed(page)
        self.terminal.press("\r")
        self.record.confirm(page)

    def answer(self, page, is_first):
        self.see_page(page)
        left = list(page.items)
        page.shown = []
        while left:
            # In whatever order they stand: the one that takes the keys.
            if page.is_form:
                self.terminal.wait(lambda: any(self.marked(item.title) for item in left), f"one of {[item.title for item in left]}")
                item = next(item for item in left if self.marked(item.title))
            else:
                item = left[0]
            left.remove(item)
            page.shown.append(item)
            self.enter(item, page)
            if self.ends == "kill" and self.chance.random() < 0.15:
                self.be_killed(item)
            if self.ends in ("leave", "hangup") and self.chance.random() < 0.15:
                raise Leaves(self.ends)
            if self.is_locked and self.chance.random() < 0.2:
                self.try_to_get_out(item, page)
            if not is_first and self.chance.random() < 0.08:
                self.choose("back")
                self.terminal.wait(lambda: not self.is_on(page), f"{page.title} is left")
                return -1
            if self.chance.random() < 0.1:
                self.resize(item, page)
            if page.is_form:
                self.confirm(item)
                self.terminal.wait(lambda: not self.marked(item.title), f"{item.title} is confirmed")
        while page.is_form and not self.marked("Send these answers"):
            self.terminal.wait(lambda: self.marked("Send these answers") or "read on" in self.shown(), "the line that sends")
            # All answers once more may be longer than the terminal.
            if not self.marked("Send these answers"):
                self.terminal.press("\r")
                self.terminal.rest(0.5)
        if page.is_reviewed and "more above" not in self.shown():
            blank = sum(1 for item in page.items if not self.record.entered.get(item.name, ("",))[0])
            self.terminal.wait(
                lambda: "once more" in self.shown() and self.shown().count("not answered") == blank, "the answers once more")
        self.terminal.press("\r")
        if page.items[-1].kind == "lines" and not page.is_form:
            self.terminal.rest(0.5)
            if self.is_on(page):
                self.terminal.press("\r")
        self.terminal.wait(lambda: not self.is_on(page), f"{page.title} is left")
        self.record.confirm(page)
        return 1

    def confirm(self, item):
        """Presses Return; an empty line ends a text of several lines, and one that ended before has it already."""
        self.terminal.press("\r")
        if item.kind == "lines":
            self.terminal.rest(0.5)
            if self.marked(item.title):
                self.terminal.press("\r")
        # A key that comes soon after the one that turned the page is taken for a held one.
        self.terminal.rest_until(lambda: not self.marked(item.title), 8)
        if self.marked(item.title):
            self.terminal.press("\r")

    def enter(self, item, page):
        before = self.record.entered.get(item.name)
        if before and before[0] and self.chance.random() < 0.5:
            return
        if before and before[0]:
            self.clear(item, before[0], page)
        nonsense = item.nonsense(self.chance) if self.chance.random() < 0.25 else None
        if nonsense:
            self.write(item, nonsense, None, page)
            self.terminal.press("\r")
            self.terminal.wait(lambda: "! " in self.shown(), f"{nonsense!r} is refused")
            self.clear(item, nonsense, page)
        if item.is_optional and self.chance.random() < 0.3:
            self.record.entered[item.name] = ("", None)
            return
        if item.kind == "hidden":
            self.slide(item)
            return
        text, value = item.meaning(self.chance, self.order_of_choices(item, page))
        self.record.entered[item.name] = (text, value)
        self.write(item, text, value, page)

    def slide(self, item):
        """Moves a mark without a number; the first key puts it where the study says."""
        right = self.chance.random() < 0.5
        count = self.chance.randint(0, 6)
        for number in range(count + 1):
            self.terminal.type("\x1b[C" if right else "\x1b[D")
        tenths = 50 + (count if right else -count)
        self.record.entered[item.name] = (f"{tenths // 10}.{tenths % 10}", tenths / 10)
        self.terminal.rest(0.3)

    def order_of_choices(self, item, page):
        """The choices as they stand on the screen; a grid has them in the study's order."""
        if item.kind not in ("choice", "choices", "other", "others"):
            return None
        lines = [line.strip() for line in self.terminal.screen.lines]
        if page.kind == "matrix":
            # A grid has its choices in the head, from left to right; a list has them below the item.
            if not any(re.match(r"(› )?[(\[]", line) for line in lines):
                rows = self.terminal.screen.lines
                head = rows[: next(index for index, row in enumerate(rows) if "Item " in row)]
                place = lambda value: max(row.find(item.words(value).split()[-1]) for row in head)
                return sorted(item.options(), key=place) if all(place(value) > 0 for value in item.options()) else []
        lines = self.focused(item, page)
        numbers = {}
        for line in lines:
            if match := re.match(r"(› )?[(\[].[)\]] (\d+) +(.*)", line):
                for value in item.options():
                    if match[3] == item.words(value):
                        numbers[value] = int(match[2])
        # Where not all are on show, words are typed.
        return sorted(numbers, key=numbers.get) if len(numbers) == len(item.options()) else []

    def write(self, item, text, value, page):
        if item.kind == "lines":
            for number, line in enumerate(text.split("\n")):
                if number:
                    self.terminal.press("\r")
                    self.terminal.rest(0.2)
                self.terminal.type(line)
                self.see(line)
            return
        if len(text) > 3 and self.chance.random() < 0.3:
            self.terminal.type(f"\x1b[200~{text}\x1b[201~")
        else:
            self.terminal.type(text)
        self.see_written(item, text, value, page)

    def see_written(self, item, text, value, page):
        if page.kind == "matrix" and value is not None:
            self.terminal.wait(
                lambda: any(item.title in line and "(•)" in line for line in self.terminal.screen.lines) or self.is_listed(item, value),
                f"{value} is chosen for {item.title}")
        elif value is None and item.kind.startswith("other"):
            self.terminal.rest(0.3)
        elif value is None or item.kind in TYPED:
            self.see("> " + text)
        elif item.kind == "scale":
            self.see(f"[{value}]")
        elif item.kind in ("wide", "labelled"):
            self.terminal.wait(lambda: f"◀ {value} ▶" in self.shown() or f"[{value}]" in self.shown(), f"{value} is chosen")
        elif item.kind == "boolean":
            self.see("(•) 1" if value else "(•) 2")
        else:
            self.terminal.wait(lambda: self.is_listed(item, value), f"{value} is chosen")

    def is_listed(self, item, value):
        if item.kind == "boolean":
            return ("(•) 1" if value else "(•) 2") in self.shown()
        if item.kind in ("scale", "labelled"):
            return f"[{value}]" in self.shown()
        values, own = value if isinstance(value, tuple) else (value, None)
        lines = self.terminal.screen.lines
        mark = r"\(•\)" if "choice" in item.format else r"\[x\]"
        return all(any(re.search(rf"{mark} \d+ +{re.escape(item.words(wanted))}", line) for line in lines) for wanted in values) and (
            own is None or own in self.shown())

    def clear(self, item, text, page):
        if item.kind == "hidden":
            # A new mark goes on from the old one.
            self.terminal.type("\x7f" * 6)
            self.terminal.rest(0.3)
            return
        if item.kind == "lines":
            self.terminal.type("\x7f" * (len(text) + 2))
        else:
            self.terminal.type("\x15" if item.kind in TYPED else "\x7f" * (len(text) + 8))
        # Another item may begin with the same words.
        written = {"> " + line for line in text.split("\n")} | {"> " + text + " kg"}
        self.terminal.wait(
            lambda: not any(line in written for line in self.focused(item, page)) and "! " not in self.shown(), f"{text!r} is gone")
        # The same choice again would be seen before it is made.
        self.terminal.wait(lambda: not self.is_chosen(item, page), f"the choice of {text!r} is gone")

    def is_chosen(self, item, page):
        """Whether a choice, or a value of a scale, is marked."""
        rows = self.focused(item, page) + [line for line in self.terminal.screen.lines if item.title in line]
        return any(re.search(r"\(•\)|\[x\]|\[-?\d+\]|◀ -?\d", row) for row in rows)

    def focused(self, item, page):
        """The lines of the item that takes the keys."""
        lines = [line.strip() for line in self.terminal.screen.lines]
        if not page.is_form:
            return lines
        start = next((index for index, line in enumerate(lines) if line.startswith("› " + item.title)), None)
        if start is None:
            return [*lines, "! "]
        # In a grid the next item follows at once.
        end = next((index for index, line in enumerate(lines) if index > start and (not line or line.startswith("Item "))), None)
        return lines[start + 1 : end]

    def resize(self, item, page):
        sizes = [(80, 24), (120, 40), (100, 30), (200, 60)]
        # A terminal of the same size is not told.
        columns, rows = self.chance.choice([size for size in sizes if size != (self.terminal.screen.columns, self.terminal.screen.rows)])
        self.terminal.resize(columns, rows)
        # A form that is longer than the terminal keeps the item in view, not the page's title.
        if page.is_form:
            self.terminal.wait(lambda: self.marked(item.title), f"{item.title} after a new size")
        else:
            self.see_page(page)

    def choose(self, word):
        """Opens the menu and chooses what it calls so."""
        self.terminal.press("\x1b")
        self.terminal.wait(lambda: "do that" in self.shown(), "the menu")
        while not self.marked(word):
            before = self.shown()
            self.terminal.type("\x1b[B")
            self.terminal.wait(lambda: self.shown() != before, "the next line of the menu")
        self.terminal.press("\r")

    def be_killed(self, item):
        """Waits, at most as long as is promised, until what was seen is in the journal."""
        text = self.record.entered[item.name][0]
        end = time.monotonic() + 3
        # What was chosen has a mark before its number.
        while text and not any(text.replace("#", "") in stored.replace("#", "") for stored in self.journalled(item)[-1:]):
            self.terminal.read(0.02)
            if time.monotonic() > end:
                raise Difference(f"{text!r} is not in the journal: {self.journalled(item)}")
        self.terminal.kill()
        raise Leaves("kill")

    def journalled(self, item):
        texts = []
        for path in glob.glob(f"{self.folder}/*/journal.jsonl"):
            with open(path) as file:
                for line in file:
                    if '"drafted"' in line and line.endswith("\n"):
                        texts += [draft["text"] for draft in found(json.loads(line), "drafted") if draft["question"] == item.name]
        return texts

    def leave(self):
        if self.is_locked:
            self.terminal.press("\x03")
            self.see("For the experimenter")
            self.terminal.type("sesame")
            self.see("> ••••••")
            self.terminal.press("\r")
            self.terminal.wait(lambda: "For the experimenter" not in self.shown(), "that it is unlocked")
        self.choose("leave")
        self.see("Really leave?")
        self.terminal.type("y")


class AtLines:
    """A person at the plain mode, who types line by line."""

    def __init__(self, terminal, chance, record, folder, ends):
        self.terminal, self.chance, self.record, self.ends = terminal, chance, record, ends
        self.read_so_far, self.is_locked, self.changes = 0, False, 0

    def hear(self, text):
        self.terminal.wait(lambda: text in self.terminal.said[self.read_so_far:], repr(text))
        self.read_so_far = self.terminal.said.index(text, self.read_so_far) + len(text)

    def say(self, line):
        self.terminal.press(line + "\n")
        # The terminal's own echo is no answer of the program.
        if line:
            self.hear(line)

    def run(self, pages):
        number = 0
        while number < len(pages):
            page = pages[number]
            self.hear(page.title)
            number += 1
            if isinstance(page, Reading):
                self.read(page)
                continue
            if isinstance(page, Review):
                number = self.look_over(page, pages, number)
                continue
            if isinstance(page, Late):
                self.hear("Time left: 0:0")
                self.terminal.type("4")
                self.hear("The time is up.")
                # The next page takes nothing at first.
                self.terminal.rest(0.6)
                self.record.run_out(page)
                continue
            left = list(page.items)
            page.shown = []
            while left:
                item = self.next_item(left) if page.is_form else left[0]
                left.remove(item)
                page.shown.append(item)
                self.answer(item, page)
            if page.is_form:
                self.hear("Press Return to send")
                self.say("")
            self.record.confirm(page)
        self.hear("Press Return to finish.")
        self.say("")

    def look_over(self, page, pages, following):
        start = self.read_so_far
        self.hear("Type the number of an answer to change it")
        rows = list(page.rows(pages, self.record))
        for index, (_, title, words) in enumerate(rows):
            if f"{index + 1}. {page.line(title, words)}" not in self.terminal.said[start:]:
                raise Difference(f"not among the answers to look over: {index + 1}. {page.line(title, words)!r}")
        if self.changes == 2 or self.chance.random() < 0.4:
            self.say("")
            return following
        self.changes += 1
        index = self.chance.randrange(len(rows))
        self.say(str(index + 1))
        return rows[index][0]

    def read(self, page):
        if not page.is_consent:
            self.hear("Press Return to go on.")
            self.terminal.rest(1 if page.time else 0)
            self.say("")
            return
        self.hear(f"S{page.count - 1}.")
        self.hear("Type the number of your answer.")
        self.terminal.rest(1 if page.time else 0)
        if self.ends == "decline":
            self.say(self.chance.choice(["2", "no", "I do not agree"]))
            self.record.entered[page.name] = ("", False)
            self.record.confirm(page)
            raise Leaves("decline")
        self.say(self.chance.choice(["1", "yes", "i agree"]))
        if page.is_signed:
            self.hear("Type your answer.")
            self.say("Ada")
        self.record.entered[page.name] = ("", (True, "Ada" if page.is_signed else None))
        self.record.confirm(page)

    REQUESTS = {
        "scale": "Choose a number", "wide": "Choose a number", "labelled": "Choose a number", "hidden": "Choose a number",
        "continuous": "Choose a number", "choice": "Type the number", "choices": "Type the numbers", "other": "Type the number",
        "others": "Type the numbers", "boolean": "Type the number", "number": "Choose a number", "whole": "Choose a number",
        "text": "Type your answer", "lines": "Type your answer", "date": "Write the day", "birthday": "Write the day",
        "timeOfDay": "Write the time", "evening": "Write the time",
    }

    def next_item(self, left):
        """The item that is asked for next."""
        rest = lambda: self.terminal.said[self.read_so_far:]
        self.terminal.wait(lambda: any(item.title in rest() for item in left), f"one of {[item.title for item in left]}")
        return min((item for item in left if item.title in rest()), key=lambda item: rest().index(item.title))

    def order_of_choices(self, item, said):
        if item.kind not in ("choice", "choices", "other", "others"):
            return None
        return sorted(item.options(), key=lambda value: int(re.findall(r"(?m)^(\d+)\. " + re.escape(item.words(value)) + r"\r?$", said)[-1]))

    def answer(self, item, page):
        if page.is_form:
            self.hear(item.title)
        start = self.read_so_far
        self.hear(self.REQUESTS[item.kind])
        shown = self.order_of_choices(item, self.terminal.said[start:])
        before = self.record.entered.get(item.name, ("", None))[0]
        if before:
            self.hear("An empty line keeps")
        elif item.is_optional:
            self.hear("An empty line leaves it unanswered.")
        if self.ends in ("leave", "hangup") and self.chance.random() < 0.15:
            raise Leaves(self.ends)
        nonsense = item.nonsense(self.chance) if self.chance.random() < 0.25 else None
        if nonsense:
            self.say(nonsense)
            self.hear("\n")
            self.terminal.rest(0.2)
        if before and not nonsense and self.chance.random() < 0.5:
            self.say("")
            return
        if item.is_optional and not before and not nonsense and self.chance.random() < 0.3:
            self.record.entered[item.name] = ("", None)
            self.say("")
            return
        text, value = item.meaning(self.chance, shown)
        self.record.entered[item.name] = (text, value)
        if self.ends in ("kill", "hangup") and self.chance.random() < 0.3:
            self.stop_half_way(item, text)
        for line in text.split("\n"):
            self.say(line)
        if item.kind == "lines":
            self.terminal.rest(0.2)
            self.say("")

    def stop_half_way(self, item, text):
        """Types a part of an answer, sees it, and then the window is closed or the program killed."""
        first = text.split("\n")[0]
        half = first[: max(1, len(first) // 2)].strip()
        self.record.entered[item.name] = (half, None)
        self.terminal.type(half)
        # Other words hold the same letters; what is half typed has a line to itself that does not end.
        line = lambda: re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|^.*\r", "", self.terminal.said.rsplit("\n", 1)[-1])
        self.terminal.wait(lambda: line() == half, f"{half!r} as it is typed")
        if self.ends == "kill":
            self.terminal.rest(1)
            self.terminal.kill()
        raise Leaves(self.ends)

    def leave(self):
        if self.is_locked:
            self.terminal.type("\x03")
            self.hear("For the experimenter")
            self.terminal.type("open\r")
            self.hear("For the experimenter")
            self.terminal.type("sesame\r")
            self.hear("Unlocked.")
            if "sesame" in self.terminal.said:
                raise Difference("the word is on the screen")
        if self.chance.random() < 0.5:
            self.say("/quit")
        else:
            self.terminal.type("\x03")
        self.hear("Really leave?")
        self.say("yes")


def found(value, key):
    """Everything under a key, however deep."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == key:
                yield inner
            yield from found(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from found(inner, key)


def stored(entry):
    """The value of an answer in a bundle; None where there is none."""
    if "consented" in entry:
        if not re.fullmatch("[0-9a-f]{64}", entry["userInfo"]["documentSHA256"]):
            raise Difference(f"no checksum of the document: {entry}")
        if not entry["consented"]:
            return False
        if entry["signature"]["signatureDate"] != entry["endDate"]:
            raise Difference(f"signed at another time: {entry}")
        return True, entry["signature"].get("givenName")
    if (other := entry.get("userInfo", {}).get("other")) is not None:
        return entry["choiceAnswers"], other
    for key in ("scaleAnswer", "numericAnswer", "booleanAnswer", "textAnswer", "choiceAnswers", "dateComponentsAnswer"):
        if key in entry:
            return entry[key]
    return entry["dateAnswer"][:10] if "dateAnswer" in entry else None


def compare(bundle, record, is_whole, how):
    with open(f"{bundle}/result.json") as file:
        result = json.load(file)
    reasons = {"end": "completed", "decline": "declined", "leave": "discarded", "hangup": "earlyTermination", "kill": "failed"}
    if result["userInfo"]["finishReason"] != reasons[how]:
        raise Difference(f"ended as {result['userInfo']['finishReason']}")
    answered = [
        (step["identifier"], {entry["identifier"]: stored(entry) for entry in step["results"] if "identifier" in entry})
        for step in result["results"]
        if not step["userInfo"]["skipped"] and step["results"]
    ]
    if answered[: len(record.confirmed)] != record.confirmed or is_whole and len(answered) != len(record.confirmed):
        raise Difference(f"confirmed:\n  {record.confirmed}\nstored:\n  {answered}")
    for step in result["results"]:
        if step["identifier"] == "late" and is_whole and step["userInfo"].get("timedOut") is not True:
            raise Difference(f"not timed out: {step}")
        for entry in step["results"]:
            times = entry.get("userInfo", {})
            if stored(entry) is None:
                continue
            # What stood there from before, and was confirmed as it was, did not change.
            changed = times.get("changedOffset", times["shownOffset"])
            confirmed = changed if step["userInfo"].get("timedOut") else times["confirmedOffset"]
            if not times["shownOffset"] <= changed <= confirmed or ("changedOffset" in times) != (times["changes"] > 0):
                raise Difference(f"times out of order: {entry}")
    return result


def choose_arm(terminal, chance):
    """Types the arm where it is asked for, sometimes misspelt at first; returns it."""
    arm, seen = chance.choice(ARMS), 0
    misspelt = [chance.choice(["musik", "", "MUSIC", "music quiet"])] if chance.random() < 0.4 else []
    for word in misspelt + [arm]:
        end = time.monotonic() + PATIENCE
        while (place := terminal.said.find("The participant's arm (music, quiet): ", seen)) < 0:
            if time.monotonic() > end or not terminal.read(0.2):
                raise Difference(f"the arm is not asked for: {terminal.said[-500:]!r}")
        seen = place + 1
        terminal.type(word + "\r")
    return arm


def session(entrain, seed, folder):
    chance = random.Random(seed)
    pages, text = study(chance)
    is_plain = chance.random() < 0.4
    ends = chance.choice(["end", "end", "end", "kill", "leave", "hangup"] + (["decline"] * 3 if pages[0].items == [] else []))
    out = f"{folder}/out"
    command = [entrain, "run", f"{folder}/study.yaml", "--participant", "P01", "--audio", "none", "--out", out]
    is_locked = chance.random() < 0.3
    is_said_by_study = chance.random() < 0.5
    if is_plain:
        command.append("--plain")
    if is_locked and is_said_by_study:
        text["study"]["kiosk"] = "sesame"
    elif is_locked:
        command += ["--kiosk", "sesame"]
    has_arms = chance.random() < 0.3
    if has_arms:
        text["arms"] = ARMS
    with open(f"{folder}/study.yaml", "w") as file:
        json.dump(text, file, ensure_ascii=False)
    terminal = Terminal(command, *chance.choice([(80, 24), (120, 40), (90, 30)]))
    arm = choose_arm(terminal, chance) if has_arms else None
    record = Record()
    person = (AtLines if is_plain else AtScreen)(terminal, chance, record, out, ends)
    person.is_locked = is_locked
    how = "end"
    try:
        person.run(pages)
    except Leaves as leaving:
        how = str(leaving)
    except Disturbed:
        terminal.kill()
        raise
    if how == "leave":
        person.leave()
    if how == "hangup":
        terminal.hang_up()
    elif how != "kill":
        code = terminal.finish()
        if code != (130 if how == "leave" else 0):
            raise Difference(f"exit code {code} after {how}")
        if how == "decline" and "That is quite all right." not in terminal.said:
            raise Difference(f"no word for those who decline: {terminal.said[-500:]!r}")
    else:
        subprocess.run([entrain, "recover", out], check=True, capture_output=True)
    bundles = [path for path in glob.glob(f"{out}/*") if not path.endswith(".running")]
    if len(bundles) != 1:
        raise Difference(f"{len(bundles)} bundles after {how}: {terminal.said[-500:]!r}")
    result = compare(bundles[0], record, how in ("end", "decline"), how)
    if result["userInfo"].get("arm") != arm:
        raise Difference(f"the arm {arm} was typed, and the result has {result['userInfo'].get('arm')}")
    if how in ("kill", "hangup"):
        check_drafts(result, record)
    verified = subprocess.run([entrain, "verify", bundles[0]], capture_output=True, text=True)
    if verified.returncode != 0:
        raise Difference(f"verify: {verified.stdout}{verified.stderr}")
    return is_plain, how, sum(len(answers) for _, answers in record.confirmed)


def check_drafts(result, record):
    """What was typed and not confirmed is in the result as it was typed, with the visit in which it was."""
    drafts = {draft["identifier"]: draft for step in result["results"] for draft in step["userInfo"].get("drafts", [])}
    confirmed = {name for _, answers in record.confirmed for name in answers}
    for name, (text, _) in record.entered.items():
        if text and name not in confirmed and (name not in drafts or drafts[name]["confirmed"] or drafts[name]["textAnswer"].rstrip("\n").replace("#", "") != text.replace("#", "")):
            raise Difference(f"{name}: {text!r} was on the screen, and the result has {drafts}")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--entrain", required=True)
    options.add_argument("--sessions", type=int, default=10**9)
    options.add_argument("--seconds", type=float, default=10**9)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    end = time.monotonic() + options.seconds
    counts, answers, number, disturbed = {}, 0, 0, 0
    while number + disturbed < options.sessions and time.monotonic() < end:
        seed = options.seed + number + disturbed
        folder = tempfile.mkdtemp(prefix="person-")
        try:
            is_plain, how, count = session(os.path.abspath(options.entrain), seed, folder)
        except Difference as difference:
            print(f"NOT OK: session {seed} (in {folder}): {difference}")
            return 1
        except Disturbed:
            disturbed += 1
            continue
        shutil.rmtree(folder)
        kind = f"{'lines' if is_plain else 'screen'} {how}"
        counts[kind] = counts.get(kind, 0) + 1
        answers += count
        number += 1
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
    print(f"ok: {number} sessions ({kinds}), {answers} confirmed answers, each stored as it was entered"
          + (f"; {disturbed} sessions left out: the machine was too busy to hold a key" if disturbed else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
