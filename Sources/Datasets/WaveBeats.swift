package import Physiology
package import Results
package import StudyModel

/// The beats that were detected in a waveform: an ECG or a PPG.
package struct WaveBeats: Sendable {
    /// What it is a recording of.
    package let signal: Signal
    /// The recorder.
    package let recorder: String
    /// The channel.
    package let channel: String
    /// Whether the study says that the beats of its steps are those in this recording.
    package let isChosen: Bool
    /// Each interval with its end, seconds since the run's start.
    package private(set) var intervals: [HeartRateMean.Interval]
    /// The heights of the R waves, in the unit of the channel.
    private(set) var heights: Breathing.Series
    /// When stretches of the ECG begin that are too poor for beats, and how long they are, seconds.
    package let refused: Breathing.Series

    /// - Returns: `nil` if the recording is of something else, or beats are not detected at its rate.
    package init?<Failure: Error>(
        in recording: ResultBundle.Recording,
        waves: (ResultBundle.Recording) throws(Failure) -> ResultBundle.Waves
    ) throws(Failure) {
        guard let told = recording.waves, recording.isECG || recording.isPPG && told.givesBeats else {
            return nil
        }
        signal = recording.isECG ? .ecg : .ppg
        let waves = try waves(recording)
        guard let rate = told.rate ?? told.layout.rate, let place = recording.beatChannel(of: waves.layout)
        else { return nil }
        (recorder, channel) = (recording.recorder, waves.layout.channels[place].name)
        isChosen = told.givesBeats
        guard recording.isECG else {
            intervals = RecordedBeats.pulses(in: waves.values[place], at: waves.offsets, rate: rate)
            (heights, refused) = ([], [])
            return
        }
        guard let found = RecordedBeats.found(in: waves.values[place], at: waves.offsets, rate: rate) else {
            return nil
        }
        (intervals, heights, refused) = (found.intervals, found.heights, found.refused)
    }

    /// The beats of each step that it covers.
    ///
    /// - Parameter step: the place of the step in which a moment lies.
    func parts(in step: (Double) -> Int) -> [Int: WaveBeats] {
        let ended = Dictionary(grouping: intervals) { step($0.time) }
        let high = Dictionary(grouping: heights) { step($0.time) }
        return Dictionary(
            uniqueKeysWithValues: Set(ended.keys).union(high.keys).map { place in
                var part = self
                (part.intervals, part.heights) = (ended[place] ?? [], high[place] ?? [])
                return (place, part)
            })
    }

    /// The beats that count for a step: those that the study chooses, or else those of the ECG with the most.
    static func counting(_ found: [WaveBeats]) -> WaveBeats? {
        let chosen = found.filter(\.isChosen)
        let able = Dictionary(grouping: chosen.isEmpty ? found : chosen, by: \.recorder)
        let all = able.values.compactMap { parts in
            parts.dropFirst().reduce(parts.first) { $0?.joined(by: $1) }
        }
        return all.max { ($0.intervals.count, $1.recorder) < ($1.intervals.count, $0.recorder) }
    }

    /// The same with the intervals of another recording.
    private func joined(by other: WaveBeats) -> WaveBeats {
        var all = self
        all.heights = (heights + other.heights).sorted { $0.time < $1.time }
        all.intervals = (intervals + other.intervals).sorted { $0.time < $1.time }
        return all
    }

    /// The name of the source of its beats.
    package var source: String { "\(signal.quantity) \(recorder), \(channel)" }

    package var beats: [BundleHearts.Beats] { intervals.map { .init(time: $0.time, intervals: [$0.length]) } }

    /// The rate of each beat, for a step in which none was notified, or whose beats are chosen.
    var rates: [ResultBundle.HeartRate] {
        intervals.map { interval in
            ResultBundle.HeartRate(ofBeatAt: interval.time, lasting: interval.length, source: source)
        }
    }
}

extension ResultBundle.Recording {
    /// Whether it holds an ECG.
    package var isECG: Bool { waves != nil && name.hasPrefix(Signal.ecg.type + "_") }

    /// Whether it holds a PPG.
    fileprivate var isPPG: Bool { waves != nil && name.hasPrefix(Signal.ppg.type + "_") }

    /// The channel in which beats are looked for: the one that is called so, or else the first; `nil` if it is no ECG or
    /// PPG.
    package func beatChannel(of layout: WaveLayout) -> Int? {
        guard isECG || isPPG else { return nil }
        let words = isECG ? ["ecg", "ekg"] : ["ppg", "bvp"]
        let names = layout.channels.map { $0.name.lowercased() }
        let named = names.firstIndex { name in words.contains { name.contains($0) } }
        return named ?? (names.isEmpty ? nil : 0)
    }

    /// Whether it holds the movement of a breathing belt.
    var isBelt: Bool { waves != nil && name.hasPrefix(Signal.breathing.type + "_") }
}

extension ResultBundle.Visit {
    /// Whether its recordings tell of the heart, or of how fast the participant breathed.
    var tellsMore: Bool {
        recordings.contains { recording in
            recording.isECG || recording.waves?.givesBeats == true || recording.isHeartRate
                || recording.isIntervals || recording.isBelt
        }
    }
}
