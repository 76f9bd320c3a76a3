import Analysing
import Datasets
import Participants
import Results
import Statistics
import StudyModel
import TextFormat

/// From all who took part to the values that were analysed, with the losses on the way; with a column for each arm,
/// as in CONSORT (Schulz et al. 2010, doi 10.1136/bmj.c332).
struct FlowChart {
    /// The content at one height.
    private struct Row {
        /// One box, or one for each arm. The first line of each box is its heading.
        var boxes: [[String]]
        /// The losses at this height.
        var side: [String] = []

        var height: Double { Double((boxes + [side]).map(\.count).max() ?? 0) * FlowChart.line + 20 }
    }

    private var rows: [Row]

    private static let line = 18.0
    private static let distance = 34.0
    private static let column = (x: 20.0, width: 380.0)
    private static let side = (x: 460.0, width: 490.0)
    /// The position and width of the arms' boxes, and the space between them.
    private static let arms = (x: 20.0, width: 930.0, gap: 18.0)

    /// - Parameter losses: what a log says of runs that began; empty if all is there.
    init(_ sessions: [RecordedSession], _ study: StudyResponse, losses: [String]) {
        let everybody = [
            "\(counted(study.participants, "participant")) took part",
            "in \(counted(study.sessions, "session"))",
        ]
        let lost = losses.isEmpty ? [] : ["By the log of all runs:"] + losses
        let arms = Set(sessions.compactMap(\.arm)).sorted()
        guard arms.count > 1 else {
            rows = [
                Row(boxes: [everybody], side: lost),
                Row(
                    boxes: [[Self.completed(sessions)] + Self.byName(sessions)],
                    side: Self.notCompleted(sessions)),
            ]
            if study.hasClips { addClips(of: study) }
            return
        }
        let without = sessions.filter { $0.arm == nil }
        let members = arms.map { arm in sessions.filter { $0.arm == arm } }
        rows = [
            Row(
                boxes: [everybody],
                side: lost
                    + (without.isEmpty ? [] : ["Without an arm:", Self.people(without)] + Self.ends(without))),
            Row(
                boxes: zip(arms, members).map {
                    ["Arm \($0)", Self.people($1), counted($1.count, "session")]
                }),
            Row(boxes: members.map { [Self.completed($0)] + Self.byName($0) + Self.notCompleted($0) }),
        ]
        if let outcome = study.outcomes.first {
            rows.append(
                Row(
                    boxes: members.map {
                        Self.analysed(
                            Set($0.map(\.participant)), outcome, study.quantity(of: outcome.outcome))
                    }))
        }
    }

    private mutating func addClips(of study: StudyResponse) {
        let reasons = Self.lines(of: study.exclusions.counts(of: \.reason.rawValue))
        rows += [
            Row(
                boxes: [["\(study.responses.count + study.exclusions.count) clips played"]],
                side: reasons.isEmpty ? [] : ["Left out:"] + reasons),
            Row(
                boxes: [
                    [
                        "\(study.responses.count) clips analysed",
                        "of \(Set(study.responses.map(\.participant)).count) participants",
                    ]
                ]),
        ]
    }

    private static func people(_ sessions: [RecordedSession]) -> String {
        counted(Set(sessions.map(\.participant)).count, "participant")
    }

    private static func completed(_ sessions: [RecordedSession]) -> String {
        "\(sessions.count { $0.status == "completed" }) sessions completed"
    }

    /// How many completed each session, where the study lists its sessions.
    private static func byName(_ sessions: [RecordedSession]) -> [String] {
        let named = sessions.filter { $0.name != nil }
        let names = named.map { ($0.session, $0.name ?? "") }.sorted { $0 < $1 }.map(\.1).distinct(by: \.self)
        return names.map { name in
            "\(name): \(Set(named.filter { $0.name == name && $0.status == "completed" }.map(\.participant)).count) completed"
        }
    }

    private static func notCompleted(_ sessions: [RecordedSession]) -> [String] {
        let ends = ends(sessions)
        return ends.isEmpty ? [] : ["Not completed:"] + ends
    }

