#!/usr/bin/env python3
"""Plays the experimenter who is asked which of two straps in reach is worn, on a screen and with --plain.

    strap_choice.py --entrain .build/debug/entrain

The straps are a fake BlueZ's. The terminal must list both, numbered, the stronger first, and refuse what is no number of
the list; the run must then connect to the chosen strap and to no other. With one strap, nobody is asked. Skips, saying
why, where Debian's python3-dbusmock and dbus are missing.
"""
import argparse
import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

STUDY = """entrain: 1
study: {identifier: strap, title: Strap}
sources: {heartRate: {type: bluetooth}}
tasks:
  - identifier: sit
    steps:
      - {type: active, identifier: still, duration: 3 s, recorders: [{type: heartRate, identifier: rate, required: true}]}
      - {type: completion, identifier: end, title: Thanks}
"""
HERE = pathlib.Path(__file__).resolve().parent
ASKS = "Which one is worn, for 'heartRate'? 1 – 2: "


def session(command, address, answers):
    """Runs a program at a terminal, and returns what it showed and its exit code."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 90, 0, 0))

    def lead():
        os.setsid()
        fcntl.ioctl(follower, termios.TIOCSCTTY, 0)

    program = subprocess.Popen(
        command, stdin=follower, stdout=follower, stderr=follower, preexec_fn=lead,
        env={"DBUS_SYSTEM_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin", "TERM": "xterm", "LANG": "C.UTF-8"})
    os.close(follower)
    shown, began, last = b"", time.monotonic(), 0.0
    waiting = list(answers)
    while program.poll() is None and time.monotonic() - began < 90:
        if select.select([leader], [], [], 0.2)[0]:
            try:
                shown += os.read(leader, 65536)
            except OSError:
                break
        if waiting and shown.decode(errors="replace").count(ASKS) > len(answers) - len(waiting):
            os.write(leader, (waiting.pop(0) + "\n").encode())
            last = time.monotonic()
        elif not waiting and time.monotonic() - last > 2:
            # The last step waits for Return.
            os.write(leader, b"\r")
            last = time.monotonic()
    if program.poll() is None:
        program.kill()
    program.wait()
    while select.select([leader], [], [], 0)[0]:
        try:
            more = os.read(leader, 65536)
        except OSError:
            break
        if not more:
            break
        shown += more
    os.close(leader)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode(errors="replace")), program.returncode


def choose(entrain, straps, answers, more):
    lines = []
    bluez = subprocess.Popen(
        ["/usr/bin/python3", str(HERE / "fake_bluez.py"), "--beat", "--straps", str(straps)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    address = bluez.stdout.readline().split(maxsplit=1)[1].strip()
    threading.Thread(target=lambda: lines.extend(bluez.stdout), daemon=True).start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            study = pathlib.Path(folder) / "strap.yaml"
            study.write_text(STUDY)
            shown, code = session(
                [entrain, "run", str(study), "--participant", "P01", "--audio", "none", "--out", folder + "/out", *more],
                address, answers)
            assert code == 0, f"exit code {code}:\n{shown}"
            verify = subprocess.run([entrain, "verify", next(pathlib.Path(folder, "out").glob("*-*"))])
            assert verify.returncode == 0
    finally:
        bluez.stdin.close()
        bluez.wait()
    connected = {line.split()[-1][-1] for line in lines if line.startswith("called Connect")}
    return shown, connected


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain", required=True)
    told = parser.parse_args()
    if shutil.which("dbus-daemon") is None or subprocess.run(
            ["/usr/bin/python3", "-c", "import dbusmock, gi"], capture_output=True).returncode:
        print("skipped: Debian's packages dbus and python3-dbusmock are not on this machine")
        return
    for more in ([], ["--plain"]):
        shown, connected = choose(told.entrain, 2, ["3", "second", "2"], more)
        plain = shown.replace("\r", "")
        assert "  1  Fake H10 1, A0:9E:1A:00:00:01, signal -60 dBm\n" in plain, plain
        assert "  2  Fake H10 2, A0:9E:1A:00:00:02, signal -61 dBm\n" in plain, plain
        assert plain.count(ASKS) == 3, plain
        assert connected == {"2"}, connected
        shown, connected = choose(told.entrain, 1, [], more)
        assert ASKS not in shown and connected == {"1"}, (shown, connected)
        print("ok  ", "plain lines" if more else "a screen")


if __name__ == "__main__":
    sys.exit(main())
