/// Foreign text in quotation marks: at most 60 characters, and none that a terminal would obey.
package func quoted(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(60).map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            "\u{FFFD}"
        default: String(Character(scalar))
        }
    }
    return "'" + shown.joined() + (text.unicodeScalars.count > 60 ? "…" : "") + "'"
}

/// A text from outside with its control characters made visible.
package func printable(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.flatMap { scalar in
                scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                    ? Array("\\u{\(String(scalar.value, radix: 16))}".unicodeScalars) : [scalar]
            }))
}
