import Physiology
import Results
import StudyEngine
import StudyModel
import TextFormat

/// The summary of many rehearsals: balance, durations, and the data to expect.
struct Tally: Sendable {
    let study: Study
    let task: Study.Task
    let seed: UInt64
    /// The number of the session.
    let session: Int
    private(set) var participants = 0
    /// Seconds.
    private(set) var durations: [Double] = []
    /// Clip → how often it was played at each place among the clips of a run, from the first.
    private(set) var places: [String: [Int]] = [:]
    /// Recorder kind → files and seconds of recording.
    private(set) var recordings: [String: (files: Int, seconds: Double)] = [:]
    /// Name → number of participants; includes ends of the study that nobody reached.
    private(set) var outcomes: [String: Int]
    private(set) var ways: WayCounts
    /// Participants by arm, if the study has arms.
    private(set) var arms: [String: Int] = [:]

    init(study: Study, task: Study.Task, seed: UInt64, session: Int) {
        (self.study, self.task, self.seed, self.session) = (study, task, seed, session)
        outcomes = Dictionary(task.steps.compactMap(\.nameOfEnd).map { ($0, 0) }) { first, _ in first }
        ways = WayCounts(of: task)
    }

    mutating func add(_ rehearsal: Rehearsal) {
        participants += 1
        if let arm = rehearsal.plan.arm { arms[arm.text, default: 0] += 1 }
        durations.append(rehearsal.end.offset.seconds)
        outcomes[rehearsal.outcome?.rawValue ?? "stands still", default: 0] += 1
        ways.add(rehearsal.ways)
        var place = 0
        var begun: [RecorderKey: (kind: String, at: RunInstant)] = [:]
        for case (.effect(let effect), _) in rehearsal.transcript {
            switch effect {
            case .play(let drawn, _, _, _, .zero):
                let clip = drawn.stimulus.identifier.text
                var counts = places[clip] ?? []
                while counts.count <= place { counts.append(0) }
                counts[place] += 1
                places[clip] = counts
                place += 1
            case .record(let key, let configuration, let start):
                begun[key] = (configuration.signal.name, start)
            case .stopRecording(let key, let end, _):
                guard let (kind, start) = begun[key] else { continue }
                let known = recordings[kind] ?? (0, 0)
                recordings[kind] = (known.files + 1, known.seconds + start.duration(to: end).seconds)
            case .play, .show, .wake, .stopPlaying, .cue, .allocate, .deliver, .end: continue
            }
        }
    }

    mutating func add(_ other: Tally) {
        participants += other.participants
        durations += other.durations
        outcomes.merge(other.outcomes, uniquingKeysWith: +)
        ways.add(other.ways)
        arms.merge(other.arms, uniquingKeysWith: +)
        recordings.merge(other.recordings) { ($0.files + $1.files, $0.seconds + $1.seconds) }
        places.merge(other.places) { left, right in
            (0..<max(left.count, right.count)).map { place in
                (place < left.count ? left[place] : 0) + (place < right.count ? right[place] : 0)
            }
        }
    }

    var text: String {
        var lines = [
            "\(study.identifier) \(study.revision), task \(task.identifier)\(sessionWords), seed \(seed): "
                + counted(participants, "participant")
        ]
        if !arms.isEmpty { lines.append("arms: \(armWords)") }
        if let shortest, let longest, let middle = median(durations) {
            lines.append(
                "duration: \(seconds(shortest)) to \(seconds(longest)), median \(seconds(middle))\(thinkingWords)"
            )
        }
        lines.append("ended: \(endWords)")
        return (lines + contents).joined(separator: "\n") + "\n"
    }

    /// Several sessions, or tasks, of the same participants: one table, and then what each task has.
    static func text(of tallies: [Tally]) -> String {
        guard let first = tallies.first, tallies.count > 1 else { return tallies.first?.text ?? "" }
        let study = first.study
        let rows = tallies.map { tally in
            [
                tally.sessionName, tally.task.identifier.text, "\(tally.participants)",
                seconds(tally.shortest ?? 0), seconds(median(tally.durations) ?? 0),
                seconds(tally.longest ?? 0), tally.endWords,
            ]
        }
        var lines = [
            "\(study.identifier) \(study.revision), seed \(first.seed): \(counted(tallies.count, "session"))\(first.thinkingWords)"
        ]
        if !first.arms.isEmpty { lines.append("arms: \(first.armWords)") }
        let head = ["session", "task", "participants", "shortest", "median", "longest", "ended"]
        lines += aligned([head] + rows)
        for task in study.tasks {
            var own = tallies.filter { $0.task.identifier == task.identifier }[...]
            guard var all = own.popFirst() else { continue }
            for tally in own { all.add(tally) }
            guard !all.contents.isEmpty else { continue }
            lines.append("task \(task.identifier), all sessions:")
            lines += all.contents
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var shortest: Double? { durations.min() }
    private var longest: Double? { durations.max() }

    /// The session's name or number, if there can be several.
    private var sessionWords: String {
        study.sessions.isEmpty && session == 1 ? "" : ", session \(sessionName)"
    }

    private var sessionName: String {
        study.session(numbered: session)?.identifier.text ?? "\(session)"
    }

    /// Simulated participants read, but they do not think about their answers.
    private var thinkingWords: String {
        let asks = study.tasks.contains { $0.allSteps.contains { !$0.facts.asked.isEmpty } }
        return asks ? ", without the time that people think about answers" : ""
    }

    private var armWords: String {
        study.arms.map(\.identifier.text).compactMap { arm in
            arms[arm].map { "\($0) in \(arm)" }
        }.joined(separator: ", ")
    }

    private var endWords: String {
        let ends = outcomes.sorted { ($0.value == 0 ? 1 : 0, $0.key) < ($1.value == 0 ? 1 : 0, $1.key) }
        return ends.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    /// The ways that were taken, the clips and the data.
    private var contents: [String] {
        var lines = ways.lines
        if !places.isEmpty {
            lines.append("clips, by their place in the run:")
            let width = places.keys.map(\.count).max() ?? 0
            for (clip, counts) in places.sorted(by: { $0.key < $1.key }) {
                let numbers = counts.map { padded("\($0)", to: 6, isRight: true) }
                lines.append("  \(padded(clip, to: width))  " + numbers.joined(separator: " "))
            }
        }
        for (kind, data) in recordings.sorted(by: { $0.key < $1.key }) {
            lines.append("data: \(counted(data.files, "file")) of \(kind), \(seconds(data.seconds)) in all")
        }
        return lines
    }

    var json: JSON {
        .members([
            "arms": arms.isEmpty ? nil : .members(arms.mapValues { .integer($0) }),
            "session": .integer(session),
            "study": .text(study.identifier.text), "task": .text(task.identifier.text),
            "seed": .text("\(seed)"),
            "participants": .integer(participants),
            "duration": [
                "minimum": .real(durations.min() ?? 0), "median": .real(median(durations) ?? 0),
                "maximum": .real(durations.max() ?? 0),
            ],
            "outcomes": .members(outcomes.mapValues { .integer($0) }),
            "ways": ways.json,
            "places": .members(places.mapValues { .list($0.map { .integer($0) }) }),
            "recordings": .members(
                recordings.mapValues { ["files": .integer($0.files), "seconds": .real($0.seconds)] }),
        ])
    }
}

extension Step {
    /// The name of a run that ends here, if it can.
    fileprivate var nameOfEnd: String? {
        if case .task(let reason) = facts.end { return reason?.text ?? FinishReason.completed.rawValue }
        return consent == nil ? nil : FinishReason.declined.rawValue
    }
}
