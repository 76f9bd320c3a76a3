import SessionPorts
import StudyModel
import TextFormat

extension Biofeedback {
    /// What is displayed; `nil` for a pacer, whose words say it.
    func label(_ wording: Wording) -> String? {
        switch self {
        case .heartRate: wording(.heartRate)
        case .variability(let measure, let window):
            wording(.variabilityOver, measure.rawValue.uppercased(), plainNumber(window.seconds))
        case .pacer: nil
        }
    }

    /// The words for the unit of its numbers; empty if it has none.
    func unitWords(_ wording: Wording) -> String {
        switch self {
        case .heartRate: wording(.beatsPerMinute)
        case .variability: wording(.milliseconds)
        case .pacer: ""
        }
    }

    /// What it shows, in words.
    func words(_ shown: Shown, _ wording: Wording) -> String {
        switch shown {
        case .value(let value): "\(value.shown(0)) \(unitWords(wording))".trimmed
        case .unknown: wording(.notKnownYet)
        case .lost: wording(.noSignal)
        case .breath(.in): wording(.breatheIn)
        case .breath(.out): wording(.breatheOut)
        case .breath(.hold), .breath(.holdOut): wording(.breatheHold)
        }
    }
}
