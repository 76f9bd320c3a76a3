import StudyModel

/// The keys of a mapping. There are few, and they are looked up again and again.
extension [Node.Pair] {
    /// The value of a key; `nil` if it is absent.
    func value(of key: String) -> Node? { first { $0.key.value == key }?.value }

    /// The pairs whose keys are not known.
    func outside(_ known: [String]) -> [Node.Pair] { filter { !known.contains($0.key.value) } }

    /// The pairs with misspelt keys corrected, so that a misspelt key is not also reported as missing.
    func withKeysMeant(_ known: [String]) -> [Node.Pair] {
        if allSatisfy({ known.contains($0.key.value) }) { return self }
        var given = Set(map(\.key.value))
        return map { pair in
            guard !known.contains(pair.key.value),
                let meant = Suggestion.nearest(to: pair.key.value, among: known),
                given.insert(meant).inserted
            else { return pair }
            return Node.Pair(key: Located(value: meant, range: pair.key.range), value: pair.value)
        }
    }
}
