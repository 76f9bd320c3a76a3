/// Text as a terminal shows it: pieces of harmless characters with their width.
enum DisplayCells {
    /// What stands for one character of a source line, and how many columns of the terminal it takes.
    ///
    /// Tabs become four spaces; control characters, directional marks and other invisible characters become
    /// a visible escape such as `\u{1b}`.
    static func shown(_ scalar: Unicode.Scalar) -> (text: String, width: Int) {
        if scalar == "\t" { return ("    ", 4) }
        if scalar.properties.isEmojiModifier { return (String(scalar), 0) }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            let escape = "\\u{" + String(scalar.value, radix: 16) + "}"
            return (escape, escape.utf8.count)
        case .nonspacingMark, .enclosingMark: return (String(scalar), 0)
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .spacingMark,
            .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation,
            .openPunctuation,
            .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol,
            .currencySymbol,
            .modifierSymbol, .otherSymbol, .spaceSeparator:
            return (String(scalar), isWide(scalar) ? 2 : 1)
        @unknown default: return (String(scalar), 1)
        }
    }

    /// A whole text made harmless for a terminal; line feeds stay where `keepsLines`.
    static func harmless(_ text: String, keepsLines: Bool = false) -> String {
        text.unicodeScalars.map { keepsLines && $0 == "\n" ? "\n" : shown($0).text }.joined()
    }

    /// East Asian Wide and Fullwidth, and emoji with their own presentation (Unicode Standard Annex 11).
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isEmojiPresentation { return true }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
            return true
        default: return false
        }
    }
}
