"""Puts values into every field of a bundle, those that it has and those that it could have: for leaks.py.

The schemas of `entrain schema --bundle` say which fields there are. What becomes of each is said here once more, from the
documentation, so that the program's own list is not asked whether it is right.
"""

import datetime
import json
import os
import re
import shutil

from leak_values import Value
from sealing import seal, write

NAME = re.compile("[A-Za-z0-9._-]{1,64}")
DATE = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T"
# Exports.md: typed answers, signatures, typing recorded by `events`, and error messages become `removed`; the zone does, too.
REMOVED = {"textAnswer", "other", "givenName", "detail", "recorderErrors[]", "problem", "firstUnclear", "deviation", "repeat", "zone",
           "audio", "participant", "marks[].text", "marks[].by", "userInfo.reason", "dateAnswer", "signatureDate"}
# Numbers that are moments, and move.
MOMENTS = {"timestampSince1970", "origin", "seconds"}
# A file's own name and what the reader needs to find its way are changed by `rename` alone.
FIXED = {"fileName", "path", "contentType", "bytes", "sha256", "taskRunUUID", "runUUID", "studySHA256", "bundleVersion"}
# By this, codes are known; who changes it makes a bundle of somebody else.
FIXED |= {"participant"}


def stays(kind, pattern):
    """Whether what stands here is a name or a text of the study, or a number, which may leave when it is clean."""
    if kind in ("plan", "journal", "step"):
        return False
    return not any(pattern.endswith("." + name) for name in REMOVED | MOMENTS)


def fitting(schema, value):
    """The schema among several that is meant for a value."""
    for key in ("anyOf", "oneOf"):
        for one in schema.get(key, []):
            one = fitting(one, value)
            if isinstance(value, dict):
                members = one.get("properties", {})
                required = one.get("required", [])
                if one.get("type") == "object" and set(required) <= set(value) and all(
                        members[name].get("const", value[name]) == value[name] for name in required):
                    return one
            elif isinstance(value, list) and one.get("type") == "array" or isinstance(value, str) and one.get("type", "string") == "string":
                return one
            elif isinstance(value, (int, float)) and one.get("type") in ("number", "integer", "boolean"):
                return one
        if key in schema:
            return {}
    return schema


class Action:
    """One change of a file, and the values that it plants."""

    def __init__(self, file, path, what, new, values, name):
        self.file, self.path, self.what, self.new, self.values, self.name = file, path, what, new, values, name

    def apply(self, content):
        place = content
        for step in self.path[:-1]:
            place = place[step]
        if self.what == "append":
            place[self.path[-1]].append(self.new)
        else:
            place[self.path[-1]] = self.new


