import CLoaded
import Platform
import Recordings
package import SessionPorts
package import StudyModel
import Synchronization
import TextFormat

/// A stream of the Lab Streaming Layer. It has type HR, in beats per minute, possibly with a stream of type RR
/// beside it; or the type of another signal.
package struct LabStreamSource: SampleSource {
    private let stream: String?
    private let content: LabStreamContent

    /// - Parameters:
    ///   - stream: the name or the `source_id`; `nil` for the only one in the network.
    ///   - signals: the signals that recorders want; a heart if it is empty.
    /// - Throws: `SourceFailure` if liblsl is not installed, or if one stream cannot contain all that is wanted.
    package init(_ stream: String?, signals: Set<Signal> = []) throws(SourceFailure) {
        if let problem = Self.problem { throw SourceFailure(problem) }
        self.stream = stream
        content = try LabStreamContent(of: signals)
    }

    /// Why there is no Lab Streaming Layer on this machine; `nil` if there is.
    package static var problem: String? {
        guard let problem = unsafe entrain_lsl_load() else { return nil }
        return "the Lab Streaming Layer is reached through liblsl, and it cannot be loaded ("
            + (unsafe String(cString: problem))
            + "): install it from github.com/sccn/liblsl, or name its file in LSL_LIB"
    }

    /// How many bytes of numbers may wait: those of some minutes.
    private static let room = 16 << 20

    /// Never returns by itself.
    package func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant {
        guard !Task.isCancelled else { return }
        let inlet = Inlet<LabStreamReader.Event>(.streams, at: clock.now, room: Self.room) { $0.size }
        let reader = LabStreamReader(stream, content) { inlet.send($0) }
        var interpreter = LabStreamInterpreter(content)
        while let batch = await inlet.next(on: clock), !Task.isCancelled {
            if let (count, start) = batch.flood { report(.flooded(count, since: start)) }
            for event in batch.elements {
                let before = entrain_lsl_clock()
                let now = clock.now
                interpreter.take(event, at: now, layerTime: before, doubt: entrain_lsl_clock() - before)
                    .forEach(report)
            }
        }
        reader.stop()
    }
}

/// The meaning of a stream's numbers.
enum LabStreamContent: Hashable, Sendable {
    /// - Parameter areBeatsApart: whether intervals are recorded separately; otherwise they belong to the next
    ///   rate.
    case heartRates(areBeatsApart: Bool)
    case numbers(Signal, Signal.NumberForm)
    /// All channels of a stream.
    case waves(Signal, Signal.WaveForm)

    init(of signals: Set<Signal>) throws(SourceFailure) {
        let waves = signals.waves
        if signals.count == 1, let signal = waves.first, let form = signal.waveForm {
            self = .waves(signal, form)
            return
        }
        guard waves.isEmpty else { throw Self.severalSignals(signals) }
        let numbers = Signal.numbers.filter { signals.contains($0.signal) }
        guard let (signal, form) = numbers.first else {
            self = .heartRates(areBeatsApart: signals.contains(.rrIntervals))
            return
        }
        guard signals.count == 1 else {
            throw Self.severalSignals(signals)
        }
        self = .numbers(signal, form)
    }

    private static func severalSignals(_ signals: Set<Signal>) -> SourceFailure {
        let names = signals.map(\.name).sorted().joined(separator: ", ")
        return SourceFailure(
            "a stream holds one signal, and \(names) are recorded from it: name a source for each; several sources "
                + "may name one stream, and 'channels' says which channels each recorder keeps")
    }

    /// The type of such streams.
    var type: String {
        switch self {
        case .heartRates: "HR"
        case .numbers(_, let form): form.streamType
        case .waves(_, let form): form.streamTypes[0]
        }
    }
}

/// What is done with what streams tell, as a value.
///
/// Each number keeps the time with which it was sent, put on our own clock: that of an interval is when its last beat
/// was, whichever heart rate comes next.
struct LabStreamInterpreter {
    /// The uncertainty of another machine's time stamp, s; the correction of its clock is measured over the
    /// network.
    private static let stampUncertainty = Duration.milliseconds(1)

    private var intervals: [Double] = []
    private var lastBeat: BeatTime?
    private var said: SourceReport?
    private let content: LabStreamContent
    private var clock = LayerClock()

    init(_ content: LabStreamContent = .heartRates(areBeatsApart: false)) { self.content = content }

