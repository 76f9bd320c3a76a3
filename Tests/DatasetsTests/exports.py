#!/usr/bin/env python3
"""Exports made bundles to every format, reads them back with readers that are not ours, and asks the formats' own judges.

    pip install bids-validator-deno check-jsonschema fhir.resources pyxdf roc-validator pandas duckdb
    python3 Tests/DatasetsTests/exports.py --entrain .build/debug/entrain [--sessions 200] [--schemas DIR]

What is not installed is skipped and named. --schemas is the folder schema/omh of a checkout of openmhealth/schemas.
"""
import argparse, csv, glob, gzip, hashlib, hmac, io, json, os, random, re, shutil, socket, subprocess, sys, tempfile
import datetime, time, urllib.parse, xml.etree.ElementTree

parser = argparse.ArgumentParser()
parser.add_argument("--entrain", required=True)
parser.add_argument("--sessions", type=int, default=200)
parser.add_argument("--schemas")
options = parser.parse_args()
entrain = os.path.abspath(options.entrain)
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
formats = ["bids", "openmhealth", "fhir", "researchkit2", "xdf", "ro-crate"]
failures = 0


def check(holds, what, detail=""):
    global failures
    if not holds:
        failures += 1
    print(("ok    " if holds else "FAIL  ") + what + (f": {detail}" if detail and not holds else ""), flush=True)


def skip(what):
    print("skip  " + what, flush=True)


def tool(name):
    beside = os.path.join(os.path.dirname(sys.executable), name)
    return beside if os.path.exists(beside) else shutil.which(name)


def run(*words, expect=0, **more):
    done = subprocess.run([entrain, *words], capture_output=True, text=True, **more)
    if expect is not None and done.returncode != expect:
        check(False, " ".join(words[:1]), f"exit code {done.returncode}: {done.stderr[-400:]}")
    return done


# ---- bundles ---------------------------------------------------------------------------------------------------------

NAUGHTY = ["=1+1", "tab\\there", "\"quoted\"", "n/a", "NULL", "null", "-5", "@x", "a;b,c|d", "back\\slash", "'", "%s%n",
           "Ω≈ç√∫˜µ", "👩‍👩‍👧‍👦", "السلام", "<script>alert(1)</script>", "../../etc/passwd", "1e400", "0x1F", "TRUE",
           "Robert'); DROP TABLE runs;--", "\\u0022", "nan", "  edges  "]
PEOPLE = ["P-01", "p01", "Zoë Müller", "=cmd", "Anna_42", "日本"]

STUDY = """
entrain: 1
# For Anna_42, tried on lab-pc-7 in /home/anna/studies
study: {{identifier: naughty, title: Study of Zoë Müller, seed: 7}}
sources: {{heartRate: {{type: simulated, restingRate: 64}}}}
tasks:
  - identifier: task-{code}
    steps:
      - {{type: instruction, identifier: hello, title: Hello Anna_42, text: See /home/anna}}
      - type: active
        identifier: rest
        duration: 20 s
        recorders: [{{type: heartRate, identifier: heartRate}}, {{type: rrIntervals, identifier: beats}}, {{type: events, identifier: acts}}]
      - {{type: question, identifier: who, title: Who?, answer: {{text: {{}}}}}}
      - {{type: question, identifier: born, title: Born?, answer: {{date: {{}}}}}}
      - {{type: completion, identifier: done, title: Done}}
"""


def rehearse(study, out, participants, session=1):
    run("rehearse", study, "--participants", str(participants), "--session", str(session), "--out", out)


