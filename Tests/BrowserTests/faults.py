"""What goes wrong around a monitor, and how it ends: ports, folders, databases, disks, tokens, certificates, signals.

usage: python3 Tests/BrowserTests/faults.py [PATH OF entrain-monitor]
The program entrain is looked for beside it. With openapi-spec-validator (PyPI) the API's description is judged, too.
"""
import concurrent.futures
import http.client
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import threading
import time
import urllib.request

from monitor import PATIENCE, Monitor, program, scratch, wait

CHECKS = []


def check(work):
    CHECKS.append(work)
    return work


def ended(path, *arguments, **options):
    """Exit code and standard error of a server that should not begin."""
    done = subprocess.run([path, *arguments, "--port", "0"], capture_output=True, text=True, timeout=PATIENCE, **options)
    return done.returncode, done.stderr


def expect(isRight, words):
    if not isRight:
        raise AssertionError(words)


def status(url, token=None, body=None, context=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(url, data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE, context=context) as answer:
            return answer.status
    except urllib.error.HTTPError as refusal:
        return refusal.code


def token(path, folder, scope, name):
    made = subprocess.run([path, "token", "create", "--data", folder, "--scope", scope, "--name", name], capture_output=True, text=True, check=True)
    return made.stdout.strip()


class Listener(threading.Thread):
    """Reads an event stream and keeps its numbers and samples."""

    def __init__(self, port, path, last=None):
        super().__init__(daemon=True)
        self.numbers, self.rates, self.heartbeats, self.isOver = [], [], 0, threading.Event()
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.connection.request("GET", path, headers={"Host": "localhost", **({"Last-Event-ID": last} if last else {})})
        self.answer = self.connection.getresponse()
        self.start()

    def run(self):
        try:
            for line in self.answer:
                if line.startswith(b"id: "):
                    self.numbers.append(int(line[4:]))
                if line.startswith(b"data: ") and b'"bpm"' in line:
                    self.rates.append(json.loads(line[6:])["bpm"])
                self.heartbeats += line.startswith(b"event: alive")
        except (OSError, http.client.HTTPException, ValueError):
            pass
        self.isOver.set()

    def waitFor(self, isRight):
        return wait(lambda: isRight(self))


@check
def a_port_that_is_taken(path):
    monitor = Monitor(path, port=0)
    done = subprocess.run([path, "--data", scratch(), "--port", str(monitor.port)], capture_output=True, text=True, timeout=PATIENCE)
    expect(done.returncode == 69 and "choose another with --port" in done.stderr, done)
    expect(monitor.post("/addheartrate", "90") == 204, "the first one answers on")
    monitor.stop()


@check
def folders_and_databases_that_cannot_be_used(path):
    folder = scratch()
    os.chmod(folder, 0o755)
    asNobody = ["setpriv", "--reuid=65534", "--clear-groups"] if os.getuid() == 0 else []
    # Where nobody may not even begin it, root tries, to whom no folder is locked.
    if asNobody and (not shutil.which("setpriv") or subprocess.run([*asNobody, path, "--help"], capture_output=True).returncode):
        asNobody = []
    os.mkdir(folder + "/locked", 0o755 if asNobody else 0o500)
    locked = [folder + "/locked/data"] if asNobody or os.getuid() else []
    for place in (*locked, "/proc/data", "/dev/null", folder + "/missing/data"):
        done = subprocess.run([*asNobody, path, "--data", place, "--port", "0"], capture_output=True, text=True, timeout=PATIENCE)
        expect(done.returncode == 74 and "error: cannot" in done.stderr, (place, done))
    os.mkdir(folder + "/damaged")
    with open(folder + "/damaged/monitor.sqlite", "w") as file:
        file.write("this is no database\n" * 400)
    code, said = ended(path, "--data", folder + "/damaged")
    expect(code == 74 and "not a database" in said, (code, said))
    expect(os.path.getsize(folder + "/damaged/monitor.sqlite") == 8000, "what was there stays")


@check
def a_database_with_a_page_of_garbage(path):
    monitor = Monitor(path)
    monitor.post("/api/sessions", {"id": "run"})
    monitor.post("/api/sessions/run/heart-rate", {"samples": [{"bpm": 60 + n % 90, "elapsed": n} for n in range(9000)]})
    monitor.stop()
    garbage = random.Random(1)
    with open(monitor.folder + "/monitor.sqlite", "r+b") as file:
        size = file.seek(0, 2)
        for page in range(8, size // 4096, 3):
            file.seek(page * 4096)
            file.write(garbage.randbytes(4096))
    try:
        monitor.start()
    except RuntimeError as refusal:
        expect("exit 74" in str(refusal), refusal)
        return
    answers = [status(monitor.url + "/api/sessions/run/heart-rate"), monitor.post("/addheartrate", "90"), status(monitor.url + "/api/days/today")]
    expect(all(answer in (200, 204, 503) for answer in answers), answers)
    monitor.stop()


@check
def a_database_from_before(path):
    folder = scratch()
    sqlite3.connect(folder + "/monitor.sqlite").close()
    monitor = Monitor(path, data=folder)
    expect(monitor.post("/addheartrate", "90") == 204, "an empty one is filled")
    monitor.stop()
    database = sqlite3.connect(folder + "/monitor.sqlite")
    expect(database.execute("SELECT count(*) FROM grdb_migrations").fetchone()[0] >= 1, "migrations are recorded")
    # One that a later version has written to: columns and tables that this one does not know.
    database.execute("ALTER TABLE session ADD COLUMN later TEXT")
    database.execute("CREATE TABLE later (x)")
    database.commit()
    database.close()
    monitor.start()
    expect(monitor.post("/addheartrate", "91") == 204, "more than it knows does no harm")
    monitor.stop()


@check
def a_disk_that_is_full(path):
    folder = scratch()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m,mode=700", "tmpfs", folder], capture_output=True).returncode:
        return "skipped: cannot mount a small disk"
    try:
        monitor = Monitor(path, data=folder)
        monitor.post("/api/sessions", {"id": "run"})
        taken, refused = 0, None
        for batch in range(60):
            samples = [{"bpm": 60 + n % 90, "elapsed": batch * 1000 + n} for n in range(1000)]
            refused = monitor.post("/api/sessions/run/heart-rate", {"samples": samples})
            if refused != 201:
                break
            taken += 1000
        expect(refused == 503 and taken > 0, (taken, refused))
        kept = len(monitor.samples("run"))
        expect(kept == taken, (kept, taken))
        monitor.stop()
    finally:
        subprocess.run(["umount", "-l", folder])


@check
def a_quota_that_is_used_up(path):
    monitor = Monitor(path, "--quota", "1")
    monitor.post("/api/sessions", {"id": "run"})
    answers = [monitor.post("/api/sessions/run/heart-rate", {"samples": [{"bpm": 60, "elapsed": n} for n in range(2000)]}) for _ in range(60)]
    expect(answers[0] == 201 and answers[-1] == 507 and set(answers) == {201, 507}, answers)
    expect(monitor.post("/addheartrate", "90") == 507 and status(monitor.url + "/api/sessions") == 200, "it reads on")
    monitor.stop()


@check
def others_are_kept_out(path):
    folder = scratch()
    code, said = ended(path, "--data", folder, "--host", "0.0.0.0")
    expect(code == 64 and "--certificate" in said, said)
    code, said = ended(path, "--data", folder, "--host", "0.0.0.0", "--insecure")
    expect(code == 64 and "token create" in said, said)
    read, ingest = token(path, folder, "read", "eyes"), token(path, folder, "ingest", "phone")
    with open(folder + "/log", "w") as log:
        monitor = Monitor(path, "--host", "0.0.0.0", "--insecure", "--rate", "5", data=folder, log=log)
        base = f"http://127.0.0.1:{monitor.port}"
        told = [status(base + "/api/sessions"), status(base + "/api/sessions", "wrong"), status(base + "/api/sessions", ingest),
                status(base + "/api/sessions", read), status(base + "/addheartrate", read, b"90"), status(base + "/addheartrate", ingest, b"90")]
        expect(told == [401, 401, 403, 200, 403, 204], told)
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            def send(_):
                return status(base + "/addheartrate", ingest, b"90")
            expect(any(429 in pool.map(send, range(50)) for _ in range(20)), "a rate is limited")
        expect(status(base + "/api/sessions", read) == 200, "another token's is not")
        with open(f"/proc/{monitor.process.pid}/cmdline") as file:
            expect("entrain_" not in file.read(), "no token in the arguments")
        monitor.stop()
    with open(folder + "/log") as file:
        said = file.read()
    expect("refused" in said and "status=401" in said, said[:500])
    with open(folder + "/monitor.sqlite", "rb") as file:
        kept = file.read()
    for secret in (read, ingest):
        expect(secret not in said and secret.encode() not in kept and secret[8:].encode() not in kept, "a token leaked")


@check
def a_certificate_of_ones_own(path):
    if not shutil.which("openssl"):
        return "skipped: openssl is not installed"
    folder = scratch()
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-keyout", folder + "/key.pem", "-out", folder + "/chain.pem"], capture_output=True)
    expect(made.returncode == 0, made.stderr)
    secret = token(path, folder, "ingest", "phone")
    eyes = token(path, folder, "read", "eyes")
    for chain, key in (("/nowhere.pem", "/key.pem"), ("/chain.pem", "/nowhere.pem"), ("/key.pem", "/chain.pem"), ("/monitor.sqlite", "/key.pem")):
        code, said = ended(path, "--data", folder, "--certificate", folder + chain, "--key", folder + key)
        expect(code == 69 and folder + "/" in said, (chain, key, code, said))
    monitor = Monitor(path, "--host", "0.0.0.0", "--certificate", folder + "/chain.pem", "--key", folder + "/key.pem", data=folder)
    url, trusting = f"https://localhost:{monitor.port}", ssl.create_default_context(cafile=folder + "/chain.pem")
    expect(status(url + "/addheartrate", secret, b"90", trusting) == 204, "encrypted")
    expect(status(url + "/api/sessions", eyes, None, trusting) == 200, "encrypted")
    try:
        answer = status(url + "/api/sessions", eyes)
        raise AssertionError(f"a certificate that nobody vouches for was taken: {answer}")
    except urllib.error.URLError:
        pass
    entrain = os.path.join(os.path.dirname(path), "entrain")
    table = folder + "/day.csv"
    with open(table, "w") as file:
        file.write("time,hr\n1700000000,60\n1700000001,61\n")
    for trust, given, wanted in ((True, secret, 0), (False, secret, 69), (True, "", 69), (True, eyes, 69)):
        environment = {**os.environ, "ENTRAIN_MONITOR_TOKEN": given, **({"SSL_CERT_FILE": folder + "/chain.pem"} if trust else {})}
        done = subprocess.run([entrain, "import", table, "--into", url], env=environment, capture_output=True, text=True, timeout=PATIENCE)
        expect(done.returncode == wanted and secret not in done.stdout + done.stderr, done)
    with socket.create_connection(("127.0.0.1", monitor.port)) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        expect(not plain.recv(100).startswith(b"HTTP/1.1 200"), "nothing in the clear")
    monitor.stop()


@check
def signals_end_it_in_order(path):
    for how in (signal.SIGTERM, signal.SIGINT):
        monitor = Monitor(path)
        monitor.post("/api/sessions", {"id": "run"})
        listeners = [Listener(monitor.port, "/api/sessions/run/events") for _ in range(20)]
        taken, isOver = [], threading.Event()

        def send(number):
            count = 0
            while not isOver.is_set():
                try:
                    if monitor.post("/api/sessions/run/heart-rate", {"bpm": 60, "elapsed": number * 100_000 + count}) == 201:
                        taken.append(number * 100_000 + count)
                    count += 1
                except OSError:
                    return

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for number in range(8):
                pool.submit(send, number)
            wait(lambda: len(taken) > 20)
            code = monitor.stop(how)
            isOver.set()
        expect(code == 0, (how, code))
        expect(all(one.isOver.wait(PATIENCE) for one in listeners), "streams end")
        monitor.start()
        kept = [round(sample["elapsed"]) for sample in monitor.samples("run")]
        expect(set(taken) <= set(kept) and len(kept) == len(set(kept)), (len(taken), len(kept)))
        monitor.stop()


@check
def a_stream_goes_on_after_a_restart(path):
    monitor = Monitor(path)
    monitor.post("/api/sessions", {"id": "run"})
    first = Listener(monitor.port, "/api/sessions/run/events")
    for n in range(50):
        monitor.post("/api/sessions/run/heart-rate", {"bpm": 100 + n, "elapsed": n})
    expect(first.waitFor(lambda one: len(one.rates) == 50), len(first.rates))
    monitor.stop(signal.SIGKILL)
    expect(first.isOver.wait(PATIENCE), "the stream ends with the monitor")
    monitor.start()
    monitor.post("/api/sessions/run/heart-rate", {"samples": [{"bpm": 150 + n, "elapsed": 50 + n} for n in range(50)]})
    second = Listener(monitor.port, "/api/sessions/run/events", last=str(first.numbers[-1]))
    expect(second.waitFor(lambda one: len(one.rates) == 50), second.rates)
    expect(first.rates + second.rates == [100 + n for n in range(100)], "each once, in order")
    expect(second.waitFor(lambda one: one.heartbeats > 0), "a heartbeat in silence")
    bad = http.client.HTTPConnection("127.0.0.1", monitor.port, timeout=PATIENCE)
    bad.request("GET", "/api/sessions/run/events", headers={"Host": "localhost", "Last-Event-ID": "x"})
    expect(bad.getresponse().status == 422, "an id that was never given out")
    monitor.stop()


@check
def two_monitors_of_one_folder(path):
    one = Monitor(path)
    two = Monitor(path, data=one.folder)
    one.post("/api/sessions", {"id": "run"})
    listener = Listener(one.port, "/api/sessions/run/events")

    def send(number):
        monitor = (one, two)[number % 2]
        for elapsed in range(number * 1000, number * 1000 + 100):
            # One that finds the other at the disk for too long says so, and is asked again.
            reading = {"bpm": 60, "elapsed": elapsed}
            expect(wait(lambda: monitor.post("/api/sessions/run/heart-rate", reading, key=f"k{elapsed}") in (200, 201)), "taken")

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(send, range(8)))
    kept = [sample["elapsed"] for sample in two.samples("run")]
    expect(len(kept) == len(set(kept)) == 800, len(kept))
    expect(listener.waitFor(lambda it: len(it.rates) == 800), f"who listens to one hears of both: {len(listener.rates)}")
    two.post("/api/sessions/run/heart-rate", {"bpm": 77, "elapsed": 99_999})
    expect(listener.waitFor(lambda it: len(it.rates) == 801) and listener.rates[-1] == 77, "also where only the other one writes")
    expect(listener.numbers == sorted(set(listener.numbers)), "in order, none twice")
    two.stop()
    one.stop()


@check
def its_description_is_valid(path):
    try:
        from openapi_spec_validator import validate
    except ImportError:
        return "skipped: openapi-spec-validator is not installed"
    monitor = Monitor(path)
    description = monitor.get("/openapi.json")
    validate(description)
    monitor.stop()
    return f"{len(description['paths'])} paths"


def main():
    path, failures = program(sys.argv[1:]), 0
    for work in CHECKS:
        try:
            said = work(path)
            print(f"ok {work.__name__.replace('_', ' ')}{': ' + said if said else ''}", flush=True)
        except Exception as failure:
            failures += 1
            print(f"FAILED {work.__name__.replace('_', ' ')}: {type(failure).__name__} {str(failure)[:1500]}", flush=True)
    sys.exit(1 if failures else 0)


main()