    /// - Parameters:
    ///   - now: the run's clock.
    ///   - layerTime: the layer's own clock at the same moment, s.
    ///   - doubt: how much later that moment may be, s.
    mutating func take(
        _ event: LabStreamReader.Event, at now: RunInstant, layerTime: Double, doubt: Double = 0
    ) -> [SourceReport] {
        clock.compare(now, with: layerTime, doubt: doubt)
        func instant(_ stamp: Double) -> RunInstant {
            now.advanced(
                by: .zero - .nanoseconds(Int64((min(max(layerTime - stamp, 0), 1e6) * 1e9).rounded())))
        }
        switch event {
        case .problem(let reason):
            (intervals, lastBeat) = ([], nil)
            return say(.lost(SourceProblem(reason)))
        case .opened(let device): return say(.live) + [.told(SourceInformation(device: device))]
        case .intervals(let milliseconds, let stamp):
            return beats(
                milliseconds.filter { $0 > 0 && $0 < 10_000 }.map { $0 / 1000 }, at: instant(stamp), now)
        case .samples(let samples):
            guard case .waves(let signal, _) = content, !samples.stamps.isEmpty else { return [] }
            let instants = samples.stamps.map { min(clock.instant($0), now) }
            let block = WaveBlock(signal, samples.layout, at: instants, samples.values)
            return say(.live) + [.measured(Timed(.wave(block), at: instants[0], arrival: now))]
        case .rate(let rate, let stamp):
            defer { intervals = [] }
            return say(.live)
                + [value(rate)].compactMap { $0 }.map {
                    .measured(Timed($0, at: instant(stamp), arrival: now))
                }
        }
    }

    /// Takes intervals, the last of which ended at a moment.
    private mutating func beats(_ lengths: [Double], at end: RunInstant, _ now: RunInstant) -> [SourceReport]
    {
        guard case .heartRates(let areBeatsApart) = content, !lengths.isEmpty else { return [] }
        let beat = BeatTime(instant: end, uncertainty: Self.stampUncertainty)
        guard areBeatsApart else {
            intervals += lengths
            lastBeat = beat
            return []
        }
        let sample = HeartRateSample(rate: nil, rrIntervals: lengths, lastBeat: beat)
        return say(.live) + [.sample(Timed(sample, at: end, arrival: now))]
    }

    /// The meaning of a number in the stream; `nil` if it is invalid.
    private func value(_ number: Double) -> SignalValue? {
        switch content {
        case .heartRates:
            .heart(
                HeartRateSample(
                    rate: number > 0 && number < 1000 ? number : nil, rrIntervals: intervals,
                    lastBeat: lastBeat))
        case .numbers(let signal, let form):
            form.range.contains(number) ? .number(number, of: signal) : nil
        case .waves: nil
        }
    }

    private mutating func say(_ report: SourceReport) -> [SourceReport] {
        guard said != report else { return [] }
        said = report
        return [report]
    }
}

/// A thread that looks for the streams and waits for their numbers.
@safe final class LabStreamReader: Sendable {
    enum Event: Hashable, Sendable {
        /// A stream was found, with its name.
        case opened(String)
        case problem(String)
        /// Beats per minute or another signal's number, and when it was measured, on the layer's clock.
        case rate(Double, at: Double)
        /// Milliseconds between beats that were sent with one time stamp, and when the last of them ended.
        case intervals([Double], at: Double)
        /// Samples of all channels.
        case samples(LabSamples)

        /// Its size in the queue, bytes; `nil` if it is no data.
        var size: Int? {
            switch self {
            case .rate, .intervals: 0
            case .samples(let samples): 8 * (samples.values.count + samples.stamps.count)
            case .opened, .problem: nil
            }
        }
    }

    /// If there is no number for this long, it is reported, seconds.
    static let silence = 5.0
    private static let turn = 0.1
    /// After this time, missing intervals are looked for again, and then less and less often, seconds.
    private static let firstPause = 2.0

    let isStopped = Atomic(false)
    private let content: LabStreamContent

    init(_ stream: String?, _ content: LabStreamContent, tell: @escaping @Sendable (Event) -> Void) {
        self.content = content
        DetachedThread.start { [self] in
            if case .waves(let signal, let form) = content {
                passWavesOn(of: signal, form, stream, tell)
                return
            }
            while !isStopped.load(ordering: .relaxed) {
                guard let rates = unsafe Self.find(content.type, stream, tell) else { continue }
                var beats = unsafe findIntervals(beside: rates.name)
                tell(.opened(unsafe rates.name))
                unsafe listen(rates, &beats, tell)
                unsafe entrain_lsl_leave(rates.inlet)
                if let beats = unsafe beats { unsafe entrain_lsl_leave(beats) }
            }
        }
    }

