public import Platform
public import StudyModel
import TextFormat

extension ResultBundle {
    /// The samples of a waveform in one file, whether it holds items or columns.
    public struct Waves: Hashable, Sendable {
        /// The channels, with the rate that the source states.
        public let layout: WaveLayout
        /// When each sample was measured, seconds since the run's start.
        public private(set) var offsets: [Double] = []
        /// For each channel its numbers, one for each sample; one that is missing is not a number.
        public private(set) var values: [[Double]]

        /// - Throws: if the file does not hold as many samples as its result promises.
        package init(parsing bytes: [UInt8], of recording: Recording) throws {
            guard let waves = recording.waves else {
                throw WireFailure("\(recording.recorder) recorded no waveform")
            }
            layout = waves.layout
            values = Array(repeating: [], count: layout.channels.count)
            if recording.holdsColumns {
                try read(columns: bytes)
                guard offsets.count == recording.sampleCount else {
                    throw WireFailure(
                        "\(recording.recorder) should have \(recording.sampleCount) samples and has "
                            + "\(offsets.count)")
                }
            } else {
                add(try RecordedItems(parsing: bytes, of: recording).numbers)
            }
        }

        private mutating func read(columns packed: [UInt8]) throws {
            var isFirst = true
            try Inflation.eachLine(of: packed) { line in
                guard !isFirst else {
                    isFirst = false
                    return
                }
                let cells = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                guard cells.count == values.count + 1, let offset = Self.number(cells[0]) else {
                    throw WireFailure("a line of columns has no time, or another number of cells")
                }
                offsets.append(offset)
                for (place, cell) in cells.dropFirst().enumerated() {
                    guard let number = cell.isEmpty ? .nan : Self.number(cell) else {
                        throw WireFailure("a cell of columns is no number")
                    }
                    values[place].append(number)
                }
            }
        }

        private static func number(_ cell: ArraySlice<UInt8>) -> Double? {
            Double(String(decoding: cell, as: UTF8.self))
        }

        /// Joins the items of each moment.
        private mutating func add(_ numbers: [Number]) {
            for number in numbers {
                let place = layout.channels.firstIndex { $0.name == number.channel } ?? 0
                if offsets.last != number.runOffset || !(values[place].last?.isNaN ?? true) {
                    offsets.append(number.runOffset)
                    for channel in values.indices { values[channel].append(.nan) }
                }
                values[place][offsets.count - 1] = number.value
            }
        }
    }

    /// The samples of a recording of a waveform.
    public func waves(in recording: Recording) throws(FileFailure) -> Waves {
        let bytes = try contents(of: recording)
        do {
            return try Waves(parsing: bytes, of: recording)
        } catch {
            throw FileFailure("read", recording.name, .malformed("\(error)"))
        }
    }
}

extension Inflation {
    /// The whole of what was packed with gzip.
    static func unpacked(_ packed: [UInt8]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try eachPiece(of: packed) { bytes += $0 }
        return bytes
    }

    /// Passes on each line of a text that was packed with gzip, without its end.
    fileprivate static func eachLine(of packed: [UInt8], _ body: (ArraySlice<UInt8>) throws -> Void) throws {
        var rest: [UInt8] = []
        try eachPiece(of: packed) { piece in
            rest += piece
            var start = rest.startIndex
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                try body(rest[start..<end])
                start = end + 1
            }
            rest.removeFirst(start)
        }
        guard rest.isEmpty else { throw WireFailure("its last line has no end") }
    }

    private static func eachPiece(of packed: [UInt8], _ body: ([UInt8]) throws -> Void) throws {
        let inflation = try Inflation(.gzip)
        for start in stride(from: 0, to: packed.count, by: 1 << 16) {
            inflation.feed(Array(packed[start..<min(start + 1 << 16, packed.count)]))
            while case let piece = try inflation.unpack(atMost: 1 << 18), !piece.isEmpty { try body(piece) }
        }
        guard inflation.isAtEnd else { throw WireFailure("its end is missing") }
    }
}
