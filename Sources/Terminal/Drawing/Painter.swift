/// Works out what must be sent to a terminal to show a frame: only the differences from what it shows.
struct Painter: Hashable, Sendable {
    let usesColour: Bool
    /// Whether the terminal shows more than ASCII.
    let usesUnicode: Bool
    private var shown: Frame?
    /// Whether the terminal was ever asked to report the pointer.
    private var hasPointer = false

    /// Switches to the other screen, hides the cursor, turns wrapping off and marks pastes. A terminal that orders
    /// right-to-left letters itself is asked to take each line's direction from the line's first letter, as
    /// "BiDi in Terminal Emulators" (terminal-wg.pages.freedesktop.org/bidi) has it; others ignore that.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[?2501h\u{1B}[0m\u{1B}[2J"
    /// Undoes `enter`, whatever was sent since.
    static let leave: StaticString =
        "\u{1B}[0m\u{1B}[?1002l\u{1B}[?1006l\u{1B}[?2004l\u{1B}[?2501l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    private static let pointerOn = "\u{1B}[?1002h\u{1B}[?1006h"
    private static let pointerOff = "\u{1B}[?1002l\u{1B}[?1006l"

    init(usesColour: Bool, usesUnicode: Bool = true) {
        self.usesColour = usesColour
        self.usesUnicode = usesUnicode
    }

    func isShowing(_ frame: Frame) -> Bool { frame == shown }

    /// It is no longer known what the terminal shows, so next time everything is sent.
    mutating func forget() { shown = nil }

    mutating func paint(_ frame: Frame) -> String {
        if let shown, shown.lines.count != frame.lines.count { forget() }
        var text = shown == nil ? "\u{1B}[0m\u{1B}[2J" : ""
        if frame.wantsPointer != shown?.wantsPointer, frame.wantsPointer || hasPointer {
            text += frame.wantsPointer ? Self.pointerOn : Self.pointerOff
            hasPointer = true
        }
        let before = shown?.lines
        for (row, line) in frame.lines.enumerated() where line != before?[row] {
            // The line is erased first, because after a full line the cursor is still on its last column.
            text += "\u{1B}[\(row + 1);1H\u{1B}[2K" + line.spans.map(command).joined()
        }
        if let bells = shown?.bells, frame.bells > bells { text += "\u{7}" }
        if let cursor = frame.cursor {
            text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
        } else if shown == nil || shown?.cursor != nil {
            text += "\u{1B}[?25l"
        }
        shown = frame
        return text
    }

    private func command(_ span: Span) -> String {
        let rendition =
            switch span.style {
            case .plain: ""
            case .heading, .strong: "1"
            case .emphasis: "4"
            case .quiet: "2"
            case .chosen: "7"
            case .problem: usesColour ? "1;31" : "1"
            case .good: usesColour ? "32" : ""
            }
        let text = usesUnicode ? span.text : span.text.map(\.ascii).joined()
        return rendition.isEmpty ? text : "\u{1B}[\(rendition)m\(text)\u{1B}[0m"
    }
}
