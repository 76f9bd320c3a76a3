package import Physiology
package import StudyModel
import TextFormat

/// The intervals between beats in a file: a plain list, or a recording of any form that contains them.
package struct IntervalList: Sendable {
    /// Intervals in milliseconds, split where beats are missing.
    package var intervals: IntervalStretches
    /// How the file was understood.
    package var assumptions: [String]
    /// Values that stand for a missing interval.
    package var skipped: Int
    /// Where the beats come from, if they were detected in an ECG.
    package private(set) var ecg: DetectedECG?
    /// Whether the values were taken for seconds because of their size.
    package private(set) var areSeconds = false

    /// Why they may not be intervals between beats, if nothing in the file says that they are; in words that follow
    /// "they may not be intervals between beats:".
    package private(set) var doubt: String?

    /// No heart has a longer median interval than this, ms.
    private static let longest = 10_000.0

    /// - Parameters:
    ///   - path: a file; `-` is standard input.
    ///   - guide: what the user says about it.
    /// - Throws: `SourceFailure`, which blames the data unless the file cannot be read at all.
    package init(
        contentsOf path: String, _ guide: RecordingGuide = RecordingGuide()
    ) throws(SourceFailure) {
        var input = try RecordedInput(path: path)
        let binary = BinaryRecording(try input.beginning(1 << 16), named: path)
        if guide.values == .ecg || binary != nil {
            // Overnight recordings of many channels are larger than any list.
            try self.init(HeartRateRecording(RecordingFile(input, guide)), named: path)
            return
        }
        let bytes = try input.rest(limit: RecordingFile.wholeLimit)
        if guide.values != .rates, let list = try Self(plain: bytes, named: path, guide) {
            self = list
            return
        }
        try self.init(HeartRateRecording(reading: bytes, named: path, guide), named: path)
    }

    private init(_ recording: HeartRateRecording, named path: String) throws(SourceFailure) {
        intervals = IntervalStretches(
            times: recording.entries.map(\.time), intervals: recording.entries.map(\.sample.rrIntervals))
        assumptions = recording.reading.assumptions
        ecg = recording.reading.ecg
        skipped = recording.reading.skipped.reduce(recording.reading.withoutReading) { $0 + $1.count }
        guard intervals.count > 0 else {
            throw SourceFailure(
                "\(quoted(path)): there are no intervals between beats, only heart rates: variability needs the "
                    + "intervals themselves, in a column such as rr, or an ECG, with --as ecg=NAME",
                isBadData: true)
        }
    }

    /// Numbers separated by spaces, commas, semicolons or line ends; `nil` for anything else.
    private init?(plain bytes: [UInt8], named name: String, _ guide: RecordingGuide) throws(SourceFailure) {
        var values: [Double] = []
        var isTable = true
        var timeBefore = -Double.infinity
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let numbers = Self.numbers(of: line.prefix { $0 != UInt8(ascii: "#") }) else { return nil }
            guard !numbers.isEmpty else { continue }
            values += numbers
            // A time that increases and a value make a table.
            if numbers.count != 2 || numbers[0] <= timeBefore { isTable = false }
            if isTable { timeBefore = numbers[0] }
        }
        // Empatica's files of heart rates begin with a start time and a rate.
        guard let first = values.first, first < 1e8, !isTable else { return nil }
        let given = values.filter { $0 > 0 }
        let middle = median(given) ?? 0
        // Values between 20 and 250 are heart rates.
        guard middle <= 20 || middle >= 250 else { return nil }
        if let other = given.first(where: { $0 < middle / 50 || $0 > middle * 50 }) {
            throw SourceFailure(
                "\(quoted(name)): \(other) is not an interval like the others, which are around \(middle): write all in "
                    + "milliseconds", isBadData: true)
        }
        let unit = middle <= 20 ? 1000.0 : 1
        guard middle * unit <= Self.longest else {
            throw SourceFailure(
                "\(quoted(name)): around \(middle) is not a time between beats, neither in milliseconds nor in seconds: "
                    + "write milliseconds", isBadData: true)
        }
        let judged = RecordedReading.withoutGaps(given) { $0 * unit / 1000 }
        var witness = IntervalWitness()
        for (place, value) in judged.enumerated() {
            witness.take([value * unit / 1000], at: 20 * Double(place))
        }
        if let objection = witness.objection {
            throw SourceFailure("\(quoted(name)): \(objection)", isBadData: true)
        }
        if guide.values == nil {
            let (hint, judge) = (RecordingHint(fileName: name), SeriesJudge(judged))
            try naming(name) { () throws(RecordingProblem) in
                let isBelow = values.contains { $0 < 0 && $0 != -1 }
                let objection =
                    RecordingHint.objection(hint, isSampled: RecordingTable.tellsSampling(bytes[...]))
                    ?? (isBelow ? "some are below 0" : nil)
                    ?? (hint != .intervals && judge.isWave ? SeriesJudge.wave : nil)
                if let objection { throw .notSaid(objection, isRate: false) }
            }
            doubt = judge.objectionToIntervals(unit: 1000 / unit, isLikely: hint == .intervals)
        }
        let longest = RecordedReading.plausibleIntervals.upperBound * 1000 / unit
        intervals = IntervalStretches(
            values.split(whereSeparator: { $0 <= 0 || $0 > longest }).map { $0.map { $0 * unit } })
        assumptions = ["a list of intervals in \(unit == 1 ? "ms" : "s") (by their size)"]
        skipped = values.count - given.count { $0 <= longest }
        areSeconds = unit != 1
    }

    /// Reads digits with at most one point, as most lines are; `nil` for anything else, which may be a number too.
    ///
    /// This is fast, because a day has a hundred thousand of them, and exact, because both parts of the quotient
    /// are exact numbers.
    private static func plainNumber(_ text: ArraySlice<UInt8>) -> Double? {
        guard (1...15).contains(text.count) else { return nil }
        var (digits, scale) = (0, 0)
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
                scale *= 10
            case UInt8(ascii: ".") where scale == 0: scale = 1
            default: return nil
            }
        }
        guard text.count > 1 || scale == 0 else { return nil }
        return Double(digits) / Double(max(scale, 1))
    }

    /// The numbers of a line; `nil` if it contains anything else, or an ambiguous comma.
    private static func numbers(of line: ArraySlice<UInt8>) -> [Double]? {
        if let value = plainNumber(line) { return [value] }
        let comma = UInt8(ascii: ",")
        let commas = line.count { $0 == comma }
        var separators = Array(" \t;".utf8)
        if commas > 0, !line.contains(UInt8(ascii: ";")),
            commas > 1 || zip(line, line.dropFirst()).contains(where: { $0 == comma && $1 == 0x20 })
        {
            separators.append(comma)
        }
        var numbers: [Double] = []
        for word in line.split(whereSeparator: separators.contains) {
            if commas > 0 {
                let parts = word.split(separator: comma, omittingEmptySubsequences: false)
                if parts.count == 2, parts[1].count > 2, parts[0].count > 1 { return nil }
            }
            guard let value = number(String(decoding: word, as: UTF8.self), hasDecimalComma: true) else {
                return nil
            }
            numbers.append(value)
        }
        return numbers
    }
}
