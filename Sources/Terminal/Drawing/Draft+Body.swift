import SessionPorts
import StudyModel
import TextFormat

extension Draft {
    /// Adds the lines in which the answer is given.
    func add(
        to body: inout Body, width: Int, isFocused: Bool, _ images: [ImagePlace: RenderedImage] = [:]
    ) {
        switch control.widget {
        case .scale(let scale):
            body.add(
                ScaleDrawing(scale, control.labels, value: value, width: width, isFocused: isFocused).points)
        case .pick: addOptions(to: &body, width: width, isFocused: isFocused, marks: ("(•)", "( )"), images)
        case .tick: addOptions(to: &body, width: width, isFocused: isFocused, marks: ("[x]", "[ ]"), images)
        case .slider, .line, .lines: break
        }
        if isLineShown {
            if control.widget == .lines {
                addText(to: &body, width: width, isFocused: isFocused)
            } else {
                addLine(to: &body, width: width, isFocused: isFocused)
            }
        }
        guard case .slider(let scale) = control.widget else { return }
        // In a field that shows the number, the person types.
        let field = isLineShown && isFocused ? body.cursor : nil
        body.add(ScaleDrawing(scale, control.labels, value: value, width: width, isFocused: isFocused).slider)
        body.cursor = field ?? body.cursor
    }

    private func addOptions(
        to body: inout Body, width: Int, isFocused: Bool, marks: (chosen: String, open: String),
        _ images: [ImagePlace: RenderedImage]
    ) {
        let paths = question.format.shownChoices.map(\.image)
        let picked = picked
        let cursor = isFocused ? cursor : nil
        for (index, option) in control.options.enumerated() {
            let box = picked.contains(index) ? marks.chosen : marks.open
            let number = " \(index + 1)  "
            let style: Style = index == cursor ? .chosen : .plain
            let start = StyledLine(
                .marker(index == cursor), Span(box, picked.contains(index) ? .accent : .plain), Span(number))
            let room = width - start.columns
            let first = body.lines.count
            let isOther = index == control.other && picked.contains(index)
            let text = option + (isOther ? ": " + (otherWords ?? "") : "")
            if room < 8 {
                body.lines += (start.text + text).lines(to: width, style)
            } else {
                for (row, line) in text.wrapped(to: room).enumerated() {
                    let before = StyledLine(Span(String(repeating: " ", count: start.columns)))
                    body.lines.append((row == 0 ? start : before) + StyledLine(Span(line, style)))
                }
            }
            let end = body.lines.count
            if let path = paths.indices.contains(index) ? paths[index] : nil,
                let image = images[ImagePlace(path: path, isChoice: true)]
            {
                body.addImage(image, [], indentedBy: start.columns)
            }
            body.targets += (first..<body.lines.count).map {
                let width =
                    $0 < end ? body.lines[$0].columns : start.columns + (body.images.last?.image.columns ?? 0)
                return Target(row: $0, columns: 0..<width, .option(index))
            }
            if index == cursor ?? 0 {
                body.active = body.lines.count - 1
                if isFocused { body.cursor = Frame.Position(row: first, column: 3) }
            }
            if isOther, isFocused, let last = body.lines.last {
                body.cursor = Frame.Position(row: body.lines.count - 1, column: last.columns)
            }
        }
    }

    private func addLine(to body: inout Body, width: Int, isFocused: Bool) {
        let unit = control.unit.map { " " + $0.safe() } ?? ""
        let room = max(1, width - 3 - min(unit.columns, width / 3))
        let before = line.before.safe().suffix(columns: room)
        let after = line.after.safe().prefix(columns: room - before.columns)
        let field = StyledLine(
            Span("> ", isFocused ? .accent : .quiet), Span(before + after), Span(unit, .quiet))
        if isFocused {
            body.cursor = Frame.Position(row: body.lines.count, column: 2 + before.columns)
            body.active = body.lines.count
        }
        body.targets.append(Target(row: body.lines.count, columns: 0..<width, .question))
        body.lines.append(field)
    }

    /// A text of several lines, each wrapped if it is too long.
    private func addText(to body: inout Body, width: Int, isFocused: Bool) {
        var isFirst = true
        func add(_ row: String) {
            body.targets.append(Target(row: body.lines.count, columns: 0..<width, .question))
            body.lines.append(
                StyledLine(Span(isFirst ? "> " : "  ", isFocused ? .accent : .quiet), Span(row)))
            isFirst = false
        }
        let room = max(1, width - 3)
        let before = line.before.safe(keepsLines: true)
        let whole = before + line.after.safe(keepsLines: true)
        var passed = 0
        for text in whole.split(separator: "\n", omittingEmptySubsequences: false) {
            for row in String(text).rows(to: room) {
                if isFocused, passed <= before.count {
                    let column = String(row.prefix(before.count - passed)).columns
                    body.cursor = Frame.Position(row: body.lines.count, column: 2 + min(room, column))
                    body.active = body.lines.count
                }
                add(row)
                passed += row.count
            }
            passed += 1
        }
    }
}

extension String {
    /// The text in rows of at most `width` columns, with every character, wrapped after spaces if there are any.
    fileprivate func rows(to width: Int) -> [String] {
        var rows: [String] = []
        var rest = self[...]
        while String(rest).columns > width {
            let fitting = String(rest).prefix(columns: width)
            let space = fitting.lastIndex(of: " ").map {
                fitting.distance(from: fitting.startIndex, to: $0) + 1
            }
            let count = max(1, space ?? fitting.count)
            rows.append(String(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return rows + [String(rest)]
    }
}
