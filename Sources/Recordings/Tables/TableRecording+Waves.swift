import Results
import StudyModel
import TextFormat

extension TableRecording {
    /// Reads waveforms from the columns of a table, a block at a time, or from a bundle's items.
    static func waves(
        in input: inout RecordedInput, _ wanted: WantedWaves
    ) throws(SourceFailure) -> WaveRecording {
        let name = input.name
        var guide = RecordingGuide()
        let head = try TableHead.read(from: &input, &guide)
        if RecordingTable.isJSON(try input.beginning(1 << 12)) {
            let bytes = try input.rest(limit: RecordingFile.wholeLimit)
            return try naming(name) { () throws(RecordingProblem) in
                try WaveRecording(items: try RecordingTable(bytes), wanted)
            }
        }
        var blocks = LineBlocks()
        var first: (table: RecordingTable, columns: WaveColumns)?
        while let block = try blocks.next(from: &input) {
            try naming(name) { () throws(RecordingProblem) in
                guard let leading = first?.table else {
                    var table = try RecordingTable(block.bytes)
                    table.joinBlocks(from: guide.origin)
                    var columns = try WaveColumns(table, wanted, period: head?.period, fileName: name)
                    try columns.read(table, from: columns.firstRow)
                    first = (table, columns)
                    return
                }
                var table = try RecordingTable(block.bytes, like: leading, firstLine: block.firstLine)
                table.joinBlocks(from: guide.origin)
                first?.table.blockDelay = table.blockDelay
                try first?.columns.read(table, from: 0)
            }
        }
        guard let first else { throw SourceFailure("\(quoted(name)): the file is empty", isBadData: true) }
        return try naming(name) { () throws(RecordingProblem) in
            try WaveRecording(
                first.columns.choice, times: [0: first.columns.times], columns: first.columns.numbers,
                assumptions: [first.table.form] + first.columns.assumptions
                    + (head.map { [$0.assumption] } ?? []), damage: nil)
        }
    }
}

/// The columns of a table that are waveforms.
private struct WaveColumns {
    let choice: WaveChoice
    let firstRow: Int
    private let clock: SampleTimes?
    /// Seconds from one row to the next, if no column contains times.
    private let period: Double
    private var rows = 0
    private(set) var times: [Double] = []
    private(set) var numbers: [Int: [Double]] = [:]
    let assumptions: [String]

    init(
        _ table: RecordingTable, _ wanted: WantedWaves, period: Double?, fileName: String
    ) throws(RecordingProblem) {
        let (names, firstRow) = try table.head()
        self.firstRow = firstRow
        let all = names ?? table.rows[firstRow].cells.indices.map { "column \($0 + 1)" }
        let found = try SampleTimes(
            table, names: names ?? [], firstRow: firstRow, RecordingGuide(),
            rates: wanted.signals.map(\.usualRates), regularShare: 0)
        guard found != nil || period != nil else {
            throw RecordingProblem(
                "nothing says when the samples were taken: name the column of times, with its unit, as in 'time_s' or "
                    + "'time_ms'")
        }
        (clock, self.period) = (period == nil ? found : nil, period ?? 0)
        let type = Signal.waves.first { signal in
            let file = fileName.split(separator: "/").last.map(String.init) ?? fileName
            return file.hasPrefix(signal.type + "_") && file.hasSuffix(".csv.gz")
        }
        let rate =
            period.map { 1 / $0 } ?? found.flatMap { $0.isRegular ? ($0.rate * 1000).rounded() / 1000 : nil }
        let channels = all.map { name in
            let (plain, unit) = RecordingGuide.parts(of: name)
            return WaveChannel(
                name: plain, unit: unit, indications: type.map { $0.waveForm?.streamTypes ?? [] } ?? [],
                track: 0, rate: rate)
        }
        let able = all.indices.filter { $0 != found?.index }
        let chosen = try WaveChoice(wanted, of: able.map { channels[$0] }, kind: "column")
        choice = chosen
        places = able.indices.filter(chosen.contains).map { ($0, able[$0]) }
        assumptions =
            chosen.assumptions("column") + [clock?.assumption ?? "times by the sampling rate"]
    }

