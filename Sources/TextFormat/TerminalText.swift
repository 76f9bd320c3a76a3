// Text from outside, as a terminal may show it. Only this file knows which characters a terminal obeys and how wide
// a character is.

extension Unicode.Scalar {
    /// Whether a terminal might obey the scalar instead of showing it, or show its neighbours in the wrong order:
    /// C0, DEL, C1, line and paragraph separators, and the bidirectional controls.
    package var isUnsafeOnTerminals: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E,
            0x2066...0x2069:
            true
        default: false
        }
    }

    /// Whether the scalar is unsafe, or would be invisible.
    package var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            true
        default: false
        }
    }

    /// Such as `\u{1b}`.
    package var spelledOut: String { "\\u{\(String(value, radix: 16))}" }

    /// The columns that the scalar adds to the character in which it stands.
    fileprivate var columns: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if (0x1160...0x11FF).contains(value) { return 0 }
        return properties.isEmojiPresentation || isWide ? 2 : 1
    }

    /// East Asian width W or F (Unicode Standard Annex 11), without the emoji, which Unicode's own properties
    /// cover.
    private var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
            0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}

extension Character {
    /// The columns that the character takes on a terminal, 0 or more.
    package var columns: Int {
        if isASCII { return 1 }
        let scalars = unicodeScalars
        guard scalars.count > 1 else { return scalars.reduce(0) { $0 + $1.columns } }
        let isEmoji = scalars.first?.properties.isEmojiPresentation == true
        if isEmoji || scalars.contains("\u{FE0F}") { return 2 }
        return scalars.reduce(0) { $0 + $1.columns }
    }
}

extension String {
    /// The columns that the text takes on a terminal.
    package var columns: Int { isPrintableASCII ? utf8.count : reduce(0) { $0 + $1.columns } }

    /// The text with everything that a terminal might obey spelled out, such as `\u{1b}`.
    ///
    /// If `keepsLines` is true, line breaks stay. Tabs become spaces. Safe texts are returned unchanged.
    package func safe(keepsLines: Bool = false) -> String {
        guard !isPrintableASCII, unicodeScalars.contains(where: \.isUnsafeOnTerminals) else { return self }
        return replacing("\r\n", with: "\n").replacing("\t", with: " ")
            .spellingOut { $0.isUnsafeOnTerminals && !(keepsLines && $0 == "\n") }
    }

    fileprivate func spellingOut(_ isSpelledOut: (Unicode.Scalar) -> Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if isSpelledOut(scalar) {
                result.append(contentsOf: scalar.spelledOut.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// True of most texts, which then need no table.
    fileprivate var isPrintableASCII: Bool { utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

/// A text from outside with unsafe and invisible characters spelled out. If `keepsLines` is true, line breaks stay.
package func printable(_ text: String, keepsLines: Bool = false) -> String {
    text.isPrintableASCII ? text : text.spellingOut { $0.isInvisible && !(keepsLines && $0 == "\n") }
}

/// The first 60 characters of a text from outside, printable and in quotation marks.
package func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    return "'" + printable(String(scalars.prefix(60))) + (scalars.count > 60 ? "…" : "") + "'"
}

/// A text that may be printed. Where a terminal might obey a character that does not come from the program itself,
/// it is spelled out.
///
/// A `String` is not such a text, so the compiler refuses to print one. `"\(name): done"` is such a text, and makes
/// `name` safe.
package struct TerminalText: Hashable, Sendable {
    /// The characters to print.
    package let text: String

    /// Several lines, whether or not they come from outside. Only the line feeds stay as they are.
    package static func lines(_ text: String) -> Self { Self(text: text.safe(keepsLines: true)) }

    /// The same with colours, whose sequences stay too. Text from outside must already be safe.
    package static func coloured(_ text: String) -> Self {
        let pieces = text.split(separator: "\u{1B}[", omittingEmptySubsequences: false)
        let rest = pieces.dropFirst().map { piece in
            let code = piece.prefix { $0.isASCII && $0.isNumber || $0 == ";" }
            let isColour = piece[code.endIndex...].first == "m"
            return (isColour ? "\u{1B}[" : "\\u{1b}[") + String(piece).safe(keepsLines: true)
        }
        return Self(text: String(pieces.first ?? "").safe(keepsLines: true) + rest.joined())
    }

    /// JSON in which every unsafe character is written as `\uXXXX`, which means the same.
    package static func json(_ bytes: [UInt8]) -> Self {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.unicodeScalars.contains(where: \.isUnsafeOnTerminals) else { return Self(text: text) }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.isUnsafeOnTerminals, scalar != "\n" {
                let digits = String(scalar.value, radix: 16)
                let zeros = String(repeating: "0", count: 4 - digits.count)
                result.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return Self(text: String(result))
    }

    package static func + (left: Self, right: Self) -> Self { Self(text: left.text + right.text) }

    private init(text: String) { self.text = text }
}

extension TerminalText: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(text: text) }
    package init(stringInterpolation: StringInterpolation) { self.init(text: stringInterpolation.text) }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Part of a line, so line feeds are spelled out too.
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += value.description.safe()
        }

        package mutating func appendInterpolation(_ error: any Error) {
            text += String(describing: error).safe()
        }

        package mutating func appendInterpolation(_ text: TerminalText) { self.text += text.text }
    }
}
