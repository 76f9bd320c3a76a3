package import StudyModel
package import TextFormat

/// Where the parts of an item stand in a recorder's file; the range of a missing part is empty.
///
/// Reading in this way needs no memory for the file's tree, and numbers can be copied digit by digit.
package struct RecordedItem: Sendable {
    private let parts: JSONParts
    /// The whole item.
    private let whole: Range<Int>
    /// What kind of item it is.
    package let kind: Kind

    package var value: Range<Int> { parts[0] }
    package var source: Range<Int> { parts[1] }
    package var timestamp: Range<Int> { parts[2] }
    /// For a rating: what was rated, and why the position was recorded.
    package var dimension: Range<Int> { parts[4] }
    package var moment: Range<Int> { parts[5] }
    /// For a waveform: the channel, and its unit.
    package var channel: Range<Int> { parts[6] }
    package var unit: Range<Int> { parts[7] }
    /// When what it reports began and ended, as dates; empty for what has none.
    package var startDate: Range<Int> { parts[8] }
    package var endDate: Range<Int> { parts[9] }
    package var offset: Range<Int> { parts[10] }
    package var intervals: Range<Int> { parts[11] }
    package var arrival: Range<Int> { parts[12] }
    package var quality: Range<Int> { parts[13] }
    private var contact: Range<Int> { parts[14] }

    private static let names: [StaticString] = [
        "value", "source", "timestampSince1970", "type", "dimension", "kind", "channel", "unit", "startDate",
        "endDate",
    ]
    private static let moments: [StaticString] = ["\"start\"", "\"change\"", "\"sample\""]
    private static let metadataNames: [StaticString] = [
        "runOffset", "rrIntervals", "arrivalOffset", "quality", "sensorContact",
    ]

    /// The names that people want to see first, in this order.
    package static let leadingNames = [
        "runOffset", "dimension", "value", "unit", "kind", "detail", "stimulus", "position",
    ]
    /// The names whose values are the same in all items of a file, or follow from the offset.
    package static let impliedNames: Set<String> = ["type", "startDate", "endDate", "timestampSince1970"]

    /// What an item reports.
    package enum Kind: Hashable, Sendable {
        case heartRate, interval, number(Signal), rating, tap, shown, other
    }

    /// Passes on one item after another, with the reader that holds the bytes of its parts.
    ///
    /// - Parameter promised: how many items the result promises.
    /// - Throws: if the bytes hold another number of items, or items that cannot be read.
    package static func read(
        _ bytes: [UInt8], of recorder: String, promised: Int,
        _ body: (RecordedItem, JSONReader) throws -> Void
    ) throws {
        var found = 0
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
                let item = try RecordedItem(&reader)
                try item.check(in: reader)
                try body(item, reader)
            }
        }
        guard promised == found else {
            throw WireFailure("\(recorder) should have \(promised) samples and has \(found)")
        }
    }

    private static func kind(_ type: Range<Int>, in file: JSONReader) -> Kind {
        if file.matches(type, "\"HKQuantityTypeIdentifierHeartRate\"") { return .heartRate }
        if file.matches(type, "\"RRInterval\"") { return .interval }
        if file.matches(type, "\"rating\"") { return .rating }
        if file.matches(type, "\"tap\"") { return .tap }
        if file.matches(type, "\"biofeedback\"") { return .shown }
        guard !type.isEmpty else { return .other }
        let written = String(decoding: file.bytes[type], as: UTF8.self)
        let measured = Signal.numbers.map(\.signal) + Signal.waves
        return measured.first { written == "\"\($0.type)\"" }.map { .number($0) } ?? .other
    }

    private init(_ reader: inout JSONReader) throws(JSON.Malformed) {
        let start = reader.position
        parts = try JSONParts(&reader, names: Self.names, inner: ("metadata", Self.metadataNames))
        whole = start..<reader.position
        kind = Self.kind(parts[3], in: reader)
    }

    /// The parts that are read must exist and be within the limits.
    private func check(in file: JSONReader) throws {
        let isWithin: Bool
        switch kind {
        case .other: return
        case .tap:
            _ = try tap(in: file, recorder: "")
            return
        case .shown:
            _ = try shown(in: file, recorder: "")
            return
        case .heartRate:
            isWithin =
                file.isNumber(value, within: BundleLimits.heartRate, digits: 4)
                && file.isNumber(timestamp, within: BundleLimits.calendar, digits: 10)
                && (arrival.isEmpty || file.isNumber(arrival, within: BundleLimits.seconds, digits: 6))
        case .interval: isWithin = file.isNumber(value, within: BundleLimits.interval, digits: 3)
        case .number: isWithin = file.isNumber(value, within: BundleLimits.number, digits: 6)
        case .rating:
            isWithin =
                file.isNumber(value, within: BundleLimits.number, digits: 6) && !dimension.isEmpty
                && Self.moments.contains { file.matches(moment, $0) }
        }
        guard isWithin, kind == .rating || !source.isEmpty,
            file.isNumber(offset, within: BundleLimits.seconds, digits: 6)
        else {
            throw WireFailure("an item lacks a value, a time or a source, or one is beyond the limits")
        }
    }

    /// The intervals of a heart rate, one after another.
    package func eachInterval(in file: JSONReader) throws -> [Range<Int>] {
        guard intervals.count > 2 else { return [] }
        var reader = JSONReader(file.bytes, in: intervals)
        var written: [Range<Int>] = []
        try reader.enterList()
        while try reader.element() {
            let interval = try reader.value()
            guard reader.isNumber(interval, within: BundleLimits.interval, digits: 3) else {
                throw WireFailure("an interval between beats is beyond the limits")
            }
            written.append(interval)
        }
        return written
    }

    /// Whether the sensor touched skin, as far as is known.
    package func hasContact(in file: JSONReader) -> Bool { !file.matches(contact, "false") }

    fileprivate func heartRate(in file: JSONReader) throws -> ResultBundle.HeartRate {
        guard let rate = file.number(value), let offset = file.number(offset),
            let timestamp = file.number(timestamp)
        else { throw WireFailure("a heart rate has no value or no time") }
        return ResultBundle.HeartRate(
            runOffset: offset, arrivalOffset: file.number(arrival) ?? offset,
            timestampSince1970: timestamp, value: rate,
            rrIntervals: try eachInterval(in: file).compactMap(file.number),
            sensorContact: contact.isEmpty ? nil : file.matches(contact, "true"),
            quality: file.number(quality), source: try source(in: file))
    }

    fileprivate func interval(in file: JSONReader) throws -> ResultBundle.Interval {
        guard let length = file.number(value), let offset = file.number(offset) else {
            throw WireFailure("an interval has no value or no time")
        }
        return ResultBundle.Interval(runOffset: offset, value: length, source: try source(in: file))
    }

    fileprivate func number(
        of signal: Signal, in file: JSONReader, recorder: String
    ) throws -> ResultBundle.Number {
        guard let number = file.number(value), let offset = file.number(offset) else {
            throw WireFailure("a sample of the \(signal.quantity) has no value or no time")
        }
        let text = { (part: Range<Int>) in
            part.isEmpty ? nil : try JSON(parsing: file.bytes, in: part).asText()
        }
        return ResultBundle.Number(
            signal: signal, channel: try text(channel), unit: try text(unit), runOffset: offset,
            value: number, recorder: recorder, source: try source(in: file))
    }

    fileprivate func rating(in file: JSONReader, recorder: String) throws -> ResultBundle.Rating {
        guard let value = file.number(value), let offset = file.number(offset),
            let dimension = try JSON(parsing: file.bytes, in: dimension).text
        else { throw WireFailure("a rating has no value, no time or no name") }
        return ResultBundle.Rating(
            dimension: dimension, runOffset: offset, value: value, recorder: recorder)
    }

    /// The tap that the item is.
    package func tap(in file: JSONReader, recorder: String) throws -> ResultBundle.Tap {
        let item = try JSON(parsing: file.bytes, in: whole)
        let seconds = { (name: String) in try item.optional(name) { try $0.asSeconds() } }
        let (beat, asynchrony) = (try item.optional("beat") { try $0.asCount() }, try seconds("asynchrony"))
        let phase = try item.optional("phase") { try $0.asNumber(in: -180...180) }
        guard (beat == nil) == (asynchrony == nil), (beat == nil) == (phase == nil) else {
            throw WireFailure("a tap has a part of a beat only")
        }
        return ResultBundle.Tap(
            key: try item.field("key").asText(),
            runOffset: try item.field("metadata").field("runOffset").asSeconds(),
            position: try seconds("position"), beat: beat, asynchrony: asynchrony, phase: phase,
            recorder: recorder)
    }

    /// What a display showed.
    package func shown(in file: JSONReader, recorder: String) throws -> ResultBundle.Display {
        let item = try JSON(parsing: file.bytes, in: whole)
        let display = try item.field("display")
        let shown = try item.field("shown")
        return ResultBundle.Display(
            display: try display.expect(
                try Biofeedback.names.first { $0 == (try display.asText()) }, "what is displayed"),
            shown: try Biofeedback.Shown(wire: shown, value: item["value"]),
            unit: try item.optional("unit") { try $0.asText() },
            runOffset: try item.field("metadata").field("runOffset").asSeconds(), recorder: recorder)
    }

    private func source(in file: JSONReader) throws -> String {
        guard !source.isEmpty else { throw WireFailure("an item has no source") }
        return try JSON(parsing: file.bytes, in: source).asText()
    }
}

