import StudyModel
import TextFormat

extension DeskPage {
    /// A line of the page, and the row that it shows, if it shows one.
    struct Line: Hashable {
        var line: StyledLine
        var row: String?

        init(_ text: String, _ style: Style = .plain, row: String? = nil) {
            (line, self.row) = (StyledLine(Span(text, style)), row)
        }
    }

    /// The rows as tables with a heading each.
    ///
    /// - Parameters:
    ///   - isStill: without what changes every second.
    ///   - isNarrow: with what matters most at the left, where the rest is cut off.
    func list(isStill: Bool = false, isNarrow: Bool = false) -> [Line] {
        let runCells = runs.map { run in
            let left = isStill ? "" : run.left?.clockFace ?? ""
            let heart = isStill && run.heart != .unknown ? "" : run.heartWords(isNarrow: isNarrow)
            let step = (run.room.map { "\($0): " } ?? "") + run.step
            return isNarrow
                ? [run.participant, run.words(isStill: isStill, isNarrow: true), left, heart, run.session]
                : [run.participant, run.session, run.words(isStill: isStill), left, heart, step]
        }
        let dueCells = due.map { due in
            let state = due.canGoOn ? "\(due.state), can be resumed" : due.state
            return [due.participant, due.session, state, due.when]
        }
        func table(_ cells: [[String]], from first: Int) -> [String] {
            Self.table(cells.enumerated().map { ["\(first + $0.offset)"] + $0.element })
        }
        let runLines = zip(runs, table(runCells, from: 1)).map { Line($1, $0.style, row: $0.run) }
        let dueLines = zip(due, table(dueCells, from: runs.count + 1)).map {
            Line($1, $0.isDue ? .plain : .quiet, row: DeskRow.due($0).name)
        }
        return [Line("Running", .heading)] + (runLines.isEmpty ? [Line("  nobody runs", .quiet)] : runLines)
            + [Line("To come; the next free code is \(nextCode)", .heading)]
            + (dueLines.isEmpty ? [Line("  nobody is to come", .quiet)] : dueLines)
    }

    /// What is beside the rows.
    var remarks: [Line] {
        func section(_ name: String, _ texts: [String], _ style: Style) -> [Line] {
            texts.isEmpty ? [] : [Line(name, .heading)] + texts.map { Line("  \($0)", style) }
        }
        return section("Alarms", alarms.map(\.text), .problem)
            + section("Unusual today", unusual, .plain) + section("Checked", check, .plain)
    }

    /// Cells in columns; a column that is empty in all rows takes no place.
    private static func table(_ rows: [[String]]) -> [String] {
        guard let count = rows.first?.count else { return [] }
        let used = (0..<count).filter { place in rows.contains { !$0[place].isEmpty } }
        let safe = rows.map { row in used.map { row[$0].safe() } }
        let widths = used.indices.map { place in safe.map { $0[place].columns }.max() ?? 0 }
        return safe.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.columns) }.joined(
                separator: "  "
            ).trimmedEnd
        }
    }
}

extension String {
    fileprivate var trimmedEnd: String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }
}

extension DeskRun {
    fileprivate var style: Style {
        switch state {
        case .running: heart == .unknown ? .problem : .good
        case .ending: .quiet
        case .paused, .waitingForSource, .stopped, .silent: .problem
        }
    }
}

// The desk as lines: for screen readers, logs and scripts.
extension Desk {
    /// The whole page.
    package var lines: [String] {
        ([.init("\(page.study), \(page.clock)"), .init("protocol: \(page.comparison)"), .init(page.sentence)]
            + page.list()
            + page.remarks)
            .map(\.line.text) + told.map(\.text) + [hints]
    }

    /// Those of its lines that do not change every second.
    var stillLines: [String] {
        ([.init("protocol: \(page.comparison)"), .init(page.sentence)] + page.list(isStill: true)
            + page.remarks).map(
                \.line.text)
            + told.map(\.text)
    }

    /// What is asked, or which keys there are.
    var hints: String {
        if let question { return question.words }
        let keys = offered.map { "\($0.key) \($0.words)" }.joined(separator: "  ")
        return subject.isEmpty ? keys : "\(subject) \(keys)"
    }

    /// Whom the keys are for.
    var subject: String {
        chosen.map { "\($0.participant):" } ?? (page.rows.isEmpty ? "" : "1-9 choose")
    }
}
