import StudyModel
import TextFormat

/// The heart's channels of a file in European Data Format, read one data record at a time.
struct EDFRecording {
    private let header: EDFHeader
    private let choice: SignalChoice
    private var found: FoundSignals
    private var second = RateOfSecond()
    private var held: [HeldValue] = []
    private var ecg: ECGIntervals?
    private var recordsRead = 0
    /// When the data record before ended.
    private var end = -Double.infinity

    static func read(
        _ input: inout RecordedInput, _ guide: RecordingGuide
    ) throws(SourceFailure) -> FoundSignals {
        let name = input.name
        let header = try EDFHeader(reading: &input)
        var recording = try naming(name) { () throws(RecordingProblem) in try EDFRecording(header, guide) }
        let damage = try header.eachRecord(of: &input) { recording.take($0, at: $1) }
        recording.found.damage = damage
        return try naming(name) { () throws(RecordingProblem) in try recording.finished() }
    }

    private init(_ header: EDFHeader, _ guide: RecordingGuide) throws(RecordingProblem) {
        self.header = header
        let signals = header.signals.map {
            SignalChoice.Signal(
                name: $0.label, unit: $0.unit, isNumeric: !$0.isAnnotation && $0.sampleCount > 0)
        }
        choice = try SignalChoice(of: signals, kind: "channel", guide)
        found = FoundSignals(placeName: "data record", assumptions: [header.name] + choice.assumptions)
        found.isDated = header.start != nil
        if let rate = choice.rate, perSecond(rate) > 1 {
            found.assumptions.append(
                "the mean of each second, because the channel has \(perSecond(rate).wholeNumber) values a second"
            )
        }
        if let intervals = choice.intervals, perSecond(intervals) < 4 {
            throw RecordingProblem(
                "the channel \(quoted(header.signals[intervals].label)) has fewer than 4 values a second, too few to "
                    + "tell each interval: export the beats themselves")
        }
        if let signal = choice.ecg {
            ecg = try ECGIntervals(rate: perSecond(signal), channel: header.signals[signal].label)
        }
    }

    private func perSecond(_ signal: Int) -> Double { header.perSecond(header.signals[signal]) }

    private mutating func take(_ record: [UInt8], at index: Int) {
        let onset = header.onset(in: record) ?? Double(index) * header.recordDuration
        recordsRead = index + 1
        if onset < end - 0.001, found.doubts.isEmpty {
            found.doubts.append(
                "data record \(index + 1) begins \(decimals(end - onset, 3)) s before the one before it ends")
        }
        end = onset + header.recordDuration
        if let signal = choice.ecg { takeECG(header.signals[signal], in: record, from: onset) }
        for signal in [choice.rate, choice.intervals].compactMap(\.self) {
            let count = header.signals[signal].sampleCount
            for sample in 0..<count {
                let time = onset + Double(sample) * header.recordDuration / Double(count)
                let value = value(sample, of: header.signals[signal], in: record)
                if signal == choice.rate {
                    takeRate(value, at: time, index + 1)
                } else {
                    takeInterval(value, at: time, place: index + 1, lasting: 1 / perSecond(signal))
                }
            }
        }
    }

    private mutating func takeECG(_ signal: EDFHeader.Signal, in record: [UInt8], from onset: Double) {
        let start = (header.start ?? 0) + onset
        let step = header.recordDuration / Double(signal.sampleCount)
        for sample in 0..<signal.sampleCount {
            let value = header.value(sample, of: signal, in: record)
            ecg?.take(value, at: start + Double(sample) * step, place: recordsRead, into: &found)
        }
    }

    private mutating func takeRate(_ value: Double, at time: Double, _ place: Int) {
        guard let signal = choice.rate, perSecond(signal) > 1 else {
            return found.add(rate: value, at: time + (header.start ?? 0), place: place)
        }
        if let ended = second.take(value, at: time, place: place) { take(ended) }
    }

