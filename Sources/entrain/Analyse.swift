import ArgumentParser
import Datasets
import Results
import StudyEngine

struct Analyse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says whether clips changed the heart rate, by how much, and how sure that is.",
        discussion: """
            For each clip: the mean heart rate from 5 s after its onset to its end, minus that of the rest before it, \
            both weighted by time. Over participants, each with the mean of their clips: the difference with its 95 % \
            interval, Cohen's dz, and p by flipping signs (all flips up to 16 participants, 99999 drawn ones above). \
            What was left out is counted and named.
            """)

    @Argument(help: "Datasets, bundles, or folders with bundles.", completion: .directory)
    var paths: [String]

    @Option(help: "The seed of the sign flips.")
    var seed: UInt64 = 1

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func run() async throws {
        let analysis = try await reporting {
            var random = SplitMix64(seed: seed)
            return try await Analysis(of: paths, using: &random)
        }
        switch format {
        case .json: Output.say(String(decoding: analysis.json(seed: seed).encoded(), as: UTF8.self))
        case .text: Output.emit(analysis.text)
        }
        if !analysis.damaged.isEmpty { throw ExitCode.badData }
    }
}

extension Analysis {
    fileprivate var text: String {
        var lines = studies.flatMap(\.lines)
        if studies.isEmpty { lines.append("There is nothing to analyse.") }
        lines += damaged.map { "damaged, nothing taken: \(printable($0.path)): \(printable($0.reason))" }
        return lines.joined(separator: "\n") + "\n"
    }

    fileprivate func json(seed: UInt64) -> JSON {
        [
            "seed": .text("\(seed)"), "studies": .list(studies.map(\.json)),
            "damaged": .list(damaged.map { ["path": .text($0.path), "reason": .text($0.reason)] }),
        ]
    }
}

extension StudyResponse {
    fileprivate var lines: [String] {
        let left = exclusions.count
        var lines = [
            "\(study): \(sessions) sessions of \(participants) participants, \(responses.count) clips analysed, "
                + "\(left) left out"
        ]
        for exclusion in exclusions {
            lines.append(
                "  left out: \(printable(exclusion.participant)) \(exclusion.clip): \(exclusion.reason.rawValue)"
            )
        }
        let heads = groups.map(\.title)
        let width = heads.map(\.count).max() ?? 0
        lines.append(
            padded("heart rate, clip minus rest, per minute", to: max(width, 40)) + "   n   mean"
                + "  95 % interval        dz  p")
        for (group, head) in zip(groups, heads) {
            lines.append(padded(head, to: max(width, 40)) + group.difference.line)
        }
        return lines
    }

    fileprivate var json: JSON {
        let counts = Dictionary(grouping: exclusions, by: \.reason).mapValues(\.count)
        return [
            "study": .text(study), "participants": .integer(participants), "sessions": .integer(sessions),
            "clips": .integer(responses.count), "unit": "1/min",
            "exclusionCounts": .members(
                Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, .integer($0.value)) })),
            "exclusions": .list(
                exclusions.map {
                    [
                        "participant": .text($0.participant), "run": .text($0.run), "clip": .text($0.clip),
                        "reason": .text($0.reason.rawValue),
                    ]
                }),
            "responses": .list(
                responses.map {
                    [
                        "participant": .text($0.participant), "clip": .text($0.clip),
                        "change": .real($0.change),
                    ]
                }), "groups": .list(groups.map(\.json)),
        ]
    }
}

extension StudyResponse.Group {
    fileprivate var title: String {
        switch kind {
        case .all: name
        case .mood: "mood \(name)"
        case .clip: "clip \(name)"
        }
    }

    fileprivate var json: JSON {
        let difference = difference
        let optional = { (value: Double?) in value.map { JSON.real($0) } ?? .null }
        return [
            "kind": .text(kind.rawValue), "name": .text(name), "clips": .integer(clips),
            "participants": .integer(difference.count), "mean": .real(difference.mean),
            "deviation": optional(difference.deviation), "low": optional(difference.interval?.lowerBound),
            "high": optional(difference.interval?.upperBound), "dz": optional(difference.effectSize),
            "p": .real(difference.p), "flips": .integer(difference.flips),
            "exact": .boolean(difference.isExact),
        ]
    }
}

extension PairedDifference {
    fileprivate var line: String {
        let around = interval.map { "\(signed($0.lowerBound)) … \(signed($0.upperBound))" } ?? "not known"
        let p = p < 0.001 ? "<0.001" : decimals(p, 3)
        return padded("\(count)", to: 4, isRight: true) + padded(signed(mean), to: 7, isRight: true) + "  "
            + padded(around, to: 16) + padded(effectSize.map(signed) ?? "–", to: 7, isRight: true) + "  \(p)"
    }
}

private func signed(_ value: Double) -> String {
    (value < 0 ? "-" : "+") + decimals(abs(value), 2)
}

private func padded(_ text: String, to width: Int, isRight: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return isRight ? space + text : text + space
}
