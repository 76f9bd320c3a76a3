#!/usr/bin/env python3
"""Whether every file of every bundle has the form that `entrain schema --bundle` says, as another validator judges it.

usage: bundle_schemas.py --entrain PATH [--participants N] [--kills N] [--seed N]

All studies under Studies are rehearsed, some runs are killed and recovered, and a part is pseudonymised. For this check a schema
allows no key that it does not list, and every key that it lists has to occur somewhere, or is named at the end. Then values are
spoiled: a key is removed, renamed or added, a value gets another type, or a number goes beyond its limits. Every spoiled value must be
refused. Needs jsonschema-rs, or else jsonschema.
"""
import argparse
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

try:
    import jsonschema_rs

    def validator_of(schema):
        return jsonschema_rs.Draft7Validator(schema).is_valid

    def fault(schema, value):
        return next(iter(jsonschema_rs.Draft7Validator(schema).iter_errors(value))).message
except ImportError:
    try:
        import jsonschema
    except ImportError:
        print("skipped: neither jsonschema-rs nor jsonschema is installed")
        sys.exit(0)

    def validator_of(schema):
        jsonschema.Draft7Validator.check_schema(schema)
        return jsonschema.Draft7Validator(schema).is_valid

    def fault(schema, value):
        return next(jsonschema.Draft7Validator(schema).iter_errors(value)).message

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
KINDS = ["result", "step", "recording", "plan", "manifest", "journal"]


def closed(schema):
    """The schema without leave for keys that it does not list."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    if "properties" in schema and schema.get("type") == "object" and "additionalProperties" not in schema:
        made["additionalProperties"] = False
    return made


def listed(schema, found):
    """Every key that a schema lists."""
    if isinstance(schema, list):
        for item in schema:
            listed(item, found)
    elif isinstance(schema, dict):
        if schema.get("type") == "object":
            found.update(schema.get("properties", {}))
        for value in schema.values():
            listed(value, found)
    return found


def occurring(value, found):
    if isinstance(value, list):
        for item in value:
            occurring(item, found)
    elif isinstance(value, dict):
        found.update(value)
        for item in value.values():
            occurring(item, found)


def values(bundle):
    """The kind and value of every file, and of every line of the journal."""
    for kind, name in [("result", "result.json"), ("plan", "plan.json"), ("manifest", "manifest.json")]:
        path = os.path.join(bundle, name)
        if os.path.exists(path):
            yield kind, path, json.load(open(path, encoding="utf-8"))
    for path in glob.glob(os.path.join(bundle, "steps", "*", "*.json")):
        kind = "step" if os.path.basename(path) == "result.json" else "recording"
        yield kind, path, json.load(open(path, encoding="utf-8"))
    journal = os.path.join(bundle, "journal.jsonl")
    if os.path.exists(journal):
        for line in open(journal, encoding="utf-8"):
            yield "journal", journal, json.loads(line)


def places(value, schema, path=()):
    """Where a value can be spoiled so that it is certainly wrong: (path, how)."""
    if "anyOf" in schema or "oneOf" in schema or not isinstance(value, (dict, list)):
        return
    if isinstance(value, dict) and "properties" in schema:
        yield path, "add"
        for key in schema.get("required", []):
            yield path + (key,), "remove"
        for key, item in value.items():
            below = schema["properties"].get(key)
            if below is None:
                continue
            if "type" in below or "enum" in below or "const" in below:
                yield path + (key,), "retype"
            if "maximum" in below:
                yield path + (key,), "exceed"
            yield from places(item, below, path + (key,))
    elif isinstance(value, list) and isinstance(schema.get("items"), dict):
        for index, item in enumerate(value[:3]):
            yield from places(item, schema["items"], path + (index,))


def spoiled(value, path, how):
    value = json.loads(json.dumps(value))
    place = value
    for key in path[:-1] if how != "add" else path:
        place = place[key]
    if how == "add":
        place["notListed"] = 1
    elif how == "remove":
        del place[path[-1]]
    elif how == "exceed":
        place[path[-1]] = 1e30
    else:
        place[path[-1]] = None
    return value


EVERYTHING = """\
entrain: 1
study: {identifier: everything, title: Everything, seed: 1, resume: {within: 24 h}}
sessions: [{identifier: first}]
sources: {heartRate: {type: simulated, restingRate: 64}}
stimuli: {clips: {catalogue: Media/clips.yaml}}
conditions: {loads: {rows: [{identifier: light, load: 1}, {identifier: heavy, load: 2}]}}
arms: [{identifier: one, title: One}, {identifier: two, title: Two}]
allocation: {method: simple}
tasks:
  - identifier: task
    steps:
      - {type: consent, identifier: agreed, title: Agreed, document: I agree., signature: typed}
      - {type: allocation, identifier: arm}
      - {type: question, identifier: mood, title: Mood, answer: {text: {}}}
      - {type: question, identifier: age, title: Age, answer: {number: {unit: years}}}
      - {type: question, identifier: born, title: Born, answer: {date: {}}}
      - {type: question, identifier: slept, title: Slept, answer: {timeOfDay: {}}}
      - {type: question, identifier: sort, title: Sort, answer: {choice: [A, {value: B, text: Other, other: true}], order: shuffle}}
      - {type: question, identifier: sorts, title: Sorts, answer: {choices: [A, B, C]}}
      - {type: question, identifier: agree, title: Agree, answer: {boolean: {}}}
      - {type: question, identifier: level, title: Level, answer: {scale: {from: 1, to: 7}}}
      - {type: program, identifier: other, title: Other, command: [./other.sh], duration: 10 s,
         answers: [{identifier: hits, answer: {number: {}}}]}
      - type: block
        identifier: outer
        forEach: loads
        steps:
          - type: block
            identifier: inner
            repeat: 2
            steps:
              - type: active
                identifier: rest
                duration: 2 s
                stimulus: {play: happy_preview_1}
                prompts: [{identifier: effort, title: Effort, first: 0.5 s, timeLimit: 1 s, answer: {scale: {from: 1, to: 5}}}]
                recorders:
                  - {type: heartRate, identifier: heartRate}
                  - {type: rrIntervals, identifier: beats}
                  - {type: respiration, identifier: breath, source: heartRate}
                  - {type: ecg, identifier: ecg, source: heartRate}
                  - {type: acceleration, identifier: moves, source: heartRate, channels: [z, x]}
                  - {type: skinTemperature, identifier: warmth, source: heartRate}
                  - {type: quantity, identifier: sugar, source: heartRate, name: glucose, unit: mmol/L}
                  - {type: events, identifier: acts}
                  - {type: stimulusPosition, identifier: place}
      - {type: completion, identifier: done, title: Done}
