"""Values that tell who somebody is, when they came or where: for leaks.py.

Each value has a `token` of its own, six letters after an x, or a `core`, such as a day, or both. Wherever one of them
appears, it is known which value it comes from, and into which field that was put.

What the documentation promises to remove from names and texts is `promised`; such a core may appear nowhere. Anything
else, such as a code read backwards, may stay in the study's own texts, but may come from no other field.
"""

import base64
import datetime
import random
import re
import unicodedata
import urllib.parse
import uuid

LETTERS = "aeilosuyz"
UNSEEN = re.compile("[" + "".join(re.escape(chr(point)) for point in range(0x110000) if unicodedata.category(chr(point)) == "Cf") + "]+")
FULLWIDTH = {ord(digit): 0xFF10 + int(digit) for digit in "0123456789"}
ENDINGS = ["uni-bonn.de", "lab.ac.uk", "example.org", "clinic.com", "heart.net", "ward.edu", "site.local", "rig.lan",
           "pc.home.arpa", "sub.dept.fr", "y.invalid", "z.corp", "q.intranet", "host.internal", "a.b.example", "x.test"]
NAMED = ENDINGS.index("host.internal")
# What people and programs write before and after such things.
AROUND = [("", "")] * 10 + [
    ("at ", "."), ("(", ")"), ("\"", "\""), ("'", "'"), ("\u201c", "\u201d"), ("\u00bb", "\u00ab"), ("[", "]"), ("see ", ", then"),
    ("x=", ""), ("it was ", "!"), ("really ", "?"), ("<b>", "</b>"), ("a\u2014", "\u2014b"), ("\u65e5\u672c", "\u8a9e"), ("\U0001F600", "\U0001F600"),
    ("\u202e", ""), ("\u00a0", "\u00a0"), ("\u200b", "\u200b"), ("", ":"), ("; ", ";"), ("{", "}"), ("*", "*"), ("_", "_"), ("#", ""),
    ("=HYPERLINK(\"", "\")"), ("'; DROP TABLE runs; --", ""), ("$(", ")"), ("%s ", "%n"), ("\\\"", "\\"), ("|", "|"), ("~ ", " ~"),
    ("<script>alert('", "')</script>"), ("\u0627\u0644\u0633\u0644\u0627\u0645 ", " \u0627\u0644\u0633"), ("n/a ", " NULL")]
CONTROLS = [("\x00", "\x00"), ("\x1b[31m", "\x1b[0m"), ("\t", "\t"), ("\r\n", "\n"), ("\x7f", ""), ("\u2028", "\u2029")]


class Value:
    def __init__(self, text, kind, promised, cores=(), token=None, code=None):
        self.text, self.kind, self.promised, self.token, self.code = text, kind, promised, token, code
        self.cores = [normal(core) for core in cores]
        self.pattern, self.stays = None, False


