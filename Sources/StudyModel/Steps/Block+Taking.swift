extension Block {
    /// The rows whose values its steps can have, in the order of `filled`: with `seenIn`, each clip or condition is there
    /// as an old one, and after all of these as a new one.
    package func rows(of pool: [Stimulus]) -> [Stimulus] {
        guard seenIn != nil else { return pool }
        return [Take.old, Take.new].flatMap { value in pool.map { $0.seen(value) } }
    }

    /// The place in `filled` of the round of a clip or condition.
    ///
    /// - Parameter count: the number of all clips or conditions.
    package func row(of clip: DrawnStimulus, among count: Int) -> Int {
        let isNew = seenIn != nil && clip.stimulus.attributes[Take.name] == Take.new
        return clip.index + (isNew ? count : 0)
    }
}

extension [Stimulus] {
    /// The places of the rows of each value of a column, in the order in which the values come; a row without a value
    /// is in none.
    package func places(by column: String) -> [[Int]] {
        var (found, order) = ([String: [Int]](), [String]())
        for (place, row) in enumerated() {
            guard let value = row.attributes[column] else { continue }
            if found[value] == nil { order.append(value) }
            found[value, default: []].append(place)
        }
        return order.compactMap { found[$0] }
    }
}

extension Stimulus {
    /// The same clip or condition with the value that says whether it was taken before.
    package func seen(_ value: String) -> Stimulus {
        var own = self
        own.attributes[Block.Take.name] = value
        return own
    }
}
