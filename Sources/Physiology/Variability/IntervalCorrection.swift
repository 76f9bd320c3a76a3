/// A series of intervals with its artefacts put right.
package struct IntervalCorrection: Hashable, Sendable {
    /// An interval of the given series that was not in order.
    package struct Artefact: Hashable, Sendable {
        package enum Kind: String, CaseIterable, Hashable, Sendable {
            /// A beat came early or late, with the opposite after it.
            case ectopic
            /// A beat was detected where there was none.
            case extra
            /// A beat was not detected.
            case missed
            /// Too long or too short otherwise.
            case longShort
        }

        /// Which interval of the given series, from 0.
        package var index: Int
        package var kind: Kind
    }

    /// Milliseconds between beats: a missed beat is put in, an extra one taken out, a misplaced one moved to where
    /// its neighbours suggest.
    package var intervals: [Double]
    /// For each of them the place in the given series that it came from, ascending.
    package var origins: [Int]
    /// In order, each place once.
    package var artefacts: [Artefact]

    private static let passLimit = 10

    /// Finds and corrects artefacts again and again, until no fewer are found.
    ///
    /// - Parameter intervals: ms, finite and above 0. Fewer than 3 are left as they are.
    package init(_ intervals: [Double]) {
        precondition(intervals.allSatisfy { $0 > 0 && $0.isFinite }, "intervals are times that pass")
        self.intervals = intervals
        artefacts = []
        origins = Array(intervals.indices)
        guard intervals.count >= 3 else { return }
        var found = IntervalArtefacts(in: intervals)
        var kinds: [Int: Artefact.Kind] = [:]
        for _ in 0..<Self.passLimit where found.count > 0 {
            for (place, kind) in found.kinds.enumerated() {
                if let kind, kinds[origins[place]] == nil { kinds[origins[place]] = kind }
            }
            let repaired = IntervalRepair(of: self.intervals, origins: origins, artefacts: found)
            (self.intervals, origins) = (repaired.intervals, repaired.origins)
            guard self.intervals.count >= 3 else { break }
            let left = IntervalArtefacts(in: self.intervals, near: repaired.changed)
            guard left.count < found.count else { break }
            found = left
        }
        artefacts = kinds.map { Artefact(index: $0.key, kind: $0.value) }.sorted { $0.index < $1.index }
    }
}
