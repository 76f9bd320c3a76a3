package import Physiology
package import Results

/// A bundle's measurements of the heart that counts, each in the step in which it was made; see `RunHeart`.
package struct BundleHearts {
    /// The heart that counts.
    package let heart: RunHeart
    /// For each step of the bundle its heart rates, in order of time.
    package let rates: [[ResultBundle.HeartRate]]
    /// For each step of the bundle its intervals between beats, in order of time.
    package let beats: [[Beats]]

    /// Intervals that arrived together.
    package struct Beats {
        /// When the last of them ended, seconds since the run's start.
        package var time: Double
        /// The intervals, seconds, oldest first.
        package var intervals: [Double]
    }

    /// A measurement, with its recorder, its source and its step.
    private struct Measurement<Item> {
        var stretch: RunHeart.Stretch
        var item: Item
    }

    package init(of bundle: ResultBundle) throws(BundleFailure) {
        try self.init(of: bundle.visits, bundle.recordedItems)
    }

    /// - Parameter items: gives the content of a recorder's file.
    package init<Failure: Error>(
        of visits: [ResultBundle.Visit],
        _ items: (ResultBundle.Recording) throws(Failure) -> RecordedItems
    ) throws(Failure) {
        let starts = visits.map(\.start)
        var rates: [Measurement<ResultBundle.HeartRate>] = []
        var beats: [Measurement<Beats>] = []
        for (place, step) in visits.enumerated() {
            // The file of a recorder over several steps lies with the last of them.
            let visit = { (time: Double) in starts[...place].lastIndex { $0 <= time } ?? 0 }
            for recording in step.recordings where recording.isHeartRate || recording.isIntervals {
                let items = try items(recording)
                let stretch = { (time: Double, source: String) in
                    RunHeart.Stretch(step: visit(time), source: source, recorder: recording.recorder)
                }
                for rate in items.heartRates {
                    let own = stretch(rate.runOffset, rate.source)
                    rates.append(Measurement(stretch: own, item: rate))
                    guard !rate.rrIntervals.isEmpty else { continue }
                    let item = Beats(time: rate.runOffset, intervals: rate.rrIntervals)
                    beats.append(Measurement(stretch: own, item: item))
                }
                for beat in items.intervals {
                    let item = Beats(time: beat.runOffset, intervals: [beat.value])
                    beats.append(Measurement(stretch: stretch(beat.runOffset, beat.source), item: item))
                }
            }
        }
        let heart = RunHeart(
            heartRates: rates.counts(of: \.stretch),
            intervals: beats.counts(of: \.stretch) { $0.item.intervals.count })
        self.heart = heart
        let ratesOfSteps = Dictionary(
            grouping: rates.filter { heart.hasRates($0.stretch) }, by: \.stretch.step)
        let beatsOfSteps = Dictionary(
            grouping: beats.filter { heart.hasIntervals($0.stretch) }, by: \.stretch.step)
        self.rates = starts.indices.map { place in
            ratesOfSteps[place, default: []].map(\.item)
                .sorted { ($0.runOffset, $0.arrivalOffset) < ($1.runOffset, $1.arrivalOffset) }
        }
        self.beats = starts.indices.map { place in
            beatsOfSteps[place, default: []].map(\.item).sorted { $0.time < $1.time }
        }
    }
}

extension IntervalStretches {
    package init(_ beats: [BundleHearts.Beats]) {
        self.init(times: beats.map(\.time), intervals: beats.map(\.intervals))
    }
}

extension [BundleHearts.Beats] {
    /// Each interval with its own end.
    package var ended: [HeartRateMean.Interval] {
        flatMap { beats -> [HeartRateMean.Interval] in
            var left = beats.intervals.reduce(0, +)
            return beats.intervals.map { length in
                left -= length
                return (beats.time - left, length)
            }
        }
    }
}
