import Physiology
import TextFormat

extension RecordingColumns.TimeUnit {
    /// Times since 1970 are recognised by their size, others by their distance: no device samples only every 7
    /// minutes, and none measures a heart fifty times a second. The days of a spreadsheet have five digits from 1954 to
    /// 2119; a time of the day is then a part of 1, which advances by a second.
    init(ofTimes values: [Double]) {
        guard let middle = median(values) else {
            self = .seconds
            return
        }
        let step = median(zip(values.dropFirst(), values).map { $0 - $1 }.filter { $0 > 0 }) ?? 0
        self =
            if middle > 1e17 {
                .nanoseconds
            } else if middle > 1e14 {
                .microseconds
            } else if middle > 1e11 {
                .milliseconds
            } else if middle > 1e8 {
                .seconds
            } else if (20_000...80_000).contains(middle) && (1e-9..<0.02).contains(step)
                || (0..<2).contains(middle) && (5e-6..<2.5e-5).contains(step)
            {
                .days
            } else if step >= 4e8 {
                .nanoseconds
            } else if step >= 4e5 {
                .microseconds
            } else if step >= 400 {
                .milliseconds
            } else {
                .seconds
            }
    }

    /// Seconds, since 1970 if the unit counts the days of the calendar, as numbers of five digits do.
    func seconds(_ value: Double) -> Double {
        (self == .days && value > 1000 ? value - 25_569 : value) / rawValue
    }
}

extension RecordingColumns {
    /// Applies what the user says about the values and the times.
    ///
    /// - Parameter names: the cells of the header.
    mutating func apply(_ guide: RecordingGuide, names: [String]) throws(RecordingProblem) {
        if case .column(let name)? = guide.times {
            let index = try RecordingGuide.index(of: name, in: names)
            time = Measured(index: index, unit: ColumnName(names[index]).unit)
            (date, isTimeOfDay) = (date == index ? nil : date, false)
        }
        if guide.times == RecordingGuide.Times.none { (time, date) = (nil, nil) }
        guard let values = guide.values else { return }
        if let column = guide.column {
            let index = try RecordingGuide.index(of: column, in: names)
            intervals = Measured(index: index, unit: ColumnName(names[index]).unit)
            return use(values, at: index)
        }
        switch values {
        case .rates where rate != nil: use(.rates, at: rate ?? 0)
        case .intervals where intervals != nil: use(.intervals, at: intervals?.index ?? 0)
        case .rates, .intervals, .ecg:
            let others = names.indices.filter { $0 != time?.index && $0 != date }
            guard let only = others.first, others.count == 1 else {
                throw RecordingProblem(
                    "which column is meant: \(others.prefix(12).map { quoted(names[$0]) }.joined(separator: ", "))? "
                        + "Name it, as in --as \(values.rawValue)=NAME")
            }
            intervals = Measured(index: only, unit: ColumnName(names[only]).unit)
            use(values, at: only)
        }
    }

    /// Looks for times if no name identifies them, by their form or because they increase.
    ///
    /// - Throws: if a column increases like a time and nothing says whether it is one.
    mutating func findTimes(
        _ table: RecordingTable, names: [String], _ guide: RecordingGuide
    ) throws(RecordingProblem) {
        guard guide.times == nil else { return }
        if time == nil, let period = guide.period {
            self.period = period
            return
        }
        let rows = table.rows[firstRow...]
        if let date, time?.index == date, let moments = Self.moments(in: rows, names: names, beside: date) {
            // A date alone is not the time if another column contains the moment.
            (time, self.date) = (moments, nil)
            remarks.append("times from the column \(quoted(names[moments.index]))")
        }
        guard time == nil else { return }
        time = Self.times(in: rows)
        guard time == nil else { return }
        func cells(_ index: Int) -> some Collection<String> {
            rows.lazy.map { index < $0.cells.count ? $0.cells[index] : "" }
        }
        let others = names.indices.filter { $0 != rate && $0 != intervals?.index }
        counter = intervals == nil ? nil : others.first { Self.counts(cells($0)) }
        let growing = others.filter { $0 != counter && Self.grows(cells($0), table.hasDecimalCommas) }
        let named = growing.filter { index in
            let name = ColumnName(names[index]).text
            return ColumnName.timeParts.contains { name.contains($0) } || ColumnName(names[index]).unit != nil
        }
        if let first = named.first {
            time = Measured(index: first, unit: ColumnName(names[first]).unit)
            let others = named.dropFirst().map { quoted(names[$0]) }.joined(separator: ", ")
            remarks.append(
                "times from the column \(quoted(names[first]))"
                    + (others.isEmpty ? "" : ", not \(others) (--time chooses)"))
        } else if let first = growing.first {
            throw RecordingProblem(
                "the column \(quoted(names[first])) increases like a time, but no column has the name of one: say --time "
                    + "\(quoted(names[first])) if it is, or --time none if the rows just follow each other")
        }
    }

    /// A column that is named like a time and contains moments, with their date or beside a column of dates.
    private static func moments(
        in rows: ArraySlice<RecordingTable.Row>, names: [String], beside date: Int
    ) -> Measured? {
        guard let first = rows.first else { return nil }
        return names.indices.first { index in
            let name = ColumnName(names[index]).text
            guard index != date, index < first.cells.count,
                ColumnName.timeParts.contains(where: name.contains)
            else { return false }
            if case .instant? = RecordedTime(first.cells[index], .lenient) { return true }
            return false
        }.map { Measured(index: $0) }
    }

    /// A column of times without a known name: its first and last cells are different times.
    static func times(in rows: ArraySlice<RecordingTable.Row>) -> Measured? {
        guard let first = rows.first, let last = rows.last else { return nil }
        return first.cells.indices.first { index in
            guard index < last.cells.count, first.cells[index] != last.cells[index] || rows.count == 1 else {
                return false
            }
            return RecordedTime(first.cells[index], .lenient) != nil
                && RecordedTime(last.cells[index], .lenient) != nil
        }.map { Measured(index: $0) }
    }

    /// Whether whole numbers rise by one from row to row, but for a few that are missing.
    private static func counts(_ cells: some Collection<String>) -> Bool {
        let values = cells.compactMap { Int($0) }
        guard values.count >= 10, values.count == cells.count, let first = values.first, first >= 0 else {
            return false
        }
        let pairs = zip(values.dropFirst(), values)
        return pairs.allSatisfy { $0 > $1 } && 10 * pairs.count { $0 - 1 == $1 } >= 9 * (values.count - 1)
    }

    /// Whether numbers never fall and mostly rise, in other steps than a count of the rows.
    static func grows(_ cells: some Collection<String>, _ hasDecimalCommas: Bool) -> Bool {
        let values = cells.compactMap { number($0, hasDecimalComma: hasDecimalCommas) }
        guard values.count >= 3, 10 * values.count >= 9 * cells.count else { return false }
        let steps = zip(values.dropFirst(), values).map { $0 - $1 }
        let falling = steps.count { $0 < 0 }
        let rising = steps.count { $0 > 0 }
        let isCount = steps.allSatisfy { $0 == 1 } && (values[0] == 0 || values[0] == 1)
        return !isCount && 50 * falling <= steps.count && 2 * rising >= steps.count
    }
}
