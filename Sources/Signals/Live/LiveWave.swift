import StudyModel
import TextFormat

/// Samples of a waveform as scripts and servers send them: `-0.2`, `[12, 15, 11]`, or
/// `{"x": [0.1, 0.2], "y": [0, 0]}`.
struct LiveWave: Hashable, Sendable {
    var signal: Signal
    var layout: WaveLayout
    /// The numbers, sample by sample.
    var values: [Double]

    private static let rateNames = ["samplingrate", "sampling_rate", "samplerate", "srate", "fs"]
    private static let unitNames = ["unit"]

    /// - Parameter value: gives the value of the first of some keys that stand beside the samples.
    init(
        _ json: JSON, of signal: Signal, _ form: Signal.WaveForm, beside value: ([String]) -> JSON?
    ) throws(LiveReading.Malformed) {
        self.signal = signal
        var names: [String] = []
        var columns: [[Double]] = []
        switch json {
        case .object(let members):
            for member in members.members {
                names.append(member.key)
                columns.append(try Self.numbers(member.value, signal))
            }
        case .null, .boolean, .text, .integer, .real, .list:
            names = [form.channels.count == 1 ? form.channels[0] : ""]
            columns = [try Self.numbers(json, signal)]
        }
        guard let count = columns.first?.count, count > 0, columns.allSatisfy({ $0.count == count }) else {
            throw LiveReading.Malformed(
                text: "the channels of the \(signal.quantity) have different numbers of samples, or none")
        }
        let rate = value(Self.rateNames)?.asReal.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        guard rate != nil || count == 1 else {
            throw LiveReading.Malformed(
                text:
                    "several samples of the \(signal.quantity) need a \"samplingRate\" beside them, in samples per second"
            )
        }
        var unit = signal.unit
        if case .text(let told)? = value(Self.unitNames), !told.isEmpty { unit = String(told.prefix(40)) }
        layout = WaveLayout(names.map { WaveLayout.Channel($0, unit: unit) }, rate: rate)
        values = (0..<count).flatMap { index in columns.map { $0[index] } }
    }

    private static func numbers(_ json: JSON, _ signal: Signal) throws(LiveReading.Malformed) -> [Double] {
        let items = if case .list(let items) = json { items } else { [json] }
        var numbers: [Double] = []
        for item in items {
            guard let number = item == .null ? .nan : item.asReal else {
                throw LiveReading.Malformed(text: "a sample of the \(signal.quantity) is not a number")
            }
            numbers.append(number)
        }
        return numbers
    }

    /// - Parameter start: when the first sample was measured; without it, the last one was measured on arrival.
    func sample(from start: RunInstant?, arrival: RunInstant) -> Timed<SignalValue>? {
        let count = values.count / layout.channels.count
        let step = layout.rate.map { 1 / $0 } ?? 0
        let offsets = (0..<count).map { Duration.seconds(Double($0) * step) }
        guard let last = offsets.last else { return nil }
        let latest = arrival.advanced(by: .zero - last)
        let first = min(start ?? latest, latest)
        let block = WaveBlock(signal, layout, at: offsets.map(first.advanced), values)
        return Timed(.wave(block), at: first, arrival: arrival)
    }
}
