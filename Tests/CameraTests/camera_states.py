"""Runs studies before a camera that misbehaves, in real time, and looks at the screen's words and the result.

usage: camera_states.py --entrain PATH     (takes about three minutes)

The camera is the program fake/ffmpeg in the place of the real one; what it does is written into a file while a
run goes on. Videos of a finger are made and read by the real ffmpeg, where there is one.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

here = Path(__file__).resolve().parent
options = argparse.ArgumentParser()
options.add_argument("--entrain", required=True)
entrain = str(Path(options.parse_args().entrain).resolve())
folder = Path(tempfile.mkdtemp(prefix="camera-"))
failures = []


def expect(what, holds):
    print(("ok      " if holds else "FAILED  ") + what, flush=True)
    if not holds:
        failures.append(what)


def study(source, seconds, required=False):
    path = folder / "study.yaml"
    path.write_text(
        f"""entrain: 1
study: {{identifier: camera, title: Camera}}
sources: {{heartRate: {source}}}
tasks:
  - identifier: Pulse
    steps:
      - type: active
        identifier: rest
        duration: {seconds} s
        recorders:
          - {{type: heartRate, identifier: rate, required: {str(required).lower()}}}
          - {{type: rrIntervals, identifier: beats}}
          - {{type: pulseWaveform, identifier: wave}}
      - {{type: completion, identifier: end}}
"""
    )
    return path


def run(path, acts=(), search=None, extra=()):
    """Words on the screen and on standard error, exit code, files by recorder, events; `acts` are (seconds, state of the camera)."""
    state, out = folder / "state", folder / f"out-{time.time()}"
    environment = dict(os.environ, FAKE_CAMERA=str(state))
    environment["PATH"] = search if search is not None else f"{here / 'fake'}:{os.environ['PATH']}"
    if acts:
        state.write_text(acts[0][1])
    timers = [threading.Timer(when, state.write_text, [what]) for when, what in acts[1:]]
    for timer in timers:
        timer.start()
    done = subprocess.run(
        [entrain, "run", path, "--participant", "P01", "--auto", "--plain", "--out", out, *extra],
        capture_output=True, text=True, env=environment)
    for timer in timers:
        timer.cancel()
    if done.returncode not in (0, 130):
        return done.stdout + done.stderr, done.returncode, {}, []
    bundle = next(out.iterdir())
    result = json.loads((bundle / "result.json").read_text())
    files = {}
    for file in result["results"][0]["results"]:
        items = json.loads(next(bundle.glob("steps/01*/" + file["fileName"])).read_text())["items"]
        files[file["identifier"]] = dict(file["userInfo"], items=items)
    events = [json.loads(line).get("event") for line in (bundle / "journal.jsonl").open()]
    changes = [e["sourceChanged"].get("problem") for e in events if isinstance(e, dict) and "sourceChanged" in e]
    true = subprocess.run([entrain, "verify", bundle], capture_output=True).returncode == 0
    expect("the bundle is whole and true", true)
    return done.stdout + done.stderr, done.returncode, files, changes


def reasons(file):
    return [gap["reason"] for gap in file["gaps"]]


device = "{type: camera, device: /dev/null}"
words, code, files, changes = run(
    study(device, 45), [(0, "busy"), (4, "ok"), (18, "lift"), (23, "ok"), (37, "gone"), (38.5, "ok")])
print(words)
expect("a busy camera is told", "is in use: close the other program" in words)
expect("the participant is told what to do", "Cover the lens with your fingertip" in words)
expect("the pulse is seen", "Your pulse can be seen well. Signal quality: " in words)
expect("an unplugged camera is told", "was unplugged" in words)
expect("the step goes on", code == 0 and "You have finished" in words)
expect("each state is in the journal", [c and c.split()[0] for c in changes][:7] == ["the", "no", None, "no", None, "the", "no"])
expect("gaps say why", reasons(files["rate"]) == ["lost", "contact", "lost"])
expect("rates are right", all(abs(i["value"] - 72) < 1.5 for i in files["rate"]["items"]) and len(files["rate"]["items"]) > 8)
expect("frames were kept without a finger, too", len(files["wave"]["items"]) > 900)

words, code, files, changes = run(study(device, 14), [(0, "hang")])
expect("a silent camera is told", "sends no pictures" in words and code == 0)
expect("and the gap is a loss", reasons(files["wave"]) == ["lost"] and "reason" in files["wave"])

words, code, files, changes = run(study(device, 30), [(0, "ok"), (14, "freeze")])
expect("a camera that falls silent is told", "sends no pictures" in words and code == 0)

words, code, files, changes = run(study(device, 6), [(0, "ok")], search="/nowhere")
expect("a missing ffmpeg is told", "ffmpeg" in words and "apt-get install ffmpeg" in words and code == 0)

words, code, _, _ = run(study("{type: camera, device: /dev/no-camera}", 6), [(0, "ok")])
expect("a missing camera is told", "the camera 'no-camera' is not there: plug it in" in words and code == 0)

words, code, files, _ = run(study(device, 12, required=True), [(0, "lift"), (6, "ok")])
began = files["rate"]["startOffset"] if files else 0
expect("a required recorder waits for the finger", code == 0 and 10 < began < 22 and not files["rate"]["gaps"])

left = subprocess.run(["pgrep", "-f", str(here / "fake")], capture_output=True, text=True).stdout
expect("no camera program is left", left == "")

if shutil.which("ffmpeg"):
    for rate in (72, 140):
        video = folder / f"finger{rate}.mp4"
        wave = f"pow(sin(PI*T*{rate}/60),2)"
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
             f"color=c=black:s=64x48:r=30:d=26,format=gbrp,geq=r='190-2*{wave}+4*random(1)':g='60-4*{wave}+4*random(2)'"
             f":b='30-{wave}+4*random(3)',scale=320:240,noise=alls=6:allf=t",
             "-c:v", "libx264", "-preset", "ultrafast", "-crf", "12", video], check=True)
        words, code, files, _ = run(study(f"{{type: camera, file: {video.name}}}", 24), search=os.environ["PATH"])
        late = [i["value"] for i in files["rate"]["items"] if i["metadata"]["runOffset"] >= 10.5]
        expect(f"a video of {rate} per minute, live: within 1 after 10 s", len(late) >= 12 and all(abs(v - rate) <= 1 for v in late))
        pictures = [i["runOffset"] for i in files["wave"]["items"]]
        steps = [b - a for a, b in zip(pictures, pictures[1:])]
        expect("every picture has its own time", len(pictures) > 600 and max(steps) < 0.04)
    for name, scene in [("noise", "nullsrc=s=320x240:r=30:d=24,noise=alls=60:allf=t"), ("static", "testsrc2=s=320x240:r=30:d=24,trim=0:24,loop=-1:1:0,noise=alls=4:allf=t"), ("pan", "mandelbrot=s=480x320:r=30:end_pts=1e9,trim=duration=24,crop=320:240:x='10+t*5':y=20")]:
        video = folder / f"{name}.mp4"
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", scene, "-t", "24", "-c:v", "libx264", "-preset", "ultrafast", video], check=True)
        words, code, files, _ = run(study(f"{{type: camera, file: {video.name}}}", 24), search=os.environ["PATH"], extra=["--speed", "max"])
        expect(f"no heart rate in a video of {name}", code == 0 and not files["rate"]["items"] and not files["beats"]["items"])
else:
    print("skipped: ffmpeg is not installed")

shutil.rmtree(folder)
sys.exit(1 if failures else 0)
