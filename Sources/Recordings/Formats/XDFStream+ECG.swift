import TextFormat

extension XDFStream {
    /// Between two samples further apart than this, the stream was interrupted; seconds, as pyxdf has it.
    private static let interruption = 1.0

    /// Detects the beats in a channel.
    ///
    /// Senders give regular samples irregular times, so the times of each uninterrupted part are put on a straight
    /// line from its first to its last sample.
    func takeECG(
        _ channel: Int, named name: String, into found: inout FoundSignals
    ) throws(RecordingProblem) {
        let samples = try times(into: &found)
        guard rate > 0 else {
            throw RecordingProblem(
                "the stream \(quoted(name)) has no sampling rate: beats are detected in regular samples")
        }
        var intervals = try ECGIntervals(rate: rate(of: samples, into: &found), channel: name)
        var first = 0
        for end in 1..<max(samples.count + 1, 1) {
            let isLast = end == samples.count
            guard isLast || samples[end].time - samples[end - 1].time > Self.interruption else { continue }
            let start = samples[first].time
            let step = end - first > 1 ? (samples[end - 1].time - start) / Double(end - 1 - first) : 0
            for index in first..<end {
                intervals.take(
                    samples[index].values[channel], at: start + Double(index - first) * step,
                    place: samples[index].chunk, into: &found)
            }
            first = end
        }
        intervals.finish(place: samples.last?.chunk ?? 0, into: &found)
    }

    /// The stream's own rate, unless its times have another.
    private func rate(of samples: [Sample], into found: inout FoundSignals) -> Double {
        let breaks =
            [0]
            + samples.indices.dropFirst().filter {
                samples[$0].time - samples[$0 - 1].time > Self.interruption
            } + [samples.count]
        let longest = zip(breaks.dropFirst(), breaks).max { $0.0 - $0.1 < $1.0 - $1.1 }
        guard let (end, first) = longest, end - first > 100 else { return rate }
        let timed = Double(end - 1 - first) / (samples[end - 1].time - samples[first].time)
        guard timed.isFinite, abs(timed / rate - 1) > 0.01 else { return rate }
        found.doubts.append(
            "the stream \(quoted(name)) says that it has \(decimals(rate, 1)) samples a second, but its times are those of "
                + "\(decimals(timed, 1)): the times count")
        return timed
    }
}
