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
        let sorted = Self.straightened(readings, &reading).sorted { $0.time < $1.time }
        try Self.refuseLongSpan(of: sorted, placeName: reading.placeName)
        var moments: [RecordedReading] = []
        for var row in sorted {
            row.time = ((row.time - sorted[0].time) * 1e6).rounded() / 1e6
            guard let last = moments.indices.last, moments[last].time == row.time else {
                moments.append(row)
                continue
            }
            if moments[last].sample == row.sample, row.sample.rrIntervals.isEmpty {
                reading.duplicates += 1
            } else {
                reading.joined += 1
                moments[last].join(row)
            }
        }
        start = sorted.first?.time ?? 0
        entries = moments.map {
            Entry(time: $0.time, sample: $0.completeSample, isAfterGap: $0.isAfterGap)
        }
        reading.withoutReading = entries.count { $0.sample.rate == nil && $0.sample.rrIntervals.isEmpty }
        self.reading = reading
    }

    /// The readings with intervals in the order of their beats: where a clock was set back, what follows stands behind what
    /// came before, after a gap, instead of among it.
    ///
    /// Many rows that come after a later one were written in another order, and so was a part that lies before all others.
    /// A part that repeats rows is the same part again.
    private static func straightened(
        _ readings: [RecordedReading], _ reading: inout Reading
    ) -> [RecordedReading] {
        let falls = readings.indices.dropFirst().filter { readings[$0].time < readings[$0 - 1].time }
        guard !falls.isEmpty, 20 * falls.count <= readings.count,
            readings.contains(where: { !$0.sample.rrIntervals.isEmpty })
        else { return readings }
        var straight = Array(readings[..<falls[0]])
        for (start, end) in zip(falls, falls.dropFirst() + [readings.count]) {
            var part = Array(readings[start..<end])
            defer { straight += part }
            let (earliest, latest) = straight.reduce((Double.infinity, -Double.infinity)) {
                (min($0.0, $1.time), max($0.1, $1.time))
            }
            guard part[part.count - 1].time >= earliest else { continue }
            let known = Dictionary(grouping: straight, by: \.time)
            let repeated = part.count { row in known[row.time]?.contains { $0.sample == row.sample } == true }
            if 2 * repeated > part.count {
                part.removeAll { row in known[row.time]?.contains { $0.sample == row.sample } == true }
                reading.duplicates += repeated
                continue
            }
            let back = latest - part[0].time
            let first = part[0].sample.rrIntervals.reduce(0, +)
            for index in part.indices { part[index].time += back + first }
            part[0].isAfterGap = true
            reading.doubts.append(
                "at \(reading.placeName) \(part[0].place) the times jump back by \(back.wholeNumber) s, as when a clock is set: what "
                    + "follows is taken for later, after a gap")
        }
        return straight
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
