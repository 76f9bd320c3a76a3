package import Physiology
package import Platform
package import Results

/// A bundle's measurements of the heart that counts, each in the step in which it was made; see `RunHeart`.
package struct BundleHearts {
    /// The heart that counts.
    package let heart: RunHeart
    /// For each step of the bundle its heart rates, in order of time.
    package let rates: [[ResultBundle.HeartRate]]
    /// For each step of the bundle its intervals between beats, in order of time.
    package let beats: [[Beats]]
    /// For each step the waveform whose beats are its intervals, because the study says so or nothing else recorded
    /// them; `nil` otherwise.
    package let detected: [WaveBeats?]
    /// For each step the stretches of its ECG that were too poor for beats, each with its beginning and its length in
    /// seconds: of the ECG whose beats count, or else of the worst one; `nil` without an ECG.
    package let refused: [Breathing.Series?]
    /// For each step how much that is, seconds.
    package var refusedSeconds: [Double?] { refused.map { $0?.reduce(0) { $0 + $1.value } } }
    /// Whether a later visit counts instead of a step's.
    let isReplaced: [Bool]
    /// For each step how fast the participant breathed; `nil` if nothing tells.
    package let breathing: [Breathing?]

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

    package init(of bundle: ResultBundle) throws(FileFailure) {
        try self.init(of: bundle.visits, bundle.recordedItems) { (recording) throws(FileFailure) in
            try bundle.waves(in: recording)
        }
    }

    /// - Parameters:
    ///   - items: gives the content of a recorder's file.
    ///   - waves: gives the samples of a waveform.
    package init<Failure: Error>(
        of visits: [ResultBundle.Visit],
        _ items: (ResultBundle.Recording) throws(Failure) -> RecordedItems,
        waves: (ResultBundle.Recording) throws(Failure) -> ResultBundle.Waves
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
        let (found, belts, refused) = try Self.chests(of: visits, waves)
        let detected = found.enumerated().map { place, beats in
            beats?.isChosen == true || beatsOfSteps[place] == nil ? beats : nil
        }
        (self.detected, self.refused) = (detected, refused)
        self.rates = starts.indices.map { place in
            let notified = ratesOfSteps[place, default: []].map(\.item)
                .sorted { ($0.runOffset, $0.arrivalOffset) < ($1.runOffset, $1.arrivalOffset) }
            let isChosen = detected[place]?.isChosen == true
            return notified.isEmpty || isChosen ? detected[place]?.rates ?? [] : notified
        }
        let beatsOfAll = starts.indices.map { place in
            detected[place]?.beats
                ?? beatsOfSteps[place, default: []].map(\.item).sorted { $0.time < $1.time }
        }
        self.beats = beatsOfAll
        let replaced = ResultBundle.Visit.replaced(in: visits)
        isReplaced = visits.map { replaced.contains($0.ordinal) }
        breathing = starts.indices.map { place in
            Breathing(belt: belts[place])
                ?? Breathing(intervals: beatsOfAll[place].ended, heights: found[place]?.heights ?? [])
        }
    }

    /// Whether the heart rates that a recorder took from a source in a step count, and whether the intervals do.
    func counts(_ stretch: RunHeart.Stretch) -> (rates: Bool, intervals: Bool) {
        guard !isReplaced[stretch.step] else { return (false, false) }
        let detected = detected[stretch.step]
        return (
            heart.hasRates(stretch) && detected?.isChosen != true,
            heart.hasIntervals(stretch) && detected == nil
        )
    }

    /// For each step the beats in its waveforms, what its belt recorded, and how much of its ECG was too poor for beats.
    private static func chests<Failure: Error>(
        of visits: [ResultBundle.Visit],
        _ waves: (ResultBundle.Recording) throws(Failure) -> ResultBundle.Waves
    ) throws(Failure) -> (beats: [WaveBeats?], belts: [Breathing.Series], refused: [Breathing.Series?]) {
        var found = [[WaveBeats]](repeating: [], count: visits.count)
        var belts = [Breathing.Series](repeating: [], count: visits.count)
        var refused = [[String: Breathing.Series]](repeating: [:], count: visits.count)
        let starts = visits.map(\.start)
        for (place, step) in visits.enumerated() {
            // The file of a recorder over several steps lies with the last of them.
            let visit = { (time: Double) in starts[...place].lastIndex { $0 <= time } ?? 0 }
            for recording in step.recordings {
                if let beats = try WaveBeats(in: recording, waves: waves) {
                    for (place, part) in beats.parts(in: visit) { found[place].append(part) }
                    for interval in beats.intervals where recording.isECG {
                        refused[visit(interval.time)][beats.recorder, default: []] += []
                    }
                    for stretch in beats.refused {
                        refused[visit(stretch.time)][beats.recorder, default: []].append(stretch)
                    }
                }
                guard recording.isBelt else { continue }
                let belt = try waves(recording)
                for (time, value) in zip(belt.offsets, belt.values.first ?? []) {
                    belts[visit(time)].append((time, value))
                }
            }
        }
        let counting = found.map(WaveBeats.counting)
        return (
            counting, belts,
            zip(counting, refused).map { beats, refused in
                beats.flatMap { refused[$0.recorder] }
                    ?? refused.values.max { $0.reduce(0) { $0 + $1.value } < $1.reduce(0) { $0 + $1.value } }
            }
        )
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
