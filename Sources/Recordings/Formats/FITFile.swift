import StudyModel

/// A FIT file of a sports watch or a strap: its heart rates and intervals.
///
/// The messages `record` (20) and `monitoring` (55) hold heart rates. The messages `hrv` (78) and `beat_intervals`
/// (290) hold intervals, which belong to the next record, and `hr` (132) the beats of a strap. All others are
/// skipped by their length. Several files may follow one another.
///
/// Source: Garmin, FIT Protocol, "Flexible & Interoperable Data Transfer Protocol", and the profile's field
/// numbers.
struct FITFile {
    /// Seconds from 1970 to 1989-12-31T00:00:00Z, from which FIT counts.
    private static let epoch = 631_065_600.0

    private var reader: ByteReader
    private var layouts: [UInt8: FITLayout] = [:]
    /// The time of the last message that has one, seconds since FIT's epoch.
    private var clock: UInt32?
    /// Intervals that belong to the next record with a time, s.
    private var intervals: [Double] = []
    /// Whether a beat is missing among them or before them.
    private var isAfterGap = false
    /// The last reading with a rate. It also gets the intervals after it, up to the end of the part.
    private var latest: RecordedReading?
    private var recordNumber = 0
    private var beats = FITBeats()
    private var tally = RecordingTally(placeName: "record")
    private var damage: String?

    init(_ bytes: [UInt8]) { reader = ByteReader(bytes) }

    /// Whether a file begins as FIT files do.
    static func isFIT(_ beginning: ArraySlice<UInt8>) -> Bool {
        let start = beginning.startIndex
        return beginning.count >= 12 && beginning[(start + 8)..<(start + 12)].elementsEqual(".FIT".utf8)
    }

    /// Passes every reading to `sink`, in the file's order, and returns how the file was understood.
    consuming func readings(
        into sink: (RecordedReading) -> Void
    ) throws(RecordingProblem) -> HeartRateRecording.Reading {
        var parts = 0
        while reader.left > 0, damage == nil {
            readPart(into: sink)
            parts += 1
        }
        finishPart(into: sink)
        let beats = beats.readings(hasRatesBeside: tally.readingCount > 0)
        for beat in beats { sink(beat) }
        tally.readingCount += beats.count
        if tally.readingCount == 0, let damage { throw RecordingProblem(damage) }
        return try tally.reading(
            ["a FIT file" + (parts > 1 ? " of \(parts) parts" : ""), "times of the calendar"],
            isDated: true, damage: damage)
    }

    /// A header, its messages and their checksum.
    private mutating func readPart(into sink: (RecordedReading) -> Void) {
        let start = reader.position
        guard let headerSize = reader.byte(), headerSize >= 12, let header = reader.read(Int(headerSize) - 1),
            header[7..<11].elementsEqual(".FIT".utf8)
        else {
            damage = "the data from byte \(start) on are not part of a FIT file"
            return
        }
        let size = header[3..<7].enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
        let end = reader.position + size
        finishPart(into: sink)
        layouts = [:]
        clock = nil
        while reader.position < min(end, reader.count) {
            guard readMessage(into: sink) else { break }
        }
        guard damage == nil else { return }
        guard reader.position == end else {
            damage =
                reader.position < end
                ? "the file ends after \(reader.count) of \(end + 2) bytes: \(recordNumber) records were read"
                : "record \(recordNumber) is longer than the file says: the rest is not read"
            return
        }
        let sum = reader.checksum(from: start)
        guard let low = reader.byte(), let high = reader.byte() else {
            damage = "the file ends before its checksum: all \(recordNumber) records were read"
            return
        }
        if UInt16(low) | UInt16(high) << 8 != sum {
            damage = "the checksum is wrong: some of the \(recordNumber) records may be"
        }
    }

