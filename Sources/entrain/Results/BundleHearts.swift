import Datasets
import Physiology
import Results
import TextFormat

/// A bundle's heart rates and intervals, each measurement in the step in which it was made.
///
/// If several sources recorded the run, the one with the most heart rates counts. Its intervals count, too; if it has
/// none, those of the source with the most intervals count. If several recorders took the same intervals, the one with
/// the most in a step counts for that step. `entrain analyse` follows the same rule.
struct BundleHearts {
    /// For each step of the bundle its heart rates, in order of time.
    let rates: [[ResultBundle.HeartRate]]
    /// For each step of the bundle its intervals between beats, in order of time.
    let beats: [[Beats]]

    /// Intervals that came together.
    struct Beats {
        /// Seconds since the run's start, when the last of them ended.
        var time: Double
        /// Seconds, oldest first.
        var intervals: [Double]
    }

    /// Something that a recorder took from a source.
    private struct Taken<Item> {
        var step: Int
        var source: String
        var recorder: String
        var item: Item
    }

    init(of bundle: ResultBundle) throws(BundleFailure) {
        let starts = bundle.steps.map { $0.userInfo["startOffset"]?.number ?? 0 }
        var rates: [Taken<ResultBundle.HeartRate>] = []
        var beats: [Taken<Beats>] = []
        for (place, step) in bundle.steps.enumerated() {
            // A recorder over several steps lies with the last of them.
            let visit = { (time: Double) in starts[...place].lastIndex { $0 <= time } ?? 0 }
            for file in step.files {
                let recorder = file.identifier
                for rate in try file.isHeartRate ? bundle.heartRates(in: file) : [] {
                    let step = visit(rate.runOffset)
                    rates.append(Taken(step: step, source: rate.source, recorder: recorder, item: rate))
                    guard !rate.rrIntervals.isEmpty else { continue }
                    let item = Beats(time: rate.runOffset, intervals: rate.rrIntervals)
                    beats.append(Taken(step: step, source: rate.source, recorder: recorder, item: item))
                }
                for beat in try file.isIntervals ? bundle.beats(in: file) : [] {
                    let step = visit(beat.item.time)
                    beats.append(Taken(step: step, source: beat.source, recorder: recorder, item: beat.item))
                }
            }
        }
        let source = rates.mostFrequent(\.source) { _ in 1 }
        self.rates = starts.indices.map { place in
            rates.filter { $0.step == place && $0.source == source }.map(\.item)
                .sorted { ($0.runOffset, $0.arrivalOffset) < ($1.runOffset, $1.arrivalOffset) }
        }
        let count = { (taken: Taken<Beats>) in taken.item.intervals.count }
        let hasBoth = beats.contains { $0.source == source }
        let beatSource = hasBoth ? source : beats.mostFrequent(\.source, count: count)
        self.beats = starts.indices.map { place in
            let own = beats.filter { $0.step == place && $0.source == beatSource }
            let recorder = own.mostFrequent(\.recorder, count: count)
            return own.filter { $0.recorder == recorder }.map(\.item).sorted { $0.time < $1.time }
        }
    }
}

extension ResultBundle.File {
    /// Whether it holds intervals between beats alone.
    fileprivate var isIntervals: Bool { name.hasPrefix("RRInterval_") }
}

extension ResultBundle {
    /// The items of a recorder of intervals.
    fileprivate func beats(
        in file: File
    ) throws(BundleFailure) -> [(source: String, item: BundleHearts.Beats)] {
        try items(in: file).compactMap { item in
            guard let time = item["metadata"]?["runOffset"]?.number, let length = item["value"]?.number,
                let source = item["source"]?.text
            else { return nil }
            return (source, BundleHearts.Beats(time: time, intervals: [length]))
        }
    }
}

extension IntervalStretches {
    init(_ beats: [BundleHearts.Beats]) {
        self.init(times: beats.map(\.time), intervals: beats.map(\.intervals))
    }
}
