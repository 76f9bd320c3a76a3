/// Finds the word that was probably meant.
package enum Suggestion {
    /// The nearest of `candidates` within a third of the word's length in typing mistakes (at least one), or one
    /// that differs only in upper and lower case. If several are equally near, the first one.
    package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        guard word.unicodeScalars.count <= 64 else { return nil }
        let typed = Array(word.lowercased().unicodeScalars)
        var best: (word: String, distance: Int)?
        for candidate in candidates where candidate != word {
            let meant = Array(candidate.lowercased().unicodeScalars)
            let limit = max(1, max(typed.count, meant.count) / 3)
            guard abs(typed.count - meant.count) <= limit else { continue }
            let distance = distance(typed, meant)
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        guard let best, best.distance < typed.count || typed.isEmpty else { return nil }
        return best.word
    }

    /// Whether nothing else can have been meant than the nearest word: no other is as near, both have the same
    /// numbers, because `clip2` is no slip for `clip3`, and neither denies what the other says.
    package static func isCertain(
        _ meant: String, for word: String, among candidates: some Sequence<String>
    ) -> Bool {
        let own = distance(of: meant, to: word)
        // What stands under `comment` does nothing, so a word that is only like it must not become it.
        guard meant != "comment" || own < 2, word.filter(\.isNumber) == meant.filter(\.isNumber) else {
            return false
        }
        let words = [meant, word].map { $0.lowercased() }
        for denial in ["not", "without", "never"] where Set(words.map { $0.contains(denial) }).count > 1 {
            return false
        }
        return candidates.allSatisfy { $0 == meant || distance(of: $0, to: word) > own }
    }

    private static func distance(of word: String, to other: String) -> Int {
        distance(Array(word.lowercased().unicodeScalars), Array(other.lowercased().unicodeScalars))
    }

    /// "did you mean 'x'?", or the list of candidates if none is near.
    package static func help(for word: String, among candidates: some Collection<String>, all: String)
        -> String?
    {
        if let meant = nearest(to: word, among: candidates) { return "did you mean '\(meant)'?" }
        guard !candidates.isEmpty else { return nil }
        let shown = candidates.prefix(12).joined(separator: ", ")
        return "\(all): \(shown)" + (candidates.count > 12 ? ", …" : "")
    }

    /// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var twoAgo: [Int] = []
        var previous = Array(0...right.count)
        for (row, a) in left.enumerated() {
            var current = [row + 1]
            for (column, b) in right.enumerated() {
                var cost = min(
                    previous[column] + (a == b ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, a == right[column - 1], left[row - 1] == b {
                    cost = min(cost, twoAgo[column - 1] + 1)
                }
                current.append(cost)
            }
            (twoAgo, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
