import StudyModel

/// A `.hrm` file of Polar's older software. It consists of sections, and each line in `[HRData]` is a reading.
///
/// Such a line begins with the heart rate; speed, cadence, altitude and power follow if the watch knew them. With
/// the interval 238, it is a time between beats in milliseconds instead.
///
/// Source: Polar, "Polar HRM files", from version 1.02 to 1.07.
struct PolarFile {
    private struct Line {
        var number: Int
        var text: String
    }

    /// Bytes of the largest file. Its watches could store one day.
    static let sizeLimit = 8 << 20
    /// Seconds from one reading to the next.
    private static let intervals = 0.1...3600.0
    /// The values of `Interval` for times between beats, and for laps only.
    private static let (beats, laps) = (238.0, 204.0)

    /// From `[Params]`, in lower case.
    private var parameters: [String: String] = [:]
    private var data: [Line] = []

    /// Whether a file begins as these do.
    static func isPolar(_ beginning: ArraySlice<UInt8>) -> Bool {
        let text = beginning.drop { $0.isBlankOrMark }
        return String(decoding: text.prefix(8), as: UTF8.self).lowercased() == "[params]"
    }

    init(_ bytes: [UInt8]) {
        var section = ""
        var number = 1
        var before: UInt8?
        var text: [UInt8] = []
        for byte in bytes + [0x0A] {
            defer { before = byte }
            guard byte == 0x0A || byte == 0x0D else {
                text.append(byte)
                continue
            }
            if byte == 0x0A, before == 0x0D { continue }
            read(Line(number: number, text: String(decoding: text, as: UTF8.self)), &section)
            text.removeAll(keepingCapacity: true)
            number += 1
        }
    }

    private mutating func read(_ line: Line, _ section: inout String) {
        let text = line.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if text.hasPrefix("["), text.hasSuffix("]") {
            section = text.lowercased()
        } else if section == "[params]" {
            let parts = text.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { parameters[parts[0].lowercased()] = String(parts[1]) }
        } else if section == "[hrdata]", !text.isEmpty {
            data.append(Line(number: line.number, text: text))
        }
    }

    /// Passes every reading to `sink`, and returns how the file was understood.
    func readings(
        into sink: (RecordedReading) -> Void
    ) throws(RecordingProblem) -> HeartRateRecording.Reading {
        let interval = number(parameters["interval"] ?? "", hasDecimalComma: true) ?? 0
        guard Self.intervals.contains(interval), interval != Self.laps else {
            throw RecordingProblem(
                "[Params] has no Interval that is a number of seconds or 238, so the times of the readings are unknown: "
                    + "export the exercise with all its samples")
        }
        guard !data.isEmpty else {
            throw RecordingProblem("[HRData] is missing or empty: there are no readings")
        }
        var tally = RecordingTally(placeName: "line")
        let start = self.start
        var time = start ?? 0
        var isAfterGap = false
        for line in data {
            let cell = line.text.prefix { $0 != " " }
            guard let value = number(String(cell), hasDecimalComma: true) else {
                tally.count(.unreadableValue, line.number, String(cell))
                if interval != Self.beats { time += interval }
                continue
            }
            let reading: RecordedReading?
            if interval == Self.beats {
                if RecordedReading.plausibleIntervals.contains(value / 1000) { time += value / 1000 }
                reading = Self.beat(value / 1000, time: time, place: line.number)
            } else {
                reading = RecordedReading(time: time, place: line.number, rate: value)
                time += interval
            }
            guard var reading else {
                tally.count(.implausible, line.number, String(cell))
                isAfterGap = true
                continue
            }
            reading.isAfterGap = isAfterGap
            isAfterGap = reading.isSilent
            tally.readingCount += 1
            sink(reading)
        }
        let rows = interval == Self.beats ? "intervals in ms, added up" : "one reading every \(interval) s"
        var reading = try tally.reading(
            ["a Polar HRM file", rows, start == nil ? "no start" : "times of the calendar"],
            isDated: start != nil)
        let span = time - (start ?? 0)
        if case .timeOfDay(let told)? = RecordedTime(parameters["length"] ?? ""),
            abs(told - span) > max(10, 2 * (interval == Self.beats ? 1 : interval), 0.05 * told)
        {
            reading.doubts.append(
                "the header says that it is \(told.wholeNumber) s long, but its readings cover \(span.wholeNumber) s"
            )
        }
        return reading
    }

    private static func beat(_ interval: Double, time: Double, place: Int) -> RecordedReading? {
        guard interval == 0 || RecordedReading.plausibleIntervals.contains(interval) else { return nil }
        return RecordedReading(
            time: time, place: place,
            sample: HeartRateSample(rate: nil, rrIntervals: interval == 0 ? [] : [interval]),
            isSilent: interval == 0)
    }

    /// Seconds since 1970 of `Date=20260131` and `StartTime=08:00:05.0`.
    private var start: Double? {
        guard let date = parameters["date"], let time = parameters["starttime"],
            case .instant(let seconds)? = RecordedTime(date + "T" + time)
        else { return nil }
        return seconds
    }
}
