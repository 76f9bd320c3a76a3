import StudyEngine
import StudyModel
import TextFormat

/// How many participants took each way that the rules of a task can lead, and how often in total.
struct WayCounts: Sendable {
    private let task: Study.Task
    private var counts: [Way: (participants: Int, times: Int)] = [:]

    init(of task: Study.Task) { self.task = task }

    /// Adds the ways of one participant.
    mutating func add(_ taken: [Way]) {
        for (way, times) in Dictionary(taken.map { ($0, 1) }, uniquingKeysWith: +) { add(way, 1, times) }
    }

    mutating func add(_ other: WayCounts) {
        for (way, count) in other.counts { add(way, count.participants, count.times) }
    }

    private mutating func add(_ way: Way, _ participants: Int, _ times: Int) {
        let known = counts[way] ?? (0, 0)
        counts[way] = (known.participants + participants, known.times + times)
    }

    /// A line for each way, including those that nobody took; empty if the task has no rules.
    var lines: [String] {
        let ways = task.ways
        guard !ways.isEmpty else { return [] }
        let names = ways.map { way, target in
            let path = way.path.dotted
            return "\(path): \(way.list)" + (way.list == .until ? "" : " \(way.rule + 1)")
                + (target.map { " to \($0.name)" } ?? "")
        }
        let width = names.map(\.count).max() ?? 0
        return ["ways taken, by rule:"]
            + zip(ways, names).map { way, name in
                let (participants, times) = counts[way.way] ?? (0, 0)
                return "  \(padded(name, to: width))  \(participants) "
                    + "participant\(participants == 1 ? "" : "s")"
                    + (times == participants ? "" : ", \(times) times")
            }
    }

    var json: JSON {
        .list(
            task.ways.map { way, target in
                let (participants, times) = counts[way] ?? (0, 0)
                return [
                    "step": .text(way.path.dotted),
                    "list": .text(way.list.rawValue), "rule": .integer(way.rule + 1),
                    "target": target.map { .text($0.name) } ?? .null,
                    "participants": .integer(participants), "times": .integer(times),
                ]
            })
    }
}

extension Navigation.Target {
    fileprivate var name: String {
        switch self {
        case .step(let step): step.text
        case .end: "end"
        }
    }
}
