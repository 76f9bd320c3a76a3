import Results
import TextFormat

/// The headers of the text exports of LabChart, AcqKnowledge and OpenSignals.
extension TableHead {
    private struct Line {
        var text: String
        /// The place after it, in bytes.
        var end: Int

        /// The cells, between tabs, or commas if there are no tabs.
        var cells: [String] {
            text.split(separator: text.contains("\t") ? "\t" : ",", omittingEmptySubsequences: false).map(
                String.init)
        }
    }

    /// - Parameter beginning: the first bytes of a file.
    /// - Returns: the head and the bytes of the header whose place it takes; `nil` for anything else.
    /// - Throws: if a header has another form than its program writes.
    static func laboratory(
        _ beginning: [UInt8]
    ) throws(RecordingProblem) -> (head: TableHead, size: Int)? {
        let lines = lines(of: beginning)
        guard lines.count > 3 else { return nil }
        if lines[0].text.hasPrefix("# OpenSignals Text File Format") { return try openSignals(lines) }
        if lines[0].text.hasPrefix("Interval="), lines.contains(where: { $0.text.hasPrefix("ChannelTitle=") })
        {
            return try labChart(lines)
        }
        guard period(lines[1].text) != nil, lines[2].text.contains(" channel") else { return nil }
        return try acqKnowledge(lines)
    }

    private static func lines(of bytes: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while lines.count < 300, let feed = bytes[start...].firstIndex(of: 0x0A) {
            let text = bytes[start..<feed].last == 0x0D ? bytes[start..<feed - 1] : bytes[start..<feed]
            lines.append(Line(text: String(decoding: text, as: UTF8.self), end: feed + 1))
            start = feed + 1
        }
        return lines
    }

    /// - Parameters:
    ///   - names: of the columns.
    ///   - count: the lines of the header, whose numbers the rows keep.
    private static func head(
        _ names: [String], in lines: [Line], _ count: Int, of program: String, period: Double?,
        origin: Double?,
        rowCount: Int? = nil
    ) throws(RecordingProblem) -> (head: TableHead, size: Int) {
        let row = lines[count].text.contains("\t") ? "\t" : ","
        let isOfHeart = names.contains { name in
            let text = ColumnName(name).text
            return ColumnName.intervals.contains(text) || ColumnName.rates[0].contains(text)
                || ColumnName.isRate(name)
        }
        let ecgs = names.filter(SignalChoice.isNamedECG)
        let hasTimes = names.first?.hasPrefix("time") == true
        let head = TableHead(
            lines: Array(
                (String(repeating: "#\n", count: count - 1) + names.joined(separator: row) + "\n").utf8),
            period: hasTimes ? nil : period, step: hasTimes ? period : nil, origin: origin,
            rowCount: rowCount,
            values: isOfHeart || ecgs.isEmpty ? nil : .ecg, assumption: "a text export of \(program)")
        return (head, lines[count - 1].end)
    }

    /// Seconds in such as `0.1 s` or `0,5 msec`.
    private static func seconds(_ text: Substring) -> Double? {
        let words = text.split(separator: " ")
        guard words.count == 2, let value = number(String(words[0]), hasDecimalComma: true), value > 0 else {
            return nil
        }
        let unit = ColumnName("time [\(words[1])]").unit
        return unit.map { value / $0.rawValue }
    }

    private static func labChart(_ lines: [Line]) throws(RecordingProblem) -> (head: TableHead, size: Int) {
        func field(_ key: String) -> [String] {
            lines.first { $0.text.hasPrefix(key + "=") }.map { Array($0.cells.dropFirst()) } ?? []
        }
        guard let count = lines.firstIndex(where: { !$0.cells[0].hasSuffix("=") }),
            let period = field("Interval").first.flatMap({ seconds($0[...]) })
        else { throw RecordingProblem("the header of LabChart has no Interval such as '0.1 s'", line: 1) }
        let (ranges, units) = (field("Range"), field("UnitName"))
        let titles = field("ChannelTitle").enumerated().map { index, title in
            let range = index < ranges.count ? ranges[index].split(separator: " ").last.map(String.init) : nil
            let unit = index < units.count ? units[index] : range ?? ""
            return unit.isEmpty || unit == "*" ? title : "\(title) [\(unit)]"
        }
        let cells = lines[count].cells
        let isNumber = number(cells[0], hasDecimalComma: true) != nil
        let times: [String] =
            switch cells.count - titles.count {
            case 0: []
            case 1: [isNumber ? "time [s]" : "time"]
            case 2: [isNumber ? "time [s]" : "time", "date"]
            default:
                throw RecordingProblem(
                    "the header of LabChart names \(titles.count) channels, and the row has \(cells.count) cells",
                    line: count + 1)
            }
        return try head(
            times + titles, in: lines, count, of: "LabChart", period: period,
            origin: isNumber || times.isEmpty ? start(field("ExcelDateTime")) : nil)
    }

