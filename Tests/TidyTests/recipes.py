"""Follows recipes of the architecture page with toys: each must build, work, and change no more than the stated files.

usage: python3 Tests/TidyTests/recipes.py [step question]
In a copy, whose build folder is kept in .build/recipes for the next time: about 6 min at first.
"""
import os
import shutil
import subprocess
import sys

from tree import HOME, copy

COPY = os.path.join(HOME, ".build/recipes")

# What is replaced by what, file by file; and a study that uses the toy, with words that the program must say of it.
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
    }, "{type: toy, identifier: t, title: Toy}", "A toy is looked at."),
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
    }, "{type: question, identifier: t, title: Toy?, answer: {stars: 5}}", "a whole number from 1 to 5"),
}


def run(*words, folder=COPY):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True)


def follow(name):
    edits, step, words = RECIPES[name]
    copy(COPY)
    for file, replacements in edits.items():
        path = os.path.join(COPY, "Sources", file)
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
        file.write(f"entrain: 1\nstudy: {{identifier: toy, title: Toy, seed: 1}}\ntasks:\n  - identifier: t\n    steps:\n"
                   f"      - {step}\n      - {{type: completion, identifier: end, title: End}}\n")
    shutil.rmtree(f"{COPY}/.build/toys", ignore_errors=True)
    for command in (["check", study], ["rehearse", study, "--out", f"{COPY}/.build/toys"], ["protocol", study, "--out", f"{COPY}/.build/toys/toy.html"],
                    ["schema"]):
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
