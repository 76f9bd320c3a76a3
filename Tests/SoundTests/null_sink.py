#!/usr/bin/env python3
"""Plays studies into a PulseAudio null sink, records what is heard, and compares it with the results.

A daemon of its own on a private socket; nobody's sound is touched. Ends with status 0, or 1 and what is wrong;
where PulseAudio cannot start, with 0 and the reason. Needs pulseaudio, pulseaudio-utils and
libasound2-plugins (Debian).

usage: null_sink.py --entrain PROGRAM [--runs N] [--minutes M] [--only clicks,soon,onwards,led,led_killed,led_unplugged,led_stopped,led_ended,interrupted,level,tutorial,unspoken,stopped,unplugged,killed,required,
       microphone,recorded,contracts]
"""
import argparse, array, concurrent.futures, functools, glob, json, math, os, resource, shutil, signal, statistics, struct, subprocess, sys, tempfile, time, wave

try:
    import numpy
except ImportError:
    numpy = None

RATE = 48000


class Disturbed(Exception):
    """The machine was too busy for the trial to tell anything."""


class Sound:
    """A PulseAudio daemon with a null sink, and the environment in which programs find it."""

    def __init__(self, folder, rate=RATE, more=""):
        self.folder = folder
        self.rate = rate
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
             "-L", f"module-null-sink sink_name=null rate={rate} channels=2 format=float32le {more}",
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
            ["parec", "-d", "null.monitor", "--format=float32le", f"--rate={self.rate}", "--channels=2",
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


def run(sound, entrain, study, out, *more, wait=True, timeout=90, path=None):
    environment = dict(sound.environment, PATH=path) if path else sound.environment
    process = subprocess.Popen(
        [entrain, "run", study, "--participant", "P01", "--auto", "--plain", "--out", out, *more],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if not wait:
        return process
    try:
        output, errors = process.communicate(timeout=timeout)
    finally:
        process.kill()
    return process.returncode, output, errors


def steps(out):
    """What the only bundle in a folder tells of its steps, in their order."""
    (bundle,) = [path for path in glob.glob(out + "/*/manifest.json")]
    with open(os.path.dirname(bundle) + "/result.json") as file:
        return [step["userInfo"] for step in json.load(file)["results"]]


def stimuli(out):
    return [step["stimulus"] for step in steps(out) if "stimulus" in step]


def latest(out):
    """The most that a cue came late, seconds, but for those that begin a step and share the clip's delay."""
    return max(
        min(late, abs(late - step["lateness"].get("onset", 0)))
        for step in steps(out) for cue, late in step["lateness"].items() if cue.startswith("cue"))


def click_study(folder, count=20, interval="300 ms", latency="usual"):
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
            f"entrain: 1\nstudy: {{identifier: clicks, title: Clicks, seed: 1, latency: {latency}}}\n"
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


def clicks(sound, entrain, folder, interval=300):
    raw, out = os.path.join(folder, "clicks.raw"), os.path.join(folder, "clicks-out")
    recorder = sound.record(raw)
    time.sleep(0.5)
    status, _, errors = run(sound, entrain, click_study(folder, interval=f"{interval} ms"), out)
    time.sleep(0.6)
    stop(recorder)
    check(status == 0, f"status {status}: {errors}")
    # The quality of the run is told; a sound library's own words are not.
    chatter = [line for line in errors.splitlines() if line.strip() and not line.startswith("quality: ")]
    check(not chatter, f"somebody chattered: {errors}")
    heard = onsets(left_channel(raw))
    told = stimuli(out)
    if len(heard) != 20 and sum(record["underruns"] for record in told):
        raise Disturbed("underruns")
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
        f"largest error {max(abs(i - interval) for i in intervals):.4f} ms, off the frames in the result by {off}, "
        f"off its seconds by {worst:.4f} ms, underruns {underruns}")
    if underruns:
        raise Disturbed(f"{underruns} underruns")
    check(deviation <= 0.05, "the standard deviation is above 0.05 ms")
    check(off <= 1, "the recording and the result differ by more than a sample")
    check(worst <= 1000 / RATE + 0.002, "the recording and the stated onsets differ by more than a sample")
    return intervals


def soon(sound, entrain, folder, minutes=0.2):
    """With low latency, clicks are heard at most 60 ms after they were decided on, and none has a hole."""
    raw, out = os.path.join(folder, "soon.raw"), os.path.join(folder, "soon-out")
    # A study has no more than 1,000 steps in a list.
    count = min(round(minutes * 60 / 0.3), 900)
    study = click_study(folder, count, f"{round(minutes * 60_000 / count)} ms", latency="low")
    recorder = sound.record(raw)
    time.sleep(0.5)
    status, _, errors = run(sound, entrain, study, out, timeout=minutes * 60 + 60)
    time.sleep(0.6)
    stop(recorder)
    check(status == 0, f"status {status}: {errors}")
    told = [step for step in steps(out) if "stimulus" in step]
    late = [step["lateness"]["onset"] * 1000 for step in told]
    underruns = sum(step["stimulus"]["underruns"] for step in told)
    heard = onsets(left_channel(raw))
    if underruns or len(heard) != count:
        raise Disturbed(f"{underruns} underruns, {len(heard)} of {count} clicks")
    frames = [step["stimulus"]["onsetFrame"] for step in told]
    off = max(abs((b - a) - (d - c)) for a, b, c, d in zip(heard, heard[1:], frames, frames[1:]))
    # In ten minutes the machine itself may stand still once; of a short run, this is the latest.
    most = sorted(late)[int(0.99 * count)]
    print(f"soon: {count} clicks {statistics.mean(late):.1f} ms after their moments, 99 % within {most:.1f} and all within {max(late):.1f}, "
          f"no underrun, off the frames in the result by {off}")
    check(most <= 60, "a click was heard later than 60 ms after its moment")
    check(off <= 1, "the recording and the result differ by more than a sample")


def onwards(sound, entrain, folder):
    """Music over a rest, a question and a second rest: one clip without a hole, on the sink as in the file of what was to be heard."""
    beep = [int(20000 * math.sin(index * 2 * math.pi * 440 / RATE)) for index in range(RATE * 10)]
    with wave.open(os.path.join(folder, "tone.wav"), "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
        file.writeframes(struct.pack(f"<{len(beep)}h", *beep))
    with open(os.path.join(folder, "tones.yaml"), "w") as file:
        file.write("entrain: 1\nclips:\n  - {identifier: tone, file: tone.wav}\n")
    study = os.path.join(folder, "onwards.yaml")
    with open(study, "w") as file:
        file.write("""entrain: 1
study: {identifier: onwards, title: Onwards, seed: 1}
stimuli:
  tones: {catalogue: tones.yaml}
tasks:
  - identifier: T
    music: [{identifier: m, from: a, to: c, stimulus: {play: tone}}]
    steps:
      - {type: active, identifier: before, duration: 1 s}
      - {type: active, identifier: a, duration: 2 s}
      - {type: question, identifier: b, title: How calm are you?, answer: {scale: {from: 1, to: 9}}}
      - {type: active, identifier: c, duration: 1500 ms}
      - {type: active, identifier: after, duration: 1 s}
      - {type: completion, identifier: end}
""")
    raw, out, written = (os.path.join(folder, name) for name in ["onwards.raw", "onwards-out", "onwards.wav"])
    recorder = sound.record(raw)
    time.sleep(0.5)
    status, _, errors = run(sound, entrain, study, out)
    time.sleep(0.6)
    stop(recorder)
    check(status == 0, f"status {status}: {errors}")
    (clip,) = stimuli(out)
    check(clip["through"] == "c", f"the result says {clip}")
    if clip["underruns"]:
        raise Disturbed(f"{clip['underruns']} underruns")
    lasted = clip["endOffset"] - clip["onsetOffset"]
    heard = left_channel(raw)
    loud = [index for index, sample in enumerate(heard) if abs(sample) > 0.05]
    first, last = loud[0], loud[-1]
    holes = max(b - a for a, b in zip(loud, loud[1:]))
    sounded = (last - first) / RATE
    print(f"onwards: the clip lasted {lasted:.3f} s by the result and {sounded:.3f} s on the sink, over a question; longest pause {holes} samples")
    check(holes < RATE // 440 + 5, "the music has a hole")
    check(abs(lasted - sounded) < 0.012, "the result and the recording differ")
    check(3.5 < lasted < 9, "it did not go on over the question")
    status, _, errors = run(sound, entrain, study, out + "2", "--speed", "max", "--audio", "file:" + written)
    check(status == 0, f"status {status}: {errors}")
    with open(written, "rb") as file:
        content = file.read()
    start = content.index(b"data") + 8
    samples = array.array("f", content[start : start + (len(content) - start) // 8 * 8])[::2]
    loud = [index for index, sample in enumerate(samples) if abs(sample) > 0.05]
    (clip,) = stimuli(out + "2")
    check(max(b - a for a, b in zip(loud, loud[1:])) < RATE // 440 + 5, "the written music has a hole")
    check(abs((loud[-1] - loud[0]) / RATE - clip["endOffset"] + clip["onsetOffset"]) < 0.012, "the result and the file differ")


def led(sound, entrain, folder, minutes=0.2):
    """A tone and clicks whose tempo follows a simulated heart: no hole, no click in the tone, its pitch, and each click on its map."""
    beep = [int(16000 * math.sin(index * 2 * math.pi * 440 / RATE)) for index in range(RATE * 10)]
    with wave.open(os.path.join(folder, "tone.wav"), "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
        file.writeframes(struct.pack(f"<{len(beep)}h", *beep))
    with open(os.path.join(folder, "led.clips.yaml"), "w") as file:
        file.write("entrain: 1\nclips:\n  - {identifier: tone, file: tone.wav, tempo: 72}\n"
                   "  - {identifier: metronome, clicks: 10 s, beats: {tempo: 72 bpm}}\n")
    follow = "follow: {tempo: {of: heartRate, target: -5 %, every: 1 s, smooth: 3 s}}"
    study = os.path.join(folder, "led.yaml")
    with open(study, "w") as file:
        file.write(f"""entrain: 1
study: {{identifier: led, title: Led, seed: 1}}
sources: {{heartRate: {{type: simulated, restingRate: 72}}}}
stimuli:
  tones: {{catalogue: led.clips.yaml}}
tasks:
  - identifier: T
    steps:
      - {{type: active, identifier: before, duration: 4 s}}
      - {{type: active, identifier: tone, duration: {round(minutes * 60)} s, stimulus: {{play: tone, loop: true, {follow}}}}}
      - {{type: active, identifier: between, duration: 1 s}}
      - {{type: active, identifier: clicks, duration: 15 s, stimulus: {{play: metronome, loop: true, {follow}}}}}
      - {{type: active, identifier: after, duration: 1 s}}
      - {{type: completion, identifier: end}}
""")
    raw, out = os.path.join(folder, "led.raw"), os.path.join(folder, "led-out")
    recorder = sound.record(raw)
    time.sleep(0.5)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    status, _, errors = run(sound, entrain, study, out, timeout=minutes * 60 + 90)
    after, took = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - began
    time.sleep(0.6)
    stop(recorder)
    check(status == 0, f"status {status}: {errors}")
    core = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / took
    tone, metronome = stimuli(out)
    if tone["underruns"] or metronome["underruns"]:
        raise Disturbed("underruns")
    heard = left_channel(raw)
    first = next(index for index, sample in enumerate(heard) if abs(sample) > 0.1)
    length = round((tone["endOffset"] - tone["onsetOffset"]) * RATE)
    part = heard[first + RATE // 10 : first + length - RATE // 10]
    crossings = [index + part[index] / (part[index] - part[index + 1])
                 for index in range(len(part) - 1) if part[index] < 0 <= part[index + 1]]
    pitch = (len(crossings) - 1) * RATE / (crossings[-1] - crossings[0])
    cents = 1200 * math.log2(pitch / 440)
    level = 16000 / 32768
    bend = max(abs(a - 2 * b + c) for a, b, c in zip(part, part[1:], part[2:])) / (level * (2 * math.pi * 440 / RATE) ** 2)
    waves = [max(map(abs, part[at : at + RATE // 440])) for at in range(0, len(part) - RATE // 440, RATE // 440)]
    # Where each beat of the metronome is heard, by the map in the result.
    changes = metronome["changes"]
    expected = []
    for now, then in zip(changes, changes[1:] + [{"frame": metronome["onsetFrame"] + 15 * RATE}]):
        end = now["position"] + (then["frame"] - now["frame"]) / RATE * now["tempo"]
        # The track of 10 s has 12 beats, and then begins again.
        beat = math.ceil(round(now["position"] / (5 / 6), 6))
        while beat * 5 / 6 < end - 1e-9:
            expected.append(now["frame"] + (beat * 5 / 6 - now["position"]) / now["tempo"] * RATE)
            beat += 1
    found = onsets(heard[first + length + RATE // 2 :])
    # A beat is rounded to a frame of the clip, and its click to the next frame of the output: between a half before and one and a half after.
    shift = statistics.median(a - b for a, b in zip(found, expected)) if found else 0
    off = [abs(a - b - shift) for a, b in zip(found, expected)]
    print(f"led: {len(tone['changes'])} changes of tempo from {min(c['tempo'] for c in tone['changes'])} to "
          f"{max(c['tempo'] for c in tone['changes'])}, pitch {cents:+.3f} cents, sharpest bend {bend:.3f} of the tone's own, softest wave "
          f"{min(waves) / level:.3f}, {len(found)} clicks at most {max(off, default=9):.2f} frames off the map, {core:.3f} of a core")
    check(abs(cents) <= 3, "the pitch changed")
    check(bend < 1.5, "the tone has a click")
    check(min(waves) > 0.9 * level, "the tone has a hole")
    check(len(found) == len(expected), f"{len(found)} clicks of {len(expected)} were heard")
    # The map's seconds are rounded to a nanosecond, and each click begins at a whole frame.
    check(max(off) <= 1.01, "a click is not where the result's map says")
    check(len(tone["changes"]) > 3, "the tempo did not follow")


def level(sound, entrain, folder):
    """A person sets the volume by ear: each level is heard when it is typed, and the last one holds for what follows."""
    beep = [int(16000 * math.sin(index * 2 * math.pi * 440 / RATE)) for index in range(RATE * 10)]
    with wave.open(os.path.join(folder, "tone.wav"), "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
        file.writeframes(struct.pack(f"<{len(beep)}h", *beep))
    with open(os.path.join(folder, "level.clips.yaml"), "w") as file:
        file.write("entrain: 1\nclips: [{identifier: tone, file: tone.wav}]\n")
    study = os.path.join(folder, "level.yaml")
    with open(study, "w") as file:
        file.write("""entrain: 1
study: {identifier: level, title: Level, seed: 1}
stimuli: {tones: {catalogue: level.clips.yaml}}
tasks:
  - identifier: T
    steps:
      - type: soundCheck
        identifier: level
        volume: {from: -40 dB, to: 0 dB, start: -20 dB}
        stimulus: {play: tone, loop: true}
      - {type: active, identifier: music, duration: 3 s, stimulus: {play: tone, loop: true, gain: 3 dB}}
      - {type: completion, identifier: end}
""")
    raw, out = os.path.join(folder, "level.raw"), os.path.join(folder, "level-out")
    recorder = sound.record(raw)
    time.sleep(0.5)
    process = subprocess.Popen(
        [entrain, "run", study, "--participant", "P01", "--plain", "--out", out], env=sound.environment, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # What is heard changes half a second after each line, the delay of all sounds.
    for line, pause in [("", 3), ("-32\n", 3), ("-9\n", 3), ("\n", 4.5), ("\n", 0)]:
        process.stdin.write(line)
        process.stdin.flush()
        time.sleep(pause)
    output, errors = process.communicate(timeout=60)
    time.sleep(0.6)
    stop(recorder)
    check(process.returncode == 0, f"status {process.returncode}: {errors}")
    tried, music = stimuli(out)
    heard = left_channel(raw)
    first = next(index for index, sample in enumerate(heard) if abs(sample) > 0.01)
    told = [(change["frame"] - tried["onsetFrame"], tried["gain"] + change["gain"]) for change in tried["changes"]]
    told += [(music["onsetFrame"] - tried["onsetFrame"], music["gain"])]
    seen = []
    for (start, gain), end in zip(told, [at for at, _ in told[1:]] + [told[-1][0] + 3 * RATE]):
        # Without the tenth of a second in which a level changes.
        part = heard[first + start + RATE // 5 : first + end - RATE // 20]
        seen.append((gain, 20 * math.log10(max(map(abs, part)) * 32768 / 16000)))
    print("level: " + ", ".join(f"{gain:g} dB told and {measured:.2f} dB heard" for gain, measured in seen))
    check([gain for gain, _ in seen] == [-20, -32, -9, -6], "the levels are not those that were chosen")
    check(all(abs(gain - measured) < 0.1 for gain, measured in seen), "a level is not heard as the result says")


def decoded(path, rate):
    """The left channel of a sound file, by a decoder that is not ours."""
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-ar", str(rate), "-ac", "2", "-"],
        capture_output=True, check=True).stdout
    return numpy.frombuffer(raw, dtype="<f4")[::2].astype(float)


def correlation(a, b):
    return float((a * b).sum() / ((a * a).sum() * (b * b).sum()) ** 0.5)


def place(part, whole):
    """The frame of `whole` at which `part` begins, wherever that is."""
    size = 1 << (len(part) + len(whole)).bit_length()
    spectrum = numpy.fft.rfft(whole, size) * numpy.conj(numpy.fft.rfft(part, size))
    return int(numpy.fft.irfft(spectrum, size)[: len(whole)].argmax())


HERE = os.path.dirname(os.path.abspath(__file__))
TUTORIAL = os.path.join(HERE, "..", "..", "Studies", "music-heart-rate.yaml")


def tutorial_written(sound, entrain, folder, path):
    """What --audio file: writes, from the clip's onset on, its rate and the clip; with all that is to be said."""
    bytes_of, told = [], None
    for number, speed in enumerate(["max", "max", "30"]):
        written, out = (os.path.join(folder, f"written{number}{name}") for name in [".wav", "-out"])
        status, _, errors = run(
            sound, entrain, TUTORIAL, out, "--audio", "file:" + written, "--speed", speed, path=path)
        check(status == 0, f"status {status}: {errors}")
        with open(written, "rb") as file:
            bytes_of.append(file.read())
        told = stimuli(out)[0]
    check(bytes_of[0] == bytes_of[1], f"the same seed gave other bytes ({len(bytes_of[0])} and {len(bytes_of[1])})")
    if len(bytes_of[2]) != len(bytes_of[0]):
        raise Disturbed("saving a step took longer than the participant, at 30 times the speed")
    check(bytes_of[2] == bytes_of[0], "another speed gave other bytes")
    rate = int(told["sampleRate"])
    clip = decoded(os.path.join(HERE, "..", "..", "Media", told["file"]), rate)
    exact = decoded(written, rate)[told["onsetFrame"]:]
    off = numpy.abs(exact[rate // 2 : rate * 29 // 2] - clip[rate // 2 : rate * 29 // 2]).max()
    check(off < 1e-4, f"the written file is not the clip, but off by {off}")
    return clip, exact, rate, f"written file off the decoded clip by {off:.1e} and the same bytes twice"


def tutorial(sound, entrain, folder, path=None):
    """The clip is in the recording, and in the file of --audio file:, at the frames that the results state."""
    if numpy is None or not shutil.which("ffmpeg"):
        return print("tutorial: skipped, it needs ffmpeg and Python's numpy")
    name = "unspoken" if path else "tutorial"
    clip, exact, rate, text = tutorial_written(sound, entrain, folder, path)
    raw, out = (os.path.join(folder, "tutorial" + ending) for ending in [".raw", "-out"])
    recorder = sound.record(raw)
    status, _, errors = run(sound, entrain, TUTORIAL, out, path=path)
    time.sleep(0.6)
    stop(recorder)
    check(status == 0, f"status {status}: {errors}")
    if "too busy" in errors:
        raise Disturbed(errors.strip())
    check(bool(path) == ("espeak-ng" in errors), f"speech is there or not, but somebody said: {errors}")
    (told,) = stimuli(out)
    heard = numpy.asarray(left_channel(raw), dtype=float)
    # The start tone begins with the clip, at the frame that the result states: it is what one hears first.
    tone = int((numpy.abs(heard) > 1e-4).argmax())
    # Between the tone and the words halfway there is nothing but the clip; it is sought everywhere.
    found = place(clip[rate // 2 : rate * 29 // 2], heard) - rate // 2
    part = heard[found : found + 30 * rate]
    whole, plain = correlation(part, clip[: 30 * rate]), correlation(part[rate : rate * 14], clip[rate : rate * 14])
    plain_off = numpy.abs(part - exact[: 30 * rate])[rate // 2 : rate * 14].max()
    # A clip that begins its step is heard later than planned; what comes later in the step is heard when it was planned.
    (delay,) = [round(step["lateness"]["onset"] * rate) for step in steps(out) if "onset" in step["lateness"]]
    cues = cue_lags(part - clip[: 30 * rate], exact[: 30 * rate] - clip[: 30 * rate], rate, [0, 15, 25, 27, 29], delay)
    print(
        f"{name}: '{told['identifier']}' {found - tone:+d} frames from the tone's first audible one; 30 s correlate "
        f"{whole:.4f} with the decoded clip ({plain:.4f} without cues), and are off the written file by "
        f"{plain_off:.1e}, their cues by {', '.join(f'{lag:+d}' for lag in cues)} frames; {text}; underruns {told['underruns']}, heard for {told['endOffset'] - told['onsetOffset']:.6f} s")
    if told["underruns"] or "problem" in told or latest(out) > 0.03:
        raise Disturbed(
            f"{told['underruns']} underruns, {told.get('problem')}, cues {latest(out) * 1000:.0f} ms late")
    check(plain > 0.9999 and whole > 0.99, "the recording is not the clip")
    check(-12 <= found - tone <= 0, "the clip does not begin where the result says")
    check(plain_off < 1e-5, "the file and the recording differ")
    # What begins later follows the device's clock, as far as it is known: a busy machine tells it to a millisecond.
    check(max(map(abs, cues)) < rate / 200, "the cues stand elsewhere in the file")


def cue_lags(heard, written, rate, seconds, delay):
    """By how many frames the cues at these seconds, but for the one at 0, are later in one than that much before the other."""
    lags = []
    for second in seconds:
        cue = written[second * rate : second * rate + rate * 9 // 10]
        if numpy.abs(cue).max() > 1e-3:
            due = second * rate - (delay if second else 0)
            first = max(0, due - rate // 10)
            lags.append(place(cue, heard[first : due + rate]) - (due - first))
    return lags


CUES = """\
entrain: 1
study: {identifier: cued, title: Tones}
tasks:
  - identifier: main
    steps:
      - identifier: beeps
        type: active
        title: Tones
        duration: 6 s
        cues:
          - {at: start, sound: tone}
          - {at: 2500 ms, sound: tone}
          - {at: halfway, sound: tone}
          - {at: finish, sound: tone}
      - {identifier: end, type: completion, title: End}
"""


def cued(sound, entrain, folder):
    """A cue is heard at its moment, the first one of a step as late as the result says; a pause takes one back."""
    study, raw, out = (os.path.join(folder, "cued" + ending) for ending in [".yaml", ".raw", "-out"])
    with open(study, "w") as file:
        file.write(CUES)
    recorder = sound.record(raw)
    status, _, errors = run(sound, entrain, study, out)
    time.sleep(0.6)
    stop(recorder)
    check(status == 0, f"status {status}: {errors}")
    late = steps(out)[0]["lateness"]
    samples = left_channel(raw)
    loud = [place for place in range(len(samples)) if abs(samples[place]) > 1e-3]
    heard = [place for before, place in zip([-sound.rate] + loud, loud) if place - before > sound.rate // 10]
    planned = [0, 2.5, 3, 6]
    told = [moment + late[f"cue{number + 1}"] for number, moment in enumerate(planned)]
    check(len(heard) == 4, f"{len(heard)} tones were heard")
    off = [(place - heard[0]) / sound.rate - (moment - told[0]) for place, moment in zip(heard, told)]
    lags = ", ".join(f"{late[cue] * 1000:.1f}" for cue in ["cue1", "cue2", "cue3", "cue4"])
    print(f"cued: late by {lags} ms, and heard within {max(map(abs, off)) * 1000:.1f} ms of that")
    if max(late[f"cue{number}"] for number in [2, 3, 4]) > 0.03:
        raise Disturbed("cues came late")
    check(late["cue1"] > 0.05, "the tone at the start cannot be heard at once")
    check(max(map(abs, off)) < 0.005, "the tones stand elsewhere")


def unspoken(sound, entrain, folder):
    """The tutorial where nobody can speak: a warning, and nothing but the tone and the clip."""
    nowhere = os.path.join(folder, "nowhere")
    os.makedirs(nowhere)
    tutorial(sound, entrain, folder, path=nowhere)


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
          f"heard for {told['endOffset'] - told['onsetOffset']:.3f} s, problem: {told.get('problem')}")
    check(process.returncode == 0, f"status {process.returncode}: {errors}")
    check(told["underruns"] > 0 and "stood still" in told["problem"], "the result does not know of it")


def long_study(folder, required=False, follows=False):
    with wave.open(os.path.join(folder, "noise.wav"), "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
        seed, data = 1, bytearray()
        for _ in range(RATE * 12):
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            data += struct.pack("<h", (seed >> 16) % 8000 - 4000)
        file.writeframes(bytes(data))
    with open(os.path.join(folder, "noise.yaml"), "w") as file:
        file.write("entrain: 1\nclips:\n  - {identifier: noise, file: noise.wav, tempo: 72}\n")
    follow = ", loop: true, follow: {tempo: {of: heartRate, target: -5 %, every: 1 s, smooth: 3 s}}" if follows else ""
    path = os.path.join(folder, "long.yaml")
    with open(path, "w") as file:
        file.write(
            f"entrain: 1\nstudy: {{identifier: long, title: Long, seed: 1{', audio: required' if required else ''}}}\n"
            "sources: {heartRate: {type: simulated, restingRate: 72}}\n"
            "stimuli:\n  noises: {catalogue: noise.yaml, pool: [noise]}\n"
            "tasks:\n  - identifier: T\n    steps:\n"
            f"      - {{type: active, identifier: s, duration: 10 s, stimulus: {{play: noise{follow}}}}}\n"
            "      - {type: completion, identifier: end, title: End}\n")
    return path


def lost(sound, entrain, folder, name, fault, required=False, follows=False):
    out = os.path.join(folder, name + "-out")
    process = run(sound, entrain, long_study(folder, required, follows), out, wait=False)
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


def led_killed(sound, entrain, folder):
    """The device is lost while the tempo follows: no change is told of what nobody heard."""
    status, told, _ = lost(sound, entrain, folder, "led-killed", sound.daemon.kill, follows=True)
    check(status == 0, f"status {status}")
    check("problem" in told and told["endOffset"] - told["onsetOffset"] < 6, "the result does not know of it")
    check_changes(entrain, os.path.join(folder, "led-killed-out"), told)


def led_unplugged(sound, entrain, folder):
    status, told, _ = lost(
        sound, entrain, folder, "led-unplugged", lambda: sound.control("unload-module", "module-null-sink"), follows=True)
    check(status == 0 and "problem" in told, f"the result does not know of it; status {status}")
    check_changes(entrain, os.path.join(folder, "led-unplugged-out"), told)


def led_stopped(sound, entrain, folder):
    """Suspended for two seconds while the tempo follows: the hole is told, and the map goes on behind it."""
    out = os.path.join(folder, "led-stopped-out")
    process = run(sound, entrain, long_study(folder, follows=True), out, wait=False)
    time.sleep(4)
    process.send_signal(signal.SIGSTOP)
    time.sleep(2)
    process.send_signal(signal.SIGCONT)
    _, errors = process.communicate(timeout=60)
    (told,) = stimuli(out)
    check(process.returncode == 0, f"status {process.returncode}: {errors}")
    check(told["underruns"] > 0 and "stood still" in told["problem"], "the result does not know of it")
    check_changes(entrain, out, told)


def led_ended(sound, entrain, folder):
    """The program is killed while the tempo follows: the recovered bundle has every change that was heard."""
    out = os.path.join(folder, "led-ended-out")
    process = run(sound, entrain, long_study(folder, follows=True), out, wait=False)
    time.sleep(6)
    process.kill()
    process.communicate()
    subprocess.run([entrain, "recover", out], check=True, stdout=subprocess.DEVNULL)
    (told,) = stimuli(out)
    check_changes(entrain, out, told)


def interrupted(sound, entrain, folder):
    """A clip of clicks while the program stands still, twice: each click is heard when the map says."""
    with wave.open(os.path.join(folder, "train.wav"), "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
        file.writeframes((struct.pack("<48h", *[30000] * 48) + bytes(2 * (RATE // 4 - 48))) * 48)
    with open(os.path.join(folder, "train.yaml"), "w") as file:
        file.write("entrain: 1\nclips: [{identifier: train, file: train.wav}]\n")
    study, raw = os.path.join(folder, "s.yaml"), os.path.join(folder, "interrupted.raw")
    with open(study, "w") as file:
        file.write("""entrain: 1
study: {identifier: interrupted, title: Interrupted, seed: 1}
stimuli: {trains: {catalogue: train.yaml}}
tasks:
  - identifier: T
    steps:
      - {type: active, identifier: a, duration: 12 s, stimulus: {play: train}}
      - {type: completion, identifier: end}
""")
    recorder = sound.record(raw)
    time.sleep(0.5)
    process = run(sound, entrain, study, os.path.join(folder, "interrupted-out"), wait=False)
    for still in [0.7, 1.6]:
        time.sleep(4.2)
        process.send_signal(signal.SIGSTOP)
        time.sleep(still)
        process.send_signal(signal.SIGCONT)
    _, errors = process.communicate(timeout=60)
    time.sleep(0.6)
    stop(recorder)
    check(process.returncode == 0, f"status {process.returncode}: {errors}")
    (told,) = stimuli(os.path.join(folder, "interrupted-out"))
    changes, moments = told.get("changes", []), []
    ends = [change["offset"] for change in changes[1:]] + [told["endOffset"]]
    for change, end in zip(changes, ends):
        # The clicks that are heard between an entry and the next one.
        last = change["position"] + (end - change["offset"]) * change["tempo"]
        moments += [change["offset"] + number * 0.25 - change["position"] for number in range(48)
                    if change["position"] - 1e-6 <= number * 0.25 < last - 1e-6]
    heard = [frame / RATE for frame in onsets(left_channel(raw))]
    pauses = sum(change["tempo"] == 0 for change in changes)
    off = [(a - heard[0]) - (b - moments[0]) for a, b in zip(heard, moments)]
    print(f"interrupted: {pauses} times, {len(heard)} clicks heard and {len(moments)} told, "
          f"at most {max(map(abs, off)) * 1000:.2f} ms from where the map has them")
    if pauses < 2:
        raise Disturbed("the device had sound enough")
    check(len(heard) == len(moments), "another number of clicks was heard")
    check(max(map(abs, off)) < 0.005, "the map is more than 5 ms off")


def check_changes(entrain, out, told):
    """The map of a clip that followed: in order, within what was heard, and derived again from the journal."""
    changes, rate = told["changes"], told["sampleRate"]
    print(f"{os.path.basename(out)[:-4]}: {len(changes)} changes of tempo from {changes[0]['offset']:.2f} to {changes[-1]['offset']:.2f} s, heard from "
          f"{told['onsetOffset']:.2f} to {told['endOffset']:.2f} s, problem: {told.get('problem')}")
    check(len(changes) > 1, "the tempo did not follow")
    check(told["onsetOffset"] <= changes[0]["offset"] and changes[-1]["offset"] <= told["endOffset"], "a change is told that nobody heard")
    for a, b in zip(changes, changes[1:]):
        moved = b["position"] - a["position"] - (b["frame"] - a["frame"]) / rate * a["tempo"]
        # A clip begins as the heart is, and goes on at the frame at which the device stood still.
        check(b["frame"] >= a["frame"] and abs(moved) * rate < 2, f"the map does not go on from {a} to {b}")
    check_whole(entrain, out)


def check_whole(entrain, out):
    done = subprocess.run([entrain, "verify", out], capture_output=True, text=True)
    check(done.returncode == 0, f"the bundle is not whole: {done.stdout}{done.stderr}")


def microphone_study(folder, form="wav"):
    long_study(folder)
    path = os.path.join(folder, "microphone.yaml")
    with open(path, "w") as file:
        file.write(
            "entrain: 1\nstudy: {identifier: microphone, title: Microphone, seed: 1}\n"
            "stimuli:\n  noises: {catalogue: noise.yaml, pool: [noise]}\n"
            "tasks:\n  - identifier: T\n    steps:\n"
            "      - {type: countdown, identifier: room, duration: 3 s, maximumVisits: 3,\n"
            "         recorders: [{type: audio, identifier: baseline, required: true}],\n"
            "         goTo: [{soundLevel: room, is: ge, value: 0.45, target: tooLoud}, {target: speak}]}\n"
            "      - {type: instruction, identifier: tooLoud, title: Too loud, maximumVisits: 2, goTo: room}\n"
            "      - {type: active, identifier: speak, duration: 6 s, stimulus: {play: noise},\n"
            "         recorders: [{type: audio, identifier: voice, format: " + form + "}]}\n"
            "      - {type: completion, identifier: end, title: End}\n")
    return path


def loud_noise(sound, folder):
    """Plays something louder than 0.45 of full scale into the sink, which is the microphone's room."""
    path = os.path.join(folder, "loud.wav")
    with wave.open(path, "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
        file.writeframes(struct.pack("<96h", *[26000] * 48, *[-26000] * 48) * (RATE * 30 // 96))
    return subprocess.Popen(["paplay", path], env=sound.environment, stderr=subprocess.DEVNULL)


def microphone(sound, entrain, folder):
    """The room is too loud at first; then what is played is recorded, to the frame."""
    study, out = microphone_study(folder), os.path.join(folder, "microphone-out")
    noise = loud_noise(sound, folder)
    process = run(sound, entrain, study, out, wait=False)
    for line in process.stdout:
        if "Too loud" in line:
            noise.terminate()
    errors = process.communicate(timeout=60)[1]
    noise.terminate()
    noise.wait()
    check(process.returncode == 0, f"status {process.returncode}: {errors}")
    (manifest,) = glob.glob(out + "/*/manifest.json")
    bundle = os.path.dirname(manifest)
    with open(bundle + "/result.json") as file:
        steps = json.load(file)["results"]
    names = [step["identifier"] for step in steps]
    print(f"microphone: the steps were {', '.join(names)}")
    check(names == ["room", "tooLoud", "room", "speak", "end"], "the too loud room was not told from the quiet one")
    (path,) = glob.glob(bundle + "/steps/04-speak/audio_*.wav")
    with wave.open(path) as file:
        rate, frames = file.getframerate(), file.getnframes()
        samples = array.array("h", file.readframes(frames))
    told = steps[3]["results"][0]["userInfo"]
    # The input's clock is followed by a ten-thousandth at most while it records.
    check(abs(frames - 6 * rate) <= 6 * rate // 10_000 + 2 and frames == told["sampleCount"], f"{frames} frames at {rate} Hz in 6 s, told {told}")
    check(told["coverage"] > 0.9998, f"coverage {told['coverage']}")
    if numpy is None:
        return
    with wave.open(os.path.join(folder, "noise.wav")) as file:
        clip = numpy.array(array.array("h", file.readframes(RATE * 4)), dtype=float)
    heard = numpy.array(samples, dtype=float)
    found = place(clip[:RATE], heard)
    alike = correlation(heard[found : found + 3 * RATE], clip[: 3 * RATE])
    print(f"microphone: the clip stands {found * 1000 / rate:.1f} ms after the recording's beginning, correlation "
          f"{alike:.4f} over 3 s")
    check(alike > 0.99, "the recording is not what was heard")


def heard_by_microphone(sound, entrain, folder):
    """'ready' plays tones, hears them with the microphone, and says how late."""
    told = subprocess.run([entrain, "ready", microphone_study(folder), "--participant", "P01"], env=sound.environment,
                          capture_output=True, text=True, timeout=90)
    (line,) = [line for line in told.stdout.splitlines() if " hearing " in line] or [told.stdout + told.stderr]
    print(f"heard_by_microphone: {line.strip()}")
    check("hears a tone" in line, line)
    late = int(line.split("hears a tone ")[1].split(" ms")[0])
    if abs(late) > 30:
        raise Disturbed(f"{late} ms in a room without a way")


def recorded(sound, entrain, folder):
    """Killed while it records: the recovered bundle holds the sound up to the last second."""
    if not shutil.which("ffmpeg"):
        return print("recorded: skipped, no ffmpeg to decode with")
    study, out = microphone_study(folder, "flac"), os.path.join(folder, "recorded-out")
    process = run(sound, entrain, study, out, wait=False)
    for line in process.stdout:
        if "speak" in line or "3 of" in line or "4 of" in line:
            break
    time.sleep(4)
    process.kill()
    process.communicate()
    subprocess.run([entrain, "recover", out], check=True, stdout=subprocess.DEVNULL)
    (path,) = glob.glob(out + "/*/steps/*-speak/audio_*.flac")
    length = len(decoded(path, RATE)) / RATE if numpy is not None else 0
    with open(glob.glob(out + "/*/result.json")[0]) as file:
        (told,) = [item["userInfo"]["sampleCount"] for step in json.load(file)["results"]
                   for item in step["results"] if item.get("fileName") == os.path.basename(path)]
    print(f"recorded: killed about 4 s after the step was shown, {length:.1f} s of sound are in the bundle")
    check(numpy is None or length > 2, "sound is missing")
    check(numpy is None or abs(length - told / RATE) < 1e-9, f"the result says {told / RATE:.3f} s, not {length:.3f} s")
    check_whole(entrain, out)


def contracts(sound, entrain, folder):
    """The laws that every player and microphone keeps, by the tests in Swift on this sink."""
    package = os.path.join(HERE, "..", "..")
    if not shutil.which("swift") or not glob.glob(package + "/.build/debug/*.xctest"):
        return print("contracts: skipped, the tests are not built (swift build --build-tests)")
    done = subprocess.run(
        ["swift", "test", "--skip-build", "--package-path", package, "--filter", "DeviceContractTests"],
        env=dict(sound.environment, ENTRAIN_NULL_SINK="1"), capture_output=True, text=True, timeout=150)
    lines = [line for line in (done.stdout + done.stderr).splitlines() if "Test run with" in line or "\u2718" in line]
    print("contracts:", *lines or ["nothing was run"], sep="\n  ")
    check(done.returncode == 0 and any("passed" in line for line in lines), "a law is broken")


TRIALS = {"led_killed": led_killed, "led_unplugged": led_unplugged, "led_stopped": led_stopped, "led_ended": led_ended, "interrupted": interrupted, "cued": cued, "clicks": clicks, "soon": soon, "onwards": onwards, "led": led, "level": level, "tutorial": tutorial, "unspoken": unspoken, "stopped": stopped, "unplugged": unplugged, "killed": killed,
          "required": required, "microphone": microphone, "heard_by_microphone": heard_by_microphone, "recorded": recorded, "contracts": contracts}


# Their clicks are counted in samples, and nothing else should run; the others are mostly waiting.
ALONE = ["clicks", "soon", "led"]


def attempt(name, entrain):
    """Runs a trial with a daemon of its own; returns whether it went well."""
    for attempts_left in [2, 1, 0]:
        with tempfile.TemporaryDirectory() as folder:
            # At the clips' own rate nothing lies between the program's samples and the recording's.
            # What is rewound was heard by the monitor already, and a click would be missed.
            sound = Sound(folder, 44100 if name in ["tutorial", "unspoken"] else RATE, "norewinds=1" if name == "interrupted" else "")
            try:
                TRIALS[name](sound, entrain, folder)
                return True
            except Disturbed as disturbance:
                print(f"{name}: disturbed ({disturbance}, load {os.getloadavg()[0]:.1f}), {attempts_left} more tries")
            except (AssertionError, subprocess.SubprocessError, ValueError, OSError) as problem:
                print(f"{name}: FAILED: {problem}")
                return False
            finally:
                sound.end()
    return True  # the machine cannot tell; the results counted their underruns


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--minutes", type=float, default=0.2, help="how long the clicks with low latency and the tone that follows a heart go on")
    options = parser.parse_args()
    entrain = os.path.abspath(options.entrain)
    for program in ["pulseaudio", "pactl", "parec"]:
        if not shutil.which(program):
            return print(f"skipped: {program} is not installed")
    try:
        with tempfile.TemporaryDirectory() as folder:
            Sound(folder).end()
    except OSError as problem:
        return print(f"skipped: PulseAudio cannot start here: {problem}")
    TRIALS["soon"] = functools.partial(soon, minutes=options.minutes)
    TRIALS["led"] = functools.partial(led, minutes=options.minutes)
    names = options.only.split(",") if options.only else list(TRIALS)
    alone, together = [n for n in names if n in ALONE], [n for n in names if n not in ALONE]
    fine = [attempt(name, entrain) for name in alone * options.runs]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        fine += pool.map(lambda name: attempt(name, entrain), together * options.runs)
    sys.exit(0 if all(fine) else 1)


if __name__ == "__main__":
    main()
