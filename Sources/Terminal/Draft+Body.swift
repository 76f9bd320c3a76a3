import StudyModel
import StudySession

extension Draft {
    /// Adds the lines in which the answer is given.
    func add(to body: inout Body, width: Int, isFocused: Bool) {
        switch (question.format, content) {
        case (.scale(let from, let to, let fromLabel, let toLabel), .scale(let value, let typed)):
            let labels = [(String(from), fromLabel), (String(to), toLabel)]
            addScale(to: &body, from, to, value, typed, width: width, isFocused: isFocused)
            body.lines += legend(labels.map { ($0.0, $0.1?.text(in: language)) }, width: width)
        case (_, .pick(let index, let typed)):
            addOptions(to: &body, width: width, cursor: isFocused ? index : nil) {
                $0 == index ? "(•)" : "( )"
            }
            if index == nil, !typed.isEmpty { body.lines.append(StyledLine(Span("  \(typed)…", .quiet))) }
        case (_, .tick(let cursor, let picked)):
            addOptions(to: &body, width: width, cursor: isFocused ? cursor : nil) {
                picked.contains($0) ? "[x]" : "[ ]"
            }
        case (.continuous(let from, let to, let decimals), .line(let line)):
            addLine(to: &body, line, width: width, isFocused: isFocused, unit: nil)
            let ends = (from.shown(decimals), to.shown(decimals))
            body.lines.append(
                slider(Double(typed: line.text), from, to, left: ends.0, right: ends.1, width: width))
        case (.number(let unit, _, _), .line(let line)):
            addLine(to: &body, line, width: width, isFocused: isFocused, unit: unit)
        case (_, .line(let line)): addLine(to: &body, line, width: width, isFocused: isFocused, unit: nil)
        case (_, .scale): preconditionFailure("a scale drafted for \(question.format)")
        }
    }

    /// How the answer is written, where that is not plain.
    var hint: ValidationError? {
        switch question.format {
        case .date: ValidationError(.dateForm)
        case .timeOfDay: ValidationError(.timeForm)
        case .scale, .continuous, .choice, .choices, .boolean, .number, .text: nil
        }
    }

    private func addScale(
        to body: inout Body, _ from: Int, _ to: Int, _ value: Int?, _ typed: String, width: Int,
        isFocused: Bool
    ) {
        let (span, overflow) = to.subtractingReportingOverflow(from)
        let widest = max(String(from).count, String(to).count)
        guard !overflow, span < width, (span + 1) * (widest + 2) <= width else {
            let text = value.map(String.init) ?? (typed.isEmpty ? "–" : "\(typed)…")
            body.lines.append(StyledLine(Span("◀ "), Span(text, isFocused ? .chosen : .heading), Span(" ▶")))
            body.lines.append(
                slider(
                    value.map(Double.init), Double(from), Double(to), left: "\(from)", right: "\(to)",
                    width: width))
            return
        }
        var line = StyledLine.empty
        for number in from...to {
            let isChosen = number == value
            line =
                line + StyledLine(Span(isChosen ? "[\(number)]" : " \(number) ", isChosen ? .chosen : .plain))
        }
        body.lines.append(line)
    }

    private func addOptions(to body: inout Body, width: Int, cursor: Int?, box: (Int) -> String) {
        for (index, text) in question.format.options(in: language).enumerated() {
            let start = "\(index == cursor ? "›" : " ") \(box(index)) \(index + 1)  "
            let style: Style = index == cursor ? .chosen : .plain
            let room = width - start.columns
            guard room >= 8 else {
                body.lines += (start + text).lines(to: width, style)
                continue
            }
            for (row, line) in text.wrapped(to: room).enumerated() {
                let before = row == 0 ? start : String(repeating: " ", count: start.columns)
                body.lines.append(StyledLine(Span(before), Span(line, style)))
            }
        }
    }

    private func addLine(to body: inout Body, _ line: LineEditor, width: Int, isFocused: Bool, unit: String?)
    {
        let unit = unit.map { " " + $0.safe() } ?? ""
        let room = max(1, width - 3 - min(unit.columns, width / 3))
        let before = line.before.safe().suffix(columns: room)
        let after = line.after.safe().prefix(columns: room - before.columns)
        let field = StyledLine(
            Span("> ", isFocused ? .heading : .quiet), Span(before + after), Span(unit, .quiet))
        if isFocused {
            body.cursor = Frame.Position(row: body.lines.count, column: 2 + before.columns)
        }
        body.lines.append(field)
    }

    private func legend(_ labels: [(value: String, text: String?)], width: Int) -> [StyledLine] {
        let parts = labels.compactMap { label in label.text.map { "\(label.value) = \($0)" } }
        let one = parts.joined(separator: "   ")
        return (one.columns <= width ? [one] : parts).flatMap { $0.lines(to: width, .quiet) }
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
