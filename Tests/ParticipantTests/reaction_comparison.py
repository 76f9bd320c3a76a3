"""Reaction times of Entrain, PsychoPy and jsPsych, typed at the same moments into each of them.

    python3 Tests/ParticipantTests/reaction_comparison.py --entrain ENTRAIN [--trials N] [--seed SEED] [--psychopy PYTHON]
        [--jspsych FOLDER]

A key comes every 0.8 to 1.1 s, at moments that depend on the seed alone. Each program waits for a key, then shows nothing for 0.3 s, and
waits again. It reports the onset of each trial and the reaction time; the error is that time less the time from the onset to the moment at
which the key was given to the system. Entrain runs in a pseudo-terminal, in xterm, in tmux and over ssh to this machine; xterm, PsychoPy and
jsPsych in Chromium get their keys from the X server (Xvfb, by XTEST). Prints median and 99th percentile of each, and their ratios to Entrain's.

PYTHON is an interpreter that has `psychopy` (its python-xlib types, too); FOLDER holds `jspsych.js` and `plugins/html-keyboard-response.js`, as
in the package `expdeploy` of PyPI. What cannot be had is skipped, and said.
"""

import argparse
import functools
import glob
import http.server
import json
import os
import pty
import random
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

STUDY = """entrain: 1
study: {{identifier: reactions, title: Reactions, seed: 1}}
tasks:
  - identifier: task
    steps:
      - type: block
        identifier: trials
        repeat: {trials}
        steps:
          - {{type: active, identifier: gap, title: Gap, duration: 300 ms, timer: {{show: false}}}}
          - type: active
            identifier: trial
            title: Press F or J.
            duration: 20 s
            timer: {{show: false, pause: false}}
            reaction: {{keys: [f, j]}}
      - {{type: completion, identifier: end, title: Thank you}}
"""

TYPIST = """
import sys, time
from Xlib import X, XK, display
from Xlib.ext import xtest
d = display.Display()
codes = {key: d.keysym_to_keycode(XK.string_to_keysym(key)) for key in "fj"}
def focus():
    windows = [w for w in d.screen().root.query_tree().children if w.get_attributes().map_state == X.IsViewable]
    largest = max(windows, key=lambda w: w.get_geometry().width * w.get_geometry().height)
    largest.set_input_focus(X.RevertToParent, X.CurrentTime)
    d.sync()
focus()
for line in sys.stdin:
    moment, key = line.split()
    time.sleep(max(0, float(moment) - time.time() - 0.002))
    while time.time() < float(moment):
        pass
    given = time.time()
    xtest.fake_input(d, X.KeyPress, codes[key])
    xtest.fake_input(d, X.KeyRelease, codes[key])
    d.sync()
    print(repr(given), flush=True)
"""

PSYCHOPY = """
import json, sys, time
from psychopy import visual, core
from psychopy.hardware import keyboard
window = visual.Window((800, 600), fullscr=False, units="pix", allowGUI=False)
text, board = visual.TextStim(window, "Press F or J."), keyboard.Keyboard(backend=sys.argv[2])
window.flip()
print("ready", flush=True)
sys.stdin.readline()
for trial in range(int(sys.argv[1])):
    onset = []
    def begin():
        board.clock.reset()
        onset.append(time.time())
    board.clearEvents()
    text.draw()
    window.callOnFlip(begin)
    window.flip()
    keys = []
    while not keys:
        text.draw()
        window.flip()
        keys = board.getKeys(["f", "j"], waitRelease=False)
    print("told", json.dumps([onset[0], keys[0].rt]), flush=True)
    window.flip()
    core.wait(0.3)
core.quit()
"""

PAGE = """<!DOCTYPE html><title>jsPsych</title><body></body>
<script type="importmap">{"imports": {"jspsych": "./jspsych.js"}}</script>
<script type="module">
import * as core from "./jspsych.js";
import plugin from "./plugins/html-keyboard-response.js";
const start = core.initJsPsych ?? core.default?.initJsPsych ?? window.initJsPsych;
const told = [];
let onset = 0;
const jsPsych = start({on_finish: () => fetch("/told", {method: "POST", body: JSON.stringify(told)})});
const trial = {
  type: plugin, stimulus: "Press F or J.", choices: ["f", "j"], post_trial_gap: 300,
  on_load: () => { onset = performance.timeOrigin + performance.now(); },
  on_finish: data => { told.push([onset / 1000, data.rt / 1000]); },
};
await fetch("/ready", {method: "POST", body: ""});
jsPsych.run([{timeline: [trial], repetitions: TRIALS}]);
</script>"""


def schedule(options, start):
    """The moment and the key of each press: the same for every program."""
    chance, moment, presses = random.Random(options.seed), start, []
    for number in range(options.trials):
        moment += chance.uniform(0.8, 1.1)
        presses.append((moment, "fj"[number % 2]))
    return presses


def errors(told, typed):
    """What each reaction time is off, s. A press belongs to the trial that was on show."""
    found = []
    for onset, time_of_reaction in told:
        later = [moment for moment in typed if moment > onset]
        if later:
            found.append(time_of_reaction - (later[0] - onset))
    return found