    private mutating func take(_ second: RateOfSecond.Ended) {
        found.add(rate: second.rate, at: second.time + (header.start ?? 0), place: second.place)
    }

    private mutating func takeInterval(_ value: Double, at time: Double, place: Int, lasting step: Double) {
        if let last = held.last, last.value == value, time < last.end + 1.5 * step {
            held[held.count - 1].end = time + step
        } else {
            held.append(HeldValue(value: value, start: time, end: time + step, place: place))
        }
    }

    /// The value without the noise of the conversion.
    private func value(_ index: Int, of signal: EDFHeader.Signal, in record: [UInt8]) -> Double {
        (header.value(index, of: signal, in: record) * 1e6).rounded() / 1e6
    }

    private consuming func finished() throws(RecordingProblem) -> FoundSignals {
        if let ended = second.end() { take(ended) }
        if let signal = choice.intervals { try takeHeld(header.signals[signal]) }
        let place = recordsRead
        var (ecg, found) = (ecg, found)
        ecg?.finish(place: place, into: &found)
        return found
    }

    /// Makes intervals from values that are held from beat to beat.
    private mutating func takeHeld(_ signal: EDFHeader.Signal) throws(RecordingProblem) {
        let usual = held.map(\.value).sorted().dropFirst(held.count / 2).first ?? 0
        let scale = SignalChoice.secondsPer(unit: signal.unit, usual: usual)
        let intervals = held.map { HeldInterval($0, length: $0.value * scale) }.filter {
            RecordedReading.plausibleIntervals.contains($0.length)
        }
        let covered = intervals.reduce(0) { $0 + $1.held.end - $1.held.start }
        let told = intervals.reduce(0) { $0 + $1.length * Double($1.count) }
        guard abs(told - covered) <= 0.1 * covered else {
            throw RecordingProblem(
                "the channel \(quoted(signal.label)) does not hold each interval until the next beat, because it is a resampled "
                    + "series: export the beats themselves")
        }
        for interval in intervals {
            for index in 0..<interval.count {
                found.add(
                    interval: interval.length,
                    at: interval.held.start + Double(index) * interval.length + (header.start ?? 0),
                    place: interval.held.place, hasRatesBeside: choice.rate != nil)
            }
        }
    }
}

/// A value that stayed the same for a while.
private struct HeldValue {
    var value: Double
    /// Seconds since the recording's start.
    var start: Double
    var end: Double
    var place: Int
}

/// An interval that is held until the next beat, or as long as equal intervals follow it.
private struct HeldInterval {
    var held: HeldValue
    /// Seconds.
    var length: Double
    var count: Int

    init(_ held: HeldValue, length: Double) {
        (self.held, self.length) = (held, length)
        let times = length > 0 ? ((held.end - held.start) / length).rounded() : 1
        count = Int(min(max(times, 1), 1e6))
    }
}

/// The mean of the heart rates of one second.
private struct RateOfSecond {
    struct Ended {
        /// When the second began.
        var time: Double
        /// 0 if there was no reading in that second.
        var rate: Double
        var place: Int
    }

    private var second = -Double.infinity
    private var place = 0
    private var sum = 0.0
    private var count = 0
    private var other = 0.0

    /// - Returns: the second before, if it is over.
    mutating func take(_ rate: Double, at time: Double, place: Int) -> Ended? {
        // At a rate of a tenth of a second, a sample may come a billionth early.
        let now = (time + 1e-6).rounded(.down)
        let ended = now == second ? nil : end()
        if now != second { (second, self.place, sum, count, other) = (now, place, 0, 0, 0) }
        if RecordedReading.plausibleRates.contains(rate) {
            sum += rate
            count += 1
        } else {
            other = rate
        }
        return ended
    }

    func end() -> Ended? {
        guard second.isFinite else { return nil }
        return Ended(time: second, rate: count > 0 ? sum / Double(count) : other, place: place)
    }
}
