import TextFormat

/// What a terminal shows of the bytes that a program sends to it.
///
/// It knows the commands that this program sends, and no others.
package struct TerminalPicture: Sendable {
    package let columns: Int
    package let rows: Int
    private var cells: [[Character]]
    private var row = 0
    private var column = 0
    /// What has come of a character or a command that is not complete yet.
    private var rest: [UInt8] = []
    private var wraps = true
    /// Whether the program uses the whole screen, rather than line after line.
    package private(set) var isScreen = false
    /// Whether all parts of a change have come.
    package private(set) var isWhole = true
    /// Everything that was said line by line, outside of the whole screen.
    package private(set) var said = ""
    /// What the terminal answers to questions about itself.
    package private(set) var replies: [String] = []

    /// A command that the picture does not know.
    package struct Unknown: Error, Hashable, CustomStringConvertible {
        package var command: String
        package var description: String { "the terminal does not know the command '\(printable(command))'" }
    }

    package init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// The rows, without spaces at their ends. The second cell of a wide character is empty.
    package var lines: [String] {
        cells.map { row in
            let line = String(row.filter { $0 != Self.covered })
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Stands in the second cell of a wide character.
    private static let covered: Character = "\u{0}"

    package mutating func takeReplies() -> [String] {
        defer { replies = [] }
        return replies
    }

    package mutating func feed(_ bytes: some Sequence<UInt8>) throws(Unknown) {
        let all = rest + bytes
        rest = []
        var place = 0
        while place < all.count {
            if all[place] == 0x1B {
                guard let end = Self.end(ofCommandIn: all, from: place) else { break }
                try obey(String(decoding: all[place + 1..<end], as: UTF8.self))
                place = end
            } else {
                let length = [0xC0: 2, 0xE0: 3, 0xF0: 4][all[place] & (all[place] < 0xE0 ? 0xE0 : 0xF0)] ?? 1
                guard place + length <= all.count else { break }
                for scalar in String(decoding: all[place..<place + length], as: UTF8.self).unicodeScalars {
                    try show(scalar)
                }
                place += length
            }
        }
        rest = Array(all[place...])
    }

    /// The place behind a command; `nil` if its end has not come yet.
    private static func end(ofCommandIn bytes: [UInt8], from start: Int) -> Int? {
        guard start + 1 < bytes.count else { return nil }
        switch bytes[start + 1] {
        case UInt8(ascii: "["):
            return bytes[(start + 2)...].firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
        case UInt8(ascii: "]"), UInt8(ascii: "_"):
            guard let end = bytes[(start + 2)...].firstIndex(where: { $0 == 7 || $0 == 0x1B }) else {
                return nil
            }
            if bytes[end] == 7 { return end + 1 }
            return end + 1 < bytes.count ? end + 2 : nil
        default: return start + 2
        }
    }

    private mutating func show(_ scalar: Unicode.Scalar) throws(Unknown) {
        switch scalar {
        case "\r": column = 0
        case "\n": feedLine()
        case "\u{8}":
            column = max(0, column - 1)
            if !isScreen, said.last?.isNewline == false { said.removeLast() }
        case "\u{7}": break
        case _ where scalar.value < 0x20 || scalar.value == 0x7F: throw Unknown(command: String(scalar))
        default: put(Character(scalar))
        }
    }

    private mutating func feedLine() {
        if !isScreen { said += "\n" }
        guard row == rows - 1 else {
            row += 1
            return
        }
        cells.removeFirst()
        cells.append(Array(repeating: " ", count: columns))
    }

    private mutating func put(_ character: Character) {
        if !isScreen { said.append(character) }
        let width = character.columns
        if width == 0 {
            guard let place = cells[row][..<min(column, columns)].lastIndex(where: { $0 != Self.covered })
            else { return }
            cells[row][place] = ("\(cells[row][place])\(character)").first ?? character
            return
        }
        if column + width > columns {
            guard wraps else { return }
            column = 0
            let before = said
            feedLine()
            said = before
        }
        cells[row][column] = character
        if width == 2, column + 1 < columns { cells[row][column + 1] = Self.covered }
        column += width
    }

    private mutating func obey(_ command: String) throws(Unknown) {
        // It neither tells its colours nor takes pictures.
        if command.hasPrefix("]11;?") || command.hasPrefix("_G") { return }
        guard command.hasPrefix("["), let last = command.last else {
            throw Unknown(command: "ESC \(command)")
        }
        let middle = command.dropFirst().dropLast()
        switch (middle.first, last) {
        case ("?", "h"), ("?", "l"): try set(Int(middle.dropFirst()), to: last == "h", command)
        case ("?", "u"), (">", "u"), ("<", "u"), (nil, "u"): break
        case (nil, "c"): replies.append("\u{1B}[?62c")
        case (_, "m"): break
        case (_, "H"): go(to: middle.split(separator: ";").map { Int($0) ?? 1 })
        case (nil, "K"): erase(row, from: column)
        case ("2", "J"):
            for row in cells.indices { erase(row, from: 0) }
        default: throw Unknown(command: "ESC \(command)")
        }
    }

    private mutating func go(to place: [Int]) {
        row = min(rows, max(1, place.first ?? 1)) - 1
        column = min(columns, max(1, place.count > 1 ? place[1] : 1)) - 1
    }

    private mutating func erase(_ row: Int, from start: Int) {
        for column in min(start, columns)..<columns { cells[row][column] = " " }
    }

    private mutating func set(_ mode: Int?, to isOn: Bool, _ command: String) throws(Unknown) {
        switch mode {
        case 1049:
            isScreen = isOn
            for row in cells.indices { erase(row, from: 0) }
            (row, column) = (0, 0)
        case 7: wraps = isOn
        case 2026: isWhole = !isOn
        // The cursor, the pointer, pastes and the direction of letters change no cell.
        case 25, 1002, 1006, 2004, 2501: break
        default: throw Unknown(command: "ESC \(command)")
        }
    }
}
