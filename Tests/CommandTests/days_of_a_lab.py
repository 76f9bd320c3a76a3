#!/usr/bin/env python3
"""Plays a laboratory: three days of three arms for many participants, with drop-outs, late visits and kills.

The script keeps a list of its own of who came when. It compares this list, person by person, with what 'entrain' says:
refusals, 'study status', 'next', the calendar, 'deviations', the tables, and the flow diagram of the report.

    days_of_a_lab.py .build/debug/entrain [PARTICIPANTS [SEED]]

The clock of each run is set by a small library that is loaded into it; it needs a C compiler. The calendar is read with
the Python library 'icalendar' if that is installed, and by its lines in any case.
"""

import datetime as dt
import html
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zoneinfo

CLOCK = r"""
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <sys/syscall.h>
static long shift(void) {
    static long known = 0; static int is_known = 0;
    if (!is_known) {
        struct timespec now; syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
        const char *text = getenv("LAB_CLOCK");
        known = text ? atol(text) - now.tv_sec : 0; is_known = 1;
    }
    return known;
}
int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += shift();
    return result;
}
time_t time(time_t *out) {
    struct timespec now; clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    struct timespec now; clock_gettime(CLOCK_REALTIME, &now);
    out->tv_sec = now.tv_sec; out->tv_usec = now.tv_nsec / 1000;
    return 0;
}
"""

STUDY = """
entrain: 1
study: {identifier: lab-days, title: Days of a lab, seed: 20260323}
arms: [music, words, quiet]
sessions:
  - {identifier: baseline, title: First day, task: First, between: ["09:00", "20:00"]}
  - {identifier: week1, title: "After a week; at home, or here", task: Second, after: {session: baseline, days: [6, 8]}, between: ["16:00", "20:00"]}
  - {identifier: month1, task: Second, after: {session: week1, days: 21}, between: ["09:00", "12:00"]}
tasks:
  - identifier: First
    steps:
      - {type: question, identifier: adult, title: Adult, answer: {boolean: {}}, goTo: {answer: adult, is: ne, value: true, target: young}}
      - {type: question, identifier: mood, title: Mood, answer: {number: {min: 0, max: 10}}}
      - {type: completion, identifier: done, title: Done}
      - {type: completion, identifier: young, title: Too young, reason: screenedOut}
  - identifier: Second
    steps:
      - {type: question, identifier: adult, title: Adult, answer: {boolean: {}}}
      - {type: question, identifier: mood, title: Mood, answer: {number: {min: 0, max: 10}}}
      - {type: completion, identifier: done, title: Done}
"""
ARMS = ["music", "words", "quiet"]
NAMES = ["baseline", "week1", "month1"]
ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
WINDOWS = {"baseline": None, "week1": ("baseline", 6, 8), "month1": ("week1", 21, 21)}
TIMES = {"baseline": ("09:00", "20:00"), "week1": ("16:00", "20:00"), "month1": ("09:00", "12:00")}
FATES = ["steady", "steady", "steady", "screened", "gone", "gone later", "late", "early", "wrong hour", "killed",
         "killed and gone", "wrong arm", "out of turn", "late and gone", "withdrawn"]


class Person:
    def __init__(self, number, fate, first):
        self.code, self.fate = f"P{number:02}", fate
        self.arm = ARMS[(number - 1) % 3]
        self.first = first
        self.done = {}      # name -> day
        self.broken = set() # names with runs of which none was completed
        self.end = None
        self.runs = []      # (name, day since the first, status, deviation, repeat)

    def window(self, name):
        if WINDOWS[name] is None:
            return None
        earlier, low, high = WINDOWS[name]
        if earlier not in self.done:
            return "unknown"
        return tuple(self.done[earlier] + dt.timedelta(days=days) for days in (low, high))

    def state(self, name, today):
        if name in self.done:
            return "done"
        if self.end == "screenedOut" and name == "baseline":
            return "screenedOut"
        window = self.window(name)
        if window == "unknown":
            return "incomplete" if name in self.broken else "waiting"
        if window and today > window[1]:
            return "overdue"
        if name in self.broken:
            return "incomplete"
        return "upcoming" if window and today < window[0] else "due"

    def next(self, today):
        if self.end:
            return None
        ranked = []
        for place, name in enumerate(NAMES):
            state, window = self.state(name, today), self.window(name)
            if state == "done" or window == "unknown":
                continue
            rank = 0
            if window:
                rank = 1 if today < window[0] else 2 if today > window[1] else 0
            ranked.append((rank, window[0] if window else dt.date.min, place, name))
        return min(ranked)[3] if ranked else None


