/// Whether `4/12/2016` is in December or in April.
enum DayOrder: Hashable { case dayFirst, monthFirst }

/// How a recording writes times that could be read in two ways.
struct TimeStyle: Hashable {
    /// `nil` if only unambiguous dates are read.
    var dayOrder: DayOrder?
    /// Whether `12:30` means minutes and seconds rather than hours and minutes; `nil` if such times are not read.
    var areTwoPartsMinutes: Bool?
    /// What was assumed without evidence, in words.
    private(set) var assumptions: [String] = []

    init() {}

    /// Accepts every cell that can be a time.
    static var lenient: TimeStyle {
        var style = TimeStyle()
        (style.dayOrder, style.areTwoPartsMinutes) = (.dayFirst, false)
        return style
    }

    /// Decides from all times at the beginning of a recording.
    ///
    /// - Parameters:
    ///   - times: cells with the time, and possibly the date.
    ///   - days: cells of a separate column of dates; empty if there is none.
    init(times: [String], days: [String]) {
        judgeDays(days.isEmpty ? times : days, hasHalves: times.contains { $0.uppercased().hasSuffix("M") })
        judgeTwoParts(times, isDated: !days.isEmpty)
    }

    private mutating func judgeDays(_ cells: [String], hasHalves: Bool) {
        let days = cells.compactMap(Self.day)
        guard !days.isEmpty else { return }
        if days.contains(where: { $0.first > 12 }) {
            dayOrder = .dayFirst
        } else if hasHalves || days.contains(where: { $0.second > 12 || $0.isShort }) {
            dayOrder = .monthFirst
        } else {
            dayOrder = .dayFirst
            assumptions.append("dates read as day/month/year (nothing in the file decides)")
        }
    }

    /// The first two numbers of `4/12/2016`, and whether the year has two digits.
    private static func day(_ cell: String) -> (first: Int, second: Int, isShort: Bool)? {
        let numbers = cell.prefix { $0 != " " && $0 != "T" }.split(whereSeparator: { $0 == "/" || $0 == "-" })
        guard numbers.count == 3, numbers[0].utf8.count <= 2, let first = Int(numbers[0]),
            let second = Int(numbers[1]), Int(numbers[2]) != nil
        else { return nil }
        return (first, second, numbers[2].utf8.count == 2)
    }

    private mutating func judgeTwoParts(_ cells: [String], isDated: Bool) {
        let pairs = cells.compactMap(Self.twoParts)
        guard let start = pairs.first else { return }
        let areMinutes = !isDated && (start.first == 0 || pairs.contains { $0.first > 24 || $0.hasFraction })
        areTwoPartsMinutes = areMinutes
        assumptions.append("times in \(areMinutes ? "minutes and seconds" : "hours and minutes")")
    }

    private static func twoParts(_ cell: String) -> (first: Int, hasFraction: Bool)? {
        let parts = cell.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = Int(parts[0]), first >= 0 else { return nil }
        return (first, parts[1].utf8.count > 2)
    }
}
