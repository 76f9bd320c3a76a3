import Physiology
import SessionPorts
import StudyModel
import TextFormat

/// The waveforms of a strap with a measurement service, as a value: which are wanted, which go on, and their clocks.
struct StrapMeasuring: Hashable, Sendable {
    /// A measurement that goes on.
    private struct Running: Hashable, Sendable {
        var factor: Double
        var rate: Double
        var clock: FrameClock
    }

    /// What the strap was asked last, and has not answered.
    private enum Question: Hashable, Sendable {
        case settings(PolarMeasurement.Kind)
        case start(PolarMeasurement.Kind)
    }

    private var wanted: [PolarMeasurement.Kind]
    /// Whether the strap's own times between peaks are to be asked for, once it is clear that no others come.
    private(set) var mayNeedIntervals: Bool
    private var open: [PolarMeasurement.Kind] = []
    private var question: Question?
    private var settings: [PolarMeasurement.Kind: [PolarMeasurement.Setting: UInt32]] = [:]
    private var running: [PolarMeasurement.Kind: Running] = [:]
    /// What the strap does not measure.
    private(set) var refused: Set<PolarMeasurement.Kind> = []
    /// Frames that could not be read, by the names of their types.
    private var unreadable: [String: Int] = [:]

    /// - Parameter signals: what recorders want.
    init(_ signals: Set<Signal> = []) {
        let kinds = PolarMeasurement.Kind.allCases.filter { signals.contains($0.signal) }
        wanted = kinds.filter { $0 != .intervals }
        mayNeedIntervals = kinds.contains(.intervals)
    }

    var isWanted: Bool { !wanted.isEmpty }
    /// Whether everything goes on that can.
    var isComplete: Bool { open.isEmpty && question == nil }

    /// Everything is to be started, because the strap was connected.
    mutating func begin() { (open, question) = (wanted.filter { !refused.contains($0) }, nil) }

    /// The heart rates come without intervals, so that the strap's own are started.
    mutating func addIntervals() {
        mayNeedIntervals = false
        wanted.append(.intervals)
        open.append(.intervals)
    }

    /// The next request, or once more the one that was not answered.
    mutating func request() -> [UInt8]? {
        if question == nil, let next = open.first {
            // Times between peaks have no settings.
            question = next == .intervals ? .start(next) : .settings(next)
        }
        switch question {
        case nil: return nil
        case .settings(let kind): return PolarMeasurement.settingsRequest(of: kind)
        case .start(let kind):
            return PolarMeasurement.startRequest(of: kind, settings[kind, default: [:]])
        }
    }

    /// Takes what came at the control point.
    ///
    /// - Returns: whether the next request is due.
    mutating func answer(_ bytes: [UInt8]) -> Bool {
        guard let answer = PolarMeasurement.Answer(bytes) else { return false }
        switch question {
        case .settings(answer.kind) where !answer.isStart:
            guard answer.status == 0 else { return refuse(answer.kind) }
            settings[answer.kind] = PolarMeasurement.chosen(from: answer.settings)
            question = .start(answer.kind)
        case .start(answer.kind) where answer.isStart:
            guard answer.status == 0 || answer.status == PolarMeasurement.Answer.alreadyStarted else {
                return refuse(answer.kind)
            }
            let rate = Double(settings[answer.kind]?[.rate] ?? 0)
            // The strap's clock goes on while the link is lost.
            let known = running[answer.kind].flatMap { $0.rate == rate ? $0 : nil }
            running[answer.kind] = Running(
                factor: answer.settings[.factor] == nil ? known?.factor ?? 1 : answer.factor, rate: rate,
                clock: known?.clock ?? FrameClock(rate: rate))
            close(answer.kind)
        case _: return false
        }
        return true
    }

    private mutating func refuse(_ kind: PolarMeasurement.Kind) -> Bool {
        refused.insert(kind)
        close(kind)
        return true
    }

    private mutating func close(_ kind: PolarMeasurement.Kind) {
        question = nil
        open.removeAll { $0 == kind }
    }

    /// The strap cannot do it.
    mutating func giveUp() {
        refused = Set(wanted)
        (open, question) = ([], nil)
    }

    /// The samples in a frame; `nil` if it is invalid, or if nobody asked for it.
    mutating func samples(_ bytes: [UInt8], at now: RunInstant) -> Timed<SignalValue>? {
        guard let kind = bytes.first.flatMap({ PolarMeasurement.Kind(rawValue: $0 & 0x3F) }),
            var measurement = running[kind]
        else { return nil }
        guard let frame = PolarMeasurement.Frame(bytes, factor: measurement.factor) else {
            unreadable[PolarMeasurement.Frame.name(of: bytes, kind), default: 0] += 1
            return nil
        }
        let times = measurement.clock.times(
            stamp: Double(frame.stamp) / 1e9, count: frame.count, arrival: now.offset.seconds)
        running[kind] = measurement
        let instants = times.map { min(RunInstant.nanoseconds(Int64(($0 * 1e9).rounded())), now) }
        let block = WaveBlock(kind.signal, layout(of: frame, measurement.rate), at: instants, frame.values)
        return Timed(.wave(block), at: instants.first ?? now, arrival: now)
    }

