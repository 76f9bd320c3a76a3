"""Follows recipes of the architecture page with toys: each must build, work, and change no more than the stated files.

usage: python3 Tests/TidyTests/recipes.py [step question signal source export measure]
In a copy, whose build folder is kept in .build/recipes for the next time: about 6 min at first.
"""
import os
import shutil
import subprocess
import sys

from tree import HOME, copy

COPY = os.path.join(HOME, ".build/recipes")

# What is replaced by what, file by file (`None`: the text is a new file); what the study has besides its steps; its first step; and
# words that the program must say of the toy.
RECIPES = {
    "step": ({
        "StudyModel/Steps/Step.swift": [("        case review\n", "        case review\n        /// A toy.\n        case toy\n")],
        "StudyModel/Steps/StepFacts.swift": [(
            "        case .review:\n",
            "        case .toy:\n            StepFacts(name: \"toy\", sentences: [\"A toy is looked at.\"], end: .confirmation)\n        case .review:\n")],
        "StudyFile/Decoding/StepVariants.swift": [(
            "        .init(\n            word: \"review\",",
            "        .init(word: \"toy\", description: \"a toy\", fields: .of(leastTime)) { draft($0, kind: .toy) },\n"
            "        .init(\n            word: \"review\",")],
        "StudySession/Screen+Plan.swift": [("case .instruction, .allocation: self", "case .instruction, .allocation, .toy: self")],
    }, "", "{type: toy, identifier: t, title: Toy}", "A toy is looked at."),
    "question": ({
        "StudyModel/Answers/AnswerFormat.swift": [
            ("    /// Words; `pattern` is", "    /// Stars.\n    case stars(Int)\n    /// Words; `pattern` is"),
            ("    /// Words.\n    case text(String)\n", "    case stars(Int)\n    /// Words.\n    case text(String)\n"),
            ("number, text, date, timeOfDay\n", "number, text, date, timeOfDay, stars\n"),
            ("        case .continuous, .number: Traits()\n", "        case .continuous, .number, .stars: Traits()\n"),
            ("        case .text: .text\n", "        case .text: .text\n        case .stars: .stars\n"),
            ("        case (.text(let maximumLength", "        case (.stars(let most), .stars(let count)): (1...most).contains(count)\n"
             "        case (.text(let maximumLength"),
            ("(.scale, _), (.continuous, _), (.choice, _)", "(.stars, _), (.scale, _), (.continuous, _), (.choice, _)"),
            ("        case .text: .free\n", "        case .text: .free\n        case .stars(let most): .interval(from: 1, to: Double(most), isWhole: true)\n"),
            ("        case .number: .number(number)\n", "        case .number: .number(number)\n        case .stars: .stars(Int(number))\n"),
            (".choice, .choices, .boolean, .number, .text: nil", ".choice, .choices, .boolean, .number, .text, .stars: nil"),
            ("        case .scale(let value): [\"\\(value)\"]\n", "        case .scale(let value), .stars(let value): [\"\\(value)\"]\n"),
            ("        case .scale(let value): .number(Double(value))\n", "        case .scale(let value), .stars(let value): .number(Double(value))\n"),
        ],
        "StudyFile/Decoding/AnswerShape.swift": [(
            "        case .consent: nil\n",
            "        case .stars: Field(key, Kind<Int>.integer(1...9).map { .stars($0) }, \"Stars\", \"Stars.\", example: 5)\n"
            "        case .consent: nil\n")],
        "Results/Wire/AnswerShape.swift": [
            ("        case .number: (\"ORKNumeric", "        case .stars: (\"ORKNumericQuestionResult\", 5, \"numericAnswer\")\n        case .number: (\"ORKNumeric"),
            ("        case .boolean: [member: .boolean]\n",
             "        case .boolean: [member: .boolean]\n        case .stars: [member: .number(BundleLimits.number), \"unit\": .text]\n"),
            ("        case .scale: .whole\n", "        case .scale, .stars: .whole\n"),
            ("        case .scale(let value): [member: .integer(value)]\n", "        case .scale(let value), .stars(let value): [member: .integer(value)]\n"),
            ("        case .scale(let value): .integer(value)\n", "        case .scale(let value), .stars(let value): .integer(value)\n"),
            ("        case .scale: self =", "        case .stars: self = .stars(try payload.asInteger())\n        case .scale: self ="),
        ],
        "Terminal/Answering/AnswerReading.swift": [(
            "        case .number(let unit, _, _, let isWhole):",
            "        case .stars:\n            let number = try number(in: text, notation)\n"
            "            guard number == number.rounded(), accepts(.stars(Int(number))) else { throw range }\n"
            "            return .stars(Int(number))\n        case .number(let unit, _, _, let isWhole):")],
    }, "", "{type: question, identifier: t, title: Toy?, answer: {stars: 5}}", "a whole number from 1 to 5"),
    "signal": ({
        "StudyModel/Signals/Signal.swift": [
            ("[heartRate, rrIntervals, respiration, pulseWaveform]", "[heartRate, rrIntervals, respiration, toy, pulseWaveform]"),
            ("    /// What a camera sees of a fingertip.\n",
             "    /// A toy.\n    public static let toy = Signal(\n        name: \"toy\", meaning: \"how the toy spins\", quantity: \"spinning of the toy\",\n"
             "        unit: \"count/min\", channels: [\"rate\"],\n"
             "        form: .number(NumberForm(range: 0...120, keys: [\"toy\"], streamType: \"TOY\", simulated: 12...18)),\n"
             "        itemType: \"Toy\", table: \"numbers\", usualSource: \"toy\")\n\n    /// What a camera sees of a fingertip.\n"),
        ],
    }, "sources: {toy: {type: simulated}}\n", "{type: active, identifier: t, title: Toy, duration: 5 s, recorders: [{type: toy, identifier: toy}]}",
        "spinning of the toy"),
    "source": ({
        "StudyModel/Signals/SourceConfiguration.swift": [
            ("    case control(ControlDevice)\n}", "    case control(ControlDevice)\n    /// A toy.\n    case toy\n}"),
            ("video, joystick, midi\n", "video, joystick, midi, toy\n"),
            ("            case .bluetooth, .poll, .push", "            case .toy, .bluetooth, .poll, .push"),
            ("        case .lsl: .lsl\n", "        case .lsl: .lsl\n        case .toy: .toy\n"),
            ("        case .simulated, .bluetooth, .poll, .lsl,", "        case .toy, .simulated, .bluetooth, .poll, .lsl,"),
        ],
        "StudyFile/Sources/SourceKind.swift": [("joystick, midi]", "joystick, midi, toy]")],
        "StudyFile/Sources/SourceKind+Live.swift": [(
            "    /// A program that sends readings.\n",
            "    /// A toy.\n    static let toy = SourceKind(\n        variant: .init(word: \"toy\", description: \"a toy\", fields: []) { _ in .toy },\n"
            "        spellings: [Spelling(word: \"toy\", form: \"toy\", meaning: \"a toy\", examples: [\"toy\"], sample: .toy) { _ in .toy }])\n\n"
            "    /// A program that sends readings.\n")],
        "Signals/SourceConfiguration+Opening.swift": [
            ("        case .lsl(let stream): return",
             "        case .toy:\n            return SimulatedHeartSource(SimulatedSource(), random: setting.random, signals: setting.signals, person: nil)\n"
             "        case .lsl(let stream): return"),
            ("        case .simulated, .replay, .camera", "        case .toy, .simulated, .replay, .camera"),
        ],
        "Exports/Protocol/ProtocolPage+Materials.swift": [("        case .lsl(nil):", "        case .toy: \"a toy that beats\"\n        case .lsl(nil):")],
    }, "sources: {heartRate: {type: toy}}\n",
        "{type: active, identifier: t, title: Toy, duration: 5 s, recorders: [{type: heartRate, identifier: heartRate}]}", "a toy that beats"),
    "export": ({
        "Exports/Formats/ToyExport.swift": None,
        "Exports/Formats/ExportFormat.swift": [("        ROCrate.self,\n", "        ROCrate.self, ToyExport.self,\n")],
    }, "", "{type: instruction, identifier: t, title: Toy}", "Toy"),
    "measure": ({
        "StudyModel/Studies/Outcome.swift": [
            ("        case tapConsistency\n", "        case tapConsistency\n        /// A toy.\n        case toy\n"),
            ("        case .recovery: return", "        case .toy: return placed.map(\\.subject)\n        case .recovery: return"),
        ],
        "StudyModel/Studies/MeasureFacts.swift": [
            ("        case .recovery: .recovery\n", "        case .recovery: .recovery\n        case .toy: .toy\n"),
            ("    fileprivate static let tapRemedy",
             "    fileprivate static let toy = MeasureFacts(\n        description: \"a toy\", names: (\"Toys in\", \"toy in\"), absence: \"is no toy\", remedy: \"add a toy\",\n"
             "        sentence: \"It is the toy in %.\", simulation: .chance)\n\n    fileprivate static let tapRemedy"),
        ],
        "Analysing/OutcomeValue.swift": [("        case .recovery:\n", "        case .toy: return 1\n        case .recovery:\n")],
    }, "outcomes: {primary: {measure: toy, of: t}}\n", "{type: instruction, identifier: t, title: Toy}", "It is the toy in t."),
}