class Planter:
    """Makes the actions for one bundle."""

    def __init__(self, maker, schemas, code, shift, refused):
        self.maker, self.schemas, self.code, self.shift, self.refused = maker, schemas, code, shift, refused
        self.chance = maker.chance
        self.patterns = set()

    # ---- values of a form -------------------------------------------------------------------------------------------

    def note(self, value, kind, pattern, known=True):
        value.pattern, value.stays = pattern, known and stays(kind, pattern)
        self.patterns.add(pattern)
        return value

    def day(self):
        """A date in ResearchKit's form, and its seconds since 1970."""
        day = self.maker.day(self.shift)
        clock = datetime.datetime.combine(day, datetime.time(self.chance.randrange(1, 23), self.chance.randrange(60), 7))
        return day.isoformat(), clock.strftime("%Y-%m-%dT%H:%M:%S+0000"), int((clock - datetime.datetime(1970, 1, 1)).total_seconds())

    def leaf(self, kind, pattern, schema):
        """A value of the schema's form; `None` if none would tell anything."""
        form, last = schema.get("pattern", ""), pattern.rsplit(".", 1)[-1]
        if "const" in schema or "enum" in schema or last in FIXED:
            return None
        if schema.get("type") == "string":
            if form.startswith(DATE):
                iso, text, _ = self.day()
                value = self.maker.add(Value(text, "date of a field", True, [iso, iso.replace("-", "")]))
                self.note(value, kind, pattern).stays = False
                return value
            if form.startswith("^[A-Za-z0-9._-]{1,64}"):
                return self.note(self.maker.identifier(self.code), kind, pattern)
            if form.startswith("^[0-9A-F]{8}"):
                value = self.maker.add(Value(self.maker.uuid()[3][0].replace("_", "-").upper(), "UUID", True, []))
                value.cores = [value.text.casefold()]
                self.note(value, kind, pattern).stays = False
                return value
            return None if form else self.note(self.maker.text(self.code), kind, pattern)
        if schema.get("type") in ("number", "integer"):
            if last in MOMENTS:
                iso, _, seconds = self.day()
                if seconds < 0:
                    return self.leaf(kind, pattern, schema)
                number = seconds if schema["type"] == "integer" else seconds + 0.25
                value = self.maker.add(Value(number, "moment of a field", True, [str(seconds), iso]))
                self.note(value, kind, pattern).stays = False
                return value
            value = self.maker.number(schema.get("minimum", -1e18), schema.get("maximum", 1e18), schema["type"] == "integer")
            return value and self.note(value, kind, pattern)
        return None

    def example(self, kind, pattern, schema, values):
        """A value of a schema, with planted values in it."""
        if "anyOf" in schema or "oneOf" in schema:
            return self.example(kind, pattern, self.chance.choice(schema.get("anyOf") or schema["oneOf"]), values)
        if "const" in schema or "enum" in schema:
            return schema.get("const", schema.get("enum", [None])[0])
        if schema.get("type") == "object":
            made = {}
            for name, below in schema.get("properties", {}).items():
                if name in schema.get("required", []) or self.chance.random() < 0.5:
                    made[name] = self.example(kind, f"{pattern}.{name}", below, values)
            if isinstance(schema.get("additionalProperties"), dict):
                key = self.note(self.maker.text(self.code), kind, pattern + ".*")
                values.append(key)
                made[key.text] = self.example(kind, pattern + ".*", schema["additionalProperties"], values)
            return made
        if schema.get("type") == "array":
            items = schema.get("items", {})
            return [self.example(kind, pattern + "[]", item, values) for item in (items if isinstance(items, list) else [items])]
        value = self.leaf(kind, pattern, schema)
        if value is not None:
            values.append(value)
            return value.text
        form = schema.get("pattern", "")
        if schema.get("type") == "boolean":
            return True
        if schema.get("type") in ("number", "integer"):
            least = max(schema.get("minimum", 1), 1)
            return int(least) if schema["type"] == "integer" else float(min(least, schema.get("maximum", least)))
        return "07:45" if "[0-2]" in form else "0" * 64 if "64" in form else "x"

    # ---- places -----------------------------------------------------------------------------------------------------

    def unknown(self):
        """A field that no list knows, and the values in it."""
        key, inner = self.maker.text(self.code), self.maker.text(self.code)
        shape = self.chance.random()
        if shape < 0.5:
            return key.text, inner.text, [key, inner]
        other = self.maker.text(self.code)
        return key.text, ({other.text: [inner.text]} if shape < 0.75 else [inner.text, {"x": other.text}]), [key, inner, other]

    def places(self, file, kind, value, schema, path=(), pattern=None):
        """Every action that this part of a file allows, with what makes it."""
        pattern = pattern or kind
        schema = fitting(schema, value)
        if isinstance(value, dict):
            members = schema.get("properties", {})
            if len(members) > 0 and schema.get("additionalProperties") is not False:
                yield pattern + ".?", lambda: self.added(file, kind, path, pattern)
            for name, below in members.items():
                if name not in value and name not in FIXED:
                    yield f"{pattern}.{name}+", lambda name=name, below=below: self.filled(file, kind, path + (name,), f"{pattern}.{name}", below)
            others = schema.get("additionalProperties")
            if isinstance(others, dict):
                yield pattern + ".*+", lambda: self.keyed(file, kind, path, pattern, others)
            for name in value:
                below = members.get(name, others if isinstance(others, dict) else None)
                if below is not None and not (kind == "journal" and name == "files"):
                    step = name if name in members else "*"
                    yield from self.places(file, kind, value[name], below, path + (name,), f"{pattern}.{step}")
        elif isinstance(value, list):
            items = schema.get("items", {})
            if isinstance(items, dict) and path and pattern != "manifest.files":
                for one in (items.get("anyOf") or [items]):
                    tag = one.get("properties", {}).get("_class", one.get("properties", {}).get("type", {})).get("const", "")
                    yield f"{pattern}[]{tag}+", lambda one=one: self.filled(file, kind, path, pattern + "[]", one, "append")
            chosen = range(len(value)) if len(value) < 5 else sorted(self.chance.sample(range(len(value)), 4))
            for index in chosen:
                below = items[index] if isinstance(items, list) else items
                yield from self.places(file, kind, value[index], below, path + (index,), pattern + "[]")
        elif path:
            yield pattern, lambda: self.changed(file, kind, path, pattern, schema)

    def added(self, file, kind, path, pattern):
        key, inner, values = self.unknown()
        for value in values:
            self.note(value, kind, pattern + ".?", known=False)
        return Action(file, path + (key,), "set", inner, values, pattern + ".?")

    def filled(self, file, kind, path, pattern, schema, what="set"):
        values = []
        new = self.example(kind, pattern, schema, values)
        return Action(file, path, what, new, values, pattern + "+") if values else None

    def keyed(self, file, kind, path, pattern, schema):
        values = [self.note(self.maker.text(self.code), kind, pattern + ".*")]
        new = self.example(kind, pattern + ".*", schema, values)
        return Action(file, path + (values[0].text,), "set", new, values, pattern + ".*+")

    def changed(self, file, kind, path, pattern, schema):
        value = self.leaf(kind, pattern, schema)
        return value and Action(file, path, "set", value.text, [value], pattern)

    def broken(self, file, kind, value, schema):
        """A value of the wrong form at some place, which is refused or does not leave."""
        path, pattern = (), kind
        while isinstance(value, (dict, list)) and value and (not path or self.chance.random() < 0.9):
            schema = fitting(schema, value)
            step = self.chance.choice(list(value) if isinstance(value, dict) else range(len(value)))
            if isinstance(value, dict):
                schema = schema.get("properties", {}).get(step, {})
            else:
                items = schema.get("items", {})
                schema = items[step] if isinstance(items, list) else items
            pattern += f".{step}" if isinstance(value, dict) else "[]"
            path, value = path + (step,), value[step]
        last = pattern.rsplit(".", 1)[-1]
        free = isinstance(value, str) and "pattern" not in schema and "enum" not in schema and "const" not in schema
        if not path or free or last in FIXED or "files" in path and (kind == "journal" or len(path) < 3):
            return None
        if isinstance(value, (int, float)) and not isinstance(value, bool) and "maximum" in schema and self.chance.random() < 0.6:
            new = self.maker.number(schema["maximum"] + 1, 1e19, True)
            if new is None:
                return None
        elif isinstance(value, (int, float)) or "[0-2]" in schema.get("pattern", ""):
            new = self.maker.date_alone()
        else:
            new = self.maker.text(self.code)
        # A text may by chance be a name, as the field wants one.
        name = schema.get("pattern", "").startswith("^[A-Za-z0-9._-]{1,64}") and NAME.fullmatch(str(new.text))
        self.note(new, kind, pattern + "!", known=bool(name) and stays(kind, pattern))
        return Action(file, path, "set", new.text, [new], pattern + "!")