    /// Channels that were chosen, with their columns.
    private let places: [(channel: Int, column: Int)]

    mutating func read(_ table: RecordingTable, from first: Int) throws(RecordingProblem) {
        for row in table.rows.dropFirst(first) {
            defer { rows += 1 }
            var time = Double(rows) * period
            if let clock {
                guard let told = clock.time(of: row, hasDecimalComma: table.hasDecimalCommas) else {
                    throw RecordingProblem("the row has no time", line: row.line)
                }
                time = told
            }
            times.append(time)
            for (channel, column) in places {
                let cell = column < row.cells.count ? row.cells[column] : ""
                let value = number(cell, hasDecimalComma: table.hasDecimalCommas)
                guard value != nil || RecordingTable.missing.contains(cell.lowercased()) else {
                    throw RecordingProblem("\(quoted(cell)) is not a number", line: row.line)
                }
                numbers[channel, default: []].append(value ?? .nan)
            }
        }
    }
}

extension WaveRecording {
    /// - Parameter table: the items of a bundle, one number of one channel each.
    fileprivate init(items table: RecordingTable, _ wanted: WantedWaves) throws(RecordingProblem) {
        guard let names = table.rows.first?.cells,
            let time = names.firstIndex(where: { ColumnName($0).text == "runoffset" }),
            let channel = names.firstIndex(of: "channel"), let value = names.firstIndex(of: "value")
        else {
            throw RecordingProblem(
                "waveforms are read from tables, EDF, BDF, XDF, WFDB and Entrain's own items, not from other JSON"
            )
        }
        let (type, unit) = (names.firstIndex(of: "type"), names.firstIndex(of: "unit"))
        func cell(_ index: Int?, _ row: RecordingTable.Row) -> String {
            index.flatMap { $0 < row.cells.count ? row.cells[$0] : nil } ?? ""
        }
        var channels: [WaveChannel] = []
        var moments: [Int: [Double]] = [:]
        var numbers: [Int: [Double]] = [:]
        for row in table.rows.dropFirst() {
            guard let moment = Double(cell(time, row)), let number = Double(cell(value, row)) else {
                throw RecordingProblem("the item has no time or no value", at: "item \(row.line)")
            }
            let name = cell(channel, row)
            let index = channels.firstIndex { $0.name == name } ?? channels.count
            if index == channels.count {
                channels.append(
                    WaveChannel(name: name, unit: cell(unit, row), indications: [cell(type, row)], track: 0))
            }
            moments[index, default: []].append(moment)
            numbers[index, default: []].append(number)
        }
        for index in channels.indices {
            let types = Signal.waves.filter { channels[index].indications.contains($0.type) }
            channels[index].indications += types.flatMap { $0.waveForm?.streamTypes ?? [] }
        }
        // Items have only numbers that are there, so channels may miss some of the moments.
        let all = Set(moments.values.joined()).sorted()
        let columns = Dictionary(
            uniqueKeysWithValues: channels.indices.map { index -> (Int, [Double]) in
                let known = Dictionary(
                    zip(moments[index, default: []], numbers[index, default: []]), uniquingKeysWith: { $1 })
                return (index, all.map { known[$0] ?? .nan })
            })
        let choice = try WaveChoice(wanted, of: channels)
        try self.init(
            choice, times: [0: all], columns: columns, assumptions: [table.form] + choice.assumptions(),
            damage: table.damage)
    }
}

extension Signal {
    /// Samples per second of usual recordings. Each range is so narrow that it tells seconds from milliseconds.
    fileprivate var usualRates: ClosedRange<Double> {
        switch self {
        case .ecg: 50...4000
        case .ppg: 10...4000
        case .breathing: 2...1000
        case .acceleration: 5...4000
        case .skinConductance: 1...500
        case .skinTemperature: 0.1...64
        case _: 0.02...10
        }
    }
}