"""
OTHER = """\
#!/bin/sh
read start
echo '{"text": "Look here.", "answer": {"hits": 8}, "sample": {"rt": 0.43}}'
echo nonsense
"""
# What somebody types, one line after the other; who is ill at ease with dates types them twice.
TYPED = ["yes", "Ann Bee", "fine", "31", "in March", "1995-03-02", "11:15 PM", "2", "by chance", "1 3", "yes", "5"]


def everything(entrain, folder):
    """A study with everything, as somebody goes through it who leaves in the middle, and as rehearsals do."""
    place = os.path.join(folder, "everything")
    os.mkdir(place)
    shutil.copytree(os.path.join(ROOT, "Media"), os.path.join(place, "Media"))
    study, other = os.path.join(place, "study.yaml"), os.path.join(place, "other.sh")
    with open(study, "w", encoding="utf-8") as file:
        file.write(EVERYTHING)
    with open(other, "w", encoding="utf-8") as file:
        file.write(OTHER)
    os.chmod(other, 0o755)
    out = os.path.join(place, "runs")
    subprocess.run([entrain, "rehearse", study, "--participants", "3", "--out", out], check=True, stdout=subprocess.DEVNULL)
    command = [entrain, "run", study, "--participant", "P01", "--plain", "--out", out]
    run = subprocess.Popen(
        command + ["--audio", "file:" + os.path.join(place, "heard.wav")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=place)
    wanted = len(TYPED) - 3
    for line in TYPED:
        run.stdin.write(line + "\n")
    run.stdin.flush()
    said = []
    for line in run.stdout:
        said.append(line)
        if "Effort" in line:
            bundle = next(iter(glob.glob(os.path.join(out, "*.running"))))
            subprocess.run([entrain, "mark", "coughed", "--run", bundle, "--type", "adverse", "--severity", "mild"],
                           check=True, stdout=subprocess.DEVNULL)
            run.send_signal(signal.SIGTERM)
    run.wait()
    assert sum("Saved:" in line for line in said) >= wanted, "".join(said)
    # Somebody goes on, and is stopped once more.
    again = subprocess.Popen(command + ["--resume", "--audio", "none"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = []
    for line in again.stdout:
        said.append(line)
        if "Effort" in line:
            again.send_signal(signal.SIGTERM)
    assert again.wait() == 130, "".join(said)
    return glob.glob(os.path.join(out, "*"))


def kill_some(entrain, out, count, chance):
    """Runs that are killed at some moment, and recovered."""
    studies = ["mood-playlist", "music-heart-rate", "protocols/felt-tension", "protocols/tapping",
               "protocols/bilingual-screening"]
    for number in range(count):
        study = os.path.join(ROOT, "Studies", studies[number % len(studies)] + ".yaml")
        run = subprocess.Popen(
            [entrain, "run", study, "--auto", "--speed", "60", "--audio", "none", "--participant", f"K{number:02}", "--out", out],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.5, 3))
        run.send_signal(signal.SIGKILL)
        run.wait()
    subprocess.run([entrain, "recover", out], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--participants", type=int, default=2, help="of each study")
    parser.add_argument("--kills", type=int, default=4, help="runs that are killed")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    schemas = {
        kind: closed(json.loads(subprocess.run([options.entrain, "schema", "--bundle", kind], check=True, capture_output=True).stdout))
        for kind in KINDS
    }
    valid = {kind: validator_of(schema) for kind, schema in schemas.items()}
    faults, checked, controls, missed, bundles, found = [], 0, 0, [], 0, set()
    with tempfile.TemporaryDirectory() as folder:
        runs = os.path.join(folder, "runs")
        for study in sorted(glob.glob(os.path.join(ROOT, "Studies", "*.yaml")) + glob.glob(os.path.join(ROOT, "Studies", "protocols", "*.yaml"))):
            subprocess.run([options.entrain, "rehearse", study, "--participants", str(options.participants), "--out", runs],
                           check=True, stdout=subprocess.DEVNULL)
        kill_some(options.entrain, os.path.join(folder, "killed"), options.kills, chance)
        key = os.path.join(folder, "key")
        with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(random.Random(options.seed).randbytes(32).hex())
        subprocess.run([options.entrain, "export", os.path.join(folder, "killed"), "--to", "ro-crate", "--include-simulated",
                        "--pseudonymise", key, "--shift-dates", "--out", os.path.join(folder, "crate")],
                       check=options.kills > 0, stdout=subprocess.DEVNULL)
        for bundle in everything(options.entrain, folder) + glob.glob(os.path.join(runs, "*")) + glob.glob(os.path.join(folder, "killed", "*")) + glob.glob(os.path.join(folder, "crate", "runs", "*")):
            if not os.path.exists(os.path.join(bundle, "manifest.json")):
                continue
            bundles += 1
            for kind, path, value in values(bundle):
                checked += 1
                occurring(value, found)
                if not valid[kind](value):
                    faults.append(f"{kind}: {fault(schemas[kind], value)[:300]} in {os.path.relpath(path, folder)}")
                    continue
                candidates = list(places(value, schemas[kind]))
                for path, how in chance.sample(candidates, min(2, len(candidates))):
                    if how == "remove" and not isinstance(path[-1], str):
                        continue
                    controls += 1
                    if valid[kind](spoiled(value, path, how)):
                        missed.append(f"{kind}: {how} {'/'.join(map(str, path))}")
    for line in sorted(set(faults))[:20] + sorted(set(missed))[:20]:
        print(line)
    unseen = sorted(set().union(*(listed(schema, set()) for schema in schemas.values())) - found)
    print("keys that no bundle here had: " + ", ".join(unseen))
    print(f"{bundles} bundles, {checked} values, {len(faults)} not of their schema; {controls} spoiled, {len(missed)} of them not refused")
    return 1 if faults or missed or controls < 100 else 0


sys.exit(main())
