import Physiology
import TextFormat

/// What the values and times of a recording are, decided from its first table.
struct RecordingUnits {
    private typealias TimeUnit = RecordingColumns.TimeUnit

    /// Whether values without a telling name are intervals.
    private(set) var areValuesIntervals = false
    /// Whether the values are times of beats.
    private(set) var areBeats = false
    /// Whether an interval stands in several rows, and its sign changes at each beat.
    private(set) var areSigned = false
    private(set) var intervals: RecordingColumns.TimeUnit?
    private(set) var times = RecordingColumns.TimeUnit.seconds
    /// The form of the times.
    private(set) var moment: RecordingRow.Moment?
    private(set) var areIntervalsAddedUp = false
    /// Why the values may be a waveform, if they are read nevertheless.
    private(set) var doubt: String?
    /// Why nameless values may be none of a heart otherwise, if they are read nevertheless.
    private(set) var reservation: String?
    /// In words.
    private(set) var assumptions: [String]

    private let columns: RecordingColumns
    private let fileName: String
    private let isSampled: Bool
    private let guide: RecordingGuide

    /// - Parameters:
    ///   - rows: of the first table, at least one.
    ///   - fileName: the name, which may say what the values are.
    ///   - isSampled: whether a comment in the file says that the values are a waveform.
    /// - Throws: if the values may be none of a heart, or the unit of the times is unknown.
    init(
        of rows: [RecordingRow], _ columns: RecordingColumns, fileName: String, isSampled: Bool,
        _ guide: RecordingGuide
    ) throws(RecordingProblem) {
        (self.columns, self.fileName, self.isSampled, self.guide) = (columns, fileName, isSampled, guide)
        assumptions = columns.remarks
        moment = rows[0].moment
        if try takeBeats(rows) { return }
        areSigned =
            Self.areSigned(rows.compactMap(\.number))
            && (columns.intervals != nil || columns.evidence == .none)
        if areSigned { assumptions.append("a beat where the interval changes its sign") }
        let values = rows.compactMap { row in
            if case .number(let value) = row.rate { value } else { nil }
        }
        if columns.evidence == .none {
            areValuesIntervals = median(values.map(abs)).map { $0 <= 3 || $0 >= 250 } ?? false
            if !areSigned { try judge(values, rows) }
            assumptions.append(
                areValuesIntervals
                    ? "values taken for intervals between beats" : "values taken for beats per minute")
            if areValuesIntervals { judgeIntervals(values) }
        } else if columns.evidence == .vagueName {
            try refuseOthers(values, rows, nil)
        }
        if intervals == nil { judgeIntervals(rows.flatMap(\.intervals)) }
        if moment == nil, !areValuesIntervals, guide.values == nil, !areSigned {
            try judgeShape(of: rows.flatMap(\.intervals).filter { $0 > 0 })
        }
        try judgeTimes(rows)
        judgeStep(rows)
    }

    /// A step that the header says is compared with the times.
    private mutating func judgeStep(_ rows: [RecordingRow]) {
        guard let told = guide.step, case .number? = moment else { return }
        let moments = rows.compactMap(\.moment?.value).map(times.seconds)
        let steps = zip(moments.dropFirst(), moments).map { $0 - $1 }
        guard let step = median(steps), abs(step - told) > 0.01 * told + 1e-6 else { return }
        doubt =
            "the header says a sample every \(decimals(told, 4)) s, but the times advance by \(decimals(step, 4)) s"
    }

    /// Decides about the unit of intervals.
    mutating func judgeIntervals(_ values: [Double]) {
        guard let middle = median(values.map(abs)) else { return }
        let unit = columns.intervals?.unit ?? (middle >= 20 ? .milliseconds : .seconds)
        assumptions.append(
            "intervals in \(unit.name)" + (columns.intervals?.unit == nil ? " (by their size)" : ""))
        intervals = unit
    }

