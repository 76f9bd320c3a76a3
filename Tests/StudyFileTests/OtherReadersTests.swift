import Glibc
import StudyFile
import StudyTesting
import Testing

/// What PyYAML and readers of YAML 1.2 make of a study.
@Suite struct OtherReadersTests {
    /// Plain values that some program reads as something else than text, and many that none does.
    static let values: [String] = [
        "no", "No", "NO", "nO", "yes", "Yes", "YES", "yEs", "on", "On", "ON", "off", "OFF", "y", "n", "Y",
        "N", "true",
        "True", "TRUE", "tRue", "false", "FALSE", "1:30", "01:30", "1:60", "1:59:59", "190:20:30.15", "a:30",
        "-1:30", "1e3", "1E3", "1.5e3", "1.5e+3", "1.5E-3", "1e+3", ".5", "-.5", "+.5", "1.", "-1.", "+1",
        "-1", "--1",
        "+-1", "1_000", "1_0.5", "_1", "017", "-017", "0o17", "0O17", "018", "00", "0", "-0", "0x1F", "-0x1F",
        "0xfg",
        "0b101", "0b12", "1.2.3", "1 2", "0.1", "12345678901234567890", "0.12e3", ".inf", "-.INF", ".Inf",
        ".nan",
        ".NAN", "+.nan", "inf", "nan", ".", "..", "-", "+", "-a", "=", "==", "<", "<=", "~a", "nullx",
        "Nothing",
        "2026-05-31", "2026-5-31", "26-05-31", "2026-05-31T10:00:00Z", "2026-05-31 10:00:00",
        "2026-05-31 at ten",
        "2026-5-1 10:00:00.5", "2026-05", "2026-05-31-1", "30 s", "1.5 min", "-3 dB", "10 %", "P01", "e3",
        "1e", "1e3x",
        "0x", "0o", "0b", "0_7", "1__0", "5", "3.14", "007", "08.5", "1.e3", "1.e+3", "Fine", "Often",
        "Tired", "none",
    ].filter { $0 != "-" }

    @Test(.enabled(if: hasPyYAML, "PyYAML is not on this machine"))
    func `it warns of exactly the values that they read differently`() throws {
        let documents = Self.values.flatMap { value in
            [
                study("- {type: instruction, identifier: a, comment: \(value)}"),
                study("- type: instruction\n  identifier: a\n  title: \(value)\n  text: more"),
            ]
        }
        for (document, verdict) in zip(documents, try verdicts(documents)) {
            #expect(warns(document) == (verdict != "same"), "\(verdict): \(document)")
        }
    }

    @Test(.enabled(if: hasPyYAML, "PyYAML is not on this machine"))
    func `it warns of what PyYAML refuses, and of nothing that it reads`() throws {
        let documents = [
            "{type: instruction, identifier: a, title: 'Well?'}",
            "type: instruction\n  identifier: a\n  title: Well?",
            "type: instruction\n  identifier:\ta", "type: instruction\n  identifier: a\t",
            "type: instruction\t# one\n  identifier: a",
            "type: instruction # a\tb\n  identifier: a",
            "type: instruction\n  identifier: a\n  title: 'a\tb'",
            "type: instruction\n  identifier: a\n  title: |\n    a\tb",
            "type: instruction\n  identifier: a\n  title: a\tb",
            "type: instruction\n  identifier: a#\tb", "{type: instruction, identifier: a}\t",
        ].map { study("- " + $0) }
        for (document, verdict) in zip(documents, try verdicts(documents)) {
            #expect(warns(document) == (verdict != "same"), "\(verdict): \(document)")
        }
    }

