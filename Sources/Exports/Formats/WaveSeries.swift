import Datasets
import Results
import StudyModel

/// What one recorder recorded of a waveform in one file, for exports.
struct WaveSeries {
    let recording: ResultBundle.Recording
    let signal: Signal
    let waves: ResultBundle.Waves
    /// The recorder's name, or with a number if it recorded several files; BIDS allows it, and no other series of the
    /// run has it.
    var label: String
    /// Samples per second, its gaps apart.
    let rate: Double
    /// For each place of a regular grid the sample that stands there; `nil` in gaps.
    let grid: [Int?]

    /// Seconds since the run's start.
    var start: Double { waves.offsets.first ?? recording.start }

    /// - Returns: `nil` if nothing was recorded.
    init?(_ recording: ResultBundle.Recording, _ waves: ResultBundle.Waves) {
        let kind = recording.name.prefix { $0 != "_" }
        guard let told = recording.waves, !waves.offsets.isEmpty,
            let signal = Signal.waves.first(where: { $0.type == kind })
        else { return nil }
        self.signal = told.quantity.map { .quantity(named: $0, unit: nil) } ?? signal
        (self.recording, self.waves) = (recording, waves)
        label = recording.recorder
        rate = told.rate ?? told.layout.rate ?? 1
        grid = Self.grid(waves.offsets, rate, told.layout.longestSilence(otherwise: signal.longestSilence))
    }

    /// Neighbours stand side by side, however uneven their times are; only gaps leave places free.
    private static func grid(_ offsets: [Double], _ rate: Double, _ silence: Duration) -> [Int?] {
        var grid: [Int?] = []
        for (index, offset) in offsets.enumerated() {
            if index > 0, offset - offsets[index - 1] > silence.seconds {
                let place = Int(((offset - offsets[0]) * rate).rounded())
                while grid.count < place { grid.append(nil) }
            }
            grid.append(index)
        }
        return grid
    }
}

extension ExportedRun {
    /// Every recorded waveform, in the order of the recordings.
    ///
    /// - Throws: if a file does not hold what its result says.
    func waveSeries() throws -> [WaveSeries] {
        var series: [WaveSeries] = []
        for recording in steps.flatMap(\.recordings) where recording.waves != nil {
            guard let bytes = source.columns[recording.name] ?? source.items[recording.name],
                let one = WaveSeries(recording, try ResultBundle.Waves(parsing: bytes, of: recording))
            else { continue }
            series.append(one)
        }
        let counts = series.counts(of: \.label)
        var seen: [String: Int] = [:]
        for index in series.indices where counts[series[index].label, default: 1] > 1 {
            let name = series[index].label
            seen[name, default: 0] += 1
            series[index].label = "\(name) \(seen[name, default: 1])"
        }
        let labels = RunNames.labels(Set(series.map(\.label)))
        for index in series.indices { series[index].label = labels[series[index].label, default: "wave"] }
        return series
    }
}
