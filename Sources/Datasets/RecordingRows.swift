import Results
import TextFormat

/// Makes rows of recorders' files, item by item.
struct RecordingRows {
    /// Items that no table holds.
    private(set) var otherItems = 0
    private(set) var samples: TableText
    private(set) var beats: TableText
    /// Heart rates by visit.
    private(set) var samplesOfVisits: [Int]
    private let visits: [StepVisit]
    private var time = TimeText()

    /// - Parameters:
    ///   - visits: the run's visits of steps, in order.
    ///   - samples: where samples are added.
    ///   - beats: where intervals are added.
    init(of visits: [StepVisit], samples: TableText, beats: TableText) {
        self.visits = visits
        samplesOfVisits = Array(repeating: 0, count: visits.count)
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

    /// A recorder over several steps lies with the last of them: each item goes to the visit in which it was measured.
    ///
    /// - Parameter place: the visit with which the file lies.
    /// - Throws: `MalformedBundle` if the file does not hold as many items as its result says.
    mutating func add(_ bytes: [UInt8], of file: JSON, at place: Int) throws {
        var found = 0
        let recorder = try file.wanted("identifier").wantedText()
        let isOverSteps = file["userInfo"]?["startOffset"]?.number.map { $0 < visits[place].start } ?? false
        var current = place
        lead(visits[current], recorder)
        var reader = JSONReader(bytes)
        try reader.enterObject()
        while let key = try reader.key() {
            guard reader.matches(key, "items") else {
                try reader.value()
                continue
            }
            try reader.enterList()
            while try reader.element() {
                found += 1
                let item = try Self.item(&reader)
                if isOverSteps, let visit = visit(at: reader.number(item.offset), upTo: place),
                    visit != current
                {
                    current = visit
                    lead(visits[current], recorder)
                }
                let before = samples.rows
                try add(item, of: reader)
                samplesOfVisits[current] += samples.rows - before
            }
        }
        let promised = file["userInfo"]?["sampleCount"]?.integer
        guard promised == nil || promised == found else {
            throw MalformedBundle("\(recorder) promises \(promised ?? 0) samples and holds \(found)")
        }
    }

    private mutating func lead(_ visit: StepVisit, _ recorder: String) {
        samples.leadRows { $0.visit(visit) }
        beats.leadRows {
            $0.visit(visit)
            $0.text(recorder)
        }
    }

    private func visit(at offset: Double?, upTo last: Int) -> Int? {
        guard let offset else { return nil }
        return visits[...last].lastIndex { $0.start <= offset } ?? 0
    }

    private mutating func add(_ item: Item, of file: JSONReader) throws {
        if file.matches(item.type, "\"HKQuantityTypeIdentifierHeartRate\"") {
            try addSample(item, of: file)
            try addBeats(item, of: file)
        } else if file.matches(item.type, "\"RRInterval\"") {
            try addBeat(item, of: file)
        } else {
            otherItems += 1
        }
    }

    private static func item(_ reader: inout JSONReader) throws(JSON.Malformed) -> Item {
        var item = Item()
        try reader.enterObject()
        while let key = try reader.key() {
            if reader.matches(key, "metadata") {
                try readMetadata(of: &item, &reader)
                continue
            }
            let value = try reader.value()
            if reader.matches(key, "value") {
                item.value = value
            } else if reader.matches(key, "source") {
                item.source = value
            } else if reader.matches(key, "timestampSince1970") {
                item.timestamp = value
            } else if reader.matches(key, "type") {
                item.type = value
            }
        }
        return item
    }

    private static func readMetadata(of item: inout Item, _ reader: inout JSONReader) throws(JSON.Malformed) {
        try reader.enterObject()
        while let key = try reader.key() {
            let value = try reader.value()
            if reader.matches(key, "runOffset") {
                item.offset = value
            } else if reader.matches(key, "rrIntervals") {
                item.intervals = value
            } else if reader.matches(key, "quality") {
                item.quality = value
            }
        }
    }

    private mutating func addSample(_ item: Item, of file: JSONReader) throws {
        guard file.isNumber(item.value), file.isNumber(item.offset), !item.source.isEmpty,
            let seconds = file.number(item.timestamp), abs(seconds) < 1e14
        else { throw MalformedBundle("a sample has no value or no time") }
        samples.beginRow()
        samples.plain(file.bytes, item.offset)
        samples.time(time.write(Int((seconds * 1000).rounded())))
        samples.plain(file.bytes, item.value)
        try samples.string(file.bytes, item.source)
        if file.isNumber(item.quality) {
            samples.plain(file.bytes, item.quality)
        } else {
            samples.missing()
        }
        samples.endRow()
    }

    /// The last interval ended when the sample was measured.
    private mutating func addBeats(_ item: Item, of file: JSONReader) throws {
        guard item.intervals.count > 2 else { return }
        var reader = JSONReader(file.bytes, in: item.intervals)
        try reader.enterList()
        var written: [Range<Int>] = []
        while try reader.element() { written.append(try reader.value()) }
        var ended: [Double] = []
        if written.count > 1 {
            guard var end = file.number(item.offset) else { throw MalformedBundle("an interval has no time") }
            for interval in written.reversed() {
                ended.append(end)
                guard let length = file.number(interval) else {
                    throw MalformedBundle("an interval is not a number")
                }
                end -= length
            }
        }
        for (index, interval) in written.enumerated() {
            beats.beginRow()
            if index == written.count - 1 {
                beats.plain(file.bytes, item.offset)
            } else {
                // To the nanosecond, as the bundle writes offsets.
                beats.real((ended[written.count - 1 - index] * 1e9).rounded() / 1e9)
            }
            beats.plain(file.bytes, interval)
            try beats.string(file.bytes, item.source)
            beats.endRow()
        }
    }

    private mutating func addBeat(_ item: Item, of file: JSONReader) throws {
        guard file.isNumber(item.value), file.isNumber(item.offset), !item.source.isEmpty else {
            throw MalformedBundle("an interval has no value or no time")
        }
        beats.beginRow()
        beats.plain(file.bytes, item.offset)
        beats.plain(file.bytes, item.value)
        try beats.string(file.bytes, item.source)
        beats.endRow()
    }
}

extension TableText {
    fileprivate mutating func visit(_ visit: StepVisit) {
        text(visit.step)
        integer(visit.visit)
        text(visit.stimulus)
    }
}
