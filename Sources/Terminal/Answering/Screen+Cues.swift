import SessionPorts
import StudyModel

extension Screen {
    /// What is shown and said of a cue; `nil` if something else shows it.
    func words(of signal: Cue.Signal, at now: RunInstant) -> String? {
        let wording = Wording(language)
        switch signal {
        case .say(let text): return text.text(in: language)
        case .bell: return wording(.cueBell)
        case .sound("countdown"), .sound("lastSecond"):
            guard case .running(_, let end) = phase else { return nil }
            return String(Int((now.duration(to: end) / .seconds(1)).rounded()))
        case .sound("tone"): return wording(.cueTone)
        // A pacer is drawn, and has its own words.
        case .sound: return nil
        }
    }
}

extension Cue.Signal {
    /// Whether the terminal's bell stands for it where nothing else can be heard.
    var isTone: Bool { if case .say = self { false } else { true } }
}
