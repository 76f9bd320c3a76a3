import CLoaded
import Recordings
import StudyModel
import Synchronization
import TextFormat

/// Samples of all channels of a stream.
struct LabSamples: Hashable, Sendable {
    var layout: WaveLayout
    /// When each sample was measured, on the layer's clock, s.
    var stamps: [Double]
    /// The numbers, sample by sample.
    var values: [Double]
}

/// How the layer's clock stands to the run's.
///
/// The two cannot be read at the same moment: if this thread was put aside between, the last good comparison counts.
struct LayerClock {
    /// A comparison is good if this much time or less passed while it was made, s.
    private static let goodDoubt = 100e-6

    private var last: (run: RunInstant, layer: Double, doubt: Double)?

    mutating func compare(_ run: RunInstant, with layer: Double, doubt: Double) {
        if let last, doubt > Self.goodDoubt, doubt >= last.doubt { return }
        last = (run, layer, doubt)
    }

    /// The moment of the run at which the layer's clock shows a time.
    func instant(_ layer: Double) -> RunInstant {
        guard let last else { preconditionFailure("the clocks were never compared") }
        let seconds = min(max(layer - last.layer, -1e6), 1e6)
        return last.run.advanced(by: .nanoseconds(Int64((seconds * 1e9).rounded())))
    }
}

extension LabStreamReader {
    /// How long samples are collected before they are passed on, s.
    private static let collecting = 0.2
    /// How many samples are passed on at once, at most.
    private static let most = 16_384

    /// Passes all samples of a stream on, and looks for the stream again whenever it is lost.
    func passWavesOn(
        of signal: Signal, _ form: Signal.WaveForm, _ stream: String?, _ tell: (Event) -> Void
    ) {
        while !isStopped.load(ordering: .relaxed) {
            guard let found = unsafe Self.findWaves(form, stream, tell) else { continue }
            unsafe listen(to: found.inlet, of: signal, form, called: found.name, tell)
            unsafe entrain_lsl_leave(found.inlet)
        }
    }

    private static func findWaves(
        _ form: Signal.WaveForm, _ stream: String?, _ tell: (Event) -> Void
    ) -> (inlet: OpaquePointer, name: String)? {
        let predicate =
            stream.map { "name=\(literal($0)) or source_id=\(literal($0))" }
            ?? form.streamTypes.map { "type=\(literal($0))" }.joined(separator: " or ")
        var count: Int32 = 0
        var names = entrain_stream_names()
        let inlet = unsafe entrain_lsl_find_where(predicate, search, &count, &names)
        if let inlet = unsafe inlet { return unsafe (inlet, text(names.name)) }
        let all = count > 1 ? text(names.all) : nil
        tell(.problem(problem(finding: form.streamTypes[0], stream, found: all)))
        return nil
    }

    /// A text in XPath, which has no escapes.
    private static func literal(_ text: String) -> String {
        let quote = text.contains("'") ? "\"" : "'"
        return quote + text.filter { String($0) != quote } + quote
    }

    private static func text(_ buffer: [CChar]) -> String {
        String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Passes samples on until the stream is lost.
    private func listen(
        to inlet: OpaquePointer, of signal: Signal, _ form: Signal.WaveForm, called name: String,
        _ tell: (Event) -> Void
    ) {
        var rate = 0.0
        var isSingle = false
        let count = unsafe Int(entrain_lsl_describe(inlet, &rate, &isSingle))
        guard count > 0 else {
            let reason = count == 0 ? "contains texts, not numbers" : "does not describe itself"
            return tell(.problem("the stream \(quoted(name)) \(reason)"))
        }
        let layout = unsafe Self.layout(of: inlet, count, rate, signal, form)
        tell(.opened(name))
        var values = [Double](repeating: 0, count: count * Self.most)
        var stamps = [Double](repeating: 0, count: Self.most)
        var quiet = 0.0
        while !isStopped.load(ordering: .relaxed) {
            let taken = unsafe Int(
                entrain_lsl_pull(inlet, Self.collecting, &values, values.count, &stamps, stamps.count))
            guard taken >= 0 else { return tell(.problem("the stream has ended")) }
            guard taken > 0 else {
                quiet += Self.collecting
                if quiet >= Self.silence { tell(.problem("the stream is silent")) }
                continue
            }
            quiet = 0
            let numbers = values[..<(taken * count)]
            tell(
                .samples(
                    LabSamples(
                        layout: layout, stamps: Array(stamps[..<taken]),
                        values: isSingle ? numbers.map(Self.shortest) : Array(numbers))))
        }
    }

    /// The shortest decimal that is this number in single precision: what was meant as 0.1 is not written with sixteen
    /// digits.
    private static func shortest(_ number: Double) -> Double {
        Double(Float(number).description) ?? number
    }

    private static func layout(
        of inlet: OpaquePointer, _ count: Int, _ rate: Double, _ signal: Signal, _ form: Signal.WaveForm
    ) -> WaveLayout {
        var channels: [WaveLayout.Channel] = []
        for index in 0..<count {
            var label = [CChar](repeating: 0, count: 256)
            var unit = [CChar](repeating: 0, count: 256)
            unsafe entrain_lsl_channel(inlet, Int32(index), &label, &unit, label.count)
            let stated = text(unit)
            channels.append(
                WaveLayout.Channel(
                    text(label),
                    unit: stated.isEmpty ? signal.quantityName.flatMap { _ in signal.unit } : stated))
        }
        if channels.allSatisfy(\.name.isEmpty), count == form.channels.count {
            for index in channels.indices { channels[index].name = form.channels[index] }
        }
        return WaveLayout(channels, rate: rate)
    }
}