def read(terminal, seconds):
    ready, _, _ = select.select([terminal], [], [], max(0, seconds))
    if not ready:
        return b""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return None


def bundle(folder):
    """The onsets by the system's clock and the reaction times of the one bundle."""
    path = [path for path in glob.glob(folder + "/out/*") if os.path.isfile(path + "/manifest.json")][0]
    with open(os.path.join(path, "journal.jsonl")) as journal:
        clock = json.loads(journal.readline())["wallClock"]
    zero = clock["seconds"] + clock["nanoseconds"] / 1e9
    told = []
    for step in json.load(open(path + "/result.json"))["results"]:
        for answer in step["results"]:
            reaction = answer.get("userInfo", {}).get("reaction", {})
            if "time" in reaction:
                told.append([zero + reaction["onsetOffset"], reaction["time"]])
    return told


def command(options, folder):
    with open(folder + "/study.yaml", "w") as file:
        file.write(STUDY.format(trials=options.trials))
    return [options.entrain, "run", folder + "/study.yaml", "--participant", "P01", "--out", folder + "/out", "--audio", "none"]


def in_terminal(options, folder, words):
    """Types into a pseudo-terminal in which `words` run."""
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(words[0], words, dict(os.environ, TERM="xterm-256color"))
    shown, end = b"", time.monotonic() + 30
    questions = [b"revision 1 of ", b"hold down the space bar"]
    while b"Press F" not in shown:
        data = read(terminal, 0.1)
        if data is None or time.monotonic() > end:
            return f"the study was not shown: {shown[-300:]!r}"
        shown += data
        for question in [one for one in questions if one in shown]:
            questions.remove(question)
            os.write(terminal, b"\r")
    typed = []
    for moment, key in schedule(options, time.time() + 0.5):
        while time.time() < moment - 0.002:
            read(terminal, moment - 0.002 - time.time())
        while time.time() < moment:
            pass
        typed.append(time.time())
        os.write(terminal, key.encode())
    shown, end = b"", time.monotonic() + 15
    while time.monotonic() < end and not glob.glob(folder + "/out/*/manifest.json"):
        data = read(terminal, 0.2)
        if data is None:
            break
        shown += data
        if b"Thank you" in shown:
            time.sleep(1)
            os.write(terminal, b"\r")
            shown = b""
    time.sleep(0.5)
    try:
        os.kill(process, 15)
    except ProcessLookupError:
        pass
    os.waitpid(process, 0)
    return errors(bundle(folder), typed)


