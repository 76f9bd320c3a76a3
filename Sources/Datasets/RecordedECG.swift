package import Physiology
package import Results
import StudyModel

/// The beats in a step's recording of an ECG.
package struct RecordedECG: Sendable {
    /// The recorder.
    package let recorder: String
    /// The channel.
    package let channel: String
    /// Each interval with its end, seconds since the run's start.
    package private(set) var intervals: [HeartRateMean.Interval]
    /// The heights of the R waves, in the unit of the channel.
    private(set) var heights: Breathing.Series

    /// - Returns: `nil` if beats are not detected at its rate.
    init?(_ recording: ResultBundle.Recording, _ waves: ResultBundle.Waves) {
        guard let told = recording.waves, let rate = told.rate ?? told.layout.rate,
            let place = Self.channel(of: waves.layout),
            let found = RecordedBeats.found(in: waves.values[place], at: waves.offsets, rate: rate)
        else { return nil }
        (recorder, channel) = (recording.recorder, waves.layout.channels[place].name)
        (intervals, heights) = found
    }

    /// The channel that is called an ECG, or else the first.
    private static func channel(of layout: WaveLayout) -> Int? {
        let names = layout.channels.map { $0.name.lowercased() }
        let named = names.firstIndex { name in ["ecg", "ekg"].contains { name.contains($0) } }
        return named ?? (names.isEmpty ? nil : 0)
    }

    /// The same with the intervals of another recording.
    func joined(by other: RecordedECG) -> RecordedECG {
        var all = self
        all.heights = (heights + other.heights).sorted { $0.time < $1.time }
        all.intervals = (intervals + other.intervals).sorted { $0.time < $1.time }
        return all
    }

    /// The name of the source of its beats.
    package var source: String { "ECG \(recorder), \(channel)" }

    var beats: [BundleHearts.Beats] { intervals.map { .init(time: $0.time, intervals: [$0.length]) } }

    /// The rate of each beat, for a step in which none was notified.
    var rates: [ResultBundle.HeartRate] {
        intervals.map { interval in
            ResultBundle.HeartRate(ofBeatAt: interval.time, lasting: interval.length, source: source)
        }
    }
}

extension ResultBundle.Recording {
    /// Whether it holds an ECG.
    package var isECG: Bool { waves != nil && name.hasPrefix(Signal.ecg.type + "_") }

    /// Whether it holds the movement of a breathing belt.
    var isBelt: Bool { waves != nil && name.hasPrefix(Signal.breathing.type + "_") }
}

extension ResultBundle.Visit {
    /// Whether an ECG was recorded during it.
    var hasECG: Bool { recordings.contains(where: \.isECG) }
}
