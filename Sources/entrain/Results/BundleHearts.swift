import Physiology
import Results

/// What a bundle says of the heart that counts, each measurement in the step in which it was made: see `RunHeart`.
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
        let starts = bundle.visits.map(\.start)
        var rates: [Taken<ResultBundle.HeartRate>] = []
        var beats: [Taken<Beats>] = []
        for (place, step) in bundle.visits.enumerated() {
            // A recorder over several steps lies with the last of them.
            let visit = { (time: Double) in starts[...place].lastIndex { $0 <= time } ?? 0 }
            for recording in step.recordings where recording.isHeartRate || recording.isIntervals {
                let recorder = recording.recorder
                let items = try bundle.recordedItems(in: recording)
                for rate in items.heartRates {
                    let step = visit(rate.runOffset)
                    rates.append(Taken(step: step, source: rate.source, recorder: recorder, item: rate))
                    guard !rate.rrIntervals.isEmpty else { continue }
                    let item = Beats(time: rate.runOffset, intervals: rate.rrIntervals)
                    beats.append(Taken(step: step, source: rate.source, recorder: recorder, item: item))
                }
                for beat in items.intervals {
                    let item = Beats(time: beat.runOffset, intervals: [beat.value])
                    beats.append(
                        Taken(step: visit(item.time), source: beat.source, recorder: recorder, item: item))
                }
            }
        }
        let count = { (taken: Taken<Beats>) in taken.item.intervals.count }
        let heart = RunHeart(
            heartRates: rates.counts(of: \.source), intervals: beats.counts(of: \.source, count))
        self.rates = starts.indices.map { place in
            rates.filter { $0.step == place && $0.source == heart.source }.map(\.item)
                .sorted { ($0.runOffset, $0.arrivalOffset) < ($1.runOffset, $1.arrivalOffset) }
        }
        self.beats = starts.indices.map { place in
            let own = beats.filter { $0.step == place && $0.source == heart.intervalSource }
            let recorder = RunHeart.most(of: own.counts(of: \.recorder, count))
            return own.filter { $0.recorder == recorder }.map(\.item).sorted { $0.time < $1.time }
        }
    }
}

extension IntervalStretches {
    init(_ beats: [BundleHearts.Beats]) {
        self.init(times: beats.map(\.time), intervals: beats.map(\.intervals))
    }
}

extension [BundleHearts.Beats] {
    /// Each interval with its own end.
    var ended: [HeartRateMean.Interval] {
        flatMap { beats -> [HeartRateMean.Interval] in
            var left = beats.intervals.reduce(0, +)
            return beats.intervals.map { length in
                left -= length
                return (beats.time - left, length)
            }
        }
    }
}
