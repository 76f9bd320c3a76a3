import ArgumentParser
import BundleReplay
package import StudyModel
import TextFormat

/// Lets the participant choose among the tasks of a study.
package enum TaskMenu {
    /// Asks at the terminal until a number of the list is given.
    package static func ask(for study: Study, in language: Language?, isAutomatic: Bool) throws -> Study.Task
    {
        let titles = study.tasks.map { $0.title?.text(in: language) ?? $0.identifier.text }
        guard !isAutomatic, ParticipantCode.isAskable else {
            let names = study.tasks.map(\.identifier.text).joined(separator: ", ")
            throw StudyFailure(
                "the participant chooses among the tasks, and there is no terminal to ask at; "
                    + "name one with --task: \(names)", .usage)
        }
        Output.remark("\(printable(study.title.text(in: language)))")
        for (place, title) in titles.enumerated() { Output.remark("  \(place + 1)  \(printable(title))") }
        while true {
            guard let line = Output.ask("1 – \(titles.count): ") else { throw ExitCode.interrupted }
            if let number = Int(line), study.tasks.indices.contains(number - 1) {
                return study.tasks[number - 1]
            }
        }
    }
}
