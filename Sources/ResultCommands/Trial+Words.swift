import Results
import StudyModel
import TextFormat

extension StepResult.Trial {
    /// The line for people about one trial.
    fileprivate var line: String {
        let words = [
            track.map { "track \($0)" }, "rung \(rung)", plainNumber(value), isRight ? "right" : "wrong",
            isReversal ? "reversal" : nil, isAtEnd ? "at the end of the ladder" : nil,
        ]
        return "trial: " + words.compactMap(\.self).joined(separator: ", ")
    }

    /// The trial for programs.
    var json: JSON {
        .members([
            "atEnd": .boolean(isAtEnd), "reversal": .boolean(isReversal), "right": .boolean(isRight),
            "rung": .integer(rung), "track": track.map { .text($0.text) }, "value": .real(value),
        ])
    }
}

extension ResultBundle.Visit {
    /// The line about its trial; empty if it is none.
    var trialLines: [String] { trial.map { [$0.line] } ?? [] }
}

extension [ResultBundle.Visit] {
    /// A line about each track of each staircase. A track that stood at an end of the ladder has no threshold there.
    var staircaseLines: [String] {
        let replaced = ResultBundle.Visit.replaced(in: self)
        var lines: [String] = []
        var trials: [String: [StepResult.Trial]] = [:]
        var names: [String] = []
        for visit in self where !replaced.contains(visit.ordinal) {
            guard let trial = visit.trial else { continue }
            let name = visit.path + (trial.track.map { ", track \($0)" } ?? "")
            if trials[name] == nil { names.append(name) }
            trials[name, default: []].append(trial)
        }
        for name in names {
            let own = trials[name, default: []]
            let ends = own.count(where: \.isAtEnd)
            lines.append(
                "staircase \(name): \(counted(own.count, "trial")), \(counted(own.count(where: \.isReversal), "reversal"))"
                    + (ends == 0 ? "" : ", at the end of the ladder in \(ends) of \(own.count) trials"))
        }
        return lines
    }
}
