import StudyModel
import TextFormat

/// The ranges of a bundle's numbers, on which every reader can rely. <doc:ResultBundle> lists them.
enum BundleLimits {
    /// How long a run may last, s: 31 days.
    static let duration = 0.0...2_678_400
    /// Moments of a run and lengths of time, s: 40 days, also before the run's start.
    static let seconds = -3_456_000.0...3_456_000
    /// The same in whole nanoseconds.
    static let nanoseconds = Int(seconds.lowerBound) * 1_000_000_000...Int(seconds.upperBound) * 1_000_000_000
    /// Moments of a run that cannot be before its start, and lengths of time, s: 40 days.
    static let elapsed = 0...seconds.upperBound
    /// The same in whole nanoseconds.
    static let elapsedNanoseconds = 0...nanoseconds.upperBound
    /// Seconds since 1970 from the year 1900 to the year 2999.
    static let calendarSeconds = -2_208_988_800...32_503_679_999
    static let calendar = Double(calendarSeconds.lowerBound)...Double(calendarSeconds.upperBound)
    /// Days between two sessions of a participant.
    static let sessionDays = -1_000_000...1_000_000
    /// Seconds east of UTC: a day.
    static let utcOffset = -86_400...86_400
    /// Counts, and numbers that count something.
    static let count = 0...1_000_000_000_000
    /// Sizes of files, bytes: 1 PiB.
    static let bytes = 0...1 << 50
    /// Heart rates, 1/min.
    static let heartRate = -100_000.0...100_000
    /// Intervals between beats, s.
    static let interval = -3_600.0...3_600
    /// Other measured numbers, in their own unit.
    static let number = -1_000_000_000.0...1_000_000_000
}

extension JSON {
    func asInteger(in range: ClosedRange<Int>) throws -> Int {
        let integer = try asInteger()
        return try expect(range.contains(integer) ? integer : nil, "within \(range)")
    }

    func asNumber(in range: ClosedRange<Double>) throws -> Double {
        let number = try asNumber()
        return try expect(range.contains(number) ? number : nil, "within \(range)")
    }

    func asCount() throws -> Int { try asInteger(in: BundleLimits.count) }
    /// A moment of the run or a length of time, s.
    func asSeconds() throws -> Double { try asNumber(in: BundleLimits.seconds) }
    func asDuration() throws -> Duration {
        .nanoseconds(try asInteger(in: BundleLimits.nanoseconds))
    }
    func asElapsed() throws -> Duration {
        .nanoseconds(try asInteger(in: BundleLimits.elapsedNanoseconds))
    }
    func asInstant() throws -> RunInstant { RunInstant(offset: try asDuration()) }

    /// The name of a file, without folders.
    func asFileName() throws -> String {
        let path = try asPath()
        return try expect(path.text.contains("/") ? nil : path.text, "the name of a file")
    }
    func asPath() throws -> BundlePath { try expect(text.flatMap { BundlePath($0) }, "a path in a bundle") }
    func asUUID() throws -> String {
        try expect(text.flatMap { UUIDText.isUUID($0) ? $0 : nil }, "an upper-case UUID")
    }
}

extension JSONReader {
    /// Whether a number is in a range that lies within `limits`.
    ///
    /// - Parameter digits: a number without a sign and with this many digits before the decimal point is certainly
    ///   within the limits.
    func isNumber(_ range: Range<Int>, within limits: ClosedRange<Double>, digits: Int) -> Bool {
        let span = bytes.span
        var place = range.lowerBound
        while place < range.upperBound, 0x30...0x39 ~= span[place] { place += 1 }
        let isPlain = place > range.lowerBound && place - range.lowerBound <= digits
        if isPlain, place == range.upperBound { return true }
        if isPlain, span[place] == UInt8(ascii: ".") {
            let point = place
            place += 1
            while place < range.upperBound, 0x30...0x39 ~= span[place] { place += 1 }
            if place == range.upperBound { return place > point + 1 }
        }
        return number(range).map(limits.contains) ?? false
    }
}
