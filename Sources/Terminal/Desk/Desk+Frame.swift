import StudyModel
import TextFormat

extension Desk {
    /// The picture of the desk, for a terminal of any size.
    func frame(in size: TerminalSize) -> Frame {
        let width = size.columns
        let isSmall = size.rows < 16 || width < 60
        let (foot, cursor) = foot(width)
        let bottom = foot.suffix(max(1, size.rows - 3))
        let top = head(width, isSmall: isSmall).prefix(max(0, size.rows - bottom.count))
        let room = size.rows - top.count - bottom.count
        let middle = middle(in: room, width, isSmall: isSmall).map { $0.clipped(to: width) }
        let gap = Array(repeating: StyledLine.empty, count: max(0, room - middle.count))
        let lines = Array(top) + middle + gap + bottom
        let place = cursor.map {
            Frame.Position(row: lines.count - 1, column: min($0, width - 1))
        }
        return Frame(lines: lines, cursor: place, bells: 0)
    }

    private func head(_ width: Int, isSmall: Bool) -> [StyledLine] {
        let clock = isSmall ? String(page.clock.suffix(5)) : page.clock
        let title = page.study.safe().prefix(columns: max(0, width - clock.columns - 2))
        let gap = String(repeating: " ", count: max(1, width - title.columns - clock.columns))
        let first = StyledLine(Span(title, .heading), Span(gap), Span(clock, .quiet)).clipped(to: width)
        let hasWorry = page.needs.isEmpty == false
        let sentence = page.sentence.lines(to: width, hasWorry ? .strong : .good).prefix(isSmall ? 2 : 3)
        let comparison = "protocol: \(page.comparison)".lines(
            to: width, page.isAsCompared ? .quiet : .problem)
        guard !isSmall else { return [first] + comparison.prefix(page.isAsCompared ? 0 : 2) + sentence }
        return [first] + comparison.prefix(3) + sentence + [.empty]
    }

    /// The rows, with the chosen one always among them, and below them what is beside them.
    private func middle(in room: Int, _ width: Int, isSmall: Bool) -> [StyledLine] {
        var list = page.list(isNarrow: width < 60)
        if isSmall { list.removeAll { $0.row == nil } }
        let remarks = page.remarks
        let forRemarks =
            list.count + remarks.count + 1 <= room ? remarks.count + 1 : min(remarks.count + 1, room / 3)
        let forList = max(0, isSmall ? room : room - forRemarks)
        let place = list.firstIndex { $0.row != nil && $0.row == chosen?.name } ?? 0
        let first = min(max(0, place - forList / 2), max(0, list.count - forList))
        let shown = list[first...].prefix(forList).map { line in
            line.row != nil && line.row == chosen?.name
                ? StyledLine(Span(line.line.text, .chosen)) : line.line
        }
        let left = room - shown.count - 1
        guard !remarks.isEmpty, left > 0 else { return shown }
        guard remarks.count > left else { return shown + [.empty] + remarks.map(\.line) }
        let more = StyledLine(Span("  and \(remarks.count - left + 1) more lines", .quiet))
        return shown + [.empty] + remarks.prefix(left - 1).map(\.line) + [more]
    }

    /// What was ordered, what is asked, and the keys.
    ///
    /// - Returns: also the column of the cursor in the last line, where something is typed.
    private func foot(_ width: Int) -> (lines: [StyledLine], cursor: Int?) {
        var lines = told.flatMap { told in
            let isRefused = if case .refused = told.answer { true } else { false }
            return told.text.lines(to: width, isRefused ? .problem : .quiet).prefix(2)
        }
        guard let question else {
            if case .run(let run) = chosen, let mark = run.lastMark {
                lines.append(
                    StyledLine(Span("last mark of \(run.participant): \(mark)", .quiet)).clipped(to: width))
            }
            if case .due(let due) = chosen, due.isDue, page.isAsCompared, !due.command.isEmpty {
                lines += "At another terminal: \(due.command)".lines(to: width, .quiet).prefix(3)
            }
            return (lines + keys(width), nil)
        }
        lines += question.words.lines(to: width, .strong)
        guard let line = question.line else {
            return (lines + [StyledLine(Span("Esc = no", .quiet)).clipped(to: width)], nil)
        }
        lines.append(StyledLine(Span("Return = do it, Esc = do nothing", .quiet)).clipped(to: width))
        let before = line.before.safe().suffix(columns: max(0, width - 3))
        let typed = "> " + before
        lines.append(
            (StyledLine(Span(typed, line.isChosen ? .emphasis : .plain)) + StyledLine(Span(line.after)))
                .clipped(to: width))
        return (lines, typed.columns)
    }

    /// The keys that do something now, in as many lines as they need.
    private func keys(_ width: Int) -> [StyledLine] {
        let who = [StyledLine(Span(subject, .strong))].filter { $0 != .empty }
        let keys =
            who
            + offered.map { action in
                StyledLine(Span(String(action.key), .strong), Span(" \(action.words)", .quiet))
            }
        var lines: [StyledLine] = []
        for key in keys {
            if let last = lines.last, last.columns + 2 + key.columns <= width {
                lines[lines.count - 1] = last + StyledLine(Span("  ")) + key
            } else {
                lines.append(key.clipped(to: width))
            }
        }
        return lines
    }
}
