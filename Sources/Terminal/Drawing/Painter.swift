import StudyModel
import TextFormat

/// Works out what must be sent to a terminal to show a frame: only the differences from what it shows.
struct Painter: Hashable, Sendable {
    private let theme: Theme
    /// Whether the terminal shows more than ASCII.
    let usesUnicode: Bool
    private var shown: Frame?
    /// Whether the terminal was ever asked to report the pointer.
    private var hasPointer = false

    /// Switches to the other screen, hides the cursor, turns wrapping off and marks pastes. A terminal that orders
    /// right-to-left letters itself is asked to take each line's direction from the line's first letter, as
    /// "BiDi in Terminal Emulators" (terminal-wg.pages.freedesktop.org/bidi) has it; others ignore that.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[?2501h\u{1B}[0m\u{1B}[2J"
    /// Asks for presses, repetitions and releases of all keys, with the text that each writes.
    static let keysOn = "\u{1B}[>31u"
    static let keysOff = "\u{1B}[<u"
    /// Undoes `enter` and `keysOn`, whatever was sent since.
    static let leave: StaticString =
        "\u{1B}[<u\u{1B}[0m\u{1B}[?1002l\u{1B}[?1006l\u{1B}[?2004l\u{1B}[?2501l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// Around changes in several places, which are then seen at once (mode 2026).
    private static let begin = "\u{1B}[?2026h"
    private static let end = "\u{1B}[?2026l"
    private static let pointerOn = "\u{1B}[?1002h\u{1B}[?1006h"
    private static let pointerOff = "\u{1B}[?1002l\u{1B}[?1006l"

    /// - Parameter background: the colour behind the text; `nil` if it is not known, or if there shall be no colours.
    init(on background: Colour? = nil, usesUnicode: Bool = true) {
        theme = Theme(on: background)
        self.usesUnicode = usesUnicode
    }

    func isShowing(_ frame: Frame) -> Bool { frame == shown }

    /// It is no longer known what the terminal shows, so next time everything is sent.
    mutating func forget() { shown = nil }

    /// What to send: all at once, if it is in several places.
    mutating func paint(_ frame: Frame) -> String {
        if let shown, shown.lines.count != frame.lines.count { forget() }
        var parts: [String] = shown == nil ? ["\u{1B}[0m\u{1B}[2J"] : []
        if frame.wantsPointer != shown?.wantsPointer, frame.wantsPointer || hasPointer {
            parts.append(frame.wantsPointer ? Self.pointerOn : Self.pointerOff)
            hasPointer = true
        }
        let hasOtherImages = frame.images != shown?.images ?? []
        if hasOtherImages { parts += eraseImages() }
        for (row, line) in frame.lines.enumerated() {
            guard let change = Change(from: shown?.lines[row] ?? .empty, to: line) else { continue }
            parts.append(
                "\u{1B}[\(row + 1);\(change.column + 1)H" + (change.isShorter ? "\u{1B}[K" : "")
                    + change.line.spans.map(command).joined())
        }
        if hasOtherImages { parts += frame.images.map(Self.command) }
        if let bells = shown?.bells, frame.bells > bells { parts.append("\u{7}") }
        if let cursor = frame.cursor {
            parts.append(
                "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H" + (shown?.cursor == nil ? "\u{1B}[?25h" : "")
            )
        } else if shown == nil || shown?.cursor != nil {
            parts.append("\u{1B}[?25l")
        }
        shown = frame
        return parts.count > 2 ? Self.begin + parts.joined() + Self.end : parts.joined()
    }

    /// Takes all pictures away, with the lines beside them.
    private mutating func eraseImages() -> [String] {
        guard let images = shown?.images, !images.isEmpty else { return [] }
        let rows = Set(images.flatMap { $0.position.row..<$0.position.row + $0.image.rows })
        for row in rows where shown?.lines.indices.contains(row) == true { shown?.lines[row] = .empty }
        return (images.contains { $0.image.form == .kitty } ? ["\u{1B}_Ga=d,d=A\u{1B}\\"] : [])
            + rows.sorted().map { "\u{1B}[\($0 + 1);1H\u{1B}[K" }
    }

    private static func command(_ placed: Frame.PlacedImage) -> String {
        let (text, place) = (placed.image.text, placed.position)
        let pieces = placed.image.form == .blocks ? text.split(separator: "\n").map(String.init) : [text]
        return pieces.enumerated().map { row, piece in
            "\u{1B}[\(place.row + row + 1);\(place.column + 1)H" + piece
        }.joined() + "\u{1B}[0m"
    }

    private func command(_ span: Span) -> String {
        let rendition = theme.rendition(span.style)
        let text = usesUnicode ? span.text : span.text.map(\.ascii).joined()
        return rendition.isEmpty ? text : "\u{1B}[\(rendition)m\(text)\u{1B}[0m"
    }

    /// The part of a line that has to be written again.
    private struct Change {
        /// Where it begins.
        var column: Int
        var line: StyledLine
        /// Whether the rest of the line has to be erased first. After a full line the cursor would still be on its last
        /// column.
        var isShorter: Bool

        /// - Returns: `nil` if both lines are the same.
        init?(from old: StyledLine, to new: StyledLine) {
            guard old != new else { return nil }
            let (before, after) = (old.cells, new.cells)
            // Of characters that are put together, not every terminal has the same width.
            let isSimple = (before + after).allSatisfy { $0.text.unicodeScalars.count == 1 }
            let same = isSimple ? zip(before, after).prefix { $0 == $1 }.count : 0
            let (rest, others) = (after.dropFirst(same), before.dropFirst(same))
            // Behind the change the same cells are in the same columns only if it has the same width.
            let isAligned = isSimple && old.columns == new.columns
            let end = isAligned ? zip(rest.reversed(), others.reversed()).prefix { $0 == $1 }.count : 0
            column = after.prefix(same).reduce(0) { $0 + $1.text.columns }
            line = StyledLine(joining: rest.dropLast(end))
            isShorter = !isSimple || new.columns < old.columns
        }
    }
}
