import StudyModel

/// The beats of the `hr` messages (132), which a chest strap stores while its watch cannot receive it, for example
/// under water.
///
/// The strap counts 1/1024 s on a clock of its own. One full message says which moment a count corresponds to; the
/// others contain only the lowest 12 bits.
///
/// Source: Garmin, FIT Cookbook, "Decoding HR Messages".
struct FITBeats {
    /// A beat.
    private struct Beat {
        /// Seconds since 1970.
        var time: Double
        /// Beats per minute; `nil` if the strap gives none.
        var rate: Double?
        /// Seconds since the beat before; `nil` for the first.
        var interval: Double?
        var place: Int
    }

    private var beats: [Beat] = []
    /// The count of the strap's clock at a moment, in seconds since 1970.
    private var anchor: (count: Int, time: Double)?
    private var last: Int?

    private static let unitsPerSecond = 1024.0
    private enum Field {
        static let fraction: UInt8 = 0
        static let fractionOf256: UInt8 = 1
        static let rates: UInt8 = 6
        static let moments: UInt8 = 9
        static let shortMoments: UInt8 = 10
    }

    /// - Parameter epoch: seconds from 1970 to FIT's own epoch.
    mutating func take(_ layout: FITLayout, _ data: ArraySlice<UInt8>, epoch: Double, place: Int) {
        let rates = layout.bytes(Field.rates, in: data)
        let whole = layout.numbers(Field.moments, in: data)
        if let first = whole.first, let time = layout.number(FITLayout.timestamp, in: data) {
            let fraction =
                layout.number(Field.fraction, in: data).map { Double($0) / 32_768 }
                ?? layout.number(Field.fractionOf256, in: data).map { Double($0) / 256 } ?? 0
            anchor = (first, epoch + Double(time) + fraction)
        }
        for (index, count) in whole.enumerated() {
            add(count, index < rates.count ? rates[index] : 0xFF, place)
        }
        let packed = layout.bytes(Field.shortMoments, in: data)
        for start in stride(from: 0, through: packed.count - 3, by: 3) {
            let (low, middle, high) = (Int(packed[start]), Int(packed[start + 1]), Int(packed[start + 2]))
            for (offset, short) in [low | (middle & 0x0F) << 8, middle >> 4 | high << 4].enumerated() {
                let index = start / 3 * 2 + offset
                let rate = index < rates.count ? rates[index] : 0xFF
                // Unused space in the last message is filled with ones.
                guard let last, short != 0xFFF || rate != 0xFF else { continue }
                let count = last & ~0xFFF | short
                add(count < last ? count + 0x1000 : count, rate, place)
            }
        }
    }

    private mutating func add(_ count: Int, _ rate: UInt8, _ place: Int) {
        defer { last = count }
        guard let anchor else { return }
        beats.append(
            Beat(
                time: anchor.time + Double(count - anchor.count) / Self.unitsPerSecond,
                rate: rate == 0xFF || rate == 0 ? nil : Double(rate),
                interval: last.map { Double(count - $0) / Self.unitsPerSecond }, place: place))
    }

    /// The readings of the messages, in order.
    ///
    /// - Parameter hasRatesBeside: whether the file also contains rates.
    func readings(hasRatesBeside: Bool) -> [RecordedReading] {
        beats.compactMap { beat in
            let intervals = beat.interval.map { [$0] } ?? []
            var reading = RecordedReading(
                time: beat.time, place: beat.place,
                sample: HeartRateSample(
                    rate: hasRatesBeside ? nil : beat.rate,
                    rrIntervals: intervals.filter(RecordedReading.plausibleIntervals.contains)))
            reading.hasRatesBeside = hasRatesBeside
            return reading.completeSample.rate == nil && reading.sample.rrIntervals.isEmpty ? nil : reading
        }
    }
}
