/// Whose heart rates count for a run.
///
/// If several sources recorded the run, the one with the most heart rates counts, and so do its intervals between
/// beats. If it has none, the intervals of the source with the most count. If several recorders took the same
/// source, so that each measurement is there several times, the one with the most counts in each step. If numbers
/// are equal, the first name counts.
package struct RunHeart: Sendable {
    /// How many heart rates each source has, the source with the most first. Heart rates that several recorders
    /// took count once.
    package let sources: [(name: String, count: Int)]
    /// The source whose heart rates count; `nil` if there are none.
    package var source: String? { sources.first?.name }
    private let rates: Set<Stretch>
    private let intervals: Set<Stretch>

    /// What one recorder took from one source in one step.
    package struct Stretch: Hashable, Sendable {
        /// The step's place in the run.
        package var step: Int
        package var source: String
        package var recorder: String

        package init(step: Int, source: String, recorder: String) {
            self.step = step
            self.source = source
            self.recorder = recorder
        }
    }

    /// - Parameters:
    ///   - heartRates: how many heart rates each stretch has.
    ///   - intervals: how many intervals each stretch has.
    package init(heartRates: [Stretch: Int], intervals: [Stretch: Int] = [:]) {
        let rates = Self.fullest(heartRates)
        sources = rates.counts(of: \.key.source, \.value).map { (name: $0.key, count: $0.value) }
            .sorted { (-$0.count, $0.name) < (-$1.count, $1.name) }
        let main = sources.first?.name
        self.rates = Set(rates.keys.filter { $0.source == main })
        let beats = Self.fullest(intervals)
        let counts = beats.counts(of: \.key.source, \.value)
        let beating =
            main.flatMap { counts[$0] } == nil
            ? counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key : main
        self.intervals = Set(beats.keys.filter { $0.source == beating })
    }

    /// For each source and step, the stretch of the recorder with the most.
    private static func fullest(_ counts: [Stretch: Int]) -> [Stretch: Int] {
        var kept: [Stretch: (stretch: Stretch, count: Int)] = [:]
        for (stretch, count) in counts {
            let place = Stretch(step: stretch.step, source: stretch.source, recorder: "")
            if let other = kept[place],
                (other.count, stretch.recorder) > (count, other.stretch.recorder)
            {
                continue
            }
            kept[place] = (stretch, count)
        }
        return Dictionary(uniqueKeysWithValues: kept.values.map { ($0.stretch, $0.count) })
    }

    /// Whether the heart rates of a stretch count.
    package func hasRates(_ stretch: Stretch) -> Bool { rates.contains(stretch) }

    /// Whether the intervals of a stretch count.
    package func hasIntervals(_ stretch: Stretch) -> Bool { intervals.contains(stretch) }
}

extension Sequence {
    /// How many elements there are under each name.
    package func counts<Name: Hashable>(of name: (Element) -> Name, _ count: (Element) -> Int = { _ in 1 })
        -> [Name: Int]
    {
        reduce(into: [:]) { $0[name($1), default: 0] += count($1) }
    }
}
