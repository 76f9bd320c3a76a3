/// What a display tells the participant while a step goes on: about their heart, or how to breathe.
public enum Biofeedback: Hashable, Sendable {
    /// The heart rate, in whole beats per minute.
    case heartRate
    /// How much the time between beats varied during the last seconds, in whole milliseconds.
    case variability(Measure, over: Duration)
    /// When to breathe in and out.
    case pacer(BreathingPacer)

    /// How the variability is measured; both as the Task Force of 1996 defines them (Circulation 93:1043).
    public enum Measure: String, Hashable, Sendable, CaseIterable {
        /// Root of the mean squared difference of neighbouring intervals.
        case rmssd
        /// Standard deviation of the intervals.
        case sdnn
    }

    /// The range of the time over which variability is computed.
    package static let windows = Duration.seconds(10)...Duration.seconds(300)

    /// What is shown, in results.
    public var name: String {
        switch self {
        case .heartRate: "heartRate"
        case .variability(let measure, _): measure.rawValue
        case .pacer: "pacer"
        }
    }

    /// Every name.
    package static let names = ["heartRate"] + Measure.allCases.map(\.rawValue) + ["pacer"]

    /// The unit of its numbers in UCUM; `nil` if it has none.
    public var unit: String? {
        switch self {
        case .heartRate: "count/min"
        case .variability: "ms"
        case .pacer: nil
        }
    }

    /// Whether it needs a source of heart rates.
    public var isOfHeart: Bool { if case .pacer = self { false } else { true } }

    /// What a display shows from a moment on.
    public enum Shown: Hashable, Sendable {
        /// This number.
        case value(Double)
        /// That too little has been measured so far.
        case unknown
        /// That there is no signal.
        case lost
        /// This part of a breath.
        case breath(BreathingPacer.Phase)

        /// The word for it in results.
        public var name: String {
            switch self {
            case .value: "value"
            case .unknown: "unknown"
            case .lost: "lost"
            case .breath(let phase): phase.rawValue
            }
        }

        /// Every word.
        package static let names =
            ["value", "unknown", "lost"] + BreathingPacer.Phase.allCases.map(\.rawValue)

        /// - Parameter value: the number; `nil` for every other word.
        package init?(named name: String, value: Double?) {
            switch (name, value) {
            case ("value", let value?): self = .value(value)
            case ("unknown", nil): self = .unknown
            case ("lost", nil): self = .lost
            case (_, nil):
                guard let phase = BreathingPacer.Phase(rawValue: name) else { return nil }
                self = .breath(phase)
            case (_, _): return nil
            }
        }

        /// The number, if it is one.
        public var value: Double? { if case .value(let value) = self { value } else { nil } }
    }
}

/// A rhythm to breathe in.
public struct BreathingPacer: Hashable, Sendable {
    /// How long to breathe in; at least 1 s.
    public var inhalation: Duration
    /// How long to hold the breath then; zero if not at all.
    public var hold: Duration
    /// How long to breathe out; at least 1 s.
    public var exhalation: Duration
    /// How long to hold the breath then; zero if not at all.
    public var holdOut: Duration
    /// Whether a tone is heard when it is time to breathe in or out.
    public var isSounded: Bool

    /// A part of a breath.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        case `in`, hold, out, holdOut

        /// The tone that announces it; `nil` if none does.
        package var tone: Identifier? {
            switch self {
            case .in: "breatheIn"
            case .out: "breatheOut"
            case .hold, .holdOut: nil
            }
        }
    }

    public init(
        inhalation: Duration, hold: Duration = .zero, exhalation: Duration, holdOut: Duration = .zero,
        isSounded: Bool = false
    ) {
        (self.inhalation, self.hold) = (inhalation, hold)
        (self.exhalation, self.holdOut) = (exhalation, holdOut)
        self.isSounded = isSounded
    }

    /// The range of breathing in or out.
    package static let lengths = Duration.seconds(1)...Duration.seconds(60)

    /// How long a breath takes.
    public var period: Duration { inhalation + hold + exhalation + holdOut }

    /// The parts of a breath that last, in their order.
    private var parts: [(phase: Phase, length: Duration)] {
        let all: [(Phase, Duration)] = [
            (.in, inhalation), (.hold, hold), (.out, exhalation), (.holdOut, holdOut),
        ]
        return all.filter { $0.1 > .zero }
    }

    /// How long a part of a breath takes.
    package func length(of phase: Phase) -> Duration {
        switch phase {
        case .in: inhalation
        case .hold: hold
        case .out: exhalation
        case .holdOut: holdOut
        }
    }

    /// A part of a breath, counted from 0, and when it begins after the first.
    package func part(_ number: Int) -> (phase: Phase, start: Duration) {
        let parts = parts
        let place = number % parts.count
        let before = parts[..<place].reduce(Duration.zero) { $0 + $1.length }
        return (parts[place].phase, period * (number / parts.count) + before)
    }

    /// The number of the part that goes on at a time after the first began.
    package func number(at time: Duration) -> Int {
        let breaths = max(0, Int((time / period).rounded(.down)))
        var number = breaths * parts.count
        while part(number + 1).start <= time { number += 1 }
        return number
    }
}
