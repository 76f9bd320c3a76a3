package import Physiology
package import Results

/// An interval between beats, and what analyses make of it.
package struct JudgedInterval: Hashable, Sendable {
    /// When it ended, seconds since the run's start.
    package var end: Double
    /// Seconds, as recorded.
    package var length: Double
    /// What is wrong with it; `nil` if it is used as it is.
    package var artefact: IntervalCorrection.Artefact.Kind?
    /// Whether beats are missing between it and the one before.
    package var isAfterGap: Bool
    /// What it is used as: nothing, one interval or several, seconds.
    package var corrected: [Double]

    /// Such as `missed: 1.640 s, used as 0.820 and 0.820`.
    package var remark: String? {
        artefact.map { kind in
            let used = corrected.map { "\(($0 * 1000).rounded() / 1000)" }
            return "\(kind.rawValue): \((length * 1000).rounded() / 1000) s, "
                + (used.isEmpty ? "left out" : "used as \(used.joined(separator: " and ")) s")
        }
    }
}

extension [BundleHearts.Beats] {
    /// Each interval with what `IntervalStretches` and `IntervalCorrection` make of it.
    package var judged: [JudgedInterval] {
        var judged: [JudgedInterval] = []
        var ends = filter { $0.intervals.allSatisfy { $0 > 0 && $0.isFinite } }.ended[...]
        for stretch in IntervalStretches(self).stretches {
            let correction = IntervalCorrection(stretch)
            let kinds = Dictionary(
                correction.artefacts.map { ($0.index, $0.kind) }, uniquingKeysWith: { first, _ in first })
            let used = Dictionary(
                grouping: zip(correction.origins, correction.intervals), by: \.0
            ).mapValues { $0.map { $0.1 / 1000 } }
            for (place, interval) in ends.prefix(stretch.count).enumerated() {
                judged.append(
                    JudgedInterval(
                        end: interval.time, length: interval.length, artefact: kinds[place],
                        isAfterGap: place == 0 && !judged.isEmpty, corrected: used[place] ?? []))
            }
            ends = ends.dropFirst(stretch.count)
        }
        return judged
    }
}

extension RecordedItems {
    /// The intervals that a recorder kept, each as it arrived.
    package var beats: [BundleHearts.Beats] {
        intervals.map { .init(time: $0.runOffset, intervals: [$0.value]) }
    }
}

extension ResultBundle.Waves {
    /// The samples of a channel around a moment, each at its time.
    ///
    /// - Parameters:
    ///   - reach: seconds to each side.
    ///   - channel: its place.
    package func part(around moment: Double, reach: Double, of channel: Int) -> [(
        time: Double, value: Double
    )] {
        let first = offsets.firstIndex { $0 >= moment - reach } ?? offsets.count
        let end = offsets[first...].firstIndex { $0 > moment + reach } ?? offsets.count
        return (first..<end).map { (offsets[$0], values[channel][$0]) }.filter { $0.1.isFinite }
    }
}
