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
        of signal: Signal, _ form: Signal.WaveForm, _ choice: LabStreamChoice, _ tell: (Event) -> Void
    ) {
        var search = LabStreamSearch(choice, types: form.streamTypes, anyTypeIfNamed: true)
        while !isStopped.load(ordering: .relaxed) {
            guard let found = unsafe search.open(tell) else { continue }
            unsafe listen(to: found, of: signal, form, tell)
            unsafe entrain_lsl_leave(found.inlet)
        }
    }

    /// Passes samples on until the stream is lost.
    private func listen(
        to found: (inlet: OpaquePointer, stream: LabStream), of signal: Signal, _ form: Signal.WaveForm,
        _ tell: (Event) -> Void
    ) {
        let inlet = unsafe found.inlet
        var rate = 0.0
        var isSingle = false
        let count = unsafe Int(entrain_lsl_describe(inlet, &rate, &isSingle))
        guard count > 0 else {
            let reason = count == 0 ? "contains texts, not numbers" : "does not describe itself"
            return tell(.problem("the stream \(quoted(unsafe found.stream.name)) \(reason)"))
        }
        let layout = unsafe Self.layout(of: inlet, count, rate, signal, form)
        tell(.opened(unsafe Self.information(of: found)))
        var values = [Double](repeating: 0, count: count * Self.most)
        var stamps = [Double](repeating: 0, count: Self.most)
        var watch = LabStreamWatch()
        while !isStopped.load(ordering: .relaxed) {
            let taken = unsafe Int(
                entrain_lsl_pull(inlet, Self.collecting, &values, values.count, &stamps, stamps.count))
            guard unsafe watch.goesOn(with: found, Int32(taken), after: Self.collecting, tell) else { return }
            guard taken > 0 else { continue }
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
