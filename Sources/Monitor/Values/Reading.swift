import MonitorInterface
import Results
package import TextFormat

/// One heart rate, as it was sent to the monitor.
package struct Reading: Hashable, Sendable {
    /// Beats per minute, 20...300.
    package var beatsPerMinute: Double
    /// Seconds since 1970 when it was measured; `nil` if the sender did not say.
    package var time: Double?
    /// Seconds since the session's start when it was measured; `nil` if the sender did not say.
    package var elapsed: Double?
    /// Seconds between beats, oldest first; empty if not sent.
    package var rrIntervals: [Double]

    package init(
        beatsPerMinute: Double, time: Double? = nil, elapsed: Double? = nil, rrIntervals: [Double] = []
    ) {
        self.beatsPerMinute = beatsPerMinute
        self.time = time
        self.elapsed = elapsed
        self.rrIntervals = rrIntervals
    }

    /// Reads what phone apps for straps send: a number as text, possibly with spaces or a line end around it.
    package init(text bytes: some Sequence<UInt8>) throws(Refusal) {
        guard let text = String(validating: Array(bytes), as: UTF8.self) else {
            throw .unprocessable("the body is not UTF-8")
        }
        let word = text.split(whereSeparator: \.isWhitespace)
        guard let number = word.first, word.count == 1 else {
            throw .unprocessable("the body should be one number, such as 72")
        }
        guard number.utf8.count <= 32, number.utf8.allSatisfy(Self.isPartOfNumber), let rate = Double(number)
        else {
            throw .unprocessable("the body is not a number: send beats per minute, such as 72")
        }
        self.init(beatsPerMinute: try Self.believable(rate))
    }

    /// Reads `{"bpm": 90, "t": …, "elapsed": …, "rr": [0.66]}`.
    package init(json: JSON) throws(Refusal) {
        var fields = try Fields(json, "a sample")
        beatsPerMinute = try Self.believable(try fields.number("bpm"))
        time = try fields.optionalNumber("t", in: MonitorLimits.times)
        elapsed = try fields.optionalNumber("elapsed", in: MonitorLimits.elapsed)
        rrIntervals = []
        for interval in try fields.list("rr", limit: MonitorLimits.intervalCount) {
            guard let seconds = interval.number, MonitorLimits.intervals.contains(seconds) else {
                throw .unprocessable("an RR interval should be 0.1 to 10 seconds")
            }
            rrIntervals.append(seconds)
        }
        try fields.rejectUnknown()
    }

    /// Reads a single sample, or `{"samples": […]}` with at most 10,000 samples.
    package static func all(in json: JSON) throws(Refusal) -> [Reading] {
        guard json["samples"] != nil else { return [try Reading(json: json)] }
        var fields = try Fields(json, "the body")
        let samples = try fields.list("samples", limit: 10_000)
        try fields.rejectUnknown()
        guard !samples.isEmpty else { throw .unprocessable("'samples' is empty") }
        var readings: [Reading] = []
        for sample in samples { readings.append(try Reading(json: sample)) }
        return readings
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }

    private static func believable(_ rate: Double) throws(Refusal) -> Double {
        if rate == 0 { throw .unprocessable("0 means that the strap found no pulse; it is not kept") }
        guard rate.isFinite, MonitorLimits.heartRates.contains(rate) else {
            throw .unprocessable("a heart rate should be 20 to 300 beats per minute")
        }
        return rate
    }
}