class Lab:
    def __init__(self, program, folder):
        self.program, self.folder, self.failures, self.checks = os.path.abspath(program), folder, [], 0
        source, self.clock = f"{folder}/clock.c", f"{folder}/clock.so"
        with open(source, "w") as file:
            file.write(CLOCK)
        subprocess.run([shutil.which("cc") or "clang", "-shared", "-fPIC", "-O1", "-o", self.clock, source], check=True)
        with open(f"{folder}/study.yaml", "w") as file:
            file.write(STUDY)

    def environment(self, now):
        return {**os.environ, "LD_PRELOAD": self.clock, "LAB_CLOCK": str(int(now.timestamp())), "TZ": "Europe/Berlin"}

    def call(self, now, *arguments, keys=""):
        done = subprocess.run(
            [self.program, *arguments], input=keys, capture_output=True, text=True, cwd=self.folder,
            env=self.environment(now))
        return done.returncode, done.stdout, done.stderr

    def run(self, now, person, *options, keys="y\n5\n\n\n"):
        return self.call(now, "run", "study.yaml", "--plain", "--out", "results", "--participant", person.code, *options,
                         keys=keys)

    def kill(self, now, person, *options):
        """A run that is killed when the second question is shown."""
        child = subprocess.Popen(
            [self.program, "run", "study.yaml", "--plain", "--out", "results", "--participant", person.code, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder, text=True,
            env=self.environment(now))
        child.stdin.write("y\n")
        child.stdin.flush()
        for line in child.stdout:
            if "Mood" in line:
                break
        child.send_signal(signal.SIGKILL)
        child.communicate()

    def expect(self, what, found, wanted):
        self.checks += 1
        if found != wanted:
            self.failures.append(f"{what}: found {found!r}, wanted {wanted!r}")

    def refused(self, now, person, words, *options):
        code, _, errors = self.run(now, person, *options)
        self.expect(f"{person.code} refused", (code, words in errors), (65, True))
        if words not in errors:
            self.failures.append(errors)

    def held(self, now, person, name, *options, keys="y\n5\n\n\n", status="completed", deviation=None, repeat=None):
        code, _, errors = self.run(now, person, *options, keys=keys)
        self.expect(f"{person.code} {name} at {now}: {errors}", code, 0)
        self.note(now, person, name, status, deviation, repeat)

    def note(self, now, person, name, status, deviation=None, repeat=None):
        today = now.date()
        day = (today - min(person.done.values())).days if person.done else 0
        person.runs.append((name, day, status, deviation, repeat))
        if status == "completed":
            person.done[name] = today
            person.broken.discard(name)
        elif status == "screenedOut":
            person.end = status
        else:
            person.broken.add(name)


def at(day, time):
    hour, minute = map(int, time.split(":"))
    return dt.datetime(day.year, day.month, day.day, hour, minute, 7, tzinfo=ZONE)


def visits(lab, person, chance):
    """What happens to a person, as (moment, action) in their own order."""
    fate, days = person.fate, lambda count: dt.timedelta(days=count)
    arm = ["--arm", person.arm]
    first = at(person.first, chance.choice(["09:00", "10:30", "20:00"]))
    if fate == "screened":
        yield first, lambda now: lab.held(now, person, "baseline", *arm, keys="n\n\n\n", status="screenedOut")
        yield first + days(7), lambda now: lab.refused(now, person, "screenedOut", "--session", "week1")
        return
    if fate == "killed":
        yield first, lambda now: (lab.kill(now, person, *arm), lab.note(now, person, "baseline", "failed"))
        first += days(1)
        yield first, lambda now: lab.held(
            now, person, "baseline", *arm, "--repeat", "it was killed", repeat="it was killed")
    else:
        yield first, lambda now: lab.held(now, person, "baseline", *arm)
    if fate == "gone":
        return
    base = first.date()
    second = base + days(chance.choice([6, 7, 8]))
    if fate == "out of turn":
        yield at(base + days(4), "10:00"), lambda now: lab.refused(
            now, person, "has not completed", "--session", "3")
    if fate == "early":
        yield at(base + days(5), "17:00"), lambda now: lab.refused(now, person, "too early")
    if fate == "wrong hour":
        yield at(second, "15:59"), lambda now: lab.refused(now, person, "wrong time of the day")
    if fate == "wrong arm":
        other = ARMS[(ARMS.index(person.arm) + 1) % 3]
        yield at(second, "16:00"), lambda now: lab.refused(now, person, "has the arm", "--arm", other)
    if fate in ("late", "late and gone"):
        second = base + days(10)
        yield at(second, "17:00"), lambda now: lab.refused(now, person, "too late")
        if fate == "late and gone":
            return
        yield at(second, "17:10"), lambda now: lab.held(
            now, person, "week1", "--deviation", "was ill", deviation="was ill")
    elif fate == "killed and gone":
        yield at(second, "18:00"), lambda now: (lab.kill(now, person), lab.note(now, person, "week1", "failed"))
        return
    else:
        yield at(second, chance.choice(["16:01", "18:00", "20:00"])), lambda now: lab.held(now, person, "week1")
    if fate == "gone later":
        return
    third = second + days(21)
    yield at(third, chance.choice(["09:00", "12:00"])), lambda now: lab.held(now, person, "month1")
    if fate == "withdrawn":
        def withdraw(now):
            code, _, errors = lab.call(now, "withdraw", "results", "--participant", person.code, "--yes")
            lab.expect(f"{person.code} withdraws: {errors}", code, 0)
            person.end = "withdrawn"
        yield at(third, "13:00"), withdraw


def compare(lab, people, now):
    """What 'status' and 'next' say of everybody, beside the list."""
    today = now.date()
    lab.call(now, "recover", "results")
    code, text, errors = lab.call(now, "study", "status", "results", "--format", "json")
    lab.expect(f"status {errors}", code, 0)
    study = json.loads(text)["studies"][0]
    told = {schedule["participant"]: schedule for schedule in study["schedules"]}
    listed = [person for person in people if person.runs and person.end != "withdrawn"]
    lab.expect("who took part", sorted(told), sorted(person.code for person in listed))
    lab.expect("completed", study["completed"], sum(len(person.done) for person in listed))
    lab.expect("excluded", study["excluded"], sum(person.end == "screenedOut" for person in listed))
    lab.expect("incomplete", study["incomplete"], sum(len(person.broken) for person in listed))
    lab.expect("arms", study["arms"],
               {arm: count for arm in ARMS if (count := sum(person.arm == arm for person in listed))})
    for person in listed:
        check_schedule(lab, person, told.get(person.code), today)
        code, text, _ = lab.call(now, "next", "results", "--participant", person.code, "--format", "json")
        lab.expect(f"{person.code} next", code, 0)
        check_schedule(lab, person, json.loads(text)["studies"][0]["participants"][0], today)


def check_schedule(lab, person, schedule, today):
    who = f"{person.code} ({person.fate}) on {today}"
    if schedule is None:
        lab.failures.append(f"{who}: not told")
        return
    lab.expect(f"{who} end", schedule.get("end"), person.end)
    lab.expect(f"{who} arm", schedule.get("arm"), person.arm)
    lab.expect(f"{who} next", schedule.get("next"), person.next(today))
    for name, session in zip(NAMES, schedule["sessions"], strict=True):
        lab.expect(f"{who} {name}", session["state"], person.state(name, today))
        lab.expect(f"{who} {name} date", session.get("date"),
                   person.done[name].isoformat() if name in person.done else None)
        window = person.window(name)
        if window == "unknown":
            lab.expect(f"{who} {name} window", session.get("window"), None)
        else:
            days = {"firstDay": window[0].isoformat(), "lastDay": window[1].isoformat()} if window else {}
            wanted = {**days, "from": TIMES[name][0], "to": TIMES[name][1]}
            lab.expect(f"{who} {name} window", session.get("window"), wanted)


def check_calendar(lab, people, now):
    """The calendar holds the sessions to come, under names that stay."""
    texts = []
    for name in ("one.ics", "two.ics"):
        code, _, errors = lab.call(now, "next", "results", "--calendar", name)
        lab.expect(f"calendar {errors}", code, 0)
        with open(f"{lab.folder}/{name}", "rb") as file:
            texts.append(file.read())
    lab.expect("the calendar stays", *(re.sub(rb"DTSTAMP:\S+", b"", text) for text in texts))
    lines = texts[0].split(b"\r\n")
    lab.expect("lines", (lines[-1], max(map(len, lines)) <= 75, texts[0].count(b"\n")), (b"", True, len(lines) - 1))
    whole = texts[0].replace(b"\r\n ", b"").decode()
    events = [dict(line.split(":", 1) for line in event.splitlines() if ":" in line)
              for event in re.findall(r"BEGIN:VEVENT\r\n(.*?)END:VEVENT", whole, re.S)]
    wanted = {}
    titles = {"week1": "After a week\\; at home\\, or here", "month1": "month1"}
    for person in people:
        if not person.runs or person.end:
            continue
        for name in NAMES[1:]:
            window = person.window(name)
            if name in person.done or window == "unknown":
                continue
            if window[0] == window[1]:
                begin, end = (at(window[0], time).replace(second=0).astimezone(dt.UTC) for time in TIMES[name])
                span = (f"{begin:%Y%m%dT%H%M%SZ}", f"{end:%Y%m%dT%H%M%SZ}")
            else:
                span = (f"{window[0]:%Y%m%d}", f"{window[1] + dt.timedelta(days=1):%Y%m%d}")
            wanted[f"{person.code}: {titles[name]}"] = span
    found = {event["SUMMARY"]: (event.get("DTSTART") or event["DTSTART;VALUE=DATE"],
                                event.get("DTEND") or event["DTEND;VALUE=DATE"]) for event in events}
    lab.expect("calendar", found, wanted)
    lab.expect("names", len({event["UID"] for event in events}), len(events))
    try:
        import icalendar
    except ImportError:
        return f"{len(events)} entries, without the library icalendar"
    read = icalendar.Calendar.from_ical(texts[0])
    lab.expect("icalendar", (len(list(read.walk("VEVENT"))), read.errors), (len(events), []))
    lab.expect("icalendar titles", {str(event["SUMMARY"]) for event in read.walk("VEVENT")},
               {title.replace("\\", "") for title in wanted})
    return f"{len(events)} entries, read with icalendar {icalendar.__version__}"


def check_results(lab, people, now):
    """Deviations, tables and the flow diagram, at the end."""
    stayed = [person for person in people if person.end != "withdrawn" and person.runs]
    _, text, _ = lab.call(now, "deviations", "results", "--format", "json")
    kinds = {"stated": 3, "repeated": 4}
    found = sorted((entry["participant"], NAMES[entry["session"] - 1], reason["kind"], reason["text"])
                   for entry in json.loads(text)["deviations"] for reason in entry["deviations"])
    wanted = sorted((person.code, run[0], kind, run[place]) for person in stayed for run in person.runs
                    for kind, place in kinds.items() if run[place])
    lab.expect("deviations", found, wanted)
    code, _, errors = lab.call(now, "collate", "results", "--out", "dataset")
    lab.expect(f"collate {errors}", code, 0)
    rows = []
    for folder, _, files in os.walk(f"{lab.folder}/dataset/sessions"):
        for name in files:
            if name.endswith(".ndjson"):
                with open(f"{folder}/{name}") as file:
                    rows += [json.loads(line) for line in file]
    for person in stayed:
        found = sorted((row["start"], row["session_name"], row["session_day"], row["status"], row["deviation"],
                        row["repeat_reason"], row["arm"], row["session"])
                       for row in rows if row["participant"] == person.code)
        wanted = [(*run, person.arm, NAMES.index(run[0]) + 1) for run in person.runs]
        lab.expect(f"{person.code} table", [run[1:] for run in found], wanted)
    lab.expect("rows", len(rows), sum(len(person.runs) for person in stayed))
    code, _, errors = lab.call(now, "report", "dataset", "--out", "report.html")
    lab.expect(f"report {errors}", code, 0)
    with open(f"{lab.folder}/report.html") as file:
        page = html.unescape(file.read())
    chart = re.search(r"<figure>.*?</figure>", page, re.S).group()
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", chart)
    lab.expect("flow: all", texts[:1], [f"{len(stayed)} participants took part"])
    for name in NAMES:
        # A session of which nobody has a run is not told.
        counts = [f"{name}: {sum(name in person.done for person in stayed if person.arm == arm)} completed"
                  for arm in sorted(ARMS) if any(run[0] == name for person in stayed if person.arm == arm
                                                 for run in person.runs)]
        lab.expect(f"flow: {name}", [text for text in texts if text.startswith(f"{name}: ")], counts)
    for arm in ARMS:
        place = texts.index(f"Arm {arm}")
        lab.expect(f"flow: {arm}", texts[place + 1],
                   f"{sum(person.arm == arm for person in stayed)} participants")
    bundles = [name for name in os.listdir(f"{lab.folder}/results")
               if os.path.isfile(f"{lab.folder}/results/{name}/manifest.json")]
    for name in bundles:
        code, _, errors = lab.call(now, "verify", f"results/{name}")
        lab.expect(f"verify {name} {errors}", code, 0)
    # Nothing that these people did is an alarm, and no run is unknown.
    code, told, errors = lab.call(now, "study", "log", "results", "--format", "json")
    log, runs = json.loads(told), [name for name in os.listdir(f"{lab.folder}/results") if len(name) in (36, 44)]
    lab.expect(f"log {errors}", [code, log["log"]["began"], log["log"]["here"], log["unsaid"], log["unlogged"]],
               [0, len(runs), len(runs), [], []])
    return len(bundles)


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60
    chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(program, folder)
        # Summer time begins on 2026-03-29.
        begin = dt.date(2026, 3, 19)
        people = [Person(number, FATES[(number - 1) % len(FATES)], begin + dt.timedelta(days=chance.randrange(14)))
                  for number in range(1, count + 1)]
        chance.shuffle(fates := [person.fate for person in people])
        for person, fate in zip(people, fates):
            person.fate = fate
        # A lazy list of each person's own: the next visit is known when the last one is over.
        courses = [(person, visits(lab, person, chance)) for person in people]
        queue = []
        for number, (_, course) in enumerate(courses):
            moment, action = next(course)
            queue.append((moment, number, action))
        looks = [at(begin + dt.timedelta(days=days), time)
                 for days, time in [(5, "12:00"), (10, "03:00"), (14, "16:30"), (20, "23:59"), (33, "10:00")]]
        calendar = ""
        while queue:
            queue.sort(key=lambda entry: entry[:2])
            if looks and looks[0] < queue[0][0]:
                now = looks.pop(0)
                compare(lab, people, now)
                if len(looks) == 2:
                    calendar = check_calendar(lab, people, now)
                continue
            moment, number, action = queue.pop(0)
            action(moment)
            following = next(courses[number][1], None)
            if following:
                queue.append((following[0], number, following[1]))
        end = at(begin + dt.timedelta(days=70), "12:00")
        compare(lab, people, end)
        bundles = check_results(lab, people, end)
    print(f"{count} participants, {bundles} bundles, {lab.checks} comparisons; calendar: {calendar}")
    for failure in lab.failures[:40]:
        print("  " + failure)
    print("differs" if lab.failures else "agrees")
    sys.exit(1 if lab.failures else 0)


if __name__ == "__main__":
    main()
