import MonitorInterface
import StudyModel
import TextFormat

/// An alarm of a run, as the store keeps it. Times are seconds since 1970 by the monitor's clock.
struct StoredAlarm: Hashable, Sendable {
    var number: Int64
    /// The run's identifier.
    var session: String
    /// Where the run's readings come from, if not from a heart: `simulated` or `replayed`.
    var origin: String?
    var rule: AlarmRule
    /// The heart rate at the beginning, beats per minute; only of rules on the heart rate.
    var rate: Double?
    var began: Double
    /// `nil` while it goes on.
    var ended: Double?
    var acknowledged: Double?
    /// Who acknowledged it: the name of the token.
    var author: String?
    /// Whether the run has its beginning and its acknowledgement in its journal.
    var marks: [Part: Mark] = [:]

    /// What of an alarm is marked in the run's bundle.
    enum Part: String, Hashable, Sendable, CaseIterable { case beginning, acknowledgement }

    /// What is known of a mark.
    enum Mark: String, Hashable, Sendable {
        /// The run has it in its journal, safe from a power cut.
        case kept
        /// The run was told, and did not answer.
        case unknown
    }

    /// As the API shows it.
    var json: JSON {
        var object = rule.json.object ?? JSON.Object([:])
        object["number"] = .integer(Int(number))
        object["session"] = .text(session)
        object["origin"] = origin.map(JSON.text)
        object["rate"] = rate.map(JSON.real)
        object["began"] = .real(began)
        object["ended"] = ended.map(JSON.real)
        object["acknowledged"] = acknowledged.map(JSON.real)
        object["author"] = author.map(JSON.text)
        object["mark"] = marks[.beginning].map { .text($0.rawValue) }
        object["acknowledgementMark"] = marks[.acknowledgement].map { .text($0.rawValue) }
        return .object(object)
    }

    /// Such as `heart rate above 170 bpm for 10 s (182 bpm)`.
    var words: String { rule.words + (rate.map { " (\(plainNumber($0.rounded())) bpm)" } ?? "") }

    /// What of it the run has not been told yet, in order.
    var untold: [Part] {
        Part.allCases.filter { marks[$0] == nil && ($0 == .beginning || acknowledged != nil) }
    }

    /// The mark that a part becomes in the run's bundle.
    func request(_ part: Part) -> ExperimenterRequest {
        switch part {
        case .beginning: ExperimenterRequest(.alarm, words, by: nil, at: began)
        case .acknowledgement:
            ExperimenterRequest(.acknowledgement, words, by: author, at: acknowledged ?? began)
        }
    }
}
