import Results

/// Makes rows of recorders' files, item by item.
struct RecordingRows {
    /// Items that no table holds.
    private(set) var otherItems = 0
    private(set) var samples: TableText
    private(set) var beats: TableText
    private var time = TimeText()

    /// - Parameters:
    ///   - samples: where samples are added.
    ///   - beats: where intervals are added.
    init(samples: TableText, beats: TableText) {
        self.samples = samples
        self.beats = beats
    }

    /// Where the parts of an item stand.
    private struct Item {
        var type = 0..<0
        var source = 0..<0
        var timestamp = 0..<0
        var value = 0..<0
        var offset = 0..<0
        var quality = 0..<0
        var intervals = 0..<0
    }

    /// - Throws: `Unlike` where the file does not hold as many items as its result says.
    mutating func add(_ bytes: [UInt8], of file: JSON, _ visit: StepVisit) throws {
        var found = 0
        let recorder = try file.wanted("identifier").wantedText()
        samples.leadRows { $0.visit(visit) }
        beats.leadRows {
            $0.visit(visit)
            $0.text(recorder)
        }
        var cursor = JSONCursor(bytes)
        try cursor.members { cursor, key in
            guard cursor.matches(key, "items") else {
                try cursor.value()
                return
            }
            try cursor.elements { cursor in
                found += 1
                let item = try Self.item(&cursor)
                if cursor.matches(item.type, "\"HKQuantityTypeIdentifierHeartRate\"") {
                    try addSample(item, bytes)
                    try addBeats(item, bytes)
                } else if cursor.matches(item.type, "\"RRInterval\"") {
                    try addBeat(item, bytes)
                } else {
                    otherItems += 1
                }
            }
        }
        let promised = file["userInfo"]?["sampleCount"]?.integer
        guard promised == nil || promised == found else {
            throw Unlike("\(recorder) promises \(promised ?? 0) samples and holds \(found)")
        }
    }

    private static func item(_ cursor: inout JSONCursor) throws -> Item {
        var item = Item()
        try cursor.members { cursor, key in
            if cursor.matches(key, "metadata") {
                try cursor.members { cursor, key in
                    let value = try cursor.value()
                    if cursor.matches(key, "runOffset") { item.offset = value }
                    if cursor.matches(key, "rrIntervals") { item.intervals = value }
                    if cursor.matches(key, "quality") { item.quality = value }
                }
                return
            }
            let value = try cursor.value()
            if cursor.matches(key, "value") { item.value = value }
            if cursor.matches(key, "source") { item.source = value }
            if cursor.matches(key, "timestampSince1970") { item.timestamp = value }
            if cursor.matches(key, "type") { item.type = value }
        }
        return item
    }

    private mutating func addSample(
        _ item: Item, _ bytes: [UInt8]
    ) throws {
        guard !item.value.isEmpty, !item.offset.isEmpty, !item.source.isEmpty,
            let milliseconds = Self.milliseconds(bytes[item.timestamp])
        else { throw Unlike("a sample has no value or no time") }
        samples.beginRow()
        samples.plain(bytes[item.offset])
        samples.time(time.write(milliseconds))
        samples.plain(bytes[item.value])
        try samples.string(bytes[item.source])
        if item.quality.isEmpty { samples.missing() } else { samples.plain(bytes[item.quality]) }
        samples.endRow()
    }

    /// The last interval ended when the sample was measured.
    private mutating func addBeats(
        _ item: Item, _ bytes: [UInt8]
    ) throws {
        guard item.intervals.count > 2 else { return }
        var written: [Range<Int>] = []
        var cursor = JSONCursor(bytes, at: item.intervals.lowerBound)
        try cursor.elements { cursor in written.append(try cursor.value()) }
        let lengths = try written.map { try Self.number(bytes[$0]) }
        let end = try Self.number(bytes[item.offset])
        for (index, interval) in written.enumerated() {
            let later = lengths[(index + 1)...].reduce(0, +)
            // To the nanosecond, as the bundle writes offsets.
            let ended = ((end - later) * 1e9).rounded() / 1e9
            beats.beginRow()
            if later == 0 { beats.plain(bytes[item.offset]) } else { beats.real(ended) }
            beats.plain(bytes[interval])
            try beats.string(bytes[item.source])
            beats.endRow()
        }
    }

    private mutating func addBeat(
        _ item: Item, _ bytes: [UInt8]
    ) throws {
        guard !item.value.isEmpty, !item.offset.isEmpty, !item.source.isEmpty else {
            throw Unlike("an interval has no value or no time")
        }
        beats.beginRow()
        beats.plain(bytes[item.offset])
        beats.plain(bytes[item.value])
        try beats.string(bytes[item.source])
        beats.endRow()
    }

    private static func number(_ written: ArraySlice<UInt8>) throws -> Double {
        guard let number = Double(String(decoding: written, as: UTF8.self)) else {
            throw Unlike("\(String(decoding: written.prefix(40), as: UTF8.self)) is not a number")
        }
        return number
    }

    /// Seconds as they were written, as whole milliseconds.
    private static func milliseconds(_ written: ArraySlice<UInt8>) -> Int? {
        guard let seconds = Double(String(decoding: written, as: UTF8.self)), abs(seconds) < 1e14 else {
            return nil
        }
        return Int((seconds * 1000).rounded())
    }
}

extension TableText {
    fileprivate mutating func visit(_ visit: StepVisit) {
        text(visit.step)
        integer(visit.visit)
        text(visit.stimulus)
    }
}
