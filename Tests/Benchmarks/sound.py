#!/usr/bin/env python3
"""How even sounds begin, how much an hour of clips costs: on a PulseAudio null sink of its own.

  onsets   20 clicks every 313 ms (no multiple of the sink's 50 ms) as stimuli of a study, and by a `paplay` started for each, in the same minutes
  hour     an hour (or --minutes) of clips, or with --long of one file: processor time and memory

usage: sound.py --entrain PROGRAM [onsets|hour] [--minutes M] [--long]
"""
import argparse, os, shutil, statistics, struct, subprocess, sys, tempfile, time, wave

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "SoundTests"))
import null_sink

MEDIA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Media")
INTERVAL = 313
CLIPS = ["chill_preview_3", "chill_preview_4", "dark_preview_4", "happy_preview_1", "light_preview_2",
         "light_preview_3"]


def paplay(sound, folder):
    """Starts a player for every click, as runners do that have no stream of their own."""
    click = os.path.join(folder, "short.wav")
    with wave.open(click, "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(null_sink.RATE)
        file.writeframes(struct.pack("<48h", *[30000] * 48) + bytes(2 * 2352))
    raw = os.path.join(folder, "paplay.raw")
    recorder = sound.record(raw)
    time.sleep(0.5)
    players, start = [], time.monotonic()
    for index in range(20):
        time.sleep(max(0, start + index * INTERVAL / 1000 - time.monotonic()))
        players.append(subprocess.Popen(["paplay", click], env=sound.environment))
    for player in players:
        player.wait()
    time.sleep(0.6)
    null_sink.stop(recorder)
    heard = null_sink.onsets(null_sink.left_channel(raw))
    return [(b - a) * 1000 / null_sink.RATE for a, b in zip(heard, heard[1:])]


def fresh(trial, more=""):
    with tempfile.TemporaryDirectory() as folder:
        sound = null_sink.Sound(folder, more=more)
        try:
            return trial(sound, folder)
        finally:
            sound.end()


def onsets(options):
    # Without rewinding: what is rewound was heard by the monitor already, and short sounds would be missed.
    more = "norewinds=1"
    try:
        ours = fresh(lambda sound, folder: null_sink.clicks(sound, options.entrain, folder, INTERVAL), more)
    except null_sink.Disturbed as disturbance:
        return print(f"the machine is too busy: {disturbance}")
    theirs = fresh(paplay, more)
    deviation, other = (statistics.pstdev(intervals) for intervals in [ours, theirs])
    sample = 1000 / null_sink.RATE
    print(f"entrain: standard deviation {deviation:.4f} ms; paplay for each of {len(theirs) + 1} clicks: {other:.2f} ms, "
          f"largest error {max(abs(i - INTERVAL) for i in theirs):.1f} ms")
    print(f"ratio {other / max(deviation, sample):.0f} (a deviation below one sample counts as one, {sample:.3f} ms); "
          f"load {os.getloadavg()[0]:.1f}")


def hour_study(folder, minutes, is_long):
    names = CLIPS
    if is_long:
        names = ["long"]
        subprocess.run(
            ["ffmpeg", "-v", "error", "-stream_loop", "-1", "-i", f"{MEDIA}/happy_preview_1.ogg", "-t",
             str(minutes * 60 + 60), "-c", "copy", f"{folder}/long.ogg"], check=True)
    for name in [] if is_long else names:
        shutil.copy(f"{MEDIA}/{name}.ogg", folder)
    with open(f"{folder}/clips.yaml", "w") as file:
        file.write("entrain: 1\nclips:\n" + "".join(f"  - {{identifier: {n}, file: {n}.ogg}}\n" for n in names))
    length, count = (f"{minutes} min", 1) if is_long else ("34 s", max(1, int(minutes * 60 / 34)))
    steps = "".join(
        f"      - {{type: active, identifier: s{index}, duration: {length}, stimulus: {{from: clips, draw: random}}}}\n"
        for index in range(count))
    with open(f"{folder}/hour.yaml", "w") as file:
        file.write(
            "entrain: 1\nstudy: {identifier: hour, title: Hour, seed: 1}\nstimuli:\n  clips: {catalogue: clips.yaml}\n"
            f"tasks:\n  - identifier: T\n    steps:\n{steps}      - {{type: completion, identifier: end, title: End}}\n")
    return f"{folder}/hour.yaml"


def hour(options):
    def trial(sound, folder):
        out = folder + "/out"
        process = null_sink.run(
            sound, options.entrain, hour_study(folder, options.minutes, options.long), out, wait=False)
        began, cpu, memory = time.monotonic(), 0, []
        while process.poll() is None:
            try:
                with open(f"/proc/{process.pid}/stat") as file:
                    fields = file.read().rsplit(")")[1].split()
                cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
                with open(f"/proc/{process.pid}/status") as file:
                    memory += [int(line.split()[1]) for line in file if line.startswith("VmRSS")]
            except OSError:
                pass
            time.sleep(min(15, options.minutes * 6))
        errors = process.communicate()[1]
        seconds = time.monotonic() - began
        told = null_sink.stimuli(out)
        print(f"{seconds:.0f} s, {len(told)} clips: {100 * cpu / seconds:.2f} % of a core, {memory[1] / 1000:.1f} MB after the "
              f"first moments, {memory[-1] / 1000:.1f} MB at the end, {max(memory) / 1000:.1f} MB at most, underruns "
              f"{sum(clip['underruns'] for clip in told)}, status {process.returncode} {errors.strip()}, load "
              f"{os.getloadavg()[0]:.1f}")
    fresh(trial)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("what", nargs="?", choices=["onsets", "hour"], default="onsets")
parser.add_argument("--entrain", required=True)
parser.add_argument("--minutes", type=float, default=60)
parser.add_argument("--long", action="store_true")
options = parser.parse_args()
options.entrain = os.path.abspath(options.entrain)
{"onsets": onsets, "hour": hour}[options.what](options)
