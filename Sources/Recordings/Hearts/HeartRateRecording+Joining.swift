import StudyModel

extension HeartRateRecording {
    private static let longestSpan = 366.0 * 86_400

    /// In order of time, with one entry for each moment.
    ///
    /// - Parameters:
    ///   - readings: at least one.
    ///   - reading: how the file was understood, so far.
    init(joining readings: [RecordedReading], reading: Reading) throws(RecordingProblem) {
        var reading = reading
        var latest = -Double.infinity
        for row in readings {
            if row.time < latest { reading.reordered += 1 }
            latest = max(latest, row.time)
        }
        let sorted = readings.sorted { $0.time < $1.time }
        try Self.refuseLongSpan(of: sorted, placeName: reading.placeName)
        var moments: [RecordedReading] = []
        var doubles: [Int: [RecordedReading]] = [:]
        for var row in sorted {
            row.time = ((row.time - sorted[0].time) * 1e6).rounded() / 1e6
            guard let last = moments.indices.last, moments[last].time == row.time else {
                moments.append(row)
                continue
            }
            if moments[last].sample == row.sample || doubles[last]?.last?.sample == row.sample {
                doubles[last, default: []].append(row)
            } else {
                reading.joined += 1
                moments[last].join(row)
            }
        }
        Self.settle(doubles, in: &moments, &reading)
        start = sorted.first?.time ?? 0
        entries = moments.map { Entry(time: $0.time, sample: $0.completeSample) }
        reading.withoutReading = entries.count { $0.sample.rate == nil && $0.sample.rrIntervals.isEmpty }
        self.reading = reading
    }

    /// Joins rows that repeat another of the same moment where they are beats of their own, as with times in whole
    /// seconds, and leaves them out where they were written twice.
    ///
    /// They are beats if time passes for them: in a stretch without a break, the intervals together take no longer than
    /// it.
    private static func settle(
        _ doubles: [Int: [RecordedReading]], in moments: inout [RecordedReading], _ reading: inout Reading
    ) {
        var first = 0
        let longest = RecordedReading.plausibleIntervals.upperBound
        for end in moments.indices.map({ $0 + 1 }) {
            guard end == moments.count || moments[end].time - moments[end - 1].time > longest else {
                continue
            }
            defer { first = end }
            let own = (first..<end).filter { doubles[$0] != nil }
            guard !own.isEmpty else { continue }
            let repeated = own.flatMap { doubles[$0] ?? [] }
            let intervals = (moments[first..<end] + repeated).flatMap(\.sample.rrIntervals)
            let passed = moments[end - 1].time - moments[first].time
            let areBeats =
                repeated.allSatisfy { !$0.sample.rrIntervals.isEmpty }
                && intervals.reduce(0, +) <= 1.05 * passed + 1.5 * (intervals.max() ?? 0)
            guard areBeats else {
                reading.duplicates += repeated.count
                continue
            }
            reading.joined += repeated.count
            for place in own { for row in doubles[place] ?? [] { moments[place].join(row) } }
        }
    }

    private static func refuseLongSpan(
        of sorted: [RecordedReading], placeName: String
    ) throws(RecordingProblem) {
        guard let first = sorted.first, let last = sorted.last, last.time - first.time > longestSpan
        else { return }
        let (from, to) = ("\(placeName) \(first.place)", "\(placeName) \(last.place)")
        throw RecordingProblem(
            "from \(from) to \(to) it spans more than a year: keep only one recording", at: to)
    }
}
