import Physiology
import TextFormat

extension Breathing {
    /// The line for people.
    var line: String {
        "breathing \(oneDecimal(rate)) per minute \(origin.words), quality \(decimals(quality, 2))"
            + (quality < Self.doubtful ? " (doubtful)" : "")
    }

    var json: JSON {
        ["from": .text(origin.rawValue), "quality": .real(quality), "rate": .real(rate)]
    }
}

extension Breathing.Origin {
    fileprivate var words: String {
        switch self {
        case .belt: "by the belt"
        case .ecg: "by the ECG and the intervals"
        case .intervals: "by the intervals"
        }
    }
}
