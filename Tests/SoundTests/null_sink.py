#!/usr/bin/env python3
"""Plays studies into a PulseAudio null sink, records what is heard, and compares it with the results.

A daemon of its own on a private socket; nobody's sound is touched. Ends with status 0, or 1 and what is wrong;
where PulseAudio cannot start, with 0 and the reason. Needs pulseaudio, pulseaudio-utils and
libasound2-plugins (Debian).

usage: null_sink.py --entrain PROGRAM [--runs N] [--only clicks|tutorial|stopped|unplugged|killed|required]
"""
import argparse, array, glob, json, os, shutil, signal, statistics, struct, subprocess, sys, tempfile, time, wave

RATE = 48000


class Sound:
    """A PulseAudio daemon with a null sink, and the environment in which programs find it."""

    def __init__(self, folder):
        self.folder = folder
        home = os.path.join(folder, "home")
        os.makedirs(home, exist_ok=True)
        with open(os.path.join(home, ".asoundrc"), "w") as file:
            file.write("pcm.!default { type pulse }\nctl.!default { type pulse }\n")
        socket = os.path.join(folder, "native")
        self.environment = dict(
            os.environ, HOME=home, XDG_RUNTIME_DIR=folder, PULSE_RUNTIME_PATH=os.path.join(folder, "pulse"),
            PULSE_SERVER="unix:" + socket)
        self.daemon = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
             "-L", f"module-null-sink sink_name=null rate={RATE} channels=2 format=float32le",
             "-L", f"module-native-protocol-unix auth-anonymous=1 socket={socket}",
             "--log-target=file:" + os.path.join(folder, "log")],
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(50):
            if self.control("info").returncode == 0:
                return
            time.sleep(0.1)
        self.end()
        raise OSError("the daemon did not answer within 5 s")

    def control(self, *words):
        return subprocess.run(["pactl", *words], env=self.environment, capture_output=True, text=True)

    def record(self, path):
        return subprocess.Popen(
            ["parec", "-d", "null.monitor", "--format=float32le", f"--rate={RATE}", "--channels=2",
             "--latency-msec=100", "--raw", path], env=self.environment)

    def end(self):
        self.daemon.kill()
        self.daemon.wait()


def stop(process):
    process.send_signal(signal.SIGINT)
    process.wait(timeout=10)


