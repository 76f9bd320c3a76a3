import StudyFile
import StudyModel
import StudyTesting
import Testing

/// What a study, its tasks and their steps say about the sound.
@Suite struct TaskSoundTests {
    /// - Parameters:
    ///   - task: further keys of the first task.
    ///   - step: further keys of a step of the first task, in a block.
    private static func parsed(study: String = "", task: String = "", step: String = "") -> ParsedStudy {
        let text = """
            entrain: 1
            study: {identifier: s, title: S\(study)}
            tasks:
              - identifier: t\(task)
                steps:
                  - type: block
                    identifier: b
                    repeat: 2
                    steps: [{type: active, identifier: a, duration: 5 s\(step)}]
                  - {type: completion, identifier: c, title: C}
              - identifier: other
                steps: [{type: completion, identifier: c, title: C}]
            """
        return ParsedStudy(Array(text.utf8), named: "s.yaml", library: .sample)
    }

    private static let low = ", latency: low"

    @Test(arguments: [
        ("", "", "", [false, false]), (low, "", "", [true, true]),
        ("", "\n    latency: low", "", [true, false]),
        (low, "\n    latency: usual", "", [false, true]), ("", "", low, [true, false]),
        ("", "\n    latency: usual", low, [true, false]),
    ])
    func `a step's latency is that of its task, and a task's goes before the study's`(
        study: String, task: String, step: String, isLow: [Bool]
    ) {
        let parsed = Self.parsed(study: study, task: task, step: step)
        #expect(parsed.study?.tasks.map(\.isLatencyLow) == isLow)
        #expect(parsed.diagnostics.isEmpty)
    }

    @Test func `no step asks for the usual latency, because one latency is that of all`() {
        let found = Self.parsed(step: ", latency: usual").diagnostics
        #expect(found.count == 1 && found[0].severity == .error && found[0].help != nil)
    }

    @Test func `a task can do without the sound that the study needs`() {
        let parsed = Self.parsed(study: ", audio: required", task: "\n    audio: optional")
        #expect(parsed.study?.tasks.map(\.isAudioRequired) == [false, true])
    }
}
