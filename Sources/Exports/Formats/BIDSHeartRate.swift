import Datasets
import Results
import StudyModel

/// Heart rates in BIDS' form: as received, and once a second.
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

    /// The heart rate at each whole second of the run, interpolated linearly. If there are several sources, that
    /// with the most.
    static func everySecond(of run: ExportedRun) -> BIDSTable {
        BIDSTable(
            everySecondColumns, atEachSecondOf: run, run.mainSamples.map { ($0.runOffset, $0.value) },
            joining: widestGap)
    }
}

extension BIDSTable {
    /// The value at each whole second of a run, interpolated linearly between neighbours that are close enough.
    ///
    /// - Parameters:
    ///   - points: by time, seconds since the run's start.
    ///   - gap: points farther apart than this are not joined, s.
    init(
        _ columns: [String], atEachSecondOf run: ExportedRun, _ points: [(offset: Double, value: Double)],
        joining gap: Double
    ) {
        self.init(columns)
        var next = 0
        for second in 0...Int(max(0, run.source.duration).rounded(.down)) {
            let time = Double(second)
            while next < points.count, points[next].offset < time { next += 1 }
            rows.append([.real(time), .init(Self.value(at: time, before: next, in: points, joining: gap))])
        }
    }

    private static func value(
        at time: Double, before next: Int, in points: [(offset: Double, value: Double)], joining gap: Double
    ) -> Double? {
        guard next < points.count else { return nil }
        let right = points[next]
        if right.offset == time { return right.value }
        guard next > 0 else { return nil }
        let left = points[next - 1]
        guard right.offset - left.offset <= gap else { return nil }
        let share = (time - left.offset) / (right.offset - left.offset)
        return ((left.value + share * (right.value - left.value)) * 1000).rounded() / 1000
    }
}