TOY_EXPORT = """import Datasets
import Results

struct ToyExport: ExportWriter {
    static let name = "toy"
    static let title = "Toy"

    let order: ExportOrder

    func write(_ run: ExportedRun, at index: Int, from bundle: ResultBundle) throws {
        try order.folder.write(run.source.result, to: "\\(run.source.run)/toy.json")
    }
}
"""


def run(*words, folder=COPY):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True)


def follow(name):
    edits, head, step, words = RECIPES[name]
    copy(COPY)
    for file, replacements in edits.items():
        path = os.path.join(COPY, "Sources", file)
        if replacements is None:
            with open(path, "w") as source:
                source.write(TOY_EXPORT)
            continue
        with open(path) as source:
            text = source.read()
        for old, new in replacements:
            if old not in text:
                return f"{file} has no longer: {old.strip()}"
            text = text.replace(old, new)
        with open(path, "w") as source:
            source.write(text)
    built = run("swift", "build", "--disable-default-traits", "--product", "entrain", "-Xswiftc", "-gnone")
    if built.returncode:
        lacking = sorted({line.split(":")[0] for line in built.stdout.splitlines() if ": error:" in line})
        return "more files must change: " + ", ".join(os.path.relpath(path, COPY) for path in lacking)
    entrain = os.path.join(run("swift", "build", "--disable-default-traits", "--show-bin-path", "-Xswiftc", "-gnone").stdout.strip(), "entrain")
    study = f"{COPY}/.build/toy.yaml"
    with open(study, "w") as file:
        file.write(f"entrain: 1\nstudy: {{identifier: toy, title: Toy, seed: 1}}\n{head}tasks:\n  - identifier: t\n    steps:\n"
                   f"      - {step}\n      - {{type: completion, identifier: end, title: End}}\n")
    shutil.rmtree(f"{COPY}/.build/toys", ignore_errors=True)
    for command in (["check", study], ["rehearse", study, "--out", f"{COPY}/.build/toys"], ["protocol", study, "--out", f"{COPY}/.build/toys/toy.html"],
                    ["schema"], ["export", f"{COPY}/.build/toys", "--to", "toy", "--out", f"{COPY}/.build/toys/exported", "--include-simulated"]):
        if command[0] == "export" and name != "export":
            continue
        done = run(entrain, *command)
        if done.returncode:
            return f"{' '.join(command)}: {done.stdout}{done.stderr}"
    with open(f"{COPY}/.build/toys/toy.html") as page:
        if words not in page.read():
            return f"the protocol page does not say: {words}"
    return None


def main():
    failures = 0
    for name in sys.argv[1:] or RECIPES:
        problem = follow(name)
        failures += problem is not None
        print(f"a {name}: {len(RECIPES[name][0])} files" + (f", NOT ENOUGH: {problem}" if problem else ""), flush=True)
    sys.exit(1 if failures else 0)


main()
