/// A series of intervals with its artefacts corrected.
package struct IntervalCorrection: Hashable, Sendable {
    /// An abnormal interval of the given series.
    package struct Artefact: Hashable, Sendable {
        package enum Kind: String, CaseIterable, Hashable, Sendable {
            /// A beat came early or late, with the opposite after it.
            case ectopic
            /// A beat was detected where there was none.
            case extra
            /// A beat was not detected.
            case missed
            /// Otherwise too long or too short.
            case longShort
        }

        /// Which interval of the given series, from 0.
        package var index: Int
        package var kind: Kind
    }

    /// Milliseconds between beats. A missed beat is inserted, an extra one is removed, and a misplaced one is moved
    /// to where its neighbours suggest.
    package var intervals: [Double]
    /// For each of them, the place in the given series that it came from, ascending.
    package var origins: [Int]
    /// In order, each place once.
    package var artefacts: [Artefact]

    private static let passLimit = 10

    /// Finds and corrects artefacts repeatedly, until their number no longer falls.
    ///
    /// - Parameter intervals: ms, finite and above 0. If there are fewer than 3, they are left as they are.
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
