"""One answer of the monitor's ledger is lost after the slot was written: the run asks again, and gets the same arm.

Usage: drop_answer.py EXECUTABLES, in a folder with a study whose ledger is the folder 'ledger'."""

import http.client
import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading


def slots():
    lines = pathlib.Path("ledger/ledger.jsonl").read_bytes().split(b"\n")[:-1]
    return [line for line in map(json.loads, lines) if "slot" in line]


class Line(http.server.BaseHTTPRequestHandler):
    """Hands requests on to the monitor. The first answer with an arm gets lost."""

    monitor = 0
    answers = []
    dropped = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        there = http.client.HTTPConnection("127.0.0.1", self.monitor)
        fields = {name: self.headers[name] for name in ("Authorization", "Content-Type")}
        there.request("POST", self.path, body, fields)
        answer = there.getresponse()
        said = answer.read()
        if self.path == "/api/allocations":
            self.answers.append((answer.status, json.loads(said)))
            if not self.dropped:
                self.dropped.append(slots())
                self.close_connection = True
                return
        self.send_response(answer.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_):
        pass


def main(executables):
    environment = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    monitor = str(executables / "entrain-monitor")
    token = subprocess.run([monitor, "token", "create", "--scope", "allocate", "--name", "room", "--data", "kept"],
                           capture_output=True, text=True, check=True, env=environment).stdout.strip()
    line = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Line)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Line) as free:
        Line.monitor = free.server_address[1]
    server = subprocess.Popen([monitor, "serve", "--port", str(Line.monitor), "--data", "kept", "--ledger", "ledger"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    try:
        assert server.stdout.readline().startswith("Listening"), "the monitor did not begin"
        threading.Thread(target=line.serve_forever, daemon=True).start()
        run = subprocess.Popen(
            [str(executables / "entrain"), "run", "study.yaml", "--plain", "--audio", "none", "--participant", "P01",
             "--out", "results", "--ledger", f"http://127.0.0.1:{line.server_address[1]}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**environment, "ENTRAIN_LEDGER_TOKEN": token})
        run.stdin.write("1\ny\n")
        run.stdin.flush()
        said = ""
        # Whoever presses Return while the step waits asks again: nobody does.
        for words in run.stdout:
            said += words
            if "You get" in words:
                break
        errors = run.communicate("\n" * 5)[1]
    finally:
        server.kill()
        server.wait()
        line.shutdown()
    assert run.returncode == 0, errors
    assert [len(written) for written in Line.dropped] == [1], "no slot was written when the answer got lost"
    assert Line.dropped[0] == slots(), "asking again changed the ledger"
    arm = slots()[0]["arm"]
    assert Line.answers == [(200, {"arm": arm, "slot": 1})] * 2, Line.answers
    assert ("You get music." in said) == (arm == "music"), said
    assert "The program keeps asking" in said, said
    print("1 lost, 2 answers, 1 slot")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