/// The items of a recorder's file as values.
package struct RecordedItems: Sendable {
    package private(set) var heartRates: [ResultBundle.HeartRate] = []
    package private(set) var intervals: [ResultBundle.Interval] = []
    package private(set) var numbers: [ResultBundle.Number] = []
    package private(set) var ratings: [ResultBundle.Rating] = []
    package private(set) var taps: [ResultBundle.Tap] = []
    package private(set) var displays: [ResultBundle.Display] = []
    /// How many items are of other kinds.
    package private(set) var others = 0

    package init() {}

    /// How many items there are.
    package var count: Int {
        heartRates.count + intervals.count + numbers.count + ratings.count + taps.count + displays.count
            + others
    }

    package init(parsing bytes: [UInt8], of recording: ResultBundle.Recording) throws {
        try RecordedItem.read(bytes, of: recording.name, promised: recording.sampleCount) { item, file in
            switch item.kind {
            case .heartRate: heartRates.append(try item.heartRate(in: file))
            case .interval: intervals.append(try item.interval(in: file))
            case .number(let signal):
                numbers.append(try item.number(of: signal, in: file, recorder: recording.recorder))
            case .rating: ratings.append(try item.rating(in: file, recorder: recording.recorder))
            case .tap: taps.append(try item.tap(in: file, recorder: recording.recorder))
            case .shown: displays.append(try item.shown(in: file, recorder: recording.recorder))
            case .other: others += 1
            }
        }
    }
}
