import Platform
import StudyModel
import TextFormat

/// A block of a waveform as a line of a recorder's log has it. Its numbers stay text, so that they are copied digit by
/// digit.
///
/// Logs of waveforms are long, and are read line by line, never as a whole.
struct LoggedBlock {
    /// When it reached us.
    let arrival: RunInstant
    let layout: WaveLayout
    let signal: Signal
    /// When each sample was measured.
    let instants: [RunInstant]
    private let reader: JSONReader
    /// Where the numbers are, sample by sample.
    private let places: [Range<Int>]

    private static let names: [StaticString] = ["a", "channels", "rate", "signal", "t", "times", "values"]

    /// - Returns: `nil` if the line is something else than a block.
    init?(line: [UInt8]) throws {
        var reader = JSONReader(line)
        let parts = try JSONParts(&reader, names: Self.names)
        guard !parts[1].isEmpty, !parts[5].isEmpty else { return nil }
        self.reader = reader
        let number = { (part: Int) throws in try JSON(parsing: line, in: parts[part]) }
        arrival = try number(0).asInstant()
        let channels = try number(1).asList(WaveLayout.Channel.init(wire:))
        layout = WaveLayout(channels, rate: parts[2].isEmpty ? nil : reader.number(parts[2]))
        let name = try number(3)
        signal = try name.expect(Signal(named: name.asText()), "a signal")
        let start = try number(4).asInstant()
        instants = try Self.elements(of: parts[5], in: line).map { place in
            guard let offset = reader.number(place), abs(offset) < 1e18 else {
                throw WireFailure("a time of a sample is no number")
            }
            return start.advanced(by: .nanoseconds(Int64(offset)))
        }
        places = try Self.elements(of: parts[6], in: line)
        guard places.count == instants.count * layout.channels.count else {
            throw WireFailure("a sample lacks a channel")
        }
    }

    private static func elements(of part: Range<Int>, in line: [UInt8]) throws -> [Range<Int>] {
        var list = JSONReader(line, in: part)
        var places: [Range<Int>] = []
        try list.enterList()
        while try list.element() { places.append(try list.value()) }
        return places
    }

    /// Appends a sample as a line of values with commas; a missing number is empty.
    func write(_ index: Int, to text: inout [UInt8]) {
        Self.write(instants[index], to: &text)
        for place in places[index * layout.channels.count..<(index + 1) * layout.channels.count] {
            text.append(UInt8(ascii: ","))
            if reader.isNumber(place) { text.append(contentsOf: reader.bytes[place]) }
        }
        text.append(UInt8(ascii: "\n"))
    }

    /// A moment in seconds with six decimals.
    private static func write(_ instant: RunInstant, to text: inout [UInt8]) {
        let micros = instant.nearestMicroseconds
        if micros < 0 { text.append(UInt8(ascii: "-")) }
        let (seconds, rest) = micros.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        text.append(contentsOf: seconds.description.utf8)
        text.append(UInt8(ascii: "."))
        var scale: UInt64 = 100_000
        while scale > 0 {
            text.append(UInt8(ascii: "0") + UInt8(rest / scale % 10))
            scale /= 10
        }
    }

    /// A sample as a value, for items.
    func value(_ index: Int) -> Timed<SignalValue> {
        let numbers = places[index * layout.channels.count..<(index + 1) * layout.channels.count].map {
            reader.isNumber($0) ? reader.number($0) ?? .nan : .nan
        }
        return Timed(
            .wave(WaveBlock(signal, layout, at: [instants[index]], numbers)), at: instants[index],
            arrival: arrival)
    }
}

extension WaveBlock {
    /// Writes the block as a line of a log.
    func write(to text: inout JSONText, arrival: RunInstant) {
        guard let start = instants.first else { return }
        text.beginObject()
        text.key("a")
        text.integer(Int(arrival.nanoseconds))
        text.key("channels")
        text.value(.list(layout.channels.map(\.wire)))
        if let rate = layout.rate {
            text.key("rate")
            text.real(rate)
        }
        text.key("signal")
        text.text(signal.name)
        text.key("t")
        text.integer(Int(start.nanoseconds))
        text.key("times")
        text.beginList()
        for instant in instants { text.integer(Int(start.duration(to: instant).wholeNanoseconds)) }
        text.endList()
        text.key("values")
        text.beginList()
        for value in values { text.real(value) }
        text.endList()
        text.endObject()
    }

    /// The block as it reads back, with times in whole microseconds.
    var asWritten: WaveBlock {
        var block = self
        block.instants = instants.map { .nanoseconds($0.nearestMicroseconds * 1000) }
        return block
    }
}

extension RunInstant {
    /// Microseconds since the run's start, rounded to the nearest: what columns hold.
    fileprivate var nearestMicroseconds: Int64 { (nanoseconds + (nanoseconds < 0 ? -500 : 500)) / 1000 }
}

extension Folder {
    /// Passes on the blocks in a recorder's log, up to its last complete and valid line.
    func readWaves(
        _ path: String, _ body: (LoggedBlock) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        var line: [UInt8] = []
        var isTorn = false
        try read(path) { (piece) throws(FileFailure) in
            var start = piece.startIndex
            while !isTorn, let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
                line += piece[start..<end]
                start = end + 1
                let block: LoggedBlock?
                do { block = try LoggedBlock(line: line) } catch {
                    isTorn = true
                    return
                }
                if let block { try body(block) }
                line.removeAll(keepingCapacity: true)
            }
            line += piece[start...]
        }
    }
}
