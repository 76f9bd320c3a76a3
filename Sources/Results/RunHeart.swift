/// Which heart answers for a run.
///
/// If several sources recorded the run, the one with the most heart rates counts, and so do its intervals between
/// beats; where it has none, those of the source with the most. Of several recorders of the same intervals, the one
/// with the most counts in each step. Among equals the first name counts.
package struct RunHeart: Sendable {
    /// How many heart rates each source has, the source with the most first.
    package let sources: [(name: String, count: Int)]
    /// The source whose heart rates count; `nil` where there are none.
    package var source: String? { sources.first?.name }
    /// The source whose intervals count; `nil` where there are none.
    package let intervalSource: String?

    /// - Parameters:
    ///   - heartRates: how many heart rates each source has.
    ///   - intervals: how many intervals each source has.
    package init(heartRates: [String: Int], intervals: [String: Int] = [:]) {
        sources = heartRates.map { (name: $0.key, count: $0.value) }
            .sorted { (-$0.count, $0.name) < (-$1.count, $1.name) }
        let main = sources.first?.name
        intervalSource = main.flatMap { intervals[$0] } == nil ? Self.most(of: intervals) : main
    }

    /// The name that has the most; `nil` where there is none.
    package static func most(of counts: [String: Int]) -> String? {
        counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}

extension Sequence {
    /// How many there are under each name.
    package func counts(of name: (Element) -> String, _ count: (Element) -> Int = { _ in 1 }) -> [String: Int]
    {
        reduce(into: [:]) { $0[name($1), default: 0] += count($1) }
    }
}
