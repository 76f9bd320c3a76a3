"""A monitor for tests: started on a free port with a folder of its own, asked over HTTP."""
import json
import os
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request


class Monitor:
    def __init__(self, program, *arguments, folder=None, zone=None, log=subprocess.DEVNULL):
        self.program = program
        self.environment = {**os.environ, "TZ": zone} if zone else None
        self.arguments = arguments
        self.folder = folder or tempfile.mkdtemp(prefix="entrain-monitor-")
        self.log = log
        self.port = 0
        self.start()

    def start(self):
        """Starts it; on the port that it had before, if it had one."""
        command = [self.program, "--data", self.folder, "--port", str(self.port), *self.arguments]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.log, text=True, env=self.environment)
        line = self.process.stdout.readline()
        if not line.startswith("Listening on "):
            raise RuntimeError(f"the monitor did not begin: {line!r}, exit {self.process.wait()}")
        self.url = line.split()[-1].rstrip("/").replace("127.0.0.1", "localhost")
        self.port = int(self.url.rsplit(":", 1)[1])

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.stdout.close()
        return self.process.wait(timeout=20)

    def post(self, path, value, key=None):
        """Sends JSON, or text as it is; returns the status code."""
        body = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        headers = {"Idempotency-Key": key} if key else {}
        request = urllib.request.Request(self.url + path, data=body, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as refusal:
            return refusal.code

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return json.load(answer)


def program(arguments):
    """The path of entrain-monitor: the first argument, or what the environment says."""
    path = arguments[0] if arguments else os.environ.get("ENTRAIN_MONITOR", ".build/debug/entrain-monitor")
    return os.path.abspath(path)
