import Datasets
import Participants
import StudyModel
import TextFormat

extension ProtocolPage {
    /// Which appointments every participant has, and when they may be.
    var sessions: String {
        let rules = [
            "Days are calendar days, and times are those of the zone of the machine that runs the session.",
            "A session counts as done when it was completed.",
            "At another time a session is held only with a reason, which the result keeps.",
        ]
        let names = study.sessions.map { session in
            "<div><dt>\(HTML.escaped(session.identifier.text))</dt><dd>\(HTML.sentences(session.sentences))</dd></div>"
        }
        let titles = study.sessions.compactMap { session in
            Wording("title of \(session.identifier)", ifAny: session.title).map {
                (thing: $0, rounds: [String]())
            }
        }
        return HTML.sentences(["Every participant has \(counted(names.count, "session"))."])
            + "<dl>\(names.joined())</dl>\n" + Self.html(of: titles) + HTML.sentences(rules)
    }
}

extension Study.Session {
    /// What is done in it, and when it may be.
    fileprivate var sentences: [String] {
        let times = between.map {
            "It begins between \(Study.Session.time($0.lowerBound)) and \(Study.Session.time($0.upperBound))\($0.upperBound < 1_440 ? "" : " of the next day, and counts to the day of the evening")."
        }
        let opening = openFor.map {
            "It opens at a moment in these times, drawn for each participant, and stays open for \(counted($0, "minute"))."
        }
        return [
            task.map { "It has the task \($0)." }, after?.sentence ?? "It may be on any day.", times, opening,
        ]
        .compactMap(\.self)
    }
}

extension Study.Session.After {
    private var words: String {
        guard let days else { return "on any day from then on" }
        let count =
            days.lowerBound == days.upperBound
            ? "\(days.lowerBound)" : "\(days.lowerBound) to \(days.upperBound)"
        return days.upperBound == 0
            ? "on the same day" : "\(count) \(days == 1...1 ? "day" : "days") later"
    }

    fileprivate var sentence: String { "It comes after the session \(session), \(words)." }
}
