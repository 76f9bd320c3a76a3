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

extension Stimulus {
    /// The same clip or condition with the value that says whether it was taken before.
    package func seen(_ value: String) -> Stimulus {
        var own = self
        own.attributes[Block.Take.name] = value
        return own
    }
}