    /// Ends the thread within about a second.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// The stream of a type that is wanted, with its own name.
    private static func find(
        _ type: String, _ stream: String?, _ tell: (Event) -> Void
    ) -> (inlet: OpaquePointer, name: String)? {
        var count: Int32 = 0
        var names = entrain_stream_names()
        let inlet: OpaquePointer? =
            if let stream {
                unsafe entrain_lsl_find(type, stream, search, &count, &names)
            } else {
                unsafe entrain_lsl_find(type, nil, search, &count, &names)
            }
        if let inlet = unsafe inlet { return unsafe (inlet, text(names.name)) }
        tell(.problem(problem(finding: type, stream, found: count > 1 ? text(names.all) : nil)))
        return nil
    }

    /// For how long streams are looked for, s.
    static let search = 1.0

    /// A text in an array of characters of C.
    static func text<Characters>(_ characters: Characters) -> String {
        unsafe withUnsafeBytes(of: characters) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// Why no stream can be listened to.
    ///
    /// - Parameter all: the streams, if there are several.
    static func problem(finding type: String, _ stream: String?, found all: String?) -> String {
        guard let all else {
            let wanted = stream.map { "the stream \(quoted($0))" } ?? "a stream of type \(type)"
            return "looking for \(wanted) in the network"
        }
        return
            "there are several such streams of type \(type) in the network: \(all); name one, as in lsl:NAME or "
            + "lsl:SOURCE_ID, or end the others"
    }

    /// The stream of intervals of the same device: `RR x` beside `HR x`; for any other name, the only one.
    private func findIntervals(beside name: String) -> OpaquePointer? {
        guard case .heartRates = content else { return nil }
        var count: Int32 = 0
        var names = entrain_stream_names()
        if name.hasPrefix("HR ") {
            let partner = "RR" + name.dropFirst(2)
            return unsafe entrain_lsl_find("RR", partner, Self.search / 2, &count, &names)
        }
        return unsafe entrain_lsl_find("RR", nil, Self.search / 2, &count, &names)
    }

    /// Passes numbers on until the stream is lost.
    private func listen(
        _ rates: (inlet: OpaquePointer, name: String), _ beats: inout OpaquePointer?, _ tell: (Event) -> Void
    ) {
        var quiet = 0.0
        var pause = Self.firstPause
        var nextLook = entrain_lsl_clock() + pause
        var waiting = StampedIntervals()
        while !isStopped.load(ordering: .relaxed) {
            var number: Float = 0
            var measured = 0.0
            let result = unsafe entrain_lsl_receive(rates.inlet, Self.turn, &number, &measured)
            if unsafe beats == nil, entrain_lsl_clock() >= nextLook {
                unsafe beats = findIntervals(beside: rates.name)
                pause *= 2
                nextLook = entrain_lsl_clock() + pause
            }
            if let beats = unsafe beats {
                // Intervals with one time stamp may come in two turns.
                if waiting.isOld { waiting.drain().map(tell) }
                var interval: Float = 0
                var stamp = 0.0
                while unsafe entrain_lsl_receive(beats, 0, &interval, &stamp) == 1 {
                    waiting.add(Double(interval), at: stamp).map(tell)
                }
                waiting.isOld = true
            }
            if result > 0 {
                quiet = 0
                waiting.drain().map(tell)
                tell(.rate(Double(number), at: measured))
            } else if result < 0 {
                tell(.problem("the stream has ended"))
                return
            } else {
                quiet += Self.turn
                if quiet >= Self.silence { tell(.problem("the stream is silent")) }
            }
        }
    }
}

/// Intervals that were sent with one time stamp, until it is certain that no more of them come.
private struct StampedIntervals {
    private var intervals: [Double] = []
    private var stamp = 0.0
    /// Whether a turn has passed without another interval.
    var isOld = false

    /// - Returns: the intervals with another time stamp, which are now complete.
    mutating func add(_ interval: Double, at stamp: Double) -> LabStreamReader.Event? {
        let complete = abs(stamp - self.stamp) > 1e-4 ? drain() : nil
        intervals.append(interval)
        (self.stamp, isOld) = (stamp, false)
        return complete
    }

    mutating func drain() -> LabStreamReader.Event? {
        defer { intervals = [] }
        return intervals.isEmpty ? nil : .intervals(intervals, at: stamp)
    }
}