    /// - Returns: `false` if the bytes end or cannot be a message.
    private mutating func readMessage(into sink: (RecordedReading) -> Void) -> Bool {
        guard let header = reader.byte() else { return false }
        recordNumber += 1
        let isCompressed = header & 0x80 != 0
        let kind = isCompressed ? header >> 5 & 0x03 : header & 0x0F
        if !isCompressed, header & 0x40 != 0 {
            guard let layout = FITLayout(&reader, hasDeveloperFields: header & 0x20 != 0) else {
                return false
            }
            layouts[kind] = layout
            return true
        }
        guard let layout = layouts[kind] else {
            damage =
                "record \(recordNumber) has no definition: the file is broken at byte \(reader.position - 1)"
            return false
        }
        guard let data = reader.read(layout.size) else { return false }
        if isCompressed, let clock {
            // The five lowest bits of the time. A smaller number than before means that 32 s have passed.
            self.clock = clock &+ (UInt32(header & 0x1F) &- clock) & 0x1F
        }
        read(layout, data, into: sink)
        return true
    }

    private mutating func read(
        _ layout: FITLayout, _ data: ArraySlice<UInt8>, into sink: (RecordedReading) -> Void
    ) {
        let time = layout.number(FITLayout.timestamp, in: data)
        if let time { clock = UInt32(truncatingIfNeeded: time) }
        // Without a time of its own, the record does not belong to the time of the record before.
        let isTimeless = time == nil && layout.has(FITLayout.timestamp)
        switch layout.message {
        case FITLayout.hrv, FITLayout.beatIntervals:
            let own = layout.numbers(layout.message == FITLayout.hrv ? 0 : 1, in: data).map {
                Double($0) / 1000
            }
            intervals += own.filter(RecordedReading.plausibleIntervals.contains)
            if let other = own.first(where: { !RecordedReading.plausibleIntervals.contains($0) }) {
                tally.count(.implausibleInterval, recordNumber, "\(other)")
                isAfterGap = true
            }
        case FITLayout.beats: beats.take(layout, data, epoch: Self.epoch, place: recordNumber)
        case FITLayout.record where isTimeless && layout.number(3, in: data) != nil:
            tally.count(.unreadableTime, recordNumber, "none")
        case FITLayout.record: take(layout.number(3, in: data), into: sink)
        case FITLayout.monitoring:
            if let short = layout.number(26, in: data), let clock {
                self.clock =
                    clock &+ UInt32(UInt16(truncatingIfNeeded: short) &- UInt16(truncatingIfNeeded: clock))
            }
            if layout.has(27) { take(layout.number(27, in: data), into: sink) }
        default: break
        }
    }

    private mutating func take(_ rate: Int?, into sink: (RecordedReading) -> Void) {
        guard let rate else {
            if intervals.isEmpty {
                tally.count(.noValue, recordNumber, "")
            } else {
                takeIntervals(into: sink)
            }
            return
        }
        guard let clock else { return tally.count(.unreadableTime, recordNumber, "none") }
        guard
            var reading = RecordedReading(
                time: Self.epoch + Double(clock), place: recordNumber, rate: Double(rate))
        else { return tally.count(.implausible, recordNumber, "\(rate)") }
        reading.sample.rrIntervals = intervals
        if !intervals.isEmpty { swap(&reading.isAfterGap, &isAfterGap) }
        intervals = []
        tally.readingCount += 1
        latest.map(sink)
        latest = reading
    }

    private mutating func finishPart(into sink: (RecordedReading) -> Void) {
        if latest != nil {
            latest?.sample.rrIntervals += intervals
            intervals = []
        }
        latest.map(sink)
        latest = nil
        takeIntervals(into: sink)
    }

    /// Makes a reading from intervals whose record has no rate.
    private mutating func takeIntervals(into sink: (RecordedReading) -> Void) {
        guard !intervals.isEmpty, let clock else { return }
        latest.map(sink)
        latest = nil
        sink(
            RecordedReading(
                time: Self.epoch + Double(clock), place: recordNumber,
                sample: HeartRateSample(rate: nil, rrIntervals: intervals)))
        intervals = []
        tally.readingCount += 1
    }
}

/// Bytes with a place in them.
struct ByteReader {
    private let bytes: [UInt8]
    /// The next byte's index.
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }
    var left: Int { bytes.count - position }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    /// The next bytes with indices from 0; `nil`, with nothing taken, if there are fewer.
    mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= left else { return nil }
        defer { position += count }
        return Array(bytes[position..<position + count])[...]
    }

    /// FIT's checksum: CRC-16 with the polynomial 0xA001.
    func checksum(from start: Int) -> UInt16 {
        var sum: UInt16 = 0
        for byte in bytes[start..<position] {
            sum ^= UInt16(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xA001 }
        }
        return sum
    }
}
