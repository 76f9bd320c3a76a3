import Datasets
import Participants
import Physiology
import Results
import TextFormat

extension Analysis {
    /// The columns of `courses`.
    static let courseColumns = [
        "study", "study_revisions", "participant", "run", "origin", "step", "visit", "stimulus", "mood",
        "tempo",
        "second", "change", "made_of", "notified_change",
    ]

    /// The course of each response as a CSV table, with a row for each second of a clip in which the rate is known.
    package var courses: [UInt8] {
        let origins = Dictionary(sessions.map { ($0.run, $0.origin.rawValue) }) { first, _ in first }
        var table = Array((Self.courseColumns.joined(separator: ",") + "\n").utf8)
        for study in studies {
            let revisions = Set(study.texts.map(\.revision)).sorted().map { "\($0)" }.joined(separator: " ")
            for response in study.responses {
                guard let course = response.course else { continue }
                var head: [UInt8] = []
                for text in [
                    study.study, revisions, response.participant, response.run, origins[response.run] ?? "",
                    response.step,
                ] { head.append(field: text) }
                head.append(number: response.visit)
                head.append(UInt8(ascii: ","))
                head.append(field: response.clip)
                head.append(field: response.mood)
                head.append(field: response.tempo)
                for second in course.changes.indices {
                    let notified = course.notifiedChanges[second]
                    guard course.changes[second] ?? notified != nil else { continue }
                    table += head
                    table.append(number: second)
                    table.append(UInt8(ascii: ","))
                    table.append(field: course.changes[second])
                    table.append(field: response.heartRate.origin.rawValue)
                    if let notified { table += JSON.real(notified).encoded() }
                    table.append(UInt8(ascii: "\n"))
                }
            }
        }
        return table
    }
}

extension [UInt8] {
    /// A cell followed by a comma; only the comma if there is no text.
    mutating func append(field text: String?) {
        if let text {
            let bytes = Array(text.utf8)
            append(cell: bytes, bytes.indices)
        }
        append(UInt8(ascii: ","))
    }

    /// The last cell of a row has no comma behind it.
    mutating func endRow() { self[count - 1] = UInt8(ascii: "\n") }

    mutating func append(flag: Bool?) { append(flag.map { $0 ? "TRUE," : "FALSE," } ?? ",") }

    mutating func append(field number: Double?) {
        if let number { self += JSON.real(number).encoded() }
        append(UInt8(ascii: ","))
    }
}
