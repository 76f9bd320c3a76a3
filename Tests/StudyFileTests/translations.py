#!/usr/bin/env python3
"""Judges the PO files of `entrain translate` by GNU gettext and polib, and takes random translations through every study.

Each study is extracted, filled with random words by polib, merged and checked; then the texts of the new study must be the
words of the file, and everything else what it was. Edits of the study must be found by `extract --update`.

usage: translations.py --entrain PROGRAM [--seed N]
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import polib
    import yaml
except ImportError as absent:
    print(f"skipped: Python's {absent.name} is not installed")
    sys.exit(0)

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = ["Ciao", "è così", "مرحبا", "שלום", "a: b", " #1", "{", "}", "'", '"', "\\", "- x", "|", "日本", "*x", "&y", "\n", "%s",
         "!", "@", "?", "yes", "0.5", "…", "👍"]


class Keep(yaml.SafeLoader):
    """Scalars as text."""


Keep.yaml_implicit_resolvers = {}


def run(*command, code=0):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode == code, (command, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout + done.stderr


def judge(path):
    polib.pofile(str(path))
    if not shutil.which("msgfmt"):
        return
    said = run("msgfmt", "--check", "--check-accelerators=_", "-o", os.devnull, path)
    assert not [line for line in said.splitlines() if "Last-Translator" not in line and "Language-Team" not in line], said
    whole = polib.pofile(run("msgcat", "--no-wrap", path))
    assert [(e.msgctxt, e.msgid, e.msgstr) for e in whole] == [(e.msgctxt, e.msgid, e.msgstr) for e in polib.pofile(str(path))]


def places(text):
    return re.findall(r"\{[A-Za-z0-9._-]+\}", text)


def without(tree, language):
    """The tree without one language, if one is named, and texts in one language as words."""
    if isinstance(tree, list):
        return [without(item, language) for item in tree]
    if not isinstance(tree, dict):
        return tree
    if language in tree and all(re.fullmatch(r"[a-z]{2}", key) for key in tree):
        rest = {key: value for key, value in tree.items() if key != language}
        return rest["en"] if list(rest) == ["en"] else rest
    tree = {key: without(value, language) for key, value in tree.items()}
    # A short choice is its own value.
    return tree["value"] if set(tree) == {"value", "text"} and tree["value"] == tree["text"] else tree


def try_study(program, study, folder, chance):
    name, old = folder / f"new-{study.name}", folder / study.name
    first = study.read_text()
    sole = not re.search(r"[{\s]en: ", first)
    options = ["--from", "en"] if sole else []
    po, again, later = folder / "a.po", folder / "b.po", folder / "c.po"
    run(program, "translate", "extract", old, "--language", "it", *options, "--out", po)
    judge(po)
    file = polib.pofile(str(po))
    for entry in file:
        words = "".join(chance.choices(WORDS, k=chance.randint(1, 6)))
        # No place that the text has not.
        words = words.replace("{", "(") if places(words) else words
        entry.msgstr = "W" + words + "".join(places(entry.msgid)) + "z"
    file.save(str(po))
    judge(po)
    run(program, "translate", "merge", old, po, "--out", name)
    assert ": error" not in run(program, "check", name)
    merged = name.read_text()
    assert without(yaml.load(merged, Keep), "it") == without(yaml.load(first, Keep), None), study
    # A line of a translation may begin like a comment.
    comments = [line for line in first.splitlines() if line.lstrip().startswith("#")]
    assert comments == [line for line in merged.splitlines() if line in comments], study
    run(program, "translate", "extract", name, "--language", "it", "--out", again)
    judge(again)
    theirs = {entry.msgctxt: entry.msgstr.strip("\n") for entry in file}
    assert {entry.msgctxt: entry.msgstr for entry in polib.pofile(str(again))} == theirs, study
    # One text changes, and its translation is marked.
    # A choice without a value of its own would be another choice, and a word that stands elsewhere, too, may be a name.
    entry = chance.choice([entry for entry in file if first.count(entry.msgid) == 1 and "\n" not in entry.msgid
                           and "'" not in entry.msgid and entry.msgid not in entry.msgctxt])
    (folder / "changed.yaml").write_text(first.replace(entry.msgid, entry.msgid + " really"))
    run(program, "translate", "extract", folder / "changed.yaml", "--language", "it", *options, "--update", po, "--out", later)
    judge(later)
    marked = [other for other in polib.pofile(str(later)) if other.fuzzy]
    assert entry.msgid in {other.previous_msgid for other in marked}, (study, entry.msgid)
    for path in (name, po, again, later, folder / "changed.yaml"):
        path.unlink()
    return len(file)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--entrain", required=True)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    program, chance = pathlib.Path(given.entrain).resolve(), random.Random(given.seed)
    texts = count = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        shutil.copytree(ROOT / "Studies", scratch / "Studies")
        shutil.copytree(ROOT / "Media", scratch / "Media")
        for study in sorted((ROOT / "Studies").glob("*.yaml")) + sorted((ROOT / "Studies/protocols").glob("*.yaml")):
            texts += try_study(program, study, scratch / study.parent.relative_to(ROOT), chance)
            count += 1
    judge_words = "GNU gettext and polib" if shutil.which("msgfmt") else "polib (gettext is not installed)"
    print(f"{texts} random translations in {count} studies came back; {judge_words} accept every file")


main()