    @Test(.enabled(if: hasPyYAML, "PyYAML is not on this machine"))
    func `every study that comes with the program is read the same by all`() throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
            separator: "/")
        let names = [
            "camera-pulse", "expected-workout", "fitness-check", "microphone", "mood-playlist",
            "music-crossover",
            "music-heart-rate",
        ]
        let documents = try names.map { try Fixture(path: "\(root)/Studies/\($0).yaml").text() }
        #expect(try verdicts(documents) == names.map { _ in "same" })
        #expect(!documents.contains(where: warns))
    }

    @Test(.enabled(if: hasPyYAML, "PyYAML is not on this machine"))
    func `a fixture without the warning is read the same`() throws {
        let documents = try Fixture.all("valid").map { try $0.text() }.filter { !warns($0) }
        #expect(documents.count > 50)
        for (document, verdict) in zip(documents, try verdicts(documents)) {
            #expect(
                verdict == "same" || verdict == "refused" && document.contains("?"), "\(verdict): \(document)"
            )
        }
    }

    @Test(arguments: [
        "{type: instruction, identifier: a, title: Well?}", "{type: instruction, identifier: a, title: a?b}",
    ])
    func `it says nothing of a question mark in brackets, which PyYAML refuses itself`(step: String) {
        #expect(parse(study("- " + step)).diagnostics.isEmpty)
    }

    @Test(arguments: [
        ("- {type: instruction,\n    identifier: a,\n1️⃣title: b}", true),
        ("- {type: instruction,\n    identifier: a,\n  title: b}", false),
        ("- type: instruction\n  identifier: a\n  title: 'more\n  1️⃣words'", true),
        ("- type: instruction\n  identifier: a\n  title: 'more\n   words'", false),
        ("- type: instruction\n  identifier: a\n  title: 'one\u{2028}two'", true),
        ("- type: instruction\n  identifier: a\n  skipIf: [\n#nothing\n   ]", false),
    ])
    func `it warns of lines that YAML 1.2 refuses`(steps: String, isWarned: Bool) {
        #expect(warns(study(steps.replacing("1️⃣", with: ""))) == isWarned)
    }

    @Test func `a value that means nothing anyway is a mistake, and no warning beside it`() {
        let found = parse(study("- {type: instruction, identifier: a, optional: yes}")).diagnostics
        #expect(found.map(\.code) == [.wrongType])
    }

    /// What a person does who follows the help to the letter.
    @Test(arguments: ["no", "1:30", "2026-05-31"])
    func `following the help ends the warning`(value: String) throws {
        let text = study("- {type: instruction, identifier: a, title: \(value)}")
        let warning = try #require(parse(text).diagnostics.first)
        #expect(warning.severity == .warning && warning.help?.hasPrefix("put quotes around") == true)
        #expect(parse(text.replacing(": \(value)}", with: ": \"\(value)\"}")).diagnostics.isEmpty)
    }

    @Test(arguments: [("1e2", "100"), ("-.5", "-0.5"), ("017", "17")])
    func `a number is told as it is to be written`(value: String, better: String) throws {
        let step = "- {type: question, identifier: q, answer: {continuous: {from: VALUE, to: 200}}}"
        let warning = try #require(parse(study(step.replacing("VALUE", with: value))).diagnostics.first)
        #expect(warning.help?.hasPrefix("write \(better);") == true)
        #expect(parse(study(step.replacing("VALUE", with: better))).diagnostics.isEmpty)
    }
}

private func warns(_ text: String) -> Bool { parse(text).diagnostics.contains { $0.code == .otherReaders } }

private let hasPyYAML = unsafe system("python3 -c 'import yaml' >/dev/null 2>&1") == 0

/// What the script beside this file says of each document.
private func verdicts(_ documents: [String]) throws -> [String] {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
        separator: "/")
    let path = "/tmp/other-readers-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    defer { unsafe unlink(path) }
    guard let file = unsafe fopen(path, "w") else { throw Fixture.Unreadable(path: path) }
    let bytes = Array(documents.joined(separator: "\0").utf8)
    unsafe fwrite(bytes, 1, bytes.count, file)
    unsafe fclose(file)
    guard let pipe = unsafe popen("python3 \(folder)/other_readers.py \(path)", "r") else {
        throw Fixture.Unreadable(path: path)
    }
    var output: [UInt8] = []
    var byte = unsafe getc(pipe)
    while byte != EOF {
        output.append(UInt8(truncatingIfNeeded: byte))
        byte = unsafe getc(pipe)
    }
    unsafe pclose(pipe)
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
}
