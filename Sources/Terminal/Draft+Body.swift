import StudyModel
import StudySession
import TextFormat

extension Draft {
    /// Adds the lines in which the answer is given.
    func add(to body: inout Body, width: Int, isFocused: Bool) {
        switch control.widget {
        case .scale(let range):
            addScale(to: &body, range, width: width, isFocused: isFocused)
            let line = control.labels.joined(separator: "   ")
            body.lines += (line.columns <= width ? [line] : control.labels).flatMap {
                $0.lines(to: width, .quiet)
            }
        case .pick: addOptions(to: &body, width: width, isFocused: isFocused, marks: ("(•)", "( )"))
        case .tick: addOptions(to: &body, width: width, isFocused: isFocused, marks: ("[x]", "[ ]"))
        case .slider, .line: break
        }
        if isLineShown { addLine(to: &body, width: width, isFocused: isFocused) }
        guard case .slider(let from, let to, let decimals) = control.widget else { return }
        let value: Double? = if case .continuous(let value)? = understood { value } else { nil }
        body.lines.append(
            slider(value, from, to, left: from.shown(decimals), right: to.shown(decimals), width: width))
    }

    private func addScale(
        to body: inout Body, _ range: ClosedRange<Int>, width: Int, isFocused: Bool
    ) {
        let value: Int? = if case .scale(let value)? = understood { value } else { nil }
        let (from, to) = (range.lowerBound, range.upperBound)
        let (span, overflow) = to.subtractingReportingOverflow(from)
        let widest = max(String(from).count, String(to).count)
        guard !overflow, span < width, (span + 1) * (widest + 2) <= width else {
            let text = value.map(String.init) ?? "–"
            body.lines.append(StyledLine(Span("◀ "), Span(text, isFocused ? .chosen : .heading), Span(" ▶")))
            body.lines.append(
                slider(
                    value.map(Double.init), Double(from), Double(to), left: "\(from)", right: "\(to)",
                    width: width))
            return
        }
        var line = StyledLine.empty
        for number in range {
            let isChosen = number == value
            line =
                line + StyledLine(Span(isChosen ? "[\(number)]" : " \(number) ", isChosen ? .chosen : .plain))
        }
        body.lines.append(line)
    }

    private func addOptions(
        to body: inout Body, width: Int, isFocused: Bool, marks: (chosen: String, open: String)
    ) {
        let picked = picked
        let cursor = isFocused ? cursor : nil
        for (index, text) in control.options.enumerated() {
            let box = picked.contains(index) ? marks.chosen : marks.open
            let start = "\(index == cursor ? "›" : " ") \(box) \(index + 1)  "
            let style: Style = index == cursor ? .chosen : .plain
            let room = width - start.columns
            if room < 8 {
                body.lines += (start + text).lines(to: width, style)
            } else {
                for (row, line) in text.wrapped(to: room).enumerated() {
                    let before = row == 0 ? start : String(repeating: " ", count: start.columns)
                    body.lines.append(StyledLine(Span(before), Span(line, style)))
                }
            }
            if index == cursor ?? 0 { body.active = body.lines.count - 1 }
        }
    }

    private func addLine(to body: inout Body, width: Int, isFocused: Bool) {
        let unit = control.unit.map { " " + $0.safe() } ?? ""
        let room = max(1, width - 3 - min(unit.columns, width / 3))
        let before = line.before.safe().suffix(columns: room)
        let after = line.after.safe().prefix(columns: room - before.columns)
        let field = StyledLine(
            Span("> ", isFocused ? .heading : .quiet), Span(before + after), Span(unit, .quiet))
        if isFocused {
            body.cursor = Frame.Position(row: body.lines.count, column: 2 + before.columns)
            body.active = body.lines.count
        }
        body.lines.append(field)
    }

    private func slider(
        _ value: Double?, _ from: Double, _ to: Double, left: String, right: String, width: Int
    ) -> StyledLine {
        let length = min(50, width - left.count - right.count - 2)
        guard length >= 5, from < to else { return .empty }
        var track = Array(repeating: Character("─"), count: length)
        if let value {
            let share = (value / 2 - from / 2) / (to / 2 - from / 2)
            track[Int((min(1, max(0, share)) * Double(length - 1)).rounded())] = "●"
        }
        return StyledLine(Span("\(left) "), Span(String(track)), Span(" \(right)"))
    }
}
