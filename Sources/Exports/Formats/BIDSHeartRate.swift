import Datasets
import Results
import StudyModel

/// Heart rates as BIDS keeps them: as received, and once a second.
enum BIDSHeartRate {
    /// Samples farther apart than this are not joined, s.
    static let widestGap = 5.0
    /// 400 years have a whole number of weeks and days, s.
    static let fourCenturies: Int64 = 146_097 * 86_400

    static let receivedColumns = ["onset", "duration", "heart_rate", "rr", "recorder"]
    static let everySecondColumns = ["timestamp", "heart_rate"]

    /// Each heart rate once. The last interval between beats ended with it; earlier ones have rows of their own.
    static func received(in run: ExportedRun) -> BIDSTable {
        var rows: [(onset: Double, cells: [BIDSTable.Cell])] = []
        for recording in run.steps.flatMap(\.recordings) {
            let name = BIDSTable.Cell.text(recording.recorder)
            let items = run.items(of: recording)
            for sample in items.heartRates {
                var end = sample.runOffset
                rows.append(
                    (end, [.real(end), .missing, .real(sample.value), .init(sample.rrIntervals.last), name]))
                for index in sample.rrIntervals.indices.dropLast().reversed() {
                    end = ((end - sample.rrIntervals[index + 1]) * 1e9).rounded() / 1e9
                    rows.append(
                        (end, [.real(end), .missing, .missing, .real(sample.rrIntervals[index]), name]))
                }
            }
            for beat in items.intervals {
                rows.append(
                    (beat.runOffset, [.real(beat.runOffset), .missing, .missing, .real(beat.value), name]))
            }
        }
        var table = BIDSTable(receivedColumns)
        table.rows = rows.sorted { $0.onset < $1.onset }.map(\.cells)
        return table
    }

    /// The heart rate at each whole second of the run, on a straight line between its neighbours; of several sources,
    /// that with most.
    static func everySecond(of run: ExportedRun) -> BIDSTable {
        let samples = run.mainSamples
        var table = BIDSTable(everySecondColumns)
        var next = 0
        for second in 0...Int(max(0, run.source.duration).rounded(.down)) {
            let time = Double(second)
            while next < samples.count, samples[next].runOffset < time { next += 1 }
            table.rows.append([.real(time), .init(rate(at: time, before: next, in: samples))])
        }
        return table
    }

    private static func rate(at time: Double, before next: Int, in samples: [ResultBundle.HeartRate])
        -> Double?
    {
        guard next < samples.count else { return nil }
        let right = samples[next]
        if right.runOffset == time { return right.value }
        guard next > 0 else { return nil }
        let left = samples[next - 1]
        guard right.runOffset - left.runOffset <= widestGap else { return nil }
        let share = (time - left.runOffset) / (right.runOffset - left.runOffset)
        return ((left.value + share * (right.value - left.value)) * 1000).rounded() / 1000
    }
}
