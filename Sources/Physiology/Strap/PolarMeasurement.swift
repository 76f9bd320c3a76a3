/// Polar's measurement service (PMD), by which its straps and armbands send waveforms.
///
/// Source: Polar BLE SDK, "Polar Measurement Data", version 1.0, August 2024, of the maker's public technical
/// documentation.
package enum PolarMeasurement {
    package static let service = "fb005c80-02e7-f387-1cad-8acd2d8df0c8"
    package static let controlPoint = "fb005c81-02e7-f387-1cad-8acd2d8df0c8"
    package static let data = "fb005c82-02e7-f387-1cad-8acd2d8df0c8"

    /// What can be measured.
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        case ecg = 0
        case ppg = 1
        case acceleration = 2
        /// Times between the peaks of the pulse.
        case intervals = 3
    }

    /// A setting's number, by which the device lists it.
    package enum Setting: UInt8, Hashable, Sendable {
        /// Samples per second.
        case rate = 0
        /// Bits.
        case resolution = 1
        /// Plus or minus so many units.
        case range = 2
        case channels = 4
        /// A number by which samples are multiplied, in single precision.
        case factor = 5

        /// Bytes of a value.
        var size: Int {
            switch self {
            case .rate, .resolution, .range: 2
            case .channels: 1
            case .factor: 4
            }
        }
    }

    private enum Operation: UInt8 {
        case settings = 1
        case start = 2
        case stop = 3
    }

    /// Asks which settings a measurement can have.
    package static func settingsRequest(of kind: Kind) -> [UInt8] {
        [Operation.settings.rawValue, kind.rawValue]
    }

    package static func stopRequest(of kind: Kind) -> [UInt8] { [Operation.stop.rawValue, kind.rawValue] }

    /// Starts a measurement.
    package static func startRequest(of kind: Kind, _ settings: [Setting: UInt32]) -> [UInt8] {
        var bytes = [Operation.start.rawValue, kind.rawValue]
        for (setting, value) in settings.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where setting != .factor {
            bytes += [setting.rawValue, 1]
            bytes += (0..<setting.size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
        }
        return bytes
    }

    /// The settings to ask for: the lowest rate of at least fifty samples a second, or else the highest; of
    /// everything else the finest and widest.
    package static func chosen(from offered: [Setting: [UInt32]]) -> [Setting: UInt32] {
        var chosen: [Setting: UInt32] = [:]
        for (setting, values) in offered {
            let usable = values.filter { $0 >= 50 }
            chosen[setting] = setting == .rate ? usable.min() ?? values.max() : values.max()
        }
        return chosen
    }

    /// The device's answer at the control point.
    package struct Answer: Hashable, Sendable {
        package var kind: Kind
        /// Whether it answers a request to start.
        package var isStart: Bool
        /// 0 if the request was granted; 6 if the measurement already goes on.
        package var status: UInt8
        package var settings: [Setting: [UInt32]] = [:]

        package static let alreadyStarted: UInt8 = 6

        /// - Returns: `nil` for anything else.
        package init?(_ bytes: [UInt8]) {
            guard bytes.count >= 4, bytes[0] == 0xF0, let operation = Operation(rawValue: bytes[1]),
                operation != .stop, let kind = Kind(rawValue: bytes[2] & 0x3F)
            else { return nil }
            (self.kind, isStart, status) = (kind, operation == .start, bytes[3])
            var place = 5
            while place + 1 < bytes.count, let setting = Setting(rawValue: bytes[place]) {
                let count = Int(bytes[place + 1])
                place += 2
                guard place + count * setting.size <= bytes.count else { return nil }
                for _ in 0..<count {
                    let value = bytes[place..<place + setting.size].reversed().reduce(UInt32(0)) {
                        $0 << 8 | UInt32($1)
                    }
                    settings[setting, default: []].append(value)
                    place += setting.size
                }
            }
        }

        /// The factor by which samples are multiplied.
        package var factor: Double {
            settings[.factor]?.first.map { Double(Float(bitPattern: $0)) }.flatMap {
                $0.isFinite && $0 != 0 ? $0 : nil
            } ?? 1
        }
    }

    /// Times between peaks that an armband sends together.
    ///
    /// Source: as above, "PPI data", type 0: six bytes each, little-endian.
    package struct PeakIntervals: Hashable, Sendable {
        /// Seconds, oldest first; `nil` for one that the device itself calls blocked by motion, that was measured
        /// without skin contact, or that has no length.
        package var seconds: [Double?]
        /// The lengths of all of them, seconds.
        package var lengths: [Double]

        /// - Returns: `nil` for a frame that is torn, or of another type.
        package init?(_ bytes: [UInt8]) {
            guard bytes.count > 10, bytes[0] & 0x3F == Kind.intervals.rawValue, bytes[9] == 0,
                (bytes.count - 10) % 6 == 0
            else { return nil }
            // Each: the rate, milliseconds, their doubt in milliseconds, flags.
            let starts = Array(stride(from: 10, to: bytes.count, by: 6))
            lengths = starts.map { Double(Int(bytes[$0 + 1]) | Int(bytes[$0 + 2]) << 8) / 1000 }
            seconds = zip(starts, lengths).map { start, length in
                let flags = bytes[start + 5]
                let (isBlocked, isOffSkin) = (flags & 1 != 0, flags & 6 == 4)
                return isBlocked || isOffSkin || length == 0 ? nil : length
            }
        }
    }

    /// Samples that the device sends together.
    package struct Frame: Hashable, Sendable {
        package var kind: Kind
        /// When the last sample was taken, by the device's clock, nanoseconds since 2000.
        package var stamp: UInt64
        package var channels: Int
        /// The numbers, sample by sample: µV of an ECG, thousandths of g, and a PPG's own units.
        package var values: [Double]

        package var count: Int { values.count / channels }

        /// - Parameter factor: of the answer with which the measurement began.
        /// - Returns: `nil` for a frame that is torn, or of a type that is not known.
        package init?(_ bytes: [UInt8], factor: Double) {
            guard bytes.count > 10, let kind = Kind(rawValue: bytes[0] & 0x3F) else { return nil }
            self.kind = kind
            stamp = bytes[1...8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            let (type, isCompressed) = (bytes[9] & 0x7F, bytes[9] & 0x80 != 0)
            let content = bytes[10...]
            guard let layout = Self.layout(of: kind, type, isCompressed) else { return nil }
            channels = layout.channels
            let numbers =
                isCompressed
                ? Self.deltas(content, layout.channels, layout.bytes)
                : Self.plain(content, layout.channels, layout.bytes)
            guard let numbers, !numbers.isEmpty else { return nil }
            let scale = layout.scale * (isCompressed ? factor : 1)
            values =
                scale == 1
                ? numbers.map { Double($0) } : numbers.map { (Double($0) * scale * 1e6).rounded() / 1e6 }
        }

        /// What a frame that cannot be read is called: torn, or of a type that nobody here knows.
        package static func name(of bytes: [UInt8], _ kind: Kind) -> String {
            guard bytes.count > 10 else { return "(\(kind), torn)" }
            let (type, isCompressed) = (bytes[9] & 0x7F, bytes[9] & 0x80 != 0)
            let isKnown = layout(of: kind, type, isCompressed) != nil
            return
                "(\(kind), \(isKnown ? "torn" : "unknown type \(type)\(isCompressed ? ", compressed" : "")"))"
        }

        private static func layout(
            of kind: Kind, _ type: UInt8, _ isCompressed: Bool
        ) -> (channels: Int, bytes: Int, scale: Double)? {
            switch (kind, type, isCompressed) {
            case (.ecg, 0, false): (1, 3, 1)
            case (.ppg, 0, _): (4, 3, 1)
            case (.acceleration, 0, false): (3, 1, 1)
            case (.acceleration, 1, _): (3, 2, 1)
            case (.acceleration, 2, false): (3, 3, 1)
            // In units of g.
            case (.acceleration, 0, true): (3, 2, 1000)
            case (_, _, _): nil
            }
        }

        private static func plain(_ bytes: ArraySlice<UInt8>, _ channels: Int, _ width: Int) -> [Int]? {
            guard bytes.count % (channels * width) == 0 else { return nil }
            return stride(from: bytes.startIndex, to: bytes.endIndex, by: width).map {
                signed(bytes[$0..<$0 + width])
            }
        }

        /// A whole sample, and then blocks of differences: their bits, how many samples, and the packed bits, the lowest
        /// first.
        private static func deltas(_ bytes: ArraySlice<UInt8>, _ channels: Int, _ width: Int) -> [Int]? {
            guard bytes.count >= channels * width else { return nil }
            var last = (0..<channels).map { channel in
                let start = bytes.startIndex + channel * width
                return signed(bytes[start..<start + width])
            }
            var numbers = last
            var place = bytes.startIndex + channels * width
            while place < bytes.endIndex {
                guard place + 2 <= bytes.endIndex else { return nil }
                let (bits, count) = (Int(bytes[place]), Int(bytes[place + 1]))
                place += 2
                let size = (bits * count * channels + 7) / 8
                guard (1...32).contains(bits), place + size <= bytes.endIndex else { return nil }
                for index in 0..<count * channels {
                    var value = 0
                    for bit in 0..<bits {
                        let position = index * bits + bit
                        value |= Int(bytes[place + position / 8] >> UInt8(position % 8) & 1) << bit
                    }
                    if value >> (bits - 1) == 1 { value -= 1 << bits }
                    last[index % channels] += value
                    numbers.append(last[index % channels])
                }
                place += size
            }
            return numbers
        }

        private static func signed(_ bytes: ArraySlice<UInt8>) -> Int {
            let value = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
            return value >> (8 * bytes.count - 1) == 1 ? value - 1 << (8 * bytes.count) : value
        }
    }
}