def left_channel(path):
    samples = array.array("f")
    with open(path, "rb") as file:
        data = file.read()
    samples.frombytes(data[: len(data) // 8 * 8])
    return samples[::2]


def run(sound, entrain, study, out, *more, wait=True, timeout=90):
    process = subprocess.Popen(
        [entrain, "run", study, "--participant", "P01", "--auto", "--plain", "--out", out, *more],
        env=sound.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if not wait:
        return process
    output, errors = process.communicate(timeout=timeout)
    return process.returncode, output, errors


def stimuli(out):
    """The stimulus records of the only bundle in a folder, in the order of the steps."""
    (bundle,) = [path for path in glob.glob(out + "/*/manifest.json")]
    with open(os.path.dirname(bundle) + "/result.json") as file:
        result = json.load(file)
    return [step["userInfo"]["stimulus"] for step in result["results"] if "stimulus" in step["userInfo"]]


def click_study(folder, count=20, interval="300 ms"):
    with wave.open(os.path.join(folder, "click.wav"), "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
        file.writeframes(struct.pack("<48h", *[30000] * 48) + bytes(2 * 9552))
    with open(os.path.join(folder, "clips.yaml"), "w") as file:
        file.write("entrain: 1\nclips:\n  - {identifier: click, file: click.wav}\n")
    steps = "".join(
        f"      - {{type: active, identifier: s{index}, duration: {interval}, stimulus: {{play: click}}}}\n"
        for index in range(count))
    path = os.path.join(folder, "clicks.yaml")
    with open(path, "w") as file:
        file.write(
            "entrain: 1\nstudy: {identifier: clicks, title: Clicks, seed: 1}\n"
            "stimuli:\n  clicks: {catalogue: clips.yaml, pool: [click]}\n"
            f"tasks:\n  - identifier: T\n    steps:\n{steps}"
            "      - {type: completion, identifier: end, title: End}\n")
    return path


def onsets(samples):
    """The frames at which something begins after at least 50 ms of nothing."""
    found, last = [], -RATE
    for index, sample in enumerate(samples):
        if abs(sample) > 0.3:
            if index - last > RATE // 20:
                found.append(index)
            last = index
    return found


def check(condition, words):
    if not condition:
        raise AssertionError(words)


def clicks(sound, entrain, folder):
    raw, out = os.path.join(folder, "clicks.raw"), os.path.join(folder, "clicks-out")
    recorder = sound.record(raw)
    time.sleep(0.5)
    status, _, errors = run(sound, entrain, click_study(folder), out)
    time.sleep(0.6)
    stop(recorder)
    check(status == 0, f"status {status}: {errors}")
    check(errors.strip() == "", f"somebody chattered: {errors}")
    heard = onsets(left_channel(raw))
    told = stimuli(out)
    check(len(heard) == 20, f"{len(heard)} clicks were heard")
    intervals = [(b - a) * 1000 / RATE for a, b in zip(heard, heard[1:])]
    promised = [(b["onsetFrame"] - a["onsetFrame"]) for a, b in zip(told, told[1:])]
    stated = [(b["onsetOffset"] - a["onsetOffset"]) * 1000 for a, b in zip(told, told[1:])]
    off = max(abs((b - a) - p) for a, b, p in zip(heard, heard[1:], promised))
    deviation = statistics.pstdev(intervals)
    underruns = sum(record["underruns"] for record in told)
    worst = max(abs(a - b) for a, b in zip(intervals, stated))
    print(
        f"clicks: intervals {statistics.mean(intervals):.4f} ms, standard deviation {deviation:.4f} ms, "
        f"largest error {max(abs(i - 300) for i in intervals):.4f} ms, off the frames in the result by {off}, "
        f"off its seconds by {worst:.4f} ms, underruns {underruns}")
    if underruns == 0:
        check(deviation <= 0.05, "the standard deviation is above 0.05 ms")
        check(off <= 1, "the recording and the result differ by more than a sample")
        check(worst <= 1000 / RATE + 0.002, "the recording and the stated onsets differ by more than a sample")
    return intervals


def decoded(path):
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-ar", str(RATE), "-ac", "2", "-"],
        capture_output=True, check=True).stdout
    samples = array.array("f")
    samples.frombytes(raw)
    return samples[::2]


def correlation(a, b):
    top = sum(x * y for x, y in zip(a, b))
    return top / (sum(x * x for x in a) * sum(y * y for y in b)) ** 0.5


def tutorial(sound, entrain, folder):
    if not shutil.which("ffmpeg"):
        return print("tutorial: skipped, no ffmpeg to decode the clip with")
    here = os.path.dirname(os.path.abspath(__file__))
    # A click of its own in the same stream ties the recording to the frames of the result.
    study = os.path.join(here, "..", "..", "Studies", "music-heart-rate.yaml")
    raw, out = os.path.join(folder, "tutorial.raw"), os.path.join(folder, "tutorial-out")
    recorder = sound.record(raw)
    status, _, errors = run(sound, entrain, study, out)
    time.sleep(0.6)
    stop(recorder)
    check(status == 0, f"status {status}: {errors}")
    (told,) = stimuli(out)
    heard = left_channel(raw)
    clip = decoded(os.path.join(here, "..", "..", "Media", told["file"]))
    first = next(index for index, sample in enumerate(heard) if abs(sample) > 1e-4)
    # The start tone begins with the clip, at the frame of the step's start.
    length = 20 * RATE
    whole = correlation(heard[first + RATE : first + RATE + length], clip[RATE : RATE + length])
    lead = max(
        (correlation(heard[first + RATE + shift : first + 3 * RATE + shift], clip[RATE : 3 * RATE]), shift)
        for shift in range(-12, 13, 1))
    print(
        f"tutorial: correlation {max(whole, lead[0]):.4f}, {lead[1]} samples from the tone's beginning, "
        f"underruns {told['underruns']}, end after {told['endOffset'] - told['onsetOffset']:.6f} s")
    check(max(whole, lead[0]) > 0.99, "the recording is not the clip")


def stopped(sound, entrain, folder):
    out = os.path.join(folder, "stopped-out")
    process = run(sound, entrain, long_study(folder), out, wait=False)
    time.sleep(4)
    process.send_signal(signal.SIGSTOP)
    time.sleep(2)
    process.send_signal(signal.SIGCONT)
    output, errors = process.communicate(timeout=60)
    (told,) = stimuli(out)
    print(f"stopped for 2 s: status {process.returncode}, underruns {told['underruns']}, "
          f"heard for {told['endOffset'] - told['onsetOffset']:.3f} s")
    check(process.returncode == 0, f"status {process.returncode}: {errors}")
    check(told["underruns"] > 0, "the result does not know of it")


def long_study(folder, required=False):
    with wave.open(os.path.join(folder, "noise.wav"), "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
        seed, data = 1, bytearray()
        for _ in range(RATE * 12):
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            data += struct.pack("<h", (seed >> 16) % 8000 - 4000)
        file.writeframes(bytes(data))
    with open(os.path.join(folder, "noise.yaml"), "w") as file:
        file.write("entrain: 1\nclips:\n  - {identifier: noise, file: noise.wav}\n")
    path = os.path.join(folder, "long.yaml")
    with open(path, "w") as file:
        file.write(
            f"entrain: 1\nstudy: {{identifier: long, title: Long, seed: 1{', audio: required' if required else ''}}}\n"
            "stimuli:\n  noises: {catalogue: noise.yaml, pool: [noise]}\n"
            "tasks:\n  - identifier: T\n    steps:\n"
            "      - {type: active, identifier: s, duration: 10 s, stimulus: {play: noise}}\n"
            "      - {type: completion, identifier: end, title: End}\n")
    return path


def lost(sound, entrain, folder, name, fault, required=False):
    out = os.path.join(folder, name + "-out")
    process = run(sound, entrain, long_study(folder, required), out, wait=False)
    time.sleep(5)
    fault()
    began = time.time()
    output, errors = process.communicate(timeout=60)
    (told,) = stimuli(out)
    print(f"{name}: status {process.returncode} after {time.time() - began:.1f} s, heard for "
          f"{told['endOffset'] - told['onsetOffset']:.2f} of 10 s, problem: {told.get('problem')}, "
          f"underruns {told['underruns']}")
    return process.returncode, told, output + errors


def killed(sound, entrain, folder):
    status, told, _ = lost(sound, entrain, folder, "killed", sound.daemon.kill)
    check(status == 0, f"status {status}")
    check("problem" in told and 1 < told["endOffset"] - told["onsetOffset"] < 6, "the result does not know of it")


def required(sound, entrain, folder):
    status, told, _ = lost(sound, entrain, folder, "required", sound.daemon.kill, required=True)
    check(status == 69, f"status {status}")


def unplugged(sound, entrain, folder):
    status, told, _ = lost(
        sound, entrain, folder, "unplugged", lambda: sound.control("unload-module", "module-null-sink"))
    check(status == 0, f"status {status}")
    check("problem" in told, "the result does not know of it")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--only")
    options = parser.parse_args()
    entrain = os.path.abspath(options.entrain)
    for program in ["pulseaudio", "pactl", "parec"]:
        if not shutil.which(program):
            return print(f"skipped: {program} is not installed")
    failed = False
    for trial in [clicks, tutorial, stopped, unplugged, killed, required]:
        if options.only and trial.__name__ not in options.only.split(","):
            continue
        for _ in range(options.runs):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    sound = Sound(folder)
                except OSError as problem:
                    return print(f"skipped: PulseAudio cannot start here: {problem}")
                try:
                    trial(sound, entrain, folder)
                except (AssertionError, subprocess.TimeoutExpired, ValueError) as problem:
                    failed = True
                    print(f"{trial.__name__}: FAILED: {problem}")
                finally:
                    sound.end()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
