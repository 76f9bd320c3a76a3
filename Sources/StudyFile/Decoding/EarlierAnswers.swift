import StudyModel

/// What a task can use of the sessions before: their questions and scores, named `SESSION.QUESTION`.
struct EarlierAnswers {
    /// A question or score that can be used.
    struct Known {
        var answer: RecalledAnswer
        var isScore: Bool
    }

    /// By the names that rules and texts use.
    private(set) var known: [Identifier: Known] = [:]
    /// Names of questions that are asked with different answers, or whose answers could not be read.
    private(set) var ambiguous: Set<Identifier> = []
    private let sessions: [SessionsShape.Draft]
    /// How many sessions come before the last one with the task.
    private let count: Int
    private let below: Set<Identifier>

    /// Questions and scores of a task.
    struct Asked {
        /// With the formats of their answers; `nil` if that could not be read.
        var formats: [Identifier: AnswerFormat?]
        var scores: Set<Identifier>
    }

    /// - Parameters:
    ///   - task: the task whose rules and texts use them; `nil` if it has no name.
    ///   - own: what it asks itself.
    init(before task: Identifier?, asking own: Asked, _ context: StudyContext) {
        sessions = context.sessions
        let last = sessions.lastIndex { $0.task == nil || $0.task?.value == task } ?? 0
        count = last
        below = Set(sessions.compactMap(\.task?.value)).subtracting(context.asked.keys).subtracting([
            task ?? "-"
        ])
        for session in sessions[..<last] {
            let tasks =
                session.task.map { $0.value == task ? [own] : context.asked[$0.value].map { [$0] } ?? [] }
                ?? context.asked.values + [own]
            for asked in tasks { add(asked, of: session.name.value) }
        }
    }

    private mutating func add(_ asked: Asked, of session: Identifier) {
        for (question, format) in asked.formats {
            guard let format, let answer = RecalledAnswer(question, of: session, format) else {
                if let name = Identifier("\(session).\(question)") { ambiguous.insert(name) }
                continue
            }
            if let other = known[answer.identifier], other.answer.format != format {
                ambiguous.insert(answer.identifier)
            }
            known[answer.identifier] = Known(answer: answer, isScore: asked.scores.contains(question))
        }
    }

    /// Why a name that begins with that of a session cannot be used, and what to do; `nil` if it does not begin so.
    func problem(with name: Identifier) -> (message: String, help: Help)? {
        guard
            let place = sessions.firstIndex(where: { name.text.hasPrefix("\($0.name.value).") })
        else { return nil }
        let session = sessions[place]
        let question = name.text.dropFirst(session.name.value.text.count + 1)
        guard place < count else {
            return (
                "the session '\(session.name.value)' does not come before a session with this task",
                "name an earlier session, or leave it out"
            )
        }
        if let task = session.task?.value, below.contains(task) {
            return (
                "the task '\(task)' of the session '\(session.name.value)' stands below this task",
                "put '\(task)' above this task"
            )
        }
        let others = known.values.filter { $0.answer.session == session.name.value }
            .map(\.answer.identifier.text)
        return (
            "there is no question '\(question)' in the session '\(session.name.value)'",
            Help.nearest(to: name.text, among: others.sorted(), all: "the earlier answers are")
                ?? "its task asks nothing"
        )
    }
}
