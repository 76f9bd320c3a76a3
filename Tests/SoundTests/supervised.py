#!/usr/bin/env python3
"""An experimenter at a terminal looks before a run: a tone on a null sink, a strap that is not there yet, and the beginning. A
microphone that hears nothing, and one that hears something.

What was heard is recorded and compared with what the person at the terminal asked for. Ends with status 0, or 1 and what is wrong; where
PulseAudio cannot start, with 0 and the reason.

usage: supervised.py --entrain PROGRAM
"""
import argparse, array, glob, json, math, os, pty, re, select, shutil, signal, socket, subprocess, sys, tempfile, threading, time, wave

import null_sink
from null_sink import check

PATIENCE = 120
STUDY = """
entrain: 1
study: {identifier: watched, title: Watched, seed: 1}
sources: {heartRate: {type: push, socket: strap.sock}}
tasks:
  - identifier: sit
    audio: required
    steps:
      - type: active
        identifier: rest
        title: Rest
        duration: 2 s
        cues: [{at: start, sound: tone}]
        recorders: [{type: heartRate, identifier: pulse, required: true}]
      - {type: completion, identifier: end, title: The end of it}
"""

VOICE = """
entrain: 1
study: {identifier: voice, title: Voice, seed: 1}
tasks:
  - identifier: speak
    steps:
      - {type: active, identifier: talk, title: Talk, duration: 2 s, recorders: [{type: audio, identifier: voice}]}
      - {type: completion, identifier: end, title: The end of it}
"""


class Terminal:
    """A program at a pseudo-terminal, and all that it has shown."""

    def __init__(self, command, environment, folder):
        self.shown = ""
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, {**environment, "TERM": "xterm-256color", "LANG": "C.UTF-8"})

    def wait(self, pattern, from_=0):
        """Waits until it shows that, and returns where that ends."""
        end = time.monotonic() + PATIENCE
        while True:
            found = re.compile(pattern).search(self.shown, from_)
            if found:
                return found.end()
            check(time.monotonic() < end, f"'{pattern}' is not shown: {self.shown[from_:]!r}")
            if select.select([self.file], [], [], 0.2)[0]:
                try:
                    self.shown += os.read(self.file, 65536).decode(errors="replace")
                except OSError:
                    check(re.compile(pattern).search(self.shown, from_), f"it ended before '{pattern}': {self.shown[from_:]!r}")

    def type(self, keys):
        os.write(self.file, keys.encode())

    def end(self):
        """Reads to the end, and returns the exit code."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if select.select([self.file], [], [], 0.2)[0]:
                try:
                    part = os.read(self.file, 65536)
                except OSError:
                    break
                if not part:
                    break
                self.shown += part.decode(errors="replace")
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])

    def kill(self):
        try:
            os.kill(self.process, signal.SIGKILL)
        except ProcessLookupError:
            pass


class Strap(threading.Thread):
    """Sends a heart rate twice a second to whoever listens at the socket."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.over = path, threading.Event()

    def run(self):
        while not self.over.is_set():
            try:
                with socket.socket(socket.AF_UNIX) as line:
                    line.connect(self.path)
                    while not self.over.wait(0.5):
                        line.sendall(b"72\n")
            except OSError:
                self.over.wait(0.1)


def tones(path):
    """How many tones of 880 Hz were heard."""
    samples, rate, step = null_sink.left_channel(path), null_sink.RATE, null_sink.RATE // 50
    loud = []
    for begin in range(0, len(samples) - step, step):
        part = samples[begin:begin + step]
        real = sum(value * math.cos(2 * math.pi * 880 * index / rate) for index, value in enumerate(part))
        other = sum(value * math.sin(2 * math.pi * 880 * index / rate) for index, value in enumerate(part))
        loud.append(math.hypot(real, other) * 2 / step > 0.05)
    return sum(now and not before for before, now in zip([False] + loud, loud))


