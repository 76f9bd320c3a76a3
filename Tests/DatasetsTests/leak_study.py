"""A study with something of everything, in whose names and texts planted values stand: for leaks.py."""

import json
import os
import subprocess
import wave


class Planting:
    """Gives values for the places of a study, and notes where each went."""

    def __init__(self, maker, code):
        self.maker, self.code, self.kept = maker, code, {}

    def note(self, value, place):
        value.pattern, value.stays = f"study.yaml {place}", True
        return value.text

    def text(self, place, most=200):
        # Braces are places of a text, in which a study says what is filled in; the file takes no marks that hide or turn text.
        value = self.maker.text(self.code, lambda text: len(text) <= most and not set(text) & set("{}") and all(
            letter.isprintable() or letter in "\u200b\u00a0" for letter in text))
        return self.note(value, place)

    def name(self, place):
        """An identifier; the same for the same place."""
        while place not in self.kept or place == "session" and self.kept[place].isdigit():
            self.kept[place] = self.note(self.maker.identifier(self.code), place)
        return self.kept[place]


def clips(plant, folder):
    """A catalogue of two clips."""
    names = [plant.name("clip"), plant.name("other clip")]
    for number in range(2):
        with wave.open(os.path.join(folder, f"clip{number}.wav"), "wb") as sound:
            sound.setparams((1, 2, 8000, 0, "NONE", ""))
            sound.writeframes(bytes([number, 0] * 8000 * 4))
    return {"entrain": 1, "clips": [
        {"identifier": name, "file": f"clip{number}.wav", "title": plant.text("title of a clip"),
         "beats": {"tempo": "120 bpm", "first": "0.2 s"},
         "mood": plant.text("attribute of a clip"),
         plant.name("name of an attribute"): plant.text("attribute of a clip")}
        for number, name in enumerate(names)]}


