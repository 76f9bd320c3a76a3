import StudyFile
package import StudyModel

extension Study {
    /// The task to run.
    ///
    /// - Parameter name: as given; without one the study must have just one task.
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

    /// The language to speak.
    ///
    /// - Parameter tag: as given, in any region; without one the study's first. A study whose texts are not translated
    ///   may be in any language, and the program's own words follow it.
    package func language(tagged tag: String?) throws(StudyFailure) -> Language? {
        guard let tag else { return languages.first }
        let wanted = Language(tag)
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