def kinds(bundle):
    """The files of a bundle by their kinds."""
    for name, kind in [("result.json", "result"), ("manifest.json", "manifest"), ("plan.json", "plan"), ("journal.jsonl", "journal")]:
        yield name, kind
    for above, _, names in os.walk(os.path.join(bundle, "steps")):
        for name in sorted(names):
            if name.endswith(".json"):
                yield os.path.relpath(os.path.join(above, name), bundle), "step" if name == "result.json" else "recording"


def load(path):
    with open(path, encoding="utf-8") as opened:
        return [json.loads(line) for line in opened] if path.endswith("l") else json.load(opened)


def save(path, content):
    if path.endswith("l"):
        with open(path, "w", encoding="utf-8") as opened:
            opened.writelines(json.dumps(line, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n" for line in content)
    else:
        write(path, content)


def copied(base, bundle, run):
    """A copy that is a run of its own."""
    shutil.copytree(base, bundle)
    for above, _, names in os.walk(bundle):
        for name in names:
            if name.endswith((".json", ".jsonl")):
                path = os.path.join(above, name)
                with open(path, "rb") as opened:
                    content = opened.read()
                with open(path, "wb") as opened:
                    opened.write(content.replace(os.path.basename(base).encode(), run.encode()))


def planted(base, bundle, run, actions):
    """A copy of a bundle with its changes, whole again."""
    copied(base, bundle, run)
    for file in {action.file for action in actions}:
        content = load(os.path.join(bundle, file))
        for action in actions:
            if action.file == file:
                action.apply(content)
        save(os.path.join(bundle, file), content)
    seal(bundle)
