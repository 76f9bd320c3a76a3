package import Recordings
package import SessionPorts
package import StudyModel

/// A recording played again with its own timing, from the moment the run begins to listen.
package struct ReplaySource: SampleSource {
    private let recording: ReplayedRecording
    /// Samples of a waveform are passed on together at least this often, seconds.
    private static let together = 0.2

    package init(_ recording: ReplayedRecording) { self.recording = recording }

    /// Returns when the recording has ended.
    package func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant {
        guard !Task.isCancelled else { return }
        report(.live)
        // A step that waits for this source begins first, and so has the first reading.
        let origin = clock.now
        let start = recording.start
        let instant = { (time: Double) in
            origin.advanced(by: .nanoseconds(Int64(((time - start) * 1e9).rounded())))
        }
        var nextEntry = 0
        var nextSamples = [Int](repeating: 0, count: recording.waves.count)
        while true {
            let entry = nextEntry < recording.entries.count ? recording.entries[nextEntry] : nil
            let ends = recording.waves.indices.map { index in
                recording.waves[index].end(from: nextSamples[index], start: start, within: Self.together)
            }
            let due = ends.enumerated().compactMap { index, end in
                end.map { (index: index, end: $0, time: recording.waves[index].times[$0 - 1]) }
            }.min { $0.time < $1.time }
            if let entry, entry.time <= due?.time ?? .infinity {
                nextEntry += 1
                guard let arrival = await clock.wait(until: instant(entry.time)) else { return }
                report(.sample(Timed(entry.sample, at: instant(entry.time), arrival: arrival)))
            } else if let due {
                let wave = recording.waves[due.index]
                let places = nextSamples[due.index]..<due.end
                nextSamples[due.index] = due.end
                guard let arrival = await clock.wait(until: instant(due.time)) else { return }
                let block = wave.block(places, at: instant)
                report(.measured(Timed(.wave(block), at: block.instants[0], arrival: arrival)))
            } else {
                break
            }
        }
        report(.lost("the recording has ended"))
    }
}

/// What a recording holds of the signals that are wanted, on one clock.
package struct ReplayedRecording: Sendable {
    /// In order of time, each with its time on the recording's own clock, seconds.
    let entries: [(time: Double, sample: HeartRateSample)]
    let waves: [WaveRecording.Wave]
    /// The time of whatever comes first.
    let start: Double
    /// Where the file is damaged, if it is. Everything before that place is played.
    let damage: String?

    package init(_ recording: HeartRateRecording) {
        self.init(recording.timedSamples, [], damage: recording.reading.damage)
    }

    private init(
        _ entries: [(time: Double, sample: HeartRateSample)], _ waves: [WaveRecording.Wave], damage: String?
    ) {
        (self.entries, self.waves, self.damage) = (entries, waves, damage)
        start = (waves.compactMap(\.times.first) + entries.prefix(1).map(\.time)).min() ?? 0
    }

    /// Reads a file; `-` is standard input.
    ///
    /// - Parameters:
    ///   - signals: heart rates and intervals are read if they are among them, or if no waveform is wanted.
    ///   - wanted: the waveforms that are read.
    /// - Throws: `SourceFailure`, which blames the data unless the file cannot be read at all.
    init(contentsOf path: String, _ signals: Set<Signal>, _ wanted: WantedWaves) throws(SourceFailure) {
        guard !wanted.isEmpty else {
            self.init(try HeartRateRecording(contentsOf: path))
            return
        }
        let recording = try WaveRecording(contentsOf: path, wanted)
        let isOfHeart = signals.contains(.heartRate) || signals.contains(.rrIntervals)
        self.init(
            isOfHeart ? try Self.heart(path, recording.waves).timedSamples : [], recording.waves,
            damage: recording.damage)
    }

    /// The heart in a file that also has waveforms: what it says, or else the beats in its ECG.
    private static func heart(
        _ path: String, _ waves: [WaveRecording.Wave]
    ) throws(SourceFailure) -> HeartRateRecording {
        do { return try HeartRateRecording(contentsOf: path) } catch {
            guard error.isBadData, let ecg = waves.first(where: { $0.signal == .ecg }),
                let channel = ecg.layout.channels.first,
                let guide = RecordingGuide(values: "ecg=\(channel.name)", times: nil)
            else { throw error }
            return try HeartRateRecording(contentsOf: path, guide)
        }
    }
}

extension WaveRecording.Wave {
    /// Where the samples end that are passed on together with the one at `first`; `nil` after the last one.
    fileprivate func end(from first: Int, start: Double, within length: Double) -> Int? {
        guard first < times.count else { return nil }
        let turn = ((times[first] - start) / length).rounded(.down)
        var end = first + 1
        while end < times.count, ((times[end] - start) / length).rounded(.down) == turn { end += 1 }
        return end
    }

    fileprivate func block(_ places: Range<Int>, at instant: (Double) -> RunInstant) -> WaveBlock {
        let width = layout.channels.count
        return WaveBlock(
            signal, layout, at: places.map { instant(times[$0]) },
            Array(values[places.lowerBound * width..<places.upperBound * width]))
    }
}

extension Clock where Instant == RunInstant {
    /// Sleeps, and returns the time after that, never earlier than `instant`; `nil` if the task was cancelled.
    func wait(until instant: RunInstant) async -> RunInstant? {
        do { try await sleep(until: instant, tolerance: nil) } catch { return nil }
        return Task.isCancelled ? nil : max(now, instant)
    }
}
