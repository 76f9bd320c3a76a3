import StudyModel
import TextFormat

extension Biofeedback: Wired {
    /// The same form in results and in the journal.
    static let form: WireForm<Biofeedback> = .record(
        { display, window, pacer in
            switch display {
            case "heartRate": return .heartRate
            case "pacer": return .pacer(try JSON.text(display).expect(pacer, "a display with a pacer"))
            default:
                let name = JSON.text(display)
                return .variability(
                    try name.expect(Measure(rawValue: display), "a display"),
                    over: try name.expect(window, "a display over some time"))
            }
        }, WireField("display", \.name, .text(.word(Set(Biofeedback.names)))),
        WireField(optional: "over", \.window, .length(Duration.zero...Duration.seconds(86_400))),
        WireField(among: \.pacer, BreathingPacer.form))

    private var window: Duration? { if case .variability(_, let window) = self { window } else { nil } }
    private var pacer: BreathingPacer? { if case .pacer(let pacer) = self { pacer } else { nil } }
}

extension BreathingPacer {
    /// `nil` where a display has no pacer.
    fileprivate static let form: WireForm<BreathingPacer?> = .record(
        { inhalation, hold, exhalation, holdOut, isSounded in
            guard let inhalation, let hold, let exhalation, let holdOut, let isSounded else { return nil }
            return BreathingPacer(
                inhalation: inhalation, hold: hold, exhalation: exhalation, holdOut: holdOut,
                isSounded: isSounded)
        }, WireField(optional: "in", \.?.inhalation, .length(lengths)),
        WireField(optional: "hold", \.?.hold, .length(.zero...lengths.upperBound)),
        WireField(optional: "out", \.?.exhalation, .length(lengths)),
        WireField(optional: "holdOut", \.?.holdOut, .length(.zero...lengths.upperBound)),
        WireField(optional: "sound", \.?.isSounded, .boolean))
}

extension WireForm<Duration> {
    /// Seconds, to the nanosecond.
    fileprivate static func length(_ range: ClosedRange<Duration>) -> WireForm {
        WireForm(
            .number(0...86_400), write: { .seconds($0) },
            read: { wire in
                let nanoseconds = (try wire.asNumber(in: 0...86_400) * 1e9).rounded()
                let length = Duration.nanoseconds(Int64(nanoseconds))
                return try wire.expect(range.contains(length) ? length : nil, "a length within \(range)")
            })
    }
}

extension Biofeedback.Shown {
    /// - Parameter value: the number, if it is one.
    init(wire: JSON, value: JSON?) throws {
        let number = try value.map { try $0.asNumber(in: BundleLimits.number) }
        self = try wire.expect(Self(named: wire.asText(), value: number), "what a display shows")
    }
}