    private func layout(of frame: PolarMeasurement.Frame, _ rate: Double) -> WaveLayout {
        let channels: [WaveLayout.Channel] =
            switch frame.kind {
            case .ecg: [.init("ecg", unit: "uV")]
            case .acceleration: ["x", "y", "z"].map { .init($0, unit: "m[g]") }
            case .ppg: ["ppg0", "ppg1", "ppg2", "ambient"].map { .init($0) }
            case .intervals: []
            }
        return WaveLayout(channels, rate: rate)
    }

    /// The requests that end what goes on.
    var stopRequests: [[UInt8]] {
        running.keys.sorted { $0.rawValue < $1.rawValue }.map(PolarMeasurement.stopRequest)
    }

    /// The remarks for the end of the run.
    var remarks: [String] {
        let names = refused.map(\.signal.quantity).sorted().joined(separator: ", ")
        let clocks = running.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { kind, measurement in
            StrapLink.clockRemark(
                kind.signal.quantity, breaks: measurement.clock.breaks,
                residual: measurement.clock.largestResidual)
        }
        return (refused.isEmpty ? [] : ["the strap does not send: \(names)"]) + clocks
            + unreadable.sorted { $0.key < $1.key }.map {
                "frames of samples that could not be read: \($1) \($0)"
            }
    }
}

extension PolarMeasurement.Kind {
    /// What it is for recorders.
    var signal: Signal {
        switch self {
        case .ecg: .ecg
        case .ppg: .ppg
        case .acceleration: .acceleration
        case .intervals: .rrIntervals
        }
    }
}

extension StrapLink {
    private typealias Name = BlueZObjects.Name

    /// Packets may come so much later than the beats and samples in them explain, seconds.
    private static let usualResidual = 3.0

    /// What is said about how well a clock of the strap's fits ours; `nil` if it fits.
    static func clockRemark(_ subject: String, breaks: Int, residual: Double) -> String? {
        guard breaks > 0 || residual > usualResidual else { return nil }
        return
            "the strap's clock for \(subject): what came was up to \(oneDecimal(residual)) s later than it says"
            + (breaks > 0 ? "; it was tied to ours anew \(counted(breaks, "time"))" : "")
    }

    /// If the strap does not answer within this time, it is asked again.
    private static let patience = Duration.seconds(2)

    /// Starts the waveforms that are wanted.
    mutating func measure(_ device: String, at now: RunInstant) -> [Action] {
        guard measuring.isWanted else { return [] }
        guard let calls = notifyMeasurements(of: device) else {
            measuring.giveUp()
            return lose("the strap has no measurement service, and sends heart rates alone")
        }
        measuring.begin()
        return calls + askOn(device, at: now)
    }

    /// Asks the next question, or the last one again.
    mutating func askOn(_ device: String, at now: RunInstant) -> [Action] {
        guard let control = objects.characteristic(PolarMeasurement.controlPoint, of: device),
            let request = measuring.request()
        else { return [] }
        return [
            call(.aside, control, Name.characteristic, "WriteValue", .bytes(request)),
            wake(.unanswered, at: now.advanced(by: Self.patience)),
        ]
    }

    /// Takes what the measurement service sends; `nil` if it is something else.
    mutating func takeMeasurement(
        _ bytes: [UInt8], from path: String, of device: String, at now: RunInstant
    ) -> [Action]? {
        guard measuring.isWanted else { return nil }
        if path == objects.characteristic(PolarMeasurement.controlPoint, of: device) {
            return measuring.answer(bytes) ? askOn(device, at: now) : []
        }
        guard path == objects.characteristic(PolarMeasurement.data, of: device) else { return nil }
        if let peaks = PolarMeasurement.PeakIntervals(bytes) {
            return notifications.samples(of: peaks, at: now).map {
                .report(.sample(Timed($0, at: now, arrival: now)))
            }
        }
        guard let sample = measuring.samples(bytes, at: now) else { return [] }
        notifications.lastWord = now
        return revive() + [.report(.measured(sample))]
    }

    /// Starts an armband's own times between peaks, if they are wanted and its heart rates come without intervals.
    mutating func measureIntervals(of device: String, at now: RunInstant) -> [Action] {
        guard measuring.mayNeedIntervals, notifications.lacksIntervals,
            let calls = notifyMeasurements(of: device)
        else { return [] }
        let wasIdle = measuring.isComplete
        measuring.addIntervals()
        return calls + (wasIdle ? askOn(device, at: now) : [])
    }

    /// The calls that open the measurement service; `nil` if the strap has none.
    private mutating func notifyMeasurements(of device: String) -> [Action]? {
        guard let control = objects.characteristic(PolarMeasurement.controlPoint, of: device),
            let data = objects.characteristic(PolarMeasurement.data, of: device)
        else { return nil }
        return [data, control].map { call(.aside, $0, Name.characteristic, "StartNotify") }
    }

    /// The calls that end the waveforms.
    mutating func endMeasuring(_ device: String) -> [Action] {
        guard measuring.isWanted,
            let control = objects.characteristic(PolarMeasurement.controlPoint, of: device)
        else { return [] }
        return measuring.stopRequests.map {
            call(.aside, control, Name.characteristic, "WriteValue", .bytes($0))
        }
    }
}
