import Results
import StudyEngine
import StudyFile
package import StudyModel
import TextFormat

extension Study {
    /// The task to run.
    ///
    /// - Parameter name: as given. Without a name, the study must have exactly one task.
    package func task(named name: String?) throws(StudyFailure) -> Task {
        let names = tasks.map(\.identifier.text).joined(separator: ", ")
        guard let name else {
            guard let only = tasks.first, tasks.count == 1 else {
                throw StudyFailure("the study has several tasks; choose one with --task: \(names)", .usage)
            }
            return only
        }
        guard let task = tasks.first(where: { $0.identifier.text == name }) else {
            throw StudyFailure("the study has no task '\(name)'; it has: \(names)", .usage)
        }
        return task
    }

    /// The study as the participants of an arm get it.
    ///
    /// - Parameter name: as given; a study with arms needs one.
    package func inArm(named name: String?) throws(StudyFailure) -> Study {
        guard !arms.isEmpty else {
            guard name == nil else { throw StudyFailure("the study has no arms: leave --arm out", .usage) }
            return self
        }
        let names = arms.map(\.identifier.text).joined(separator: ", ")
        guard let name else {
            throw StudyFailure("the study has arms; choose one with --arm: \(names)", .usage)
        }
        guard let arm = arms.first(where: { $0.identifier.text == name }) else {
            throw StudyFailure("the study has no arm '\(printable(name))'; it has: \(names)", .usage)
        }
        return inArm(arm)
    }

    /// The study as a run has it: in its arm, or in no arm if the run ended before the allocation.
    package func inArm(ofRun arm: Identifier?) throws(StudyFailure) -> Study {
        arm == nil && allocation != nil ? self : try inArm(named: arm?.text)
    }

    /// The task that a participant does in a session, if the study orders its tasks.
    ///
    /// - Parameter name: as given; it takes precedence.
    /// - Returns: `nil` if the participant chooses.
    package func task(
        named name: String?, participant: String, number: Int?, session: Int, seed: UInt64
    ) throws -> Task? {
        if let own = self.session(numbered: session)?.task {
            guard name == nil || name == own.text else {
                throw StudyFailure("the session \(session) has the task '\(own)': leave --task out", .usage)
            }
            return try task(named: own.text)
        }
        if name == nil, nextTask == .menu { return nil }
        let order = try taskOrder(
            participant: participant, number: number, seed: seed)
        guard name == nil, let order else { return try task(named: name) }
        guard session <= order.count else {
            throw StudyFailure(
                "the study has \(order.count) tasks, one for each session, and this is session \(session); "
                    + "choose one to run again with --task: \(order.map(\.text).joined(separator: ", "))",
                .usage)
        }
        return try task(named: order[session - 1].text)
    }

    /// The language of the run.
    ///
    /// - Parameter tag: as given, in any region. Without a tag, the study's first language. A study whose texts are
    ///   not translated accepts any language, which the program's own words then use. Every study accepts the
    ///   language for trying layouts.
    package func language(tagged tag: String?) throws(StudyFailure) -> Language? {
        guard let tag else { return languages.first }
        let wanted = Language(tag)
        if wanted == .pseudo { return wanted }
        let isOffered = languages.isEmpty || languages.contains { $0.withoutRegion == wanted.withoutRegion }
        if languages.contains(wanted) || isOffered && LanguageTag.isKnown(tag) { return wanted }
        guard languages.isEmpty else {
            let offered = languages.map(\.tag).joined(separator: ", ")
            throw StudyFailure("the study has no texts in '\(tag)'; its languages: \(offered)", .usage)
        }
        let hint = LanguageTag.suggestion(for: tag).map { "; did you mean '\($0)'?" } ?? ""
        throw StudyFailure("'\(tag)' is not a language\(hint)", .usage)
    }
}