def normal(text):
    """The text as the search sees it: without marks that nobody sees, capitals and other widths."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return UNSEEN.sub("", folded)


def luhnless(chance, digits):
    return "".join(chance.choice("0123456789") for _ in range(digits))


class Maker:
    """Makes values, of which no two have a token or a core in common."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.tokens, self.used, self.days = set(), set(), set()
        # By how many days the program moves the dates of what is made next.
        self.moved_by = 0
        self.made = []

    def token(self):
        while True:
            token = "x" + "".join(self.chance.choice(LETTERS) for _ in range(6))
            if token not in self.tokens:
                self.tokens.add(token)
                return token

    def day(self, shift=None):
        """A day of its own, which no other becomes when it is moved."""
        shift = self.moved_by if shift is None else shift
        while True:
            day = datetime.date(1932, 1, 1) + datetime.timedelta(days=self.chance.randrange(60_000))
            moved = day - datetime.timedelta(days=shift)
            # Days that others may be taken for: the same figures in another order, or in this year.
            same = {day, moved, *[d.replace(year=d.year + 400) for d in (day, moved) if d.day < 29]}
            if same & self.days or 2024 <= day.year <= 2027:
                continue
            self.days |= same
            return day

    def unique(self, make):
        while True:
            core = make()
            if normal(core) not in self.used:
                self.used.add(normal(core))
                return core

    def add(self, value):
        self.made.append(value)
        return value

    # ---- kinds ----------------------------------------------------------------------------------------------------

    def date(self, identifier=False):
        plain = ["%Y-%m-%d", "%Y%m%d", "%Y_%m_%d", "%d.%m.%Y", "%d-%m-%Y", "%Y.%m.%d", "%m-%d-%Y", "%Y%m%d%H%M%S"]
        more = ["%Y-%m-%dT%H:%M:%S+0100", "%Y-%m-%d %H:%M", "%Y%m%dT%H%M%SZ", "%m/%d/%Y", "%Y/%m/%d", "%d/%m/%Y", "%d. %m. %Y",
                "%d %m %Y", "%Y-%m-%d_%H-%M-%S", "wide", "dash", "kanji", "%Y%m%d%H%M", "%-d.%-m.%Y", "%d.%m.%y", "%m/%d/%y", "%Y - %m - %d"]
        form = self.chance.choice(plain if identifier else plain + more + more)
        while True:
            day = self.day()
            moment = datetime.datetime.combine(day, datetime.time(self.chance.randrange(24), self.chance.randrange(60), 7))
            iso = day.isoformat()
            if form == "wide":
                core = iso.translate(FULLWIDTH)
            elif form == "dash":
                core = iso.replace("-", "\u2013")
            elif form == "kanji":
                core = f"{day.year}\u5e74{day.month}\u6708{day.day}\u65e5"
            else:
                core = moment.strftime(form)
            # The day alone is what may not appear.
            seek = core if form in ("wide", "dash", "kanji") else moment.strftime(
                form.split("T")[0].split(" %H")[0].split("_%H")[0].split("%H")[0])
            if normal(seek) not in self.used:
                self.used.add(normal(seek))
                return core, f"day {form}", True, [seek]

    def other_date(self, identifier=False):
        day = self.day()
        moment = datetime.datetime.combine(day, datetime.time(self.chance.randrange(24), 5, self.chance.randrange(60)))
        seconds = int((moment - datetime.datetime(1970, 1, 1)).total_seconds())
        forms = [(f"{day:%G-W%V-%u}", "week"), (f"{day:%GW%V%u}", "week"), (f"{day:%Y-%j}", "day of the year")]
        if seconds > 1_000_000_000:
            forms += [(str(seconds), "seconds since 1970"), (str(seconds * 1000 + 123), "milliseconds since 1970")] * 2
        if not identifier:
            forms += [(f"{day:%a, %d %b %Y} 10:00:00 +0100", "words"), (f"{day:%B} {day.day}, {day.year}", "words"),
                      (f"{day.day}. {day:%B} {day.year}", "words"), (f"{day:%d-%b-%Y}", "words"), (f"{day.day} {day:%b} {day.year}", "words")]
        core, kind = self.chance.choice(forms)
        if normal(core) in self.used:
            return self.other_date(identifier)
        self.used.add(normal(core))
        return core, f"date as {kind}", kind != "words", [core]

    def uuid(self, identifier=False):
        name = str(uuid.UUID(int=self.chance.getrandbits(128), version=4))
        forms = [name, name.upper(), name.replace("-", "_")]
        if not identifier:
            forms += ["{" + name.upper() + "}", "urn:uuid:" + name, f"HKQuantityTypeIdentifierHeartRate_{name}.json"]
        core = self.chance.choice(forms)
        seek = name.replace("-", "_") if "_" in core and "." not in core else name
        return core, "UUID", True, [seek]

    def other_uuid(self, identifier=False):
        name = uuid.UUID(int=self.chance.getrandbits(128), version=4)
        core = self.chance.choice([name.hex, name.hex.upper()] + ([] if identifier else [base64.b64encode(name.bytes).decode()]))
        return core, "UUID without breaks", False, [core]

    def host(self, identifier=False):
        # In a path of steps, where other names follow, some endings are words.
        token, ending = self.token(), self.chance.choice(ENDINGS[:NAMED] if identifier else ENDINGS)
        forms = [f"{token}.{ending}", f"lab-7.{token}.{ending}", f"{token}.{ending}".upper()]
        if not identifier:
            name = f"{token}.{ending}"
            forms += [f"{name}:8080", f"{name}.", f"http://{name}/x", f"ssh://me@{name}", f"//{name}/x"]
        return self.chance.choice(forms), "name of a machine", True, [], token

    def address(self, identifier=False):
        four = self.unique(lambda: ".".join(str(self.chance.randint(10, 255)) for _ in range(4)))
        groups = lambda count: ":".join(f"{self.chance.getrandbits(16) | 0x1000:x}" for _ in range(count))
        six, short = self.unique(lambda: "2001:db8:" + groups(6)), self.unique(lambda: "fe80::" + groups(3))
        if identifier:
            return four, "address of the network", True, [four]
        core = self.chance.choice([four] * 2 + [six, short])
        after = self.chance.choice(["", "", ":9000", "/24", "."] if core is four else ["", "", "%eth0", "/64"])
        return core + after, "address of the network" if core is four else "address of IPv6", True, [core]

    def device(self, identifier=False):
        pairs = self.unique(lambda: ":".join(f"{self.chance.getrandbits(8):02X}" for _ in range(6)))
        core = pairs.replace(":", "-") if identifier else self.chance.choice([pairs, pairs.lower(), pairs.replace(":", "-")])
        return core, "address of a device", True, [core]

    def other_device(self, identifier=False):
        bare = self.unique(lambda: f"{self.chance.getrandbits(48):012x}")
        core = self.chance.choice([bare, bare.upper(), f"{bare[:4]}.{bare[4:8]}.{bare[8:]}"])
        return core, "address of a device without colons", False, [core]

    def path(self):
        token = self.token()
        forms = [f"/home/{token}/study.yaml", f"/Users/{token}/My Music/a.wav", f"~/{token}/x.csv", f"C:\\Users\\{token}\\x.csv",
                 f"D:/data/{token}/x", f"\\\\{token}\\share", f"file:///srv/{token}/a", f"file:/home/{token}", f"/mnt/{token}",
                 f"../../home/{token}/a", f"/private/var/{token}", f"smb://nas/{token}", f"/{token}/b/c", f"~{token}/x"]
        return self.chance.choice(forms), "path", True, [], token

    def mail(self):
        token, ending = self.token(), self.chance.choice(ENDINGS)
        forms = [f"{token}@{ending}", f"Ann <{token}@{ending}>", f"mailto:{token}@{ending}", f"{token}.bee+x@{ending}",
                 f"{token}@{ending}.", f"{token}@{ending},", f"{token.upper()}@{ending}"]
        return self.chance.choice(forms), "mail address", True, [], token

    def phone(self):
        digits = self.unique(lambda: luhnless(self.chance, 8))
        core = self.chance.choice([f"+49 228 {digits[:4]}-{digits[4:]}", f"+1-555-{digits}", f"0228/{digits}", f"(0228) {digits}"])
        return core, "telephone", False, [digits if digits in core else core]

    def code(self, code, identifier=False):
        """A participant's code as it is written somewhere, with a token beside it so that it is known from where."""
        token = self.token()
        forms = [code, code.upper(), code.lower()]
        if not identifier:
            forms += [unicodedata.normalize("NFD", code), unicodedata.normalize("NFC", code), unicodedata.normalize("NFD", code).upper()]
        core = self.chance.choice(forms)
        glue = self.chance.choice(["-", "_", "."] if identifier else ["-", "_", " ", "", "/", "\n", "'s "])
        text = core + glue + token if self.chance.random() < 0.5 else token + glue + core
        return text, "code", True, [], token, code

    def other_code(self, code):
        token = self.token()
        inside = code[:2] + "\u200b" + code[2:]
        forms = [(inside, "with a mark that nobody sees"), (code[::-1], "backwards"), (" ".join(code), "spread"),
                 (code[0] + chr(0xAD) + code[1:], "with a mark that nobody sees"),
                 ("".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in code), "in wide letters"),
                 (base64.b64encode(code.encode()).decode(), "in base64"), (code.encode().hex(), "in figures"),
                 ("".join(f"%{byte:02X}" for byte in code.encode()), "in percents"), ("".join(f"&#{ord(c)};" for c in code), "in HTML"),
                 ("".join(f"\\u{ord(c):04x}" for c in code), "in JSON")]
        core, kind = self.chance.choice(forms)
        return f"{token} {core}", f"code {kind}", False, [], token, code

    def encoded(self):
        """Something that is promised to be removed as it is, in another writing."""
        token = self.token()
        text = self.chance.choice([f"/home/{token}/x", f"{token}@lab.example", f"{token}.uni-bonn.de"])
        core = self.chance.choice([
            base64.b64encode(text.encode()).decode(), urllib.parse.quote(text, safe=""), text.encode().hex(),
            text.replace("/", "\\/").replace("@", "\\u0040").replace(".", "\\u002e"),
            text.replace(".", "&#46;").replace("@", "&#64;").replace("/", "&#x2F;"),
            text.replace("@", " at ").replace(".", "[.]"), text.replace("@", "(at)")])
        return core, "encoded", False, [], token

    def nasty(self):
        token = self.token()
        before, after = self.chance.choice(AROUND + CONTROLS)
        return f"{before}{token}{after}", "text", False, [], token

    # ---- values ----------------------------------------------------------------------------------------------------

    def text(self, code, suits=None):
        """A text of any kind, or one that suits."""
        kinds = [self.date] * 5 + [self.other_date] * 2 + [self.uuid] * 2 + [self.other_uuid, self.host, self.host, self.address, self.device,
                 self.other_device, self.path, self.path, self.mail, self.phone, self.encoded, self.nasty]
        kinds += [lambda: self.code(code)] * 3 + [lambda: self.other_code(code)]
        text, *rest = self.chance.choice(kinds)()
        before, after = self.chance.choice(AROUND + CONTROLS)
        if self.chance.random() < 0.5:
            before, after = "", ""
        value = Value(before + text + after, *rest)
        return self.add(value) if suits is None or suits(value.text) else self.text(code, suits)

    def identifier(self, code):
        """A name that programs use."""
        kinds = [self.date, self.date, self.other_date, self.uuid, self.other_uuid, self.host, self.address, self.device, self.other_device]
        if all(letter.isascii() and (letter.isalnum() or letter in "._-") for letter in code):
            kinds += [lambda **_: self.code(code, identifier=True)]
        text, *rest = self.chance.choice(kinds)(identifier=True)
        before, after = self.chance.choice([("", ""), ("", ""), ("a-", ""), ("", "_b"), ("rest.", ""), ("s_", ".c")])
        return self.add(Value(before + text + after, *rest))

    def date_alone(self):
        """A day in eight figures, which looks like a number."""
        text = self.unique(lambda: f"{self.day():%Y%m%d}")
        return self.add(Value(text, "day %Y%m%d", True, [text]))

    def number(self, least, most, whole):
        """A moment as a number, if one fits; else any number."""
        for _ in range(20):
            day = self.day()
            seconds = int((datetime.datetime.combine(day, datetime.time(9, 5)) - datetime.datetime(1970, 1, 1)).total_seconds())
            number = self.chance.choice([seconds, seconds * 1000, int(f"{day:%Y%m%d}"), int(f"{day:%Y%m%d}093000")])
            if least <= number <= most and str(number) not in self.used:
                self.used.add(str(number))
                return self.add(Value(number if whole else float(number), "date as a number", False, [str(number)]))
        return None
