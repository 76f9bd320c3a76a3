import Datasets
import Physiology
import Results
import StudyModel
import TextFormat

/// What exports and reports need from one run.
struct ExportedRun {
    var source: ExportSource
    /// The visits of steps, in order.
    let steps: [ResultBundle.Visit]
    /// The contents of recorders' files, by name.
    private let contents: [String: RecordedItems]
    /// All heart rates, by time.
    let samples: [ResultBundle.HeartRate]
    /// All intervals of separate interval recorders, by time.
    let beats: [ResultBundle.Interval]
    /// The numbers of every other recorded signal, by time.
    let numbers: [(signal: Signal, numbers: [ResultBundle.Number])]
    /// What was rated, by recorder and dimension, by time.
    let ratings: [Rating]

    /// One dimension of a rating.
    struct Rating {
        /// The recorder's name, followed by a point and the dimension's name if that differs.
        var name: String
        /// The name in a form that BIDS allows; no other of the run has it.
        var label: String
        var points: [ResultBundle.Rating]
        /// Points farther apart than this are not joined, s.
        var longestSilence: Double
    }

    /// The source whose heart rates count, and the others.
    let heart: RunHeart
    /// The heart rates of the run's main heart in each step, by time. Two hearts, or two recordings of one, must
    /// not be joined into one line.
    let mainSamplesOfSteps: [[ResultBundle.HeartRate]]
    /// The heart rates of the run's main heart, by time.
    var mainSamples: [ResultBundle.HeartRate] {
        mainSamplesOfSteps.flatMap(\.self).sorted { $0.runOffset < $1.runOffset }
    }

    /// The intervals of that heart by time, each at its end.
    let mainIntervals: [HeartRateMean.Interval]
    private let hearts: BundleHearts
    /// The same with what analyses correct of them, worked out anew each time.
    var judgedIntervals: [JudgedInterval] { hearts.beats.flatMap(\.self).judged }
    /// The stretches of its ECG that were too poor for beats.
    var refused: Breathing.Series { hearts.refused.flatMap { $0 ?? [] } }
    /// The waveform in which those beats were found, in words; `nil` if they were recorded as intervals.
    var beatSource: String? { hearts.detected.lazy.compactMap { $0?.source }.first }

    /// - Throws: if the result is incomplete, or if a recording does not contain what the result says.
    init(_ source: ExportSource) throws {
        self.source = source
        steps = try ResultBundle.Visit.all(in: source.result, paths: source.stepPaths)
        let recordings = steps.flatMap(\.recordings)
        var contents: [String: RecordedItems] = [:]
        for recording in recordings {
            if let bytes = source.items[recording.name] {
                contents[recording.name] = try RecordedItems(parsing: bytes, of: recording)
            }
        }
        self.contents = contents
        let items = recordings.compactMap { contents[$0.name] }
        samples = items.flatMap(\.heartRates).sorted { $0.runOffset < $1.runOffset }
        beats = items.flatMap(\.intervals).sorted { $0.runOffset < $1.runOffset }
        let numbers = Dictionary(grouping: items.flatMap(\.numbers), by: \.signal)
        self.numbers = Signal.numbers.compactMap { signal, _ in
            numbers[signal].map { (signal, $0.sorted { $0.runOffset < $1.runOffset }) }
        }
        let rated = Dictionary(grouping: items.flatMap(\.ratings)) { rating in
            rating.recorder == rating.dimension ? rating.recorder : "\(rating.recorder).\(rating.dimension)"
        }
        let labels = RunNames.labels(Set(rated.keys))
        ratings = rated.sorted { $0.key < $1.key }.map { name, points in
            let scales = recordings.filter { $0.recorder == points.first?.recorder }.compactMap(\.rating)
            return Rating(
                name: name, label: "rating" + labels[name, default: name],
                points: points.sorted { $0.runOffset < $1.runOffset },
                longestSilence: scales.map(\.scale.longestSilence.seconds).max() ?? 0)
        }
        hearts = try BundleHearts(
            of: steps, { contents[$0.name] ?? RecordedItems() }, waves: { try source.waves(in: $0) })
        heart = hearts.heart
        mainSamplesOfSteps = hearts.rates
        mainIntervals = hearts.beats.flatMap(\.ended).sorted { $0.time < $1.time }
    }

    /// The waves in which beats can be seen, with the channel that shows them.
    func beatWaves() throws -> [(waves: ResultBundle.Waves, channel: Int)] {
        try steps.flatMap(\.recordings).compactMap { recording in
            guard let told = recording.waves, let channel = recording.beatChannel(of: told.layout) else {
                return nil
            }
            return (try source.waves(in: recording), channel)
        }
    }

    /// The content of a recorder's file.
    func items(of recording: ResultBundle.Recording) -> RecordedItems {
        contents[recording.name] ?? RecordedItems()
    }

    /// When recorders of that heart had no samples, seconds since the run's start.
    var heartRateGaps: [Range<Double>] {
        let recordings = steps.flatMap(\.recordings).filter(\.isHeartRate)
        let others = Set(
            recordings.filter { items(of: $0).heartRates.contains { $0.source != heart.source } }.map(
                \.recorder))
        return recordings.filter { !others.contains($0.recorder) }.flatMap(\.gaps).map(\.span)
    }

    /// The step in which something was measured whose file lies with `step`. The file of a recorder over several
    /// steps lies with the last of them.
    func step(at offset: Double, upTo step: ResultBundle.Visit) -> ResultBundle.Visit {
        guard offset < step.start else { return step }
        return steps[..<(step.ordinal - 1)].last { $0.start <= offset } ?? step
    }

    /// When something happened: RFC 3339 with three decimals and the run's offset from UTC.
    func time(_ offset: Double) -> String {
        let instant = RunInstant(offset: .nanoseconds(Int64((offset * 1e9).rounded())))
        let date = Array(source.start.date(of: instant))
        let rest = (source.start.nanoseconds + instant.nanoseconds) % 1_000_000_000 / 1_000_000
        return String(date[..<19]) + "." + digits(Int(rest < 0 ? rest + 1000 : rest), 3)
            + String(date[19..<22]) + ":" + String(date[22...])
    }
}

extension ExportSource {
    fileprivate func waves(in recording: ResultBundle.Recording) throws -> ResultBundle.Waves {
        try ResultBundle.Waves(parsing: columns[recording.name] ?? items[recording.name] ?? [], of: recording)
    }
}
