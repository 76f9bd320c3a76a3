import TextFormat

extension String {
    /// The text in lines of at most `width` columns, wrapped at spaces if there are any.
    ///
    /// Safe, whatever the text: see `safe`. A character wider than `width` becomes an ellipsis.
    func wrapped(to width: Int) -> [String] {
        safe(keepsLines: true).split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { Self.wrap($0, to: max(1, width)) }
    }

    /// The text as a label of other words on the same line: after its own full stop or question mark, or after a
    /// colon.
    func labelling(_ words: String) -> String { self + (last?.isPunctuation == true ? " " : ": ") + words }

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
