import Exports
import Hashing
import Results
import StudyTesting
import Testing
import TextFormat

/// A day, a code, a UUID and a machine's name are put into every field that there is; nothing that leaves may have them.
@Suite struct LeakTests {
    let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: rich, title: Rich, seed: 1}
        sources: {heartRate: {type: simulated, restingRate: 64}}
        stimuli: {clips: {catalogue: Media/clips.yaml}}
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: rest
                duration: 10 s
                stimulus: {play: happy_preview_1}
                recorders:
                  - {type: heartRate, identifier: heartRate}
                  - {type: rrIntervals, identifier: beats}
                  - {type: respiration, identifier: breath, source: heartRate}
                  - {type: events, identifier: acts}
                  - {type: stimulusPosition, identifier: place}
              - {type: question, identifier: mood, title: Mood, answer: {text: {}}}
              - {type: question, identifier: age, title: Age, answer: {number: {unit: years}}}
              - {type: question, identifier: born, title: Born, answer: {date: {}}}
              - {type: question, identifier: slept, title: Slept, answer: {timeOfDay: {}}}
              - {type: question, identifier: sort, title: Sort, answer: {choice: [A, B]}}
              - {type: consent, identifier: agreed, title: Agreed, document: consent.md, signature: typed}
              - {type: completion, identifier: done, title: Done}
        """

    private static let poison = "P01-2026-01-01-0F0E0D0C-1111-4222-8333-944455556666-lab.example.org"
    private static let short = "P01-2026-01-01-lab.example.org"
    private static let secrets = [
        "p01", "2026-01-01", "20260101", "0f0e0d0c", "example.org", "17672580", "heart.lan",
    ]
    /// Without these nobody finds a file or reads a number.
    private static let kept: Set<String> = [
        "_class", "fileName", "contentType", "type", "startDate", "endDate", "taskRunUUID", "dateAnswer",
        "runUUID", "path", "sha256", "studySHA256", "meaningSHA256", "status", "task", "study",
    ]

    private func poisoned(_ value: JSON, _ key: String = "") -> JSON {
        switch value {
        // An identifier has 64 characters at most.
        case .text(let text) where key == "identifier" || key == "stimulus": return .text(text + Self.short)
        case .text(let text) where !Self.kept.contains(key): return .text(text + Self.poison)
        case .text, .integer, .real, .boolean, .null: return value
        case .list(let list): return .list(list.map { poisoned($0, key) })
        case .object(let object):
            var members = Dictionary(
                uniqueKeysWithValues: object.members.map { ($0.key, poisoned($0.value, $0.key)) })
            // Names of any kind: a member that is no name would be no bundle.
            guard !["sources", "lateness", "attributes"].contains(key) else { return .members(members) }
            members["secret"] = .text(Self.poison)
            members["secretTime"] = 1_767_258_000.5
            if members["sampleCount"] != nil {
                members["sourceInformation"] = [
                    "origin": 1_767_258_000.25, "sensorLocation": "heart.lan", "battery": 50,
                    "device": .text(Self.poison), "identifier": .text(Self.poison), "host": "heart.lan",
                    "model": .text(Self.poison), "firmware": "heart.lan", "nominalRate": 4,
                ]
                members["reason"] = .text(Self.poison)
            }
            if members["onsetOffset"] != nil { members["problem"] = .text("no sound on heart.lan") }
            return .members(members)
        }
    }

    private func json(_ path: String) throws -> JSON {
        try JSON(parsing: Array(Program.text(of: "\(program.folder.path)/\(path)").utf8))
    }

    /// Poisons a sealed bundle, and seals it again as anybody can.
    private func poison(_ bundle: String) throws {
        var sums: [String: (bytes: Int, sha256: String)] = [:]
        func replace(_ path: String) throws {
            let bytes = try poisoned(json("\(bundle)/\(path)")).encoded()
            _ = program.write(String(decoding: bytes, as: UTF8.self), "\(bundle)/\(path)")
            sums[path] = (bytes.count, SHA256.hexadecimal(of: bytes))
        }
        let files = try #require(try json("\(bundle)/manifest.json")["files"]?.list)
        for path in files.compactMap({ $0["path"]?.text })
        where path == "result.json" || (path.hasPrefix("steps/") && !path.hasSuffix("/result.json")) {
            try replace(path)
        }
        let manifest = try poisoned(json("\(bundle)/manifest.json"))
        var members = Dictionary(
            uniqueKeysWithValues: manifest.object?.members.map { ($0.key, $0.value) } ?? [])
        members["participant"] = "P01"
        members["files"] = .list(
            files.map { file in
                var entry = Dictionary(
                    uniqueKeysWithValues: file.object?.members.map { ($0.key, $0.value) } ?? [])
                if let sum = file["path"]?.text.flatMap({ sums[$0] }) {
                    (entry["bytes"], entry["sha256"]) = (.integer(sum.bytes), .text(sum.sha256))
                }
                if let step = entry["step"]?.text { entry["step"] = .text(step + Self.short) }
                return .members(entry)
            })
        _ = program.write(
            String(decoding: JSON.members(members).encoded(), as: UTF8.self), "\(bundle)/manifest.json")
        _ = program.lines(
            of: "cd \(bundle) && sha256sum $(cut -c 67- SHA256SUMS) >../sums; mv ../sums SHA256SUMS; true")
    }

    private func leaks(_ place: String) -> [String] {
        Self.secrets.flatMap { secret in
            program.lines(of: "grep -rial -- '\(secret)' \(place)").map { "\(secret) in \($0)" }
                + program.lines(of: "find \(place) | grep -i -- '\(secret)'").map {
                    "\(secret) in the name \($0)"
                }
                + program.lines(
                    of: "find \(place) -name '*.gz' -exec zcat {} + | grep -io -- '\(secret)' | head -1")
        }
    }

    private func prepare(_ count: Int = 2) {
        _ = program.lines(of: "cp -r \(Program.root)Media . ; echo Agree. >consent.md; true")
        _ = program.write(Self.study, "study.yaml")
        let rehearsal = program.run("rehearse study.yaml --participants \(count) --out bundles")
        #expect(rehearsal.code == 0, "\(rehearsal.output)\(rehearsal.errors)")
        _ = program.lines(of: "echo entrain | sha256sum > key; chmod 600 key; true")
    }

    private static let safely = "--include-simulated --pseudonymise key --shift-dates"

    @Test func `nothing that could tell who took part is in any byte of what leaves`() throws {
        prepare()
        for bundle in program.lines(of: "ls -d bundles/*") { try poison(bundle) }
        #expect(leaks("bundles").count > 10, "the test can see what it looks for")
        for format in ExportFormat.all.map(\.name) {
            let outcome = program.run("export bundles --to \(format) --out \(format) \(Self.safely)")
            #expect(outcome.code == 0, "\(format): \(outcome.output)\(outcome.errors)")
            #expect(leaks(format) == [], "\(format)")
        }
        let collation = program.run("collate bundles --out dataset --pseudonymise key --shift-dates")
        #expect(collation.code == 0, "\(collation.output)\(collation.errors)")
        #expect(leaks("dataset") == [])
        for source in ["bundles", "$(ls -d bundles/* | head -1)"] {
            let outcome = program.run("report \(source) --out page.html \(Self.safely)")
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(leaks("page.html") == [])
            _ = program.lines(of: "rm page.html")
        }
    }

    @Test func `every field that a bundle has is on the list of what becomes of it`() throws {
        prepare()
        for options in ["", "--pseudonymise key --shift-dates"] {
            let out = options.isEmpty ? "plain" : "safe"
            #expect(
                program.run("export bundles --to researchkit2 --out \(out) --include-simulated \(options)")
                    .code == 0)
        }
        let keys = { (folder: String) in
            Set(
                program.lines(
                    of: "jq -r '.. | objects | keys[]' \(folder)/*/result.json \(folder)/*/steps/*/*.json"))
        }
        #expect(keys("plain").subtracting(keys("safe")) == ["dateAnswer", "signatureDate", "timeZone"])
        #expect(keys("safe").isSubset(of: keys("plain")))
    }

    @Test func `a pseudonymised bundle has a manifest of its own, and gives the same answers`() throws {
        let study = Program.root + "Studies/music-crossover.yaml"
        #expect(program.run("rehearse \(study) --participants 8 --out bundles").code == 0)
        _ = program.lines(of: "echo entrain | sha256sum > key; chmod 600 key; true")
        #expect(program.run("export bundles --to ro-crate --out crate \(Self.safely)").code == 0)
        let verified = program.run("verify crate/runs/*")
        #expect(verified.code == 0, "\(verified.output)")
        #expect(verified.output.contains("whole, without the journal: it is pseudonymised"))
        #expect(program.run("show crate/runs/*").code == 0)
        let collated = program.run("collate crate/runs --out one")
        #expect(collated.code == 0 && collated.output.contains("no codebook of its study"))
        #expect(program.run("collate bundles --out two --pseudonymise key --shift-dates").code == 0)
        // Such a bundle has no study, and so no codebook, no outcomes, and no kinds of answers.
        let others = ["codebook/*", "outcomes/*", "answers/*", "promised.ndjson"].map {
            "-not -path './\($0)'"
        }.joined(separator: " ")
        let sums = "find . -name '*.ndjson' \(others) | xargs sha256sum | sort"
        let answers = "cat $(find answers -name '*.ndjson' | sort) | jq -c 'del(.kind)'"
        for command in [sums, answers] {
            let (one, two) = (
                program.lines(of: "cd one && \(command)"), program.lines(of: "cd two && \(command)")
            )
            #expect(one.count > 7 && one == two)
        }
        #expect(program.lines(of: "cat one/answers/*/*/*.ndjson | jq -c .kind | sort -u") == ["null"])
        let groups = { (source: String) -> [[Double]] in
            let said = program.run("analyse \(source) --include-simulated --format json").output
            let study = try JSON(parsing: Array(said.utf8))["studies"]?.list?.first
            return (study?["groups"]?.list ?? []).map { group in
                ["mean", "low", "high", "clips"].map { group[$0]?.number ?? .nan }
            }
        }
        let wanted = try groups("bundles")
        #expect(wanted.count == 13)
        for source in ["one", "two", "crate/runs"] {
            let found = try groups(source)
            #expect(found.count == wanted.count)
            for (one, other) in zip(found.joined(), wanted.joined()) { #expect(abs(one - other) < 1e-9) }
        }
        #expect(program.run("collate bundles --out two").code == 65, "a dataset is pseudonymised or not")
        #expect(
            program.run("collate bundles --out two --pseudonymise key --shift-dates").output.contains(
                "8 held"))
        _ = program.lines(of: "head -c 32 /dev/urandom > other; chmod 600 other")
        #expect(program.run("collate bundles --out two --pseudonymise other --shift-dates").code == 65)
        _ = program.lines(of: "sed -i s/count.min/count-min/ $(ls crate/runs/*/steps/*/HK* | head -1); true")
        #expect(program.run("verify crate/runs/*").code == 65)
    }
}