def make_naughty(folder):
    study = os.path.join(folder, "naughty.yaml")
    open(study, "w").write(STUDY.format(code="Anna_42"))
    out = os.path.join(folder, "naughty")
    for number, text in enumerate(NAUGHTY):
        words = ["run", study, "--participant", PEOPLE[number % len(PEOPLE)], "--participant-number", "1",
                 "--session", str(1 + number // len(PEOPLE)), "--speed", "200", "--plain", "--audio", "none", "--out", out]
        run(*words, input=f"\n{text}\n1950-02-03\n\n\n")
    return out


def seal(bundle):
    """Makes manifest and sums say what the files now are."""
    digest = lambda path: hashlib.sha256(open(f"{bundle}/{path}", "rb").read()).hexdigest()
    manifest = json.load(open(f"{bundle}/manifest.json"))
    for file in manifest["files"]:
        file["bytes"], file["sha256"] = os.path.getsize(f"{bundle}/{file['path']}"), digest(file["path"])
    json.dump(manifest, open(f"{bundle}/manifest.json", "w"))
    paths = sorted([file["path"] for file in manifest["files"]] + ["manifest.json"])
    open(f"{bundle}/SHA256SUMS", "w").write("".join(f"{digest(path)}  {path}\n" for path in paths))


def make_traps(folder):
    """Whole heart rates in the bundles that readers look at to guess types, fractions and quality only in later ones."""
    out = f"{folder}/traps"
    rehearse(f"{root}/Studies/music-heart-rate.yaml", out, 48)
    for number, bundle in enumerate(sorted(glob.glob(f"{out}/*"))):
        for path in glob.glob(f"{bundle}/steps/*/HK*.json"):
            recording = json.load(open(path))
            for place, item in enumerate(recording["items"]):
                item["value"] = float(int(item["value"])) + (0.25 if number >= 40 else 0.0)
                if number >= 40: item["metadata"]["quality"] = 0.875
                if place < 5: item["metadata"]["rrIntervals"] = []
            json.dump(recording, open(path, "w"))
        seal(bundle)
    return out


def recorded(folder):
    """Per run: participant, heart rates, intervals and typed texts, straight from the bundles' own files."""
    runs = {}
    for manifest in glob.glob(f"{folder}/*/manifest.json"):
        bundle = os.path.dirname(manifest)
        head = json.load(open(manifest))
        rates, beats, texts = [], [], []
        for path in glob.glob(f"{glob.escape(bundle)}/steps/*/*.json"):
            content = json.load(open(path))
            for item in content.get("items", []):
                if item.get("type") == "HKQuantityTypeIdentifierHeartRate":
                    rates.append(item["value"])
                    beats += item["metadata"]["rrIntervals"]
                elif item.get("type") == "RRInterval":
                    beats.append(item["value"])
            texts += [r["textAnswer"] for r in content.get("results", []) if "textAnswer" in r]
        runs[head["runUUID"]] = dict(participant=head["participant"], rates=rates, beats=beats, texts=texts,
                                     start=head["startDate"], path=bundle)
    return runs


# ---- readers -----------------------------------------------------------------------------------------------------------


def named(columns, line):
    cells = line.split("\t")
    assert len(cells) == len(columns), (columns, line)
    return dict(zip(columns, cells))


def read_bids(folder):
    rates, beats, texts = [], [], []
    for path in glob.glob(f"{folder}/sub-*/ses-*/beh/*_physioevents.tsv.gz"):
        columns = json.load(open(re.sub(r".*/sub-[^/]*_(task-[^_]*)_run-[^_]*", rf"{folder}/\1", path)[:-7] + ".json"))["Columns"]
        for row in gzip.open(path, "rt", encoding="utf-8", newline="\n"):
            row = named(columns, row.rstrip("\n"))
            if row["heart_rate"] != "n/a": rates.append(float(row["heart_rate"]))
            if row["rr"] != "n/a": beats.append(float(row["rr"]))
    for path in glob.glob(f"{folder}/sub-*/ses-*/beh/*_events.tsv"):
        lines = open(path, encoding="utf-8", newline="\n").read().rstrip("\n").split("\n")
        names = lines[0].split("\t")
        last = -1e9
        for line in lines[1:]:
            row = named(names, line)
            assert float(row["onset"]) >= last, path
            last = float(row["onset"])
            if row["question"] == "who" and row["response"] != "n/a": texts.append(json.loads(f'"{row["response"]}"'))
    return rates, beats, texts


def read_openmhealth(folder):
    rates = [p["body"]["heart_rate"]["value"] for f in glob.glob(f"{folder}/*/*/*_heart-rate.json") for p in json.load(open(f))]
    beats = [p["body"]["rr_interval"]["value"] / 1000 for f in glob.glob(f"{folder}/*/*/*_rr-interval.json") for p in json.load(open(f))]
    return rates, beats, None


def read_fhir(folder):
    return [json.loads(line)["valueQuantity"]["value"] for line in open(f"{folder}/Observation.ndjson")], None, None


def read_researchkit(folder):
    rates, beats, texts, seen = [], [], [], set()
    for result in glob.glob(f"{folder}/*/result.json"):
        for step in json.load(open(result))["results"]:
            for entry in step["results"]:
                if "textAnswer" in entry: texts.append(entry["textAnswer"])
                if entry["_class"] != "ORKFileResult": continue
                assert "fileName" not in entry
                path = os.path.join(os.path.dirname(result), urllib.parse.unquote(urllib.parse.urlparse(entry["fileURL"]).path))
                seen.add(path)
                for item in json.load(open(path))["items"]:
                    if item.get("type") == "HKQuantityTypeIdentifierHeartRate":
                        rates.append(item["value"])
                        beats += item["metadata"]["rrIntervals"]
                    elif item.get("type") == "RRInterval": beats.append(item["value"])
    assert len(seen) == len(glob.glob(f"{folder}/*/steps/*/*.json"))
    return rates, beats, texts


def read_xdf(folder):
    import pyxdf
    rates, beats, texts = [], [], []
    for path in glob.glob(f"{folder}/*/*/*.xdf"):
        streams, header = pyxdf.load_xdf(path)
        for stream in streams:
            name = stream["info"]["name"][0]
            if name == "HeartRate": rates += [row[0] for row in stream["time_series"]]
            if name == "RRIntervals": beats += [row[0] for row in stream["time_series"]]
            if name == "Events":
                events = [json.loads(row[0]) for row in stream["time_series"]]
                texts += [e["answer"] for e in events if e.get("question") == "who" and "answer" in e]
    return rates, beats, texts


def read_crate(folder):
    crate = json.load(open(f"{folder}/ro-crate-metadata.json"))
    rates, beats = [], []
    files = [e for e in crate["@graph"] if e["@type"] == "File"]
    for entity in files:
        path = os.path.join(folder, urllib.parse.unquote(entity["@id"]))
        assert os.path.getsize(path) == int(entity["contentSize"])
        if "/steps/" not in path or not path.endswith(".json") or path.endswith("result.json"): continue
        for item in json.load(open(path))["items"]:
            if item.get("type") == "HKQuantityTypeIdentifierHeartRate":
                rates.append(item["value"])
                beats += item["metadata"]["rrIntervals"]
            elif item.get("type") == "RRInterval": beats.append(item["value"])
    on_disk = sum(len(f) for _, _, f in os.walk(folder)) - 1
    assert on_disk == len(files), (on_disk, len(files))
    return rates, beats, None


readers = dict(zip(formats, [read_bids, read_openmhealth, read_fhir, read_researchkit, read_xdf, read_crate]))


def compare(label, format, folder, runs, texts_kept=True):
    try:
        rates, beats, texts = readers[format](folder)
    except ModuleNotFoundError as missing:
        return skip(f"{label}: {missing.name} is not installed")
    true_rates = [rate for run in runs.values() for rate in run["rates"]]
    check(len(rates) == len(true_rates) and sorted(rates) == sorted(true_rates),
          f"{label}: {len(true_rates)} heart rates, sum {sum(true_rates):.0f}", f"{len(rates)}, {sum(rates)}")
    if beats is not None:
        true_beats = sorted(beat for run in runs.values() for beat in run["beats"])
        close = len(beats) == len(true_beats) and all(abs(a - b) < 1e-6 for a, b in zip(sorted(beats), true_beats))
        check(close, f"{label}: {len(true_beats)} intervals between beats", f"{len(beats)}")
    if texts is not None:
        true_texts = sorted(text if texts_kept else "removed" for run in runs.values() for text in run["texts"])
        check(sorted(texts) == true_texts, f"{label}: {len(true_texts)} typed texts", f"{sorted(texts)[:5]}")


# ---- judges --------------------------------------------------------------------------------------------------------------


def judge_bids(label, folder):
    if not tool("bids-validator-deno"): return skip(f"{label}: bids-validator-deno")
    began = time.time()
    said = subprocess.run([tool("bids-validator-deno"), folder, "--format", "json", "--max-rows", "-1"], capture_output=True, text=True)
    issues = json.loads(said.stdout)["issues"]["issues"]
    errors = [(i["code"], i.get("subCode"), i["location"]) for i in issues if i["severity"] == "error"]
    check(said.returncode == 0 and not errors, f"{label}: bids-validator-deno finds no error ({time.time() - began:.1f} s)", str(errors[:5]))
    warned = sorted({(i["code"], i.get("subCode")) for i in issues if i["severity"] == "warning"}, key=str)
    if warned: print(f"note  {label}: warnings of bids-validator-deno: {warned}", flush=True)


def judge_hed(label, folder):
    try:
        import hed
    except ImportError:
        return skip(f"{label}: hedtools")
    version = json.load(open(f"{folder}/dataset_description.json"))["HEDVersion"]
    schema = hed.load_schema(os.path.join(os.path.dirname(hed.__file__), "schema", "schema_data", f"HED{version}.xml"))
    tagged = 0
    for path in glob.glob(f"{folder}/**/*_events.tsv", recursive=True):
        [told] = [f for f in glob.glob(f"{folder}/task-*_events.json") if os.path.basename(f)[:-12] in path]
        # hedtools takes only columns, and stumbles over names and versions beside them.
        columns = {key: value for key, value in json.load(open(told)).items() if isinstance(value, dict)}
        table = hed.TabularInput(path, sidecar=hed.Sidecar(io.StringIO(json.dumps(columns))))
        issues = [issue["code"] for issue in table.validate(schema)]
        check(not issues, f"{label}: hedtools accepts {os.path.basename(path)}", str(issues[:4]))
        tagged += sum(bool(str(tag).strip()) for tag in table.series_a)
    print(f"note  {label}: {tagged} events with tags of HED {version}", flush=True)


def judge_fhir(label, folder):
    try:
        from fhir.resources.observation import Observation
        from fhir.resources.patient import Patient
    except ModuleNotFoundError:
        return skip(f"{label}: fhir.resources")
    patients = {Patient.model_validate_json(line).id for line in open(f"{folder}/Patient.ndjson")}
    count, ids = 0, set()
    for line in open(f"{folder}/Observation.ndjson"):
        observation = Observation.model_validate_json(line)
        coding, value = observation.code.coding[0], observation.valueQuantity
        assert (coding.system, coding.code) == ("http://loinc.org", "8867-4")
        assert (value.system, value.code, value.unit) == ("http://unitsofmeasure.org", "/min", "beats/minute")
        assert observation.subject.reference.removeprefix("Patient/") in patients
        ids.add(observation.id)
        count += 1
    check(count == len(ids), f"{label}: fhir.resources takes {count} observations of {len(patients)} patients")


def judge_openmhealth(label, folder):
    if not options.schemas or not tool("check-jsonschema"): return skip(f"{label}: check-jsonschema with --schemas")
    with tempfile.TemporaryDirectory() as work:
        base = "file://" + os.path.abspath(options.schemas) + "/"
        for kind, version in (("heart-rate", "2.0"), ("rr-interval", "1.0")):
            files = glob.glob(f"{folder}/*/*/*_{kind}.json")
            bodies = []
            for number, path in enumerate(files):
                bodies.append(f"{work}/{kind}-{number}.json")
                json.dump([point["body"] for point in json.load(open(path))], open(bodies[-1], "w"))
            for name, instances in ((f"{kind}-{version}", bodies), ("data-point-1.0", files)):
                schema = f"{work}/{kind}-{name}-list.json"
                json.dump({"$schema": "http://json-schema.org/draft-07/schema#", "type": "array", "items": {"$ref": base + name + ".json"}}, open(schema, "w"))
                said = subprocess.run([tool("check-jsonschema"), "--schemafile", schema, *instances], capture_output=True, text=True)
                check(said.returncode == 0, f"{label}: Open mHealth {name} takes {len(instances)} lists", said.stdout[-500:] + said.stderr[-500:])


# Terms of the RO-Crate 1.3 context that crates of ours use; all but two are schema.org's own.
TERMS = """about actionStatus agent author contentSize conformsTo CreateAction CreativeWork Dataset datePublished description encodingFormat
endTime File hasPart identifier instrument license mentions name object Person result SoftwareApplication startTime url version Profile""".split()
SPECIAL = {"Profile": "http://www.w3.org/ns/dx/prof/Profile", "File": "http://schema.org/MediaObject", "conformsTo": "http://purl.org/dc/terms/conformsTo"}


def judge_crate(label, folder):
    used = set()
    for entity in json.load(open(f"{folder}/ro-crate-metadata.json"))["@graph"]:
        used |= {key for key in entity if not key.startswith("@")} | ({entity["@type"]} if isinstance(entity["@type"], str) else set(entity["@type"]))
    check(used <= set(TERMS), f"{label}: only terms of the RO-Crate context", str(used - set(TERMS)))
    if not tool("rocrate-validator"): return skip(f"{label}: roc-validator")
    import requests, requests_cache
    with tempfile.TemporaryDirectory() as work:
        # The validator asks the network for the context; without one it is told these terms.
        session = requests_cache.CachedSession(f"{work}/cache", backend="sqlite", expire_after=-1)
        context = {"@context": {term: SPECIAL.get(term, f"http://schema.org/{term}") for term in TERMS}}
        for profile_term in ("schema", "dct"): context["@context"][profile_term] = {"schema": "http://schema.org/", "dct": "http://purl.org/dc/terms/"}[profile_term]
        request = requests.Request("GET", "https://w3id.org/ro/crate/1.3/context").prepare()
        told = requests_cache.CachedResponse(
            status_code=200, url=request.url, headers={"Content-Type": "application/ld+json"},
            request=requests_cache.CachedRequest.from_request(request))
        told._content = json.dumps(context).encode()
        session.cache.responses[session.cache.create_key(request)] = told
        session.close()
        for profile in ("ro-crate-1.3", "process-run-crate-0.5"):
            said = subprocess.run([tool("rocrate-validator"), "-y", "validate", "--offline", "--cache-path", f"{work}/cache",
                                   "--no-paging", "-p", profile, "-f", "json", "-o", f"{work}/said", folder], capture_output=True, text=True)
            issues = json.load(open(f"{work}/said"))["issues"] if os.path.exists(f"{work}/said") else [said.stderr]
            # The profile for runs is of RO-Crate 1.1, and its judge wants that version named.
            issues = [issue for issue in issues if profile == "ro-crate-1.3" or issue["check"]["identifier"] != "ro-crate-1.1_5.3"]
            check(not issues, f"{label}: roc-validator accepts {profile}", str(issues)[:1500])


def other_readers(label, folder, runs):
    """DuckDB and pandas with their default options see the same numbers."""
    total = sum(sum(run["rates"]) for run in runs.values())
    count = sum(len(run["rates"]) for run in runs.values())
    try:
        import duckdb
        query = f"SELECT count(*), sum(valueQuantity.value) FROM read_json('{folder}/fhir/Observation.ndjson')"
        check(duckdb.sql(query).fetchall()[0] == (count, total), f"{label}: DuckDB counts and sums the observations")
        query = f"SELECT count(heart_rate), sum(heart_rate) FROM read_csv('{folder}/bids/sub-*/ses-*/beh/*_physioevents.tsv.gz', delim='\t', header=false, nullstr='n/a', names=['onset','duration','heart_rate','rr','recorder'])"
        check(duckdb.sql(query).fetchall()[0] == (count, total), f"{label}: DuckDB counts and sums the physioevents")
    except ModuleNotFoundError:
        skip(f"{label}: duckdb")
    try:
        import pandas
        tables = [pandas.read_csv(path, sep="\t", header=None) for path in glob.glob(f"{folder}/bids/sub-*/ses-*/beh/*_physioevents.tsv.gz")]
        column = pandas.concat(tables)[2]
        check((column.count(), column.sum()) == (count, total), f"{label}: pandas counts and sums the physioevents")
    except ModuleNotFoundError:
        skip(f"{label}: pandas")
    if shutil.which("jq"):
        said = subprocess.run(["jq", "-s", "[.[].valueQuantity.value] | [length, add] | @tsv", "-r", f"{folder}/fhir/Observation.ndjson"], capture_output=True, text=True)
        check([float(v) for v in said.stdout.split()] == [count, total], f"{label}: jq counts and sums the observations")


# ---- leaks ---------------------------------------------------------------------------------------------------------------

LETTERS = "bcdfghjkmnpqrtvw"


def pseudonym(key, code):
    digest = hmac.new(key, f"entrain participant {code}".encode(), hashlib.sha256).digest()[:10]
    return "".join(LETTERS[byte >> 4] + LETTERS[byte & 15] for byte in digest)


def shift(key, code):
    return 1 + int.from_bytes(hmac.new(key, f"entrain dates {code}".encode(), hashlib.sha256).digest()[:6], "big") % 364


def leaks(folder, words):
    found = []
    words = [word.lower().encode() for word in words]
    for above, folders, files in os.walk(folder):
        for name in folders + files:
            found += [(name, word) for word in words if word in name.lower().encode()]
        for name in files:
            content = open(os.path.join(above, name), "rb").read()
            for text in [content] + ([gzip.decompress(content)] if name.endswith(".gz") else []):
                found += [(name, word) for word in words if word in text.lower()]
    return found


def check_privacy(folder, source, runs, key, keyfile):
    host = socket.gethostname()
    words = [run["participant"] for run in runs.values()] + ["/home", "lab-pc-7", "anna", "müller", "1950-02-03", folder]
    words += [text for run in runs.values() for text in run["texts"] if len(text) > 9] + list(runs) + ([host] if len(host) > 4 and re.search("[0-9]", host) else [])
    shifted = {"now": datetime.date.today().isoformat()}
    for format in formats:
        out = f"{folder}/private/{format}"
        run("export", source, "--include-simulated", "--to", format, "--out", out, "--pseudonymise", keyfile, "--shift-dates")
        found = leaks(out, words + [shifted["now"]])
        check(not found, f"pseudonymised {format}: nothing that tells who it was", str(found[:3]))
        compare(f"pseudonymised {format}", format, out, runs, texts_kept=False)
    people = {pseudonym(key, run["participant"]): run for run in runs.values()}
    subjects = {name[4:] for name in os.listdir(f"{folder}/private/bids") if name.startswith("sub-")}
    check(subjects == set(people), "pseudonyms are what Python's hmac says")
    days = {}
    for line in open(f"{folder}/private/fhir/Observation.ndjson"):
        observation = json.loads(line)
        code = observation["subject"]["reference"].removeprefix("Patient/")
        began = datetime.datetime.strptime(people[code]["start"], "%Y-%m-%dT%H:%M:%S%z").date()
        told = datetime.date.fromisoformat(observation["effectiveDateTime"][:10])
        days.setdefault(code, set()).add((began - told).days)
    expected = {code: shift(key, people[code]["participant"]) for code in people}
    right = all(spans <= {expected[code], expected[code] - 1} for code, spans in days.items())
    check(right and len(days) == len(people), "each participant's dates move by the same days, drawn from the key", f"{days} {expected}")
    judge_bids("pseudonymised", f"{folder}/private/bids")
    judge_fhir("pseudonymised", f"{folder}/private/fhir")
    judge_crate("pseudonymised", f"{folder}/private/ro-crate")


# ---- faults ---------------------------------------------------------------------------------------------------------------


def check_faults(folder, source):
    chance = random.Random(1)
    whole = f"{folder}/whole"
    began = time.time()
    run("export", source, "--include-simulated", "--to", "bids", "--out", whole)
    lasted = time.time() - began
    files = sorted(os.path.relpath(f, whole) for f in glob.glob(f"{whole}/**", recursive=True))
    halves = 0
    for attempt in range(12):
        out = f"{folder}/killed-{attempt}"
        child = subprocess.Popen([entrain, "export", source, "--include-simulated", "--to", "bids", "--out", out], stdout=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, lasted))
        child.kill()
        child.wait()
        if os.path.exists(out) and sorted(os.path.relpath(f, out) for f in glob.glob(f"{out}/**", recursive=True)) != files: halves += 1
    check(halves == 0, "an export that was killed is there whole or not at all")
    if not shutil.which("strace") or subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode:
        return skip("faults of the disk: strace is not here, or may not trace")
    for call, error in (("write", "ENOSPC"), ("openat", "EIO"), ("mkdirat", "ENOSPC"), ("renameat", "EIO"), ("syncfs", "EIO")):
        out = f"{folder}/fault-{call}"
        when = {"write": "when=40+", "openat": "when=400+", "mkdirat": "when=5+"}.get(call, "when=1+")
        done = subprocess.run(["strace", "-f", "-qq", "-e", f"trace={call}", "-e", f"inject={call}:error={error}:{when}", "-o", "/dev/null",
                               entrain, "export", source, "--include-simulated", "--to", "bids", "--out", out], capture_output=True, text=True)
        # Which call is the n-th one depends on the machine: where none failed, everything must be there.
        whole_anyway = done.returncode == 0 and os.path.exists(out) and sorted(
            os.path.relpath(f, out) for f in glob.glob(f"{out}/**", recursive=True)) == files
        check(whole_anyway or (done.returncode in (65, 74) and not os.path.exists(out)), f"{error} in {call} ends with {done.returncode} and leaves nothing under the name",
              f"{done.returncode} {done.stderr[-200:]}")


def judge_psych_ds(label, source, folder):
    """Every rule of Psych-DS that is an error, and the rows of `entrain collate` under the same names."""
    out, tables = f"{folder}/out-{label}/psych-ds", f"{folder}/tables-{label}"
    run("export", source, "--include-simulated", "--to", "psych-ds", "--out", out)
    run("collate", source, "--out", tables)
    rows = lambda path: list(csv.reader(open(path, newline="", encoding="utf-8")))
    described = lambda path: [v["name"] for v in json.load(open(path))["variableMeasured"]]
    dataset = json.load(open(f"{out}/dataset_description.json"))
    files = sorted(glob.glob(f"{out}/data/*.csv"))
    check(dataset["@type"] == "Dataset" and dataset["name"] and dataset["description"] and files, f"{label} is a Psych-DS dataset")
    for path in files:
        name = os.path.basename(path)
        table = rows(path)
        known = re.fullmatch(r"description-([a-zA-Z0-9]+)_data\.csv", name)
        check(known and len(set(table[0])) == len(table[0]) and all(len(row) == len(table[0]) for row in table),
              f"{label}: {name} is named and shaped as Psych-DS wants it")
        check(set(table[0]) <= set(described(f"{out}/dataset_description.json")) and table[0] == described(path[:-4] + ".json"),
              f"{label}: every column of {name} is described")
        parts = [rows(part) for part in glob.glob(f"{tables}/{known[1]}/**/*.csv", recursive=True)]
        check(all(part[0] == table[0] for part in parts) and sorted(table[1:]) == sorted(row for part in parts for row in part[1:]),
              f"{label}: {name} has the rows of collate")


with tempfile.TemporaryDirectory(prefix="entrain-exports-") as folder:
    sets = {"one": f"{folder}/one", "many": f"{folder}/many"}
    rehearse(f"{root}/Studies/music-crossover.yaml", sets["one"], 1)
    for session in (1, 2): rehearse(f"{root}/Studies/music-heart-rate.yaml", sets["many"], options.sessions // 2, session)
    sets["traps"] = make_traps(folder)
    sets["naughty"] = make_naughty(folder)
    for label, source in sets.items():
        runs = recorded(source)
        for format in formats:
            began = time.time()
            out = f"{folder}/out-{label}/{format}"
            whose = ["--author", "Ada Müller", "--author", "B. Lee", "--licence", "CC-BY-4.0"] if format in ("bids", "ro-crate") else []
            run("export", source, "--include-simulated", "--to", format, "--out", out, *whose)
            lasted = time.time() - began
            compare(f"{label}, {len(runs)} runs, {format} ({lasted:.2f} s)", format, out, runs)
        judge_bids(label, f"{folder}/out-{label}/bids")
        judge_hed(label, f"{folder}/out-{label}/bids")
        judge_psych_ds(label, source, folder)
        judge_fhir(label, f"{folder}/out-{label}/fhir")
        judge_openmhealth(label, f"{folder}/out-{label}/openmhealth")
        if label != "many": judge_crate(label, f"{folder}/out-{label}/ro-crate")
        other_readers(label, f"{folder}/out-{label}", runs)
    key = hashlib.sha256(b"entrain").digest()
    keyfile = f"{folder}/key"
    open(os.open(keyfile, os.O_CREAT | os.O_WRONLY, 0o600), "wb").write(key)
    check_privacy(folder, sets["naughty"], recorded(sets["naughty"]), key, keyfile)
    check_faults(folder, sets["many"])
print(f"{failures} failures")
sys.exit(1 if failures else 0)
