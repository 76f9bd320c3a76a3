#!/usr/bin/env python3
"""Forges bundles as somebody would who knows the format and makes every checksum anew; `entrain verify` must find each.

It finds what can be computed from the bundles themselves; without a signature nobody finds a value that is merely another.

usage: forgeries.py --entrain PROGRAM
"""
import argparse, datetime, glob, hashlib, json, os, re, shutil, subprocess, sys, tempfile

STUDY = """entrain: 1
study: {identifier: forged, title: Forged, seed: 1}
sources: {heartRate: {type: simulated}}
tasks:
  - identifier: T
    steps:
      - {type: active, identifier: rest, title: Please rest, duration: 14 s,
         recorders: [{type: heartRate, identifier: heart, required: true}, {type: rrIntervals, identifier: beats}]}
      - {type: completion, identifier: end, title: End}
"""


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def sums(folder):
    return {path: sha256(path) for path in glob.glob(folder + "/**/*", recursive=True) if os.path.isfile(path)}


def rewrite(path, change):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(change(text))


def texts(bundle):
    return [path for path in glob.glob(bundle + "/**/*", recursive=True) if path.endswith((".json", ".jsonl", ".yaml"))]


def seal(bundle):
    """Makes anew what says what the files are: in the journal, the manifest and the sums."""
    for path in glob.glob(bundle + "/steps/*/*_*.json"):
        name = re.escape(os.path.basename(path))
        rewrite(bundle + "/journal.jsonl", lambda text: re.sub(
            r'("fileName":"%s"[^{}]*(?:\{[^{}]*\}[^{}]*)*?"sha256":")[0-9a-f]{64}' % name,
            lambda found: found[1] + sha256(path), text))

    def listed(text):
        manifest = json.loads(text)
        for file in manifest["files"]:
            file.update(sha256=sha256(f"{bundle}/{file['path']}"), bytes=os.path.getsize(f"{bundle}/{file['path']}"))
        return json.dumps(manifest, separators=(",", ":"), sort_keys=True, ensure_ascii=False)

    rewrite(bundle + "/manifest.json", listed)
    rewrite(bundle + "/SHA256SUMS", lambda text: "".join(
        f"{sha256(bundle + '/' + line[66:])}  {line[66:]}\n" for line in text.splitlines()))


def everywhere(pattern, replacement):
    def change(bundle, other):
        for path in texts(bundle):
            rewrite(path, lambda text: re.sub(pattern, replacement, text))
    return change


def items(change, kind="HKQuantityTypeIdentifierHeartRate"):
    def forge(bundle, other):
        (path,) = glob.glob(f"{bundle}/steps/*/{kind}_*.json")
        def changed(text):
            file = json.loads(text)
            change(file["items"])
            return json.dumps(file, separators=(",", ":"), sort_keys=True)
        rewrite(path, changed)
    return forge


def moved(seconds):
    def change(all_items):
        for item in all_items:
            item["timestampSince1970"] += seconds
            for key in ["runOffset", "arrivalOffset"]:
                item["metadata"][key] += seconds
            for key in ["startDate", "endDate"]:
                date = datetime.datetime.strptime(item[key], "%Y-%m-%dT%H:%M:%S%z") + datetime.timedelta(seconds=seconds)
                item[key] = date.strftime("%Y-%m-%dT%H:%M:%S%z")
    return change


def each(change):
    def all_of(all_items):
        for item in all_items:
            change(item)
    return all_of


def thinned(bundle, other):
    """Half of the heart rates are gone, and so says every count."""
    items(lambda all_items: all_items.__delitem__(slice(4, 10)))(bundle, other)
    count = len(json.load(open(glob.glob(bundle + "/steps/*/HKQuantity*.json")[0]))["items"])
    for path in texts(bundle):
        rewrite(path, lambda text: re.sub(
            r'(HKQuantity[^{}]*?"sampleCount":)\d+', lambda found: found[1] + str(count), text))
        rewrite(path, lambda text: re.sub(
            r'("sampleCount":)\d+([^{}]*?HKQuantity)', lambda found: found[1] + str(count) + found[2], text))


