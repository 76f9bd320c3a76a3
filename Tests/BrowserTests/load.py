"""Readings a second that are on disk when they are acknowledged, beside a plain Flask server in the same run.

usage: python3 Tests/BrowserTests/load.py [PATH OF entrain-monitor] [--seconds N] [--rounds N]
Needs wrk, and flask for the comparison.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

from monitor import Monitor, program

SCRIPT = 'wrk.method = "POST"\nwrk.body = "90"\nwrk.headers["Content-Type"] = "text/plain"\n'
FLASK = '''
import sqlite3, sys, threading, time
import flask
app, local = flask.Flask("readings"), threading.local()
def database():
    if not hasattr(local, "database"):
        local.database = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
        local.database.execute("PRAGMA journal_mode = WAL")
        local.database.execute("PRAGMA synchronous = FULL")
        local.database.execute("CREATE TABLE IF NOT EXISTS reading (t REAL, bpm REAL)")
    return local.database
@app.post("/addheartrate")
def add():
    database().execute("INSERT INTO reading VALUES (?, ?)", (time.time(), float(flask.request.get_data(as_text=True))))
    return "", 204
import logging
logging.getLogger("werkzeug").disabled = True
app.run(port=int(sys.argv[2]), threaded=True)
'''


def wrk(url, seconds):
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT)
        script.flush()
        said = subprocess.run(
            ["wrk", "-t1", "-c64", f"-d{seconds}s", "--latency", "-s", script.name, url + "/addheartrate"],
            capture_output=True, text=True, check=True).stdout
    rate = float(re.search(r"Requests/sec:\s+([0-9.]+)", said)[1])
    number, unit = re.search(r"99%\s+([0-9.]+)(us|ms|s)", said).groups()
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    return rate, float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit], int(refused[1]) if refused else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    path = program([asked.program] if asked.program else [])
    for turn in range(asked.rounds):
        monitor = Monitor(path)
        rate, p99, refused = wrk(monitor.url.replace("localhost", "127.0.0.1"), asked.seconds)
        monitor.stop()
        folder = tempfile.mkdtemp()
        server = subprocess.Popen(
            [sys.executable, "-c", FLASK, folder + "/readings.sqlite", "8097"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(100):
                try:
                    urllib.request.urlopen(urllib.request.Request("http://127.0.0.1:8097/addheartrate", data=b"90"))
                    break
                except OSError:
                    time.sleep(0.1)
            flask_rate, flask_p99, _ = wrk("http://127.0.0.1:8097", asked.seconds)
        finally:
            server.terminate()
            server.wait()
        print(f"round {turn + 1}: monitor {rate:.0f}/s, p99 {p99:.1f} ms, refused {refused}; "
              f"flask {flask_rate:.0f}/s, p99 {flask_p99:.1f} ms; ratio {rate / flask_rate:.1f}; "
              f"load average {os.getloadavg()[0]:.1f}", flush=True)


main()