    /// Seconds since 1970 of the days of a spreadsheet, which are rounded, and the same as text, whose days are ambiguous.
    static func start(_ cells: [String]) -> Double? {
        guard let days = cells.first.flatMap({ number($0, hasDecimalComma: true) }) else { return nil }
        let seconds = RecordingColumns.TimeUnit.days.seconds(days)
        guard cells.count > 1, let clock = cells[1].split(separator: " ").last,
            case .timeOfDay(let exact)? = RecordedTime(String(clock))
        else { return (seconds * 1000).rounded() / 1000 }
        return ((seconds - exact) / 86_400).rounded() * 86_400 + exact
    }

    /// Seconds a sample in such as `0.5 msec/sample` or `2000 samples/second`.
    private static func period(_ text: String) -> Double? {
        let parts = text.split(separator: "/")
        guard parts.count == 2 else { return nil }
        if parts[1] == "sample" { return seconds(parts[0]) }
        guard parts[1].hasPrefix("sec"), parts[0].hasSuffix(" samples") else { return nil }
        return number(String(parts[0].dropLast(8)), hasDecimalComma: true).flatMap { $0 > 0 ? 1 / $0 : nil }
    }

    private static func acqKnowledge(_ lines: [Line]) throws(RecordingProblem) -> (head: TableHead, size: Int)
    {
        let channels = Int(lines[2].text.prefix { $0 != " " }) ?? 0
        let count = 3 + 2 * channels
        guard channels > 0, lines.count > count + 2,
            let period = period(lines[1].text)
        else {
            throw RecordingProblem("the header of AcqKnowledge has no channels such as '2 channels'", line: 3)
        }
        var names = (0..<channels).map { "\(lines[3 + 2 * $0].text) [\(lines[4 + 2 * $0].text)]" }
        let titles = lines[count].cells
        guard titles.contains(where: { $0.hasPrefix("CH") }) else {
            return try head(names, in: lines, count, of: "AcqKnowledge", period: period, origin: nil)
        }
        let told = lines[count + 1].cells.compactMap { Int($0) }.max()
        let hasTimes = !titles[0].hasPrefix("CH")
        if hasTimes { names.insert("time [\(titles[0])]", at: 0) }
        return try head(
            names, in: lines, count + 2, of: "AcqKnowledge", period: period, origin: nil,
            rowCount: told)
    }

    private static func openSignals(_ lines: [Line]) throws(RecordingProblem) -> (head: TableHead, size: Int)
    {
        guard let end = lines.firstIndex(where: { $0.text.hasPrefix("# EndOfHeader") }), end + 1 < lines.count
        else {
            throw RecordingProblem("the header of OpenSignals has no end, which is '# EndOfHeader'", line: 1)
        }
        let devices: [JSON]
        do {
            let json = try JSON(parsing: Array(lines[1].text.drop { $0 != "{" }.utf8))
            devices = json.object?.members.map(\.value) ?? []
        } catch { throw RecordingProblem("the header of OpenSignals is not JSON: \(error.problem)", line: 2) }
        let names = devices.flatMap { device in
            let labels = device["label"]?.list?.compactMap(\.text) ?? []
            let sensors = device["sensor"]?.list?.compactMap(\.text) ?? []
            return (device["column"]?.list?.compactMap(\.text) ?? []).map { column in
                let sensor = labels.firstIndex(of: column).flatMap { $0 < sensors.count ? sensors[$0] : nil }
                guard let sensor else { return column }
                return sensors.count { $0 == sensor } > 1 ? "\(sensor) \(column)" : sensor
            }
        }
        let rates = Set(devices.compactMap { $0["sampling rate"]?.number })
        let cells = lines[end + 1].cells.filter { !$0.isEmpty }
        guard rates.count == 1, let rate = rates.first, rate > 0, names.count == cells.count else {
            throw RecordingProblem(
                "the header of OpenSignals names \(names.count) columns at \(rates.count) sampling rates, and the row has "
                    + "\(cells.count) cells", line: end + 2)
        }
        let parts = (devices[0]["date"]?.text ?? "").split(separator: "-").compactMap { Int($0) }
        let clock = (devices[0]["time"]?.text ?? "").split(separator: ":").compactMap { Double($0) }
        let midnight =
            parts.count == 3 ? RecordedTime.seconds(year: parts[0], month: parts[1], day: parts[2]) : nil
        return try head(
            names, in: lines, end + 1, of: "OpenSignals", period: 1 / rate,
            origin: clock.count == 3 ? midnight.map { $0 + clock[0] * 3600 + clock[1] * 60 + clock[2] } : nil)
    }
}
