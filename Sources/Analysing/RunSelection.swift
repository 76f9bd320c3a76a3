package import Datasets
import Participants
import Results
import TextFormat

/// Which runs an analysis takes, which of them belong to one study, and how closely they are examined.
package struct RunSelection: Sendable {
    /// Whether simulated and replayed runs are taken.
    package var includesSimulated: Bool
    /// Whether runs of different texts of a study belong to one study.
    package var poolsRevisions: Bool
    /// Whether each response gets a course, second by second.
    package var withCourses: Bool
    /// The registered analysis, if only that is to be made. Texts that say the same then belong to one study.
    package var registered: RegisteredAnalysis?

    package init(
        includesSimulated: Bool = false, poolsRevisions: Bool = false, withCourses: Bool = false,
        registered: RegisteredAnalysis? = nil
    ) {
        self.includesSimulated = includesSimulated
        self.poolsRevisions = poolsRevisions || registered != nil
        self.withCourses = withCourses
        self.registered = registered
    }
}

extension LeftOut {
    /// Whether a run is taken into an analysis. A run that is not taken is counted or named.
    mutating func takes(_ session: RecordedSession, _ selection: RunSelection) -> Bool {
        guard takes(session.origin, includingSimulated: selection.includesSimulated) else { return false }
        guard selection.registered?.holds(session) != false else {
            unregistered.append((session.participant, session.session, session.run))
            return false
        }
        return true
    }
}

/// A study whose runs have several texts.
package struct SeveralTexts: Sendable {
    package var study: String
    package var texts: [(text: StudyText, sessions: Int)]

    /// What to know about it.
    package func line(isPooled: Bool) -> String {
        let names = texts.map { "\($0.text.title) in \(counted($0.sessions, "session"))" }
        return "\(study) comes in \(texts.count) texts, \(isPooled ? "pooled" : "analysed apart"): "
            + names.joined(separator: ", ") + (isPooled ? "" : "; --pool-revisions takes them as one study")
    }
}