def study(plant, number):
    """The study, as YAML reads it."""
    text, name = plant.text, plant.name
    heart = [{"type": "heartRate", "identifier": name("recorder"), "source": name("source")}]
    scale = {"scale": {"from": 1, "to": 7, "fromLabel": text("label of a scale"), "toLabel": text("label of a scale"),
                       "labels": {4: text("label of a scale")}}}
    choices = [{"value": text("value of a choice"), "text": text("text of a choice")} for _ in range(3)]
    day = plant.maker.day()
    plant.maker.add(Limit(day.isoformat())).pattern = "study.yaml limit of a date"
    asked = [
        {"type": "question", "identifier": "who", "title": text("title"), "text": text("text"), "answer": {"text": {}}},
        {"type": "question", "identifier": name("question"), "title": text("title"),
         "answer": {"number": {"unit": text("unit", 40), "min": 0, "max": 99}}},
        {"type": "question", "identifier": "born", "title": text("title"), "answer": {"date": {"min": day.isoformat(), "max": "2400-01-01"}}},
        {"type": "question", "identifier": "slept", "title": text("title"), "answer": {"timeOfDay": {}}},
        {"type": "question", "identifier": name("choice"), "title": text("title"),
         "answer": {"choice": choices + [{"value": "o", "text": text("text of a choice"), "other": True}], "order": "shuffle"}},
        {"type": "question", "identifier": "sorts", "title": text("title"), "answer": {"choices": choices}},
        {"type": "question", "identifier": "agree", "title": text("title"), "answer": {"boolean": {"yes": text("yes"), "no": text("no")}}},
        {"type": "question", "identifier": "level", "title": text("title"), "answer": scale}]
    timed = [
        {"type": "active", "identifier": "before", "title": text("title"), "duration": "9 s", "timer": {"start": "onConfirm"},
         "expected": {"model": "exercise", "effort": 0.3, "restingRate": 64, "maximumRate": 185, "band": "10 %"},
         "recorders": heart + [
             {"type": "rrIntervals", "identifier": "beats", "source": name("source")},
             {"type": "respiration", "identifier": "breath", "source": name("source")},
             {"type": "events", "identifier": "acts"}, {"type": "heartRate", "identifier": "wrist", "source": "wrist"},
             {"type": "ecg", "identifier": "ecg", "source": name("source")}, {"type": "breathing", "identifier": "belt", "source": name("source")}]},
        {"type": "block", "identifier": name("outer"), "forEach": "loads", "steps": [{
            "type": "block", "identifier": "inner", "forEach": "clips", "steps": [
                {"type": "active", "identifier": name("step"), "title": text("title"), "text": "{load}", "duration": "6 s",
                 "stimulus": {"from": "clips"},
                 "prompts": [{"identifier": name("prompt"), "title": text("title"), "first": "2 s", "timeLimit": "2 s", "answer": scale}],
                 "recorders": heart + [{"type": "stimulusPosition", "identifier": "place"}, {"type": "taps", "identifier": "taps"}]},
                {"type": "active", "identifier": "rate", "title": text("title"), "duration": "3 s",
                 "recorders": [{"type": "rating", "identifier": name("rating"), "rate": "2 /s", "scale": {
                     "name": name("dimension"), "from": 0, "to": 100, "fromLabel": text("label of a rating"),
                     "toLabel": text("label of a rating")}}]},
                {"type": "active", "identifier": "react", "title": text("title"), "duration": "2 s", "reaction": {
                    "keys": [{"key": "f", "value": name("value of a key"), "text": text("text of a key")},
                             {"key": "j", "value": "dark", "text": text("text of a key")}]}},
                {"type": "question", "identifier": "mood", "title": text("title"), "answer": scale}]}]}]
    return {
        "entrain": 1, "study": {"identifier": name("study"), "title": text("title of the study"), "seed": 7 + number, "resume": {"within": "24 h"}},
        "sessions": [{"identifier": name("session"), "title": text("title of a session")},
                     {"identifier": "week1", "after": {"session": name("session"), "days": 7}}],
        "sources": {name("source"): {"type": "simulated", "restingRate": 64},
                    "wrist": {"type": "simulated", "restingRate": 90, "dropouts": 0.2}},
        "stimuli": {"clips": {"catalogue": "clips.yaml"}},
        "conditions": {"loads": {"rows": [{"identifier": name("light"), "load": text("value of a condition")},
                                          {"identifier": "heavy", "load": text("value of a condition")}]}},
        "arms": [{"identifier": name("arm"), "title": text("title of an arm")},
                 {"identifier": name("other arm"), "title": text("title of an arm")}],
        "tasks": [{
            "identifier": name("task"), "scores": {name("score"): {"sum": ["mood"]}},
            "steps": [{"type": "consent", "identifier": "agreed", "title": text("title"), "document": text("document"),
                       "signature": "typed"}]
            + asked + timed + [{"type": "completion", "identifier": "done", "title": text("title"), "reason": name("reason")}]}]}


class Limit:
    """A day that the study names as a limit."""

    def __init__(self, day):
        self.text, self.kind, self.promised, self.token, self.code, self.cores = day, "day %Y-%m-%d", True, None, None, [day]
        self.stays = True


def rehearse(entrain, plant, folder, number, code):
    """Runs of one such study."""
    place = os.path.join(folder, f"study{number}")
    os.mkdir(place)
    for file, content in {"clips.yaml": clips(plant, place), "study.yaml": study(plant, number)}.items():
        with open(os.path.join(place, file), "w", encoding="utf-8") as opened:
            opened.write(f"# {plant.text('comment')!r}\n" + json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    runs = os.path.join(place, "runs")
    done = subprocess.run([entrain, "rehearse", os.path.join(place, "study.yaml"), "--participant", code, "--out", runs],
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"no rehearsal: {done.stdout[-600:]}{done.stderr[-1500:]}")
    return sorted(os.path.join(runs, name) for name in os.listdir(runs) if len(name) == 36)