    private static func ends(_ sessions: [RecordedSession]) -> [String] {
        lines(of: sessions.filter { $0.status != "completed" }.counts(of: \.status), " ")
    }

    /// The most frequent first.
    private static func lines(of counts: [String: Int], _ separator: String = ": ") -> [String] {
        counts.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }.map { "\($0.value)\(separator)\($0.key)" }
    }

    /// How many participants of an arm have a value of the first outcome, and why the others have none.
    private static func analysed(_ people: Set<String>, _ outcome: OutcomeResult, _ quantity: Quantity)
        -> [String]
    {
        let lost = people.intersection(outcome.withoutValue)
        let reasons = outcome.exclusions.filter { lost.contains($0.participant) }
            .distinct { "\($0.participant) \($0.reason.rawValue)" }
        return [
            "\(counted(people.count - lost.count, "participant")) analysed",
            "for \(quantity.singular)",
        ]
            + (lost.isEmpty
                ? [] : ["Without a value: \(lost.count)"] + lines(of: reasons.counts(of: \.reason.rawValue)))
    }

    var html: String {
        let height = rows.reduce(0) { $0 + $1.height } + Double(rows.count - 1) * Self.distance + 8
        var drawing = Drawing(
            height: height,
            description: rows.flatMap { $0.boxes.flatMap(\.self) + $0.side }.joined(separator: ", "))
        var y = 4.0
        for (index, row) in rows.enumerated() {
            let columns = places(row)
            for (box, place) in zip(row.boxes, columns) {
                Self.box(box, place.x, y, place.width, row.height, isCentered: true, &drawing)
            }
            if !row.side.isEmpty, let last = columns.last {
                drawing.line(
                    (last.x + last.width, y + row.height / 2), (Self.side.x, y + row.height / 2), "axis")
                Self.box(row.side, Self.side.x, y, Self.side.width, row.height, isCentered: false, &drawing)
            }
            y += row.height
            guard index < rows.count - 1 else { continue }
            Self.arrows(from: columns, to: places(rows[index + 1]), y, &drawing)
            y += Self.distance
        }
        return drawing.figure()
    }

    /// The position and width of the boxes of a row. A single box stands in the middle above several, unless there
    /// are losses beside it.
    private func places(_ row: Row) -> [(x: Double, width: Double)] {
        let (count, arms, column) = (row.boxes.count, Self.arms, Self.column)
        guard count > 1 else {
            let isMiddle = row.side.isEmpty && rows.contains { $0.boxes.count > 1 }
            return isMiddle ? [(arms.x + (arms.width - column.width) / 2, column.width)] : [column]
        }
        let width = (arms.width - Double(count - 1) * arms.gap) / Double(count)
        return (0..<count).map { (arms.x + Double($0) * (width + arms.gap), width) }
    }

    /// Straight down from box to box, or from one to each of several.
    private static func arrows(
        from above: [(x: Double, width: Double)], to below: [(x: Double, width: Double)], _ y: Double,
        _ drawing: inout Drawing
    ) {
        let turn = y + distance / 3
        for (index, place) in below.enumerated() {
            let from = above[min(index, above.count - 1)]
            let (start, end) = (from.x + from.width / 2, place.x + place.width / 2)
            drawing.path([(start, y), (start, turn), (end, turn), (end, y + distance)], "axis box")
            drawing.path(
                [(end - 5, y + distance - 9), (end, y + distance), (end + 5, y + distance - 9)], "axis box")
        }
    }

    private static func box(
        _ lines: [String], _ x: Double, _ y: Double, _ width: Double, _ height: Double, isCentered: Bool,
        _ drawing: inout Drawing
    ) {
        drawing.rectangle(x, y, width, height, "box")
        let first = y + (height - Double(lines.count) * line) / 2 + 13
        for (index, text) in lines.enumerated() {
            let style = (isCentered ? "middle" : "") + (index == 0 ? " bold" : "")
            drawing.text(
                Drawing.fitted(text, to: width - 20), isCentered ? x + width / 2 : x + 12,
                first + Double(index) * line, style)
        }
    }
}