def reworded(bundle, other):
    before = sha256(bundle + "/study.yaml")
    rewrite(bundle + "/study.yaml", lambda text: text.replace("Please rest", "Please relax"))
    everywhere(before, sha256(bundle + "/study.yaml"))(bundle, other)


def copied(bundle, other):
    """The run once more, under another name."""
    old, new = os.path.basename(bundle), "0F0F0F0F" + os.path.basename(bundle)[8:]
    copy = os.path.join(os.path.dirname(bundle), new)
    shutil.copytree(bundle, copy)
    everywhere(old, new)(copy, other)
    everywhere('"gathering":{[^}]*},?', "")(copy, other)
    seal(copy)


def turned(bundle, other):
    def change(text):
        lines = text.splitlines(keepends=True)
        later = [number for number, line in enumerate(lines) if '"event"' in line and '"t":0,' not in line]
        lines[later[1]] = re.sub(r'"t":\d+', '"t":1000', lines[later[1]])
        return "".join(lines)
    rewrite(bundle + "/journal.jsonl", change)


FORGERIES = {
    "a heart rate fewer than the journal counts": items(lambda all_items: all_items.pop()),
    "heart rates 1,000 s late": items(moved(1000)),
    "heart rates of 1999": items(moved(-27 * 365 * 86400)),
    "other dates": items(each(lambda item: item.update(endDate="1999" + item["endDate"][4:]))),
    "intervals of another hour": items(moved(3600), "RRInterval"),
    "heart rates that came late and are not counted": items(
        each(lambda item: item["metadata"].update(arrivalOffset=item["metadata"]["arrivalOffset"] + 1.5))),
    "late samples that nobody sees": everywhere(
        r'"lateSamples":(\d+)', lambda found: '"lateSamples":%d' % (int(found[1]) + 3)),
    "another coverage": everywhere(
        r'"coverage":([\d.]+)', lambda found: '"coverage":%s' % (float(found[1]) * 0.75)),
    "heart rates left out, and all counts made anew": thinned,
    "a reworded study": reworded,
    "a journal whose time runs back": turned,
    "a companion who is not named": everywhere('"gathering":{[^}]*},?', ""),
    "a run under another name": copied,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrain", required=True)
    entrain = os.path.abspath(parser.parse_args().entrain)
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/s.yaml", "w") as file:
            file.write(STUDY)
        subprocess.run(
            [entrain, "run", "s.yaml", "--participant", "P01", "--with", "P02", "--source", "heartRate@P02=simulated",
             "--auto", "--plain", "--audio", "none", "--out", "runs"], cwd=folder, check=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

        def verify(name, forge=None):
            shutil.copytree(folder + "/runs", folder + "/forged")
            bundles = sorted(glob.glob(folder + "/forged/*-*"), key=lambda path: json.load(
                open(path + "/manifest.json"))["gathering"]["place"])
            if forge:
                before = sums(folder + "/forged")
                forge(*bundles)
                if sums(folder + "/forged") == before:
                    sys.exit(f"{name}: nothing was forged")
                seal(bundles[0])
            else:
                for bundle in bundles:
                    seal(bundle)
            found = subprocess.run([entrain, "verify", *glob.glob(folder + "/forged/*-*")], capture_output=True, text=True)
            shutil.rmtree(folder + "/forged")
            return found

        honest = verify("honest")
        if honest.returncode != 0:
            missed.append("honest bundles are called wrong: " + honest.stdout + honest.stderr)
        for name, forge in FORGERIES.items():
            found = verify(name, forge)
            if found.returncode != 65 or "SHA256SUMS" in found.stdout or "was changed since" in found.stdout:
                missed.append(f"{name}: status {found.returncode}: {found.stdout[-400:]}{found.stderr[-200:]}")
    for problem in missed:
        print("MISSED", problem)
    print(f"forgeries: {len(FORGERIES) + 1 - len(missed)} of {len(FORGERIES) + 1} judged rightly")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
