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
    private let choice: LabStreamChoice
    private let content: LabStreamContent

    /// - Parameters:
    ///   - choice: which stream; empty for the only one in the network.
    ///   - signals: the signals that recorders want; a heart if it is empty.
    /// - Throws: `SourceFailure` if liblsl is not installed, or if one stream cannot contain all that is wanted.
    package init(_ choice: LabStreamChoice, signals: Set<Signal> = []) throws(SourceFailure) {
        if let problem = Self.problem { throw SourceFailure(problem) }
        self.choice = choice
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
        let reader = LabStreamReader(choice, content) { inlet.send($0) }
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
        case .opened(let information): return say(.live) + [.told(information)]
        case .compared(let offset, let doubt):
            guard abs(offset) <= 1e8 else { return [] }
            let comparison = SourceInformation.ClockComparison(
                runOffset: (now.offset.seconds * 1e6).rounded() / 1e6,
                offset: (offset * 1e6).rounded() / 1e6, doubt: (doubt * 1e6).rounded() / 1e6)
            return [.told(SourceInformation(clock: [comparison]))]
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
        /// A stream was found, with what it says about itself.
        case opened(SourceInformation)
        /// What is added to the sender's time for that of this machine's layer, and how far off that may be, s.
        case compared(Double, doubt: Double)
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
            case .opened, .compared, .problem: nil
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

    init(
        _ choice: LabStreamChoice, _ content: LabStreamContent, tell: @escaping @Sendable (Event) -> Void
    ) {
        self.content = content
        DetachedThread.start { [self] in
            if case .waves(let signal, let form) = content {
                passWavesOn(of: signal, form, choice, tell)
                return
            }
            var search = LabStreamSearch(choice, types: [content.type])
            while !isStopped.load(ordering: .relaxed) {
                guard let rates = unsafe search.open(tell) else { continue }
                unsafe listen(rates, tell)
                unsafe entrain_lsl_leave(rates.inlet)
            }
        }
    }

    /// Ends the thread within about a second.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// What a stream says about itself; 5 s pass where its sender does not answer.
    static func information(of found: (inlet: OpaquePointer, stream: LabStream)) -> SourceInformation {
        var information = unsafe found.stream.information
        var rate = 0.0
        var isSingle = false
        guard unsafe entrain_lsl_describe(found.inlet, &rate, &isSingle) >= 0 else { return information }
        func said(_ key: String) -> String? {
            var text = [CChar](repeating: 0, count: 256)
            unsafe entrain_lsl_maker(found.inlet, key, &text, text.count)
            let said = Self.text(text)
            return said.isEmpty ? nil : said
        }
        information.manufacturer = said("manufacturer")
        information.model = said("model")
        information.firmware = said("firmware")
        return information
    }

    /// A text in an array of characters of C.
    static func text<Characters>(_ characters: Characters) -> String {
        unsafe withUnsafeBytes(of: characters) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    static func text(_ buffer: [CChar]) -> String {
        String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Passes numbers on until the stream is lost.
    private func listen(
        _ rates: (inlet: OpaquePointer, stream: LabStream), _ tell: (Event) -> Void
    ) {
        var beats = unsafe findIntervals(beside: rates.stream)
        defer { if let beats = unsafe beats { unsafe entrain_lsl_leave(beats) } }
        // From here on nothing that is sent is missed.
        tell(.opened(unsafe Self.information(of: rates)))
        var watch = LabStreamWatch()
        var pause = Self.firstPause
        var nextLook = entrain_lsl_clock() + pause
        var waiting = StampedIntervals()
        while !isStopped.load(ordering: .relaxed) {
            var number: Float = 0
            var measured = 0.0
            let result = unsafe entrain_lsl_receive(rates.inlet, Self.turn, &number, &measured)
            if unsafe beats == nil, entrain_lsl_clock() >= nextLook {
                unsafe beats = findIntervals(beside: rates.stream)
                pause *= 2
                nextLook = entrain_lsl_clock() + pause
            }
            if let found = unsafe beats {
                // Intervals with one time stamp may come in two turns.
                if waiting.isOld { waiting.drain().map(tell) }
                var interval: Float = 0
                var stamp = 0.0
                var standing = unsafe entrain_lsl_receive(found, 0, &interval, &stamp)
                while standing == 1 {
                    waiting.add(Double(interval), at: stamp).map(tell)
                    standing = unsafe entrain_lsl_receive(found, 0, &interval, &stamp)
                }
                if standing < 0 {
                    unsafe entrain_lsl_leave(found)
                    unsafe beats = nil
                    pause = Self.firstPause
                    nextLook = entrain_lsl_clock() + pause
                }
                waiting.isOld = true
            }
            if result > 0 {
                waiting.drain().map(tell)
                tell(.rate(Double(number), at: measured))
            }
            guard unsafe watch.goesOn(with: rates, result, after: Self.turn, tell) else { return }
        }
    }

    private func findIntervals(beside rates: LabStream) -> OpaquePointer? {
        guard case .heartRates = content else { return nil }
        return unsafe LabStreamSearch.intervals(beside: rates)?.inlet
    }
}

/// Notices that a stream is silent or lost, and compares clocks once a minute.
struct LabStreamWatch {
    private var quiet = 0.0
    private var nextLook = LabStreamReader.silence
    private var nextComparison = -Double.infinity

    /// - Parameters:
    ///   - result: how much was received, below 0 if the stream is lost.
    ///   - wait: for how long it was waited, s.
    /// - Returns: whether the stream is still there.
    mutating func goesOn(
        with found: (inlet: OpaquePointer, stream: LabStream), _ result: Int32, after wait: Double,
        _ tell: (LabStreamReader.Event) -> Void
    ) -> Bool {
        if result < 0 {
            tell(.problem("the stream has ended"))
            return false
        }
        if result > 0 {
            (quiet, nextLook) = (0, LabStreamReader.silence)
            unsafe compare(found.inlet, tell)
            return true
        }
        quiet += wait
        guard quiet >= nextLook else { return true }
        nextLook = quiet + LabStreamReader.silence
        tell(.problem("the stream is silent"))
        // A machine that was cut off ends no stream.
        return unsafe LabStreamSearch.isThere(found.stream)
    }

    private mutating func compare(_ inlet: OpaquePointer, _ tell: (LabStreamReader.Event) -> Void) {
        let now = entrain_lsl_clock()
        guard now >= nextComparison else { return }
        var (offset, doubt) = (0.0, 0.0)
        guard unsafe entrain_lsl_compare(inlet, &offset, &doubt) else { return }
        nextComparison = now + 60
        tell(.compared(offset, doubt: doubt))
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
