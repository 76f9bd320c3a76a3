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
        for var row in sorted {
            row.time = ((row.time - sorted[0].time) * 1e6).rounded() / 1e6
            guard let last = moments.indices.last, moments[last].time == row.time else {
                moments.append(row)
                continue
            }
            if moments[last].sample == row.sample {
                reading.duplicates += 1
            } else {
                reading.joined += 1
                moments[last].join(row)
            }
        }
        start = sorted.first?.time ?? 0
        entries = moments.map { Entry(time: $0.time, sample: $0.completeSample) }
        reading.withoutReading = entries.count { $0.sample.rate == nil && $0.sample.rrIntervals.isEmpty }
        self.reading = reading
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
