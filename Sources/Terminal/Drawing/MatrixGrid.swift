import SessionPorts
import StudyModel
import TextFormat

/// A grid for items that share one scale: the scale once at the top, and a row for each item.
///
/// If the grid is higher than the terminal, its head is repeated above each group of rows that fits.
struct MatrixGrid {
    private let items: [Draft]
    private let optional: String
    private let width: Int
    /// Columns of each answer, and of the items' titles.
    private let column: Int
    private let titleWidth: Int
    private let head: [StyledLine]
    /// How many rows of the terminal the items of one group may take.
    private let room: Int

    /// The least number of columns for an item's title.
    private static let leastTitle = 12

    /// - Returns: `nil` if the terminal is too small for a grid.
    init?(_ items: [Draft], optional: String, width: Int, rows: Int) {
        guard let control = items.first?.control else { return nil }
        let (names, above) = Self.names(of: control)
        guard !names.isEmpty else { return nil }
        let longest = items.map { Self.title(of: $0, optional).columns }.max() ?? 0
        let words = names.flatMap { $0.split(separator: " ").map { String($0).columns } }.max() ?? 1
        let whole = names.map(\.columns).max() ?? 1
        let most = (width - 4 - max(Self.leastTitle, min(longest, width / 3))) / names.count
        column = min(max(5, whole + 2), max(5, most), 16)
        guard column <= most, words + 2 <= column else { return nil }
        self.items = items
        self.optional = optional
        self.width = width
        titleWidth = min(longest + 3, width - 2 - names.count * column)
        head = Self.head(names, above, indent: titleWidth + 2, column: column, width: width)
        room = rows - head.count - 2
        guard room >= 4 else { return nil }
    }

    private static func title(of item: Draft, _ optional: String) -> String {
        item.question.title + (item.question.isOptional ? " (\(optional))" : "")
    }

    /// The headings above each column, and those above all columns.
    private static func names(of control: AnswerControl) -> (columns: [String], above: [AnswerControl.Label])
    {
        switch control.widget {
        case .scale(let scale):
            let range = scale.wholeNumbers
            guard range.count <= 25 else { return ([], []) }
            let isNamed = control.labels.count == range.count
            if isNamed {
                return (
                    control.labels.map { scale.areNumbersShown ? "\($0.value.shown) \($0.text)" : $0.text },
                    []
                )
            }
            return (range.map { scale.areNumbersShown ? "\($0)" : " " }, control.labels)
        case .pick: return (control.options, [])
        case .slider, .tick, .line, .lines: return ([], [])
        }
    }

    private static func head(
        _ names: [String], _ above: [AnswerControl.Label], indent: Int, column: Int, width: Int
    ) -> [StyledLine] {
        let cells = names.map { $0.wrapped(to: column - 1) }
        let height = cells.map(\.count).max() ?? 1
        let margin = String(repeating: " ", count: indent)
        var lines = (0..<height).map { row in
            let texts = cells.map { cell in
                let start = height - cell.count
                return (row < start ? "" : cell[row - start]).centred(in: column)
            }
            return StyledLine(Span(margin + texts.joined(), .quiet))
        }
        if let first = above.first {
            let room = names.count * column
            let last = above.count > 1 ? above[above.count - 1].text : ""
            let gap = room - first.text.columns - last.columns
            let ends = first.text + String(repeating: " ", count: max(0, gap)) + last
            let words = above.map(\.words).joined(separator: "   ")
            lines =
                (above.count < 3 && gap >= 2
                    ? [StyledLine(Span(margin + ends, .quiet))] : words.lines(to: width, .quiet)) + lines
        }
        if lines.last?.text.allSatisfy({ $0 == " " }) == true { lines.removeLast() }
        return lines
    }

    /// Adds the grid.
    ///
    /// - Parameters:
    ///   - place: the row that takes the keys.
    ///   - errorLines: what is wrong with it.
    func add(to body: inout Body, place: Int, errorLines: [StyledLine]) {
        var left = 0
        var start = 0
        for (index, item) in items.enumerated() {
            let isFocused = index == place
            var part = row(item, isFocused: isFocused)
            part.targets.indices.forEach { part.targets[$0].place = index }
            if isFocused { part.lines += errorLines }
            let lines = part.lines
            if left < lines.count {
                start = body.lines.isEmpty ? 0 : body.lines.count + body.gap
                body.addParagraph(head)
                left = room
            }
            left -= lines.count
            if isFocused {
                body.focus = (index < room && start < 8 ? 0 : start)..<(body.lines.count + lines.count)
                body.active = body.lines.count + lines.count - 1
            }
            body.add(part)
        }
    }

    private func row(_ item: Draft, isFocused: Bool) -> Body {
        let words = Self.title(of: item, optional).wrapped(to: titleWidth - 1)
        let columns = item.columnCount
        let dots = max(0, titleWidth - (words.last?.columns ?? 0) - 1)
        var lines = words.enumerated().map { row, text in
            StyledLine(
                .marker(row == 0 && isFocused), Span(text, isFocused ? .accent : .plain))
        }
        lines[lines.count - 1] =
            lines[lines.count - 1] + StyledLine(Span(" " + String(repeating: "·", count: dots), .quiet))
        var part = Body()
        let before = (column - 3) / 2
        if isFocused {
            let start = titleWidth + 2 + (item.chosenColumn ?? 0) * column
            part.cursor = Frame.Position(row: lines.count - 1, column: start + before + 1)
        }
        for index in 0..<columns {
            let isChosen = item.chosenColumn == index
            let cell = isChosen ? "(•)" : "( )"
            let start = titleWidth + 2 + index * column
            part.targets.append(
                Target(row: lines.count - 1, columns: start..<start + column, item.act(choosing: index)))
            lines[lines.count - 1] =
                lines[lines.count - 1]
                + StyledLine(
                    Span(String(repeating: " ", count: before)),
                    Span(cell, isChosen ? isFocused ? .chosen : .accent : .plain),
                    Span(String(repeating: " ", count: column - 3 - before)))
        }
        if item.isLineShown { lines += ("> " + item.text).lines(to: width - 4).map { $0.indented(by: 4) } }
        part.lines = lines
        return part
    }
}

extension Draft {
    /// How many answers there are to choose from.
    fileprivate var columnCount: Int {
        if case .scale(let scale) = control.widget { scale.wholeNumbers.count } else { control.options.count }
    }

    /// What a click on the answer at that place does.
    fileprivate func act(choosing place: Int) -> Target.Act {
        guard case .scale(let scale) = control.widget else { return .option(place) }
        return .value(scale.from + Double(place))
    }

    /// The place of the chosen answer, from 0.
    fileprivate var chosenColumn: Int? {
        guard case .scale(let scale) = control.widget else { return picked.first }
        return value.map { Int($0 - scale.from) }
    }
}

extension String {
    /// The text in the middle of this many columns.
    fileprivate func centred(in width: Int) -> String {
        let room = max(0, width - columns)
        return String(repeating: " ", count: room / 2) + self + String(repeating: " ", count: room - room / 2)
    }
}
