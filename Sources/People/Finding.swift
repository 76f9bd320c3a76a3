import TextFormat

/// Something that went wrong for a person.
package struct Finding: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// What was meant is not what is stored.
        case lost
        /// A text never came on the screen.
        case notSeen = "not seen"
        /// A text has no translation.
        case notTranslated = "not translated"
        /// Only a part of a text came on the screen.
        case cutOff = "cut off"
        /// No key led on.
        case impossible
    }

    package var kind: Kind
    package var step: String?
    package var question: String?
    /// What exactly, in words.
    package var words: String
    /// The screen on which it was noticed; empty if there is none.
    package var screen: [String] = []

    package init(
        kind: Kind, step: String? = nil, question: String? = nil, words: String, screen: [String] = []
    ) {
        (self.kind, self.step, self.question) = (kind, step, question)
        (self.words, self.screen) = (words, screen)
    }

    /// The finding in a line.
    package func line(of session: String) -> String {
        let place = [step.map { "step \(printable($0))" }, question.map { "question \(printable($0))" }]
        return "\(kind.rawValue): " + ([session] + place.compactMap(\.self)).joined(separator: ", ") + ": "
            + printable(words)
    }

    /// The screen in a frame.
    package func picture(isASCII: Bool) -> [String] {
        guard !screen.isEmpty else { return [] }
        let width = screen.map(\.columns).max() ?? 0
        let (corners, across, down) =
            isASCII ? (["+", "+", "+", "+"], "-", "|") : (["┌", "┐", "└", "┘"], "─", "│")
        let bar = String(repeating: across, count: width + 2)
        let rows = screen.map { line in
            "\(down) \(printable(line))\(String(repeating: " ", count: width - line.columns)) \(down)"
        }
        return [corners[0] + bar + corners[1]] + rows + [corners[2] + bar + corners[3]]
    }
}