def supervised(sound, entrain, folder):
    with open(f"{folder}/study.yaml", "w") as file:
        file.write(STUDY)
    heard = f"{folder}/heard.raw"
    recorder = sound.record(heard)
    command = [entrain, "run", "study.yaml", "--participant", "P07", "--supervised", "--out", "results", "--language", "en"]
    terminal = Terminal(command, sound.environment, folder)
    strap = Strap(f"{folder}/strap.sock")
    try:
        at = terminal.wait("played three tones")
        terminal.wait("play again", at)
        terminal.type("\n")
        at = terminal.wait("play again", terminal.wait("played three tones", at))
        terminal.type("n\n")
        at = terminal.wait("The run cannot begin like this")
        before = terminal.shown[:at]
        check(re.search(r"\x1b\[1;31mSTOP\s+heartRate", before), f"a strap that is missing is no red line: {before!r}")
        check(re.search(r"\x1b\[1;31mSTOP\s+sound .*the tone was not heard", before), f"nor a tone that is not heard: {before!r}")
        check("not ready: 2 things must be mended first" in before, before)
        check(re.search(r"session\s+participant P07, session 1: free", before), before)
        check(not glob.glob(f"{folder}/results/*"), "something was written before the run began")
        # Return alone looks again; it does not begin.
        strap.start()
        terminal.type("\n")
        at = terminal.wait("play again", terminal.wait("played three tones", at))
        terminal.type("y\n")
        at = terminal.wait("Begin\\?", at)
        words = terminal.shown[at - 2500:at]
        check(re.search(r"ok\s+sound .*the tone was heard, and the loudness is set", words), words)
        check(re.search(r"ok\s+heartRate .*the last 72 per minute", words), words)
        terminal.type("\n")
        begun = terminal.wait("Rest", at)
        # Presses Return until the run is over.
        ended = threading.Event()

        def press():
            while not ended.wait(0.5):
                try:
                    terminal.type("\r")
                except OSError:
                    return

        threading.Thread(target=press, daemon=True).start()
        code = terminal.end()
        ended.set()
        check(code == 0, f"exit {code}: {terminal.shown[begun:]!r}")
        (path,) = glob.glob(f"{folder}/results/*/manifest.json")
        with open(path) as file:
            check(json.load(file)["participant"] == "P07", "the bundle is another's")
    finally:
        terminal.kill()
        strap.over.set()
        null_sink.stop(recorder)
    # Three times three to listen to, and one of the study's own.
    found = tones(heard)
    check(found == 10, f"{found} tones were heard, not 10")
    return "nine tones before the run and one in it; two red lines, mended"


def left(sound, entrain, folder):
    with open(f"{folder}/study.yaml", "w") as file:
        file.write(STUDY)
    terminal = Terminal([entrain, "run", "study.yaml", "--participant", "P07", "--supervised", "--out", "results", "--language", "en"],
                        sound.environment, folder)
    try:
        terminal.wait("play again")
        terminal.type("y\n")
        terminal.wait("cannot begin like this")
        terminal.type("q\n")
        code = terminal.end()
    finally:
        terminal.kill()
    check(code == 130, f"exit {code}")
    check(not glob.glob(f"{folder}/results/*"), "something was written, though nobody began")
    return "left, and nothing is written"


def microphone(sound, entrain, folder):
    """The null sink's own monitor is the microphone: it hears what the test plays, and nothing else."""
    with open(f"{folder}/study.yaml", "w") as file:
        file.write(VOICE)

    def look(*more):
        said = subprocess.run([entrain, "ready", "study.yaml", "--for", "4s", "--format", "json", *more], cwd=folder, env=sound.environment,
                              capture_output=True, text=True, timeout=PATIENCE)
        [finding] = [one for one in json.loads(said.stdout)["findings"] if one["subject"] == "microphone"] or [None]
        return said.returncode, finding

    def until(isSo):
        """Looks again while a busy machine opens the device too late to hear anything."""
        end = time.monotonic() + PATIENCE
        while True:
            code, finding = look()
            if isSo(finding) or time.monotonic() > end:
                return code, finding

    code, silent = until(lambda finding: finding is not None and "nothing in" not in finding["text"])
    check(silent is not None and code == 0 and silent["state"] == "look" and "is the microphone muted?" in silent["text"], f"a silent room: {code}, {silent}")
    # A tone at a tenth of full scale: -20 dB at its peaks, -23 dB as root mean square.
    with wave.open(f"{folder}/tone.wav", "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(null_sink.RATE)
        second = array.array("h", (round(3277 * math.sin(2 * math.pi * 440 * index / null_sink.RATE)) for index in range(null_sink.RATE)))
        file.writeframes(second.tobytes() * PATIENCE)
    player = subprocess.Popen(["paplay", f"{folder}/tone.wav"], env=sound.environment, stderr=subprocess.DEVNULL)
    try:
        code, heard = until(lambda finding: finding is not None and finding["state"] == "ok")
    finally:
        player.kill()
        player.wait()
    check(heard is not None, "no microphone")
    found = re.search(r"(-?\d+) dB at most", heard["text"])
    check(code == 0 and heard["state"] == "ok" and found, f"a room with a tone: {code}, {heard}")
    check(-27 <= int(found[1]) <= -18, heard["text"])
    code, none = look("--microphone", "none")
    check(none is None or none["state"] != "ok", f"without a microphone: {none}")
    return f"silent: look; a tone of -23 dB: {found[0]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entrain", required=True)
    entrain = os.path.abspath(parser.parse_args().entrain)
    if not shutil.which("pulseaudio") or not shutil.which("parec"):
        print("skipped: pulseaudio and pulseaudio-utils are not installed")
        return
    for test in (supervised, left, microphone):
        with tempfile.TemporaryDirectory() as folder:
            try:
                sound = null_sink.Sound(folder)
            except OSError as problem:
                print(f"skipped: {problem}")
                return
            try:
                print(f"{test.__name__}: {test(sound, entrain, folder)}", flush=True)
            except AssertionError as problem:
                print(f"{test.__name__}: {problem}")
                sys.exit(1)
            finally:
                sound.end()


main()