    /// Whether the values are times of beats: by the name of their column, or because they only increase.
    private mutating func takeBeats(_ rows: [RecordingRow]) throws(RecordingProblem) -> Bool {
        let isNameless = columns.evidence == .none && moment == nil && columns.period == nil
        guard columns.beats != nil || isNameless else { return false }
        let values = rows.compactMap(\.number)
        let steps = zip(values.dropFirst(), values).map { $0 - $1 }
        guard let step = median(steps),
            columns.beats != nil || Self.areUneven(steps)
        else { return false }
        guard step > 0 else {
            throw RecordingProblem(
                "these are no times of beats, because they do not increase: name the column of rates or intervals"
            )
        }
        let areWhole = values.allSatisfy { $0 == $0.rounded() }
        if let unit = columns.beats?.unit {
            times = unit
        } else if !areWhole, (0.25...2.5).contains(step) {
            times = .seconds
        } else if !areWhole, (250...2500).contains(step) {
            times = .milliseconds
        } else if columns.beats != nil || areWhole && (50...5000).contains(step) {
            throw RecordingProblem(
                "these may be times of beats, in ms or counted in samples: say it in the first line, with a name such as "
                    + "'R peak [ms]' or, for 250 samples a second, 'R peak [1/250 s]'")
        } else {
            return false
        }
        areBeats = true
        moment = .number(values[0])
        assumptions.append(
            "times of beats in \(times.name)" + (columns.beats?.unit == nil ? " (by their steps)" : ""))
        return true
    }

    /// Whether values only increase, but not as evenly as a count or as far as other numbers.
    private static func areUneven(_ steps: [Double]) -> Bool {
        guard steps.count >= 10, let middle = median(steps), steps.allSatisfy({ $0 > 0 }) else {
            return false
        }
        return steps.contains { abs($0 - middle) > 0.005 * middle }
            && 20 * steps.count { (middle / 2.5...middle * 2.5).contains($0) } >= 19 * steps.count
    }

    /// Whether values stand in several rows each, and every other one is below 0.
    private static func areSigned(_ values: [Double]) -> Bool {
        let pairs = zip(values.dropFirst(), values)
        let turns = pairs.count { $0 * $1 < 0 }
        let held = pairs.count { $0 == $1 }
        return turns >= 5 && held >= turns && 20 * (held + turns) >= 19 * (values.count - 1)
    }

    private mutating func judge(_ values: [Double], _ rows: [RecordingRow]) throws(RecordingProblem) {
        do {
            try refuseOthers(values, rows, RecordingHint(fileName: fileName))
        } catch {
            let judge = SeriesJudge(values.filter { $0 > 0 })
            guard guide.wantsIntervals, areValuesIntervals, moment == nil, let objection = error.objection,
                !judge.isSlowWave
            else { throw error }
            let words =
                "nothing says what these values are, and they may not be intervals between beats: \(objection). If they are, say "
                + "so with --as rr"
            if judge.isWave { doubt = words } else { reservation = words }
        }
    }

    /// Intervals by name that no times contradict may still be a series that was resampled.
    private mutating func judgeShape(of values: [Double]) throws(RecordingProblem) {
        let judge = SeriesJudge(values)
        guard judge.isWave else { return }
        let words = "\(SeriesJudge.wave), as in a series that was resampled at a fixed rate"
        guard !judge.isSlowWave else {
            throw RecordingProblem(
                "these are no intervals between beats: \(words). Export the beats themselves, one row for each"
            )
        }
        doubt = "the intervals may be none between beats: \(words). If they are, say so with --as rr"
    }

