import Physiology
import SessionPorts
import StudyModel

/// The waveforms of a simulated person, as far as recorders want them.
struct SimulatedWaves {
    private let signals: [Signal]
    private var body = SimulatedBody()
    /// How many samples of each signal have been reported.
    private var counts: [Signal: Int] = [:]

    init(_ signals: Set<Signal>) { self.signals = signals.waves }

    /// The samples that are known by now. Those of the heart end with its last beat.
    ///
    /// - Parameters:
    ///   - intervals: seconds between the beats since the call before.
    ///   - breaths: the chest's position since the call before.
    ///   - elapsed: seconds since the source began.
    ///   - origin: when that was.
    mutating func reports(
        of intervals: [Double], breaths: [Double], at elapsed: Double,
        since origin: RunInstant, arrival: RunInstant
    ) -> [SourceReport] {
        guard !signals.isEmpty else { return [] }
        body.breathe(breaths)
        let stretches = body.stretches(after: intervals, until: elapsed)
        return signals.compactMap { signal in
            var block = Samples(signal, from: counts[signal, default: 0])
            if signal == .ecg || signal == .ppg {
                for (end, beats) in stretches {
                    block.add(until: end) { time in
                        guard let beats else { return [0] }
                        return [
                            signal == .ecg
                                ? body.ecg(at: time, between: beats) : body.ppg(at: time, between: beats)
                        ]
                    }
                }
            } else {
                block.add(until: elapsed) { Self.values(of: signal, at: $0, breath: body.breath(at: $0)) }
            }
            counts[signal] = block.count
            return block.report(since: origin, arrival: arrival)
        }
    }

    private static func values(of signal: Signal, at time: Double, breath: Double) -> [Double] {
        // A wave, once up and down a minute.
        let slow = 1 - abs(time.truncatingRemainder(dividingBy: 60) / 30 - 1)
        let rounded = { (value: Double) in (value * 10_000).rounded() / 10_000 }
        return switch signal {
        case .breathing: [rounded(breath)]
        case .skinConductance: [rounded(4 + 2 * slow)]
        case .acceleration: [rounded(0.01 * breath), rounded(0.02 * breath), rounded(1 - 0.01 * breath)]
        case .skinTemperature: [rounded(33 + 0.2 * slow)]
        case _: [rounded(slow)]
        }
    }

    /// Samples of one signal that are reported together.
    private struct Samples {
        private let signal: Signal
        private let form: Signal.WaveForm
        private let first: Int
        private(set) var count: Int
        private var values: [Double] = []

        init(_ signal: Signal, from first: Int) {
            guard let form = signal.waveForm else { preconditionFailure("\(signal.name) is no waveform") }
            (self.signal, self.form, self.first, count) = (signal, form, first, first)
        }

        mutating func add(until end: Double, _ value: (Double) -> [Double]) {
            while Double(count) / form.simulatedRate < end {
                values += value(Double(count) / form.simulatedRate)
                count += 1
            }
        }

        func report(since origin: RunInstant, arrival: RunInstant) -> SourceReport? {
            guard count > first else { return nil }
            let layout = WaveLayout(
                form.channels.map { WaveLayout.Channel($0, unit: signal.unit) }, rate: form.simulatedRate)
            let instants = (first..<count).map {
                min(origin.advanced(by: .seconds(Double($0) / form.simulatedRate)), arrival)
            }
            return .measured(
                Timed(
                    .wave(WaveBlock(signal, layout, at: instants, values)), at: instants[0],
                    arrival: arrival))
        }
    }
}
