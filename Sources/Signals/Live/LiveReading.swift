import Recordings
import Results
import StudyModel
import TextFormat

/// One reading as scripts and servers send it: `90`, or `{"bpm": 90, "t": 1479686400.1, "rr": [0.66]}`.
struct LiveReading: Hashable, Sendable {
    /// Beats per minute; `nil` if the sender says that it has none, as -1 and 0 do too.
    var rate: Double?
    /// Seconds between beats, oldest first.
    var rrIntervals: [Double] = []
    /// Seconds since 1970 when it was measured; `nil` if the sender does not say.
    var time: Double?
    /// Whether the sensor touches skin.
    var contact: Bool?
    /// Numbers of other signals.
    var numbers: [SignalValue] = []
    /// Samples of waveforms.
    var waves: [LiveWave] = []
    /// Whether it contains anything about a heart.
    var hasHeart = true

    /// An invalid reading, and the reason.
    struct Malformed: Error, Hashable, Sendable {
        var text: String
    }

}

extension LiveReading {
    /// Keys with these names are read, in upper or lower case.
    private static let rateNames = ["bpm", "hr", "heartrate", "heart_rate", "rate", "value"]
    static let timeNames = ["t", "time", "timestamp", "timestampsince1970"]
    private static let intervalNames = ["rr", "rrintervals", "rr_intervals", "ibi"]
    private static let contactNames = ["contact", "sensorcontact"]

    /// Reads a number, an object, or a list of them.
    ///
    /// - Parameter waves: the waveforms that are wanted; the keys of others mean nothing.
    static func all(in json: JSON, waves: [Signal] = []) throws(Malformed) -> [LiveReading] {
        guard case .list(let items) = json else { return [try LiveReading(json, waves: waves)] }
        var readings: [LiveReading] = []
        for item in items { readings.append(try LiveReading(item, waves: waves)) }
        return readings
    }

    /// Reads one line: JSON of any of these forms.
    static func all(
        inLine line: some Sequence<UInt8>, waves: [Signal] = []
    ) throws(Malformed) -> [LiveReading] {
        let bytes = Array(line)
        do {
            return try all(in: JSON(parsing: bytes), waves: waves)
        } catch let problem as JSON.Malformed {
            throw Malformed(text: "\(quoted(String(decoding: bytes, as: UTF8.self))): \(problem.problem)")
        } catch let problem as Malformed {
            throw problem
        } catch {
            preconditionFailure("reading a line throws \(error)")
        }
    }

    init(_ json: JSON, waves wanted: [Signal] = []) throws(Malformed) {
        switch json {
        case .integer, .real: rate = try Self.rate(json)
        case .object(let members):
            let value = { (names: [String]) in
                members.members.first { names.contains($0.key.lowercased()) && $0.value != .null }?.value
            }
            for (signal, form) in Signal.numbers {
                guard let told = value(form.keys) else { continue }
                guard let number = told.asReal, form.range.contains(number) else {
                    throw Malformed(text: "the \(signal.quantity) is not a number in its range")
                }
                numbers.append(.number(number, of: signal))
            }
            for signal in wanted {
                guard let form = signal.waveForm, let told = value(form.keys) else { continue }
                waves.append(try LiveWave(told, of: signal, form, beside: value))
            }
            let told = value(Self.rateNames) ?? value(Self.intervalNames).map { _ in .null }
            guard told != nil || !numbers.isEmpty || !waves.isEmpty else {
                let names = ["bpm"] + wanted.compactMap { $0.waveForm?.keys[0] }
                throw Malformed(
                    text: "there is no " + names.map { "\"\($0)\"" }.joined(separator: " or ") + " in it")
            }
            hasHeart = told != nil
            rate = try told.flatMap { told throws(Malformed) in told == .null ? nil : try Self.rate(told) }
            rrIntervals =
                try value(Self.intervalNames).map { json throws(Malformed) in
                    try Self.intervals(json)
                } ?? []
            time = try value(Self.timeNames).map { json throws(Malformed) in try Self.time(json) }
            if case .boolean(let isTouching)? = value(Self.contactNames) { contact = isTouching }
        case .null, .boolean, .text, .list:
            throw Malformed(text: "a reading is a number or an object such as {\"bpm\": 90}")
        }
    }

    private static func rate(_ json: JSON) throws(Malformed) -> Double? {
        guard let rate = json.asReal, rate < 1000 else {
            throw Malformed(text: "the heart rate is not a number below 1000")
        }
        return rate > 0 ? rate : nil
    }

    /// Seconds or milliseconds: no interval is as long as ten seconds or as short as ten milliseconds.
    private static func intervals(_ json: JSON) throws(Malformed) -> [Double] {
        let items = if case .list(let items) = json { items } else { [json] }
        return try items.map { item throws(Malformed) in
            guard let length = item.asReal, length > 0, length < 10_000 else {
                throw Malformed(text: "an RR interval is not a length of time")
            }
            return length < 10 ? length : length / 1000
        }
    }

    /// Seconds, milliseconds, microseconds or nanoseconds since 1970, or a date and time in ISO 8601.
    private static func time(_ json: JSON) throws(Malformed) -> Double {
        if case .text(let text) = json, let seconds = RecordedTime.instant(of: text) { return seconds }
        let number: Double? =
            if case .text(let text) = json { Double(text) } else { json.asReal }
        guard var seconds = number, seconds.isFinite, seconds >= 0 else {
            throw Malformed(text: "the time is neither a number of seconds since 1970 nor of ISO 8601")
        }
        while seconds >= 1e11 { seconds /= 1000 }
        return seconds
    }
}

extension JSON {
    /// The number; `nil` if it is not one.
    var asReal: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .null, .boolean, .text, .list, .object: nil
        }
    }
}