class Screen:
    """An X server without a screen, and somebody who types there."""

    def __init__(self, options):
        self.options = options
        ends = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(ends[1]), "-screen", "0", "1024x768x24"], pass_fds=[ends[1]],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.environment = dict(os.environ, DISPLAY=":" + os.read(ends[0], 16).decode().strip(), LIBGL_ALWAYS_SOFTWARE="1")

    def type(self):
        """Types the schedule, and returns the moments."""
        typist = subprocess.Popen(
            [self.options.psychopy, "-c", TYPIST], env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        time.sleep(1)
        typed = []
        for moment, key in schedule(self.options, time.time() + 0.5):
            typist.stdin.write(f"{moment!r} {key}\n")
            typist.stdin.flush()
            typed.append(float(typist.stdout.readline()))
        typist.stdin.close()
        typist.wait()
        return typed

    def end(self):
        self.server.kill()
        self.server.wait()


def in_xterm(options, folder, screen):
    window = subprocess.Popen(["xterm", "-e"] + command(options, folder), env=screen.environment)
    time.sleep(3)
    typed = screen.type()
    time.sleep(3)
    window.terminate()
    window.wait()
    time.sleep(2)
    if not glob.glob(folder + "/out/*/manifest.json"):
        subprocess.run([options.entrain, "recover", folder + "/out"], stdout=subprocess.DEVNULL)
    return errors(bundle(folder), typed)


def in_psychopy(options, folder, screen, backend):
    program = subprocess.Popen(
        [options.psychopy, "-c", PSYCHOPY, str(options.trials), backend], env=screen.environment, cwd=folder, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=open(folder + "/errors", "w"), text=True, start_new_session=True)
    for line in program.stdout:
        if line.startswith("ready"):
            break
    else:
        return open(folder + "/errors").read()[-300:].strip().replace("\n", " | ")
    program.stdin.write("\n")
    program.stdin.flush()
    typed = screen.type()
    # It may have missed a key, and may have begun programs of its own.
    threading.Timer(3, os.killpg, [program.pid, signal.SIGKILL]).start()
    told = [json.loads(line[5:]) for line in program.stdout if line.startswith("told ")]
    program.wait()
    return errors(told, typed) if told else "it saw no key " + open(folder + "/errors").read()[-300:]


def in_jspsych(options, folder, screen):
    said = {"ready": threading.Event(), "told": threading.Event()}
    told = []
    for name in ["jspsych.js", "plugins"]:
        source = os.path.join(options.jspsych, name)
        (shutil.copytree if os.path.isdir(source) else shutil.copy)(source, os.path.join(folder, name))
    with open(folder + "/index.html", "w") as file:
        file.write(PAGE.replace("TRIALS", str(options.trials)))

    class Handler(http.server.SimpleHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if self.path == "/told":
                told.extend(json.loads(body))
            self.send_response(204)
            self.end_headers()
            said[self.path[1:]].set()

        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = subprocess.Popen(
        ["chromium", "--no-sandbox", "--kiosk", "--no-first-run", "--user-data-dir=" + folder + "/profile",
         f"http://127.0.0.1:{server.server_port}/index.html"],
        env=screen.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    typed = None
    if said["ready"].wait(40):
        time.sleep(1)
        typed = screen.type()
        said["told"].wait(10)
    browser.terminate()
    browser.wait()
    server.shutdown()
    return errors(told, typed) if told else "the page reported nothing"


def ssh_words(folder):
    """The words that begin a command over ssh to a server of our own on this machine; `None` if there is none."""
    server = shutil.which("sshd", path="/usr/sbin:/usr/bin")
    if not server or not shutil.which("ssh"):
        return None, None
    for name in ["host", "mine"]:
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{folder}/{name}"], check=True)
    shutil.copy(folder + "/mine.pub", folder + "/authorized")
    os.makedirs("/run/sshd", exist_ok=True)
    port = str(random.SystemRandom().randint(20000, 40000))
    listening = subprocess.Popen(
        [server, "-D", "-p", port, "-h", folder + "/host", "-o", "ListenAddress=127.0.0.1", "-o", "StrictModes=no", "-o", "PidFile=none",
         "-o", f"AuthorizedKeysFile={folder}/authorized", "-o", "PermitRootLogin=yes"], stderr=subprocess.DEVNULL)
    time.sleep(1)
    return listening, ["ssh", "-tt", "-q", "-p", port, "-i", folder + "/mine", "-o", "StrictHostKeyChecking=no",
                       "-o", "UserKnownHostsFile=/dev/null", "127.0.0.1"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--psychopy", default=sys.executable)
    parser.add_argument("--jspsych")
    options = parser.parse_args()
    options.entrain = os.path.abspath(options.entrain)
    found = {}

    def measure(name, missing, body):
        if missing:
            print(f"{name}: skipped: {missing}", flush=True)
            return
        with tempfile.TemporaryDirectory() as folder:
            late = body(folder)
        if not isinstance(late, str) and len(late) < options.trials / 2:
            late = f"it saw {len(late)} of {options.trials} keys"
        if isinstance(late, str):
            print(f"{name}: skipped: {late}", flush=True)
            return
        size = sorted(abs(error) for error in late)
        middle = statistics.median(late)
        found[name] = {
            "trials": len(late), "median ms": round(1e3 * middle, 3), "p99 ms": round(1e3 * size[int(0.99 * (len(size) - 1))], 3),
            "spread ms": round(1e3 * statistics.pstdev(late), 3),
        }
        print(name + ": " + json.dumps(found[name]), flush=True)

    def absent(*programs):
        gone = [program for program in programs if not shutil.which(program)]
        return f"{gone[0]} is not installed" if gone else None

    def over_ssh(folder):
        listening, words = ssh_words(folder)
        try:
            return in_terminal(options, folder, words + [" ".join(command(options, folder))])
        finally:
            listening.kill()

    measure("entrain", None, lambda folder: in_terminal(options, folder, command(options, folder)))
    measure("entrain in tmux", absent("tmux"), lambda folder: in_terminal(
        options, folder, ["tmux", "-f", "/dev/null", "-S", folder + "/socket", "new-session", " ".join(command(options, folder))]))
    measure("entrain over ssh", None if shutil.which("sshd", path="/usr/sbin:/usr/bin") and shutil.which("ssh") else "sshd is not installed",
            over_ssh)
    has_psychopy = subprocess.run(
        [options.psychopy, "-c", "import psychopy, Xlib"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    nothing = absent("Xvfb") or (None if has_psychopy else "psychopy and python-xlib are not installed: name an interpreter with --psychopy")
    screen = None if nothing else Screen(options)
    measure("entrain in xterm", nothing or absent("xterm"), lambda folder: in_xterm(options, folder, screen))
    for backend in ["ptb", "event", "iohub"]:
        measure(f"psychopy ({backend})", nothing, lambda folder: in_psychopy(options, folder, screen, backend))
    measure("jspsych", nothing or absent("chromium") or (None if options.jspsych else "name its folder with --jspsych"),
            lambda folder: in_jspsych(options, folder, screen))
    if screen:
        screen.end()
    base = found.get("entrain")
    for name, figures in found.items():
        if base and name != "entrain":
            print(f"{name} / entrain: median {abs(figures['median ms']) / abs(base['median ms']):.1f}, "
                  f"p99 {figures['p99 ms'] / base['p99 ms']:.1f}")


if __name__ == "__main__":
    main()