    /// - Throws: if the values may be another signal.
    private func refuseOthers(
        _ values: [Double], _ rows: [RecordingRow], _ hint: RecordingHint?
    ) throws(RecordingProblem) {
        if let objection = RecordingHint.objection(hint, isSampled: isSampled) {
            throw .notSaid(objection, isRate: !areValuesIntervals)
        }
        let moments = rows.filter { $0.number != nil }.compactMap(\.moment?.value)
        let isTimed = moments.count == values.count && columns.period == nil
        let scale: Double =
            if case .number? = rows[0].moment {
                (columns.time?.unit ?? .init(ofTimes: moments)).rawValue
            } else { 1 }
        let times = isTimed ? moments.map { $0 / scale } : nil
        let objection: String?
        if areValuesIntervals {
            let unit: Double = median(values).map { $0 >= 20 } == true ? 1000 : 1
            let judged = RecordedReading.withoutGaps(values.indices) { values[$0] / unit }
            objection =
                columns.period.map { "\((1 / $0).wholeNumber) a second cannot be intervals" }
                ?? SeriesJudge(judged.map { values[$0] }).objectionToIntervals(
                    unit: unit, times: times.map { times in judged.map { times[$0] } },
                    isLikely: hint == .intervals)
        } else {
            let steps = times.map { times in zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > 0 } }
            objection = SeriesJudge(values).objectionToRates(
                period: columns.period ?? steps.flatMap { median($0) },
                isNamed: hint == .rates || columns.isPulse)
        }
        if let objection { throw .notSaid(objection, isRate: !areValuesIntervals) }
    }

    private mutating func judgeTimes(_ rows: [RecordingRow]) throws(RecordingProblem) {
        switch moment {
        case nil: areIntervalsAddedUp = isTimedByIntervals(rows)
        case .instant: assumptions.append("times of the calendar")
        case .timeOfDay:
            assumptions.append(
                columns.origin == nil ? "times of the day" : "times since the start that the file states")
        case .number:
            if let told = columns.time?.unit {
                times = told
                assumptions.append("times in \(times.name)")
            } else if let unit = unit(ofTimesBeside: rows) {
                times = unit
                assumptions.append("times in \(times.name) (by the intervals)")
            } else {
                times = .init(ofTimes: rows.compactMap(\.moment?.value))
                try refuseStrangeTimes(rows)
                assumptions.append("times in \(times.name) (by their size)")
            }
        }
    }

    /// The unit in which times advance as the intervals beside them say; `nil` if there is none.
    private func unit(ofTimesBeside rows: [RecordingRow]) -> RecordingColumns.TimeUnit? {
        guard let intervals, !areSigned else { return nil }
        let ratios = zip(rows.dropFirst(), rows).compactMap { own, last -> Double? in
            guard let time = own.moment?.value, let before = last.moment?.value, time > before,
                let interval = areValuesIntervals ? own.number : own.intervals.first, interval > 0
            else { return nil }
            return (time - before) * intervals.rawValue / interval
        }
        guard ratios.count >= 3, let ratio = median(ratios) else { return nil }
        let able: [TimeUnit] = [
            .seconds, .milliseconds, .microseconds, .nanoseconds, .minutes, .hours, .days,
        ]
        return able.first { (0.8...1.25).contains(ratio / $0.rawValue) }
    }

    /// - Throws: if the times would lie before there were such devices, or advance faster than any measures a heart, because
    ///   their unit is another.
    private func refuseStrangeTimes(_ rows: [RecordingRow]) throws(RecordingProblem) {
        let moments = rows.compactMap(\.moment?.value)
        let start = times.seconds(moments[0])
        if (1e8..<7e8).contains(start) {
            throw RecordingProblem(
                "the times have no unit, and begin in \(1970 + Int(start / 31_556_952)) if they are \(times.name): say in their name what "
                    + "they are, such as 'time [s/256]', or time_s if they count from another moment")
        }
        let steps = zip(moments.dropFirst(), moments).map { times.seconds($0) - times.seconds($1) }.filter {
            $0 > 0
        }
        // Programs sample every whole milliseconds; seconds are no such parts of a minute, an hour or a day.
        guard let step = median(steps), step < 0.02, let index = columns.time?.index,
            step < 0.001 || abs(step * 1000 - (step * 1000).rounded()) > 0.01
        else { return }
        throw RecordingProblem(
            "the times in column \(index + 1) have no unit, and advance by only \(decimals(step, 6)) if they are seconds: say in their "
                + "name what they are, such as time_min, time_h, time_days or time_s")
    }

    /// Whether rows without times follow each other by their intervals, rather than by a period.
    private mutating func isTimedByIntervals(_ rows: [RecordingRow]) -> Bool {
        guard columns.period == nil, areValuesIntervals || rows.contains(where: { !$0.intervals.isEmpty })
        else {
            assumptions.append(
                columns.period.map { "one row every \($0) s, as the file says" }
                    ?? "no times: one row a second")
            return false
        }
        assumptions.append("no times: the intervals are added up")
        return true
    }
}
