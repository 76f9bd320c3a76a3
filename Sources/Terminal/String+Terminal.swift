extension UnicodeScalar {
    /// Whether a terminal might obey the scalar instead of showing it, or show its neighbours out of order:
    /// C0, DEL, C1, line and paragraph separators, and the bidirectional controls.
    var isUnsafeOnTerminals: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The columns that the scalar adds to the character in which it stands.
    fileprivate var columns: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if (0x1160...0x11FF).contains(value) { return 0 }
        return properties.isEmojiPresentation || isWide ? 2 : 1
    }

    /// East Asian width W or F, without the emoji that Unicode's own properties tell.
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
    var columns: Int {
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
    var columns: Int { isPrintableASCII ? utf8.count : reduce(0) { $0 + $1.columns } }

    /// Most texts: they need no table.
    private var isPrintableASCII: Bool { utf8.allSatisfy { (0x20...0x7E).contains($0) } }

    /// The text with everything that a terminal might obey spelled out, such as `\u{1B}`.
    ///
    /// Line breaks stay where `keepsLines` says so, tabs become spaces. Safe texts are returned as they are.
    func safe(keepsLines: Bool = false) -> String {
        guard !isPrintableASCII, unicodeScalars.contains(where: \.isUnsafeOnTerminals) else { return self }
        var result = String.UnicodeScalarView()
        for scalar in replacing("\r\n", with: "\n").unicodeScalars {
            if scalar == "\n" && keepsLines || !scalar.isUnsafeOnTerminals {
                result.append(scalar)
            } else if scalar == "\t" {
                result.append(" ")
            } else {
                result.append(
                    contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            }
        }
        return String(result)
    }

    /// The text in lines of at most `width` columns, broken at spaces where there are any.
    ///
    /// Safe, whatever the text: see `safe`. A character wider than `width` becomes an ellipsis.
    func wrapped(to width: Int) -> [String] {
        safe(keepsLines: true).split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { Self.wrap($0, to: max(1, width)) }
    }

    /// As much of the beginning as fits into `width` columns.
    func prefix(columns width: Int) -> String {
        var left = width
        return String(
            prefix { character in
                left -= character.columns
                return left >= 0
            })
    }

    /// As much of the end as fits into `width` columns.
    func suffix(columns width: Int) -> String {
        var left = width
        var start = endIndex
        for index in indices.reversed() {
            left -= self[index].columns
            guard left >= 0 else { break }
            start = index
        }
        return String(self[start...])
    }

    private static func wrap(_ text: Substring, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let length = String(word).columns
            if used + (lines.isEmpty && line.isEmpty ? 0 : 1) + length <= width, !line.isEmpty {
                line += " " + word
                used += 1 + length
                continue
            }
            if !line.isEmpty { lines.append(line) }
            (line, used) = ("", 0)
            for character in word {
                let shown = character.columns > width ? "…" : character
                if used + shown.columns > width {
                    lines.append(line)
                    (line, used) = ("", 0)
                }
                line.append(shown)
                used += shown.columns
            }
        }
        return lines + [line]
    }
}
