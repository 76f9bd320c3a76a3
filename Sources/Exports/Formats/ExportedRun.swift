import Physiology
import Results
import StudyModel
import TextFormat

/// What exports and reports need of one run.
struct ExportedRun {
    var source: ExportSource
    /// The visits of steps, in order.
    let steps: [ResultBundle.Visit]
    /// What recorders' files hold, by their names.
    private let contents: [String: RecordedItems]
    /// All heart rates by time.
    let samples: [ResultBundle.HeartRate]
    /// All intervals of recorders of their own by time.
    let beats: [ResultBundle.Interval]
    /// The numbers of every other signal that was recorded, by time.
    let numbers: [(signal: Signal, numbers: [ResultBundle.Number])]
    /// The source whose heart rates count, and the others.
    let heart: RunHeart

    /// - Throws: where the result lacks something, or a recording does not hold what the result says.
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
        heart = RunHeart(heartRates: samples.counts(of: \.source))
    }

    /// What a recorder's file holds.
    func items(of recording: ResultBundle.Recording) -> RecordedItems {
        contents[recording.name] ?? RecordedItems()
    }

    /// The heart rates of the run's heart, by time: two hearts, or two looks at one, make no line.
    var mainSamples: [ResultBundle.HeartRate] { samples.filter { $0.source == heart.source } }

    /// The intervals of that heart, each with its end: those of a recorder of their own, else those sent with the rates.
    var mainIntervals: [HeartRateMean.Interval] {
        let own = beats.filter { $0.source == heart.source }
        guard own.isEmpty else { return own.map { ($0.runOffset, $0.value) } }
        return mainSamples.flatMap { sample -> [HeartRateMean.Interval] in
            var left = sample.rrIntervals.reduce(0, +)
            return sample.rrIntervals.map { length in
                left -= length
                return (sample.runOffset - left, length)
            }
        }
    }

    /// When recorders of that heart had no samples, seconds since the run's start.
    var heartRateGaps: [Range<Double>] {
        let recordings = steps.flatMap(\.recordings).filter(\.isHeartRate)
        let others = Set(
            recordings.filter { items(of: $0).heartRates.contains { $0.source != heart.source } }.map(
                \.recorder))
        return recordings.filter { !others.contains($0.recorder) }.flatMap(\.gaps).map(\.span)
    }

    /// The step in which something was measured that lies with `step`: recorders over several steps lie with the last.
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
