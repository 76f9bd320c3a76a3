"""A monitor for tests: started on a free port with a folder of its own, asked over HTTP."""
import atexit
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

# Longer than anything takes on a machine that has much else to do: whoever waits so long waits in vain.
PATIENCE = 180

# Whether to judge how fast it is, and not only to tell: by hand, on a machine that does nothing else.
JUDGES_SPEED = os.environ.get("ENTRAIN_JUDGE_SPEED") == "1"

# Nothing here is behind a proxy, whatever the environment says of other places.
for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
    del os.environ[name]


def scratch(prefix="entrain-"):
    """A new folder, which is gone when the test is over."""
    made = tempfile.mkdtemp(prefix=prefix)
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def free_port():
    """A port that nobody uses, below those that the system gives to outgoing connections: a client that asks again
    and again for a monitor that is away could be given the monitor's own port, and would then meet itself."""
    try:
        with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
            lowest = int(file.read().split()[0])
    except OSError:
        lowest = 32768
    for _ in range(1000):
        port = random.randrange(10_000, lowest) if lowest > 11_000 else 0
        with socket.socket() as attempt:
            try:
                attempt.bind(("127.0.0.1", port))
                return attempt.getsockname()[1]
            except OSError:
                pass
    raise RuntimeError("no port is free")


def wait(isRight, seconds=PATIENCE):
    """Waits until it is so, and returns what it then is; what it is at last, if that takes too long."""
    end = time.monotonic() + seconds
    while True:
        found = isRight()
        if found or time.monotonic() > end:
            return found
        time.sleep(0.02)


class Monitor:
    def __init__(self, program, *arguments, data=None, port=None, zone=None, log=subprocess.DEVNULL):
        self.program = program
        self.environment = {**os.environ, "TZ": zone} if zone else None
        self.arguments = arguments
        self.folder = data or scratch("entrain-monitor-")
        self.log = log
        self.port = free_port() if port is None else port
        self.start()

    def start(self):
        """Starts it; on the port that it had before, if it had one."""
        command = [self.program, "--data", self.folder, "--port", str(self.port), *self.arguments]
        for attempt in range(20):
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=self.log, text=True, env=self.environment)
            line = self.process.stdout.readline()
            if line.startswith("Listening on "):
                break
            code = self.process.wait()
            # 69: somebody else was quicker at this port, which may pass.
            if code != 69 or attempt == 19:
                raise RuntimeError(f"the monitor did not begin: {line!r}, exit {code}")
            time.sleep(0.25)
        self.url = line.split()[-1].rstrip("/").replace("127.0.0.1", "localhost")
        self.port = int(self.url.rsplit(":", 1)[1])

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.stdout.close()
        return self.process.wait(timeout=PATIENCE)

    def post(self, path, value, key=None, token=None):
        """Sends JSON, or text as it is, perhaps by a token; returns the status code."""
        body = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        headers = {"Idempotency-Key": key} if key else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        headers["Content-Type"] = "text/plain" if isinstance(value, str) else "application/json"
        request = urllib.request.Request(self.url + path, data=body, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status
        except urllib.error.HTTPError as refusal:
            return refusal.code

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as answer:
            return json.load(answer)

    def token(self, scope, name):
        """A new token, with one scope or with several."""
        scopes = [scope] if isinstance(scope, str) else scope
        made = subprocess.run(
            [self.program, "token", "create", *(word for one in scopes for word in ("--scope", one)), "--name", name, "--data", self.folder],
            capture_output=True, text=True, check=True)
        return made.stdout.strip()

    def cookie(self, token):
        """What a browser keeps that was signed in with a token, as Playwright takes it."""
        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_):
                return None

        try:
            urllib.request.build_opener(Stay).open(self.url + "/sign-in", data=f"token={token}".encode(), timeout=PATIENCE)
        except urllib.error.HTTPError as answer:
            name, value = answer.headers["Set-Cookie"].split(";")[0].split("=", 1)
            return {"name": name, "value": value, "url": self.url}
        raise RuntimeError("the token does not sign in")

    def samples(self, session):
        """All samples of a session, page by page."""
        cursor, kept = "0", []
        while True:
            page = self.get(f"/api/sessions/{session}/heart-rate?since={cursor}")
            if not page["samples"]:
                return kept
            kept += page["samples"]
            cursor = page["cursor"]


def program(arguments):
    """The path of entrain-monitor: the first argument, or what the environment says."""
    path = arguments[0] if arguments else os.environ.get("ENTRAIN_MONITOR", ".build/debug/entrain-monitor")
    return os.path.abspath(path)
