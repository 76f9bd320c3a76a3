import StudyModel

/// Looks for sessions that cannot be held, and for tasks that no session has.
struct SessionChecks {
    let sessions: [SessionsShape.Draft]
    let tasks: [TaskShape.Draft]
    let nextTask: Located<Study.NextTask>?
    let hasSeed: Bool
    let reading: Reading

    func check() {
        guard !sessions.isEmpty else { return }
        reading.rejectDuplicates(sessions.map(\.name), noun: "session")
        for (place, session) in sessions.enumerated() where !session.isRepeated {
            checkName(session)
            checkTask(of: session)
            checkOrder(of: session, at: place)
            checkTimes(of: session, at: place)
            checkOpening(of: session)
        }
        checkNextTask()
        if nextTask == nil, !sessions.contains(where: { $0.task == nil }) { checkUse() }
    }

    /// A name of digits could not be told from a number on the command line.
    private func checkName(_ session: SessionsShape.Draft) {
        let text = session.name.value.text
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return }
        reading.report(
            .identifierFormat, "'\(text)' could be taken for the number of a session", at: session.name.range,
            help: Help("begin it with a letter, such as 'day\(text)'"))
    }

    private func checkTask(of session: SessionsShape.Draft) {
        let names = tasks.map(\.identifier.value)
        if let nextTask {
            guard let task = session.task else { return }
            reading.report(
                .conflictingKeys, "'nextTask: \(nextTask.value.rawValue)' says which task the session has",
                at: task.range, help: "leave 'task' out here, or 'nextTask' in the study")
        } else if let task = session.task {
            guard !names.contains(task.value) else { return }
            reading.report(
                .unknownTask, "there is no task '\(task.value)'", at: task.range,
                help: Help.nearest(
                    to: task.value.text, among: names.map(\.text), all: "the tasks are"))
        } else if tasks.count > 1 {
            reading.report(
                .missingKey, "the session '\(session.name.value)' has no 'task', and the study has several",
                at: session.name.range, help: "add 'task: \(names[0])', or 'nextTask' to the study")
        }
    }

    /// A session can only come after one above it, so that there is a way into each.
    private func checkOrder(of session: SessionsShape.Draft, at place: Int) {
        guard let earlier = session.after?.session else { return }
        if sessions[..<place].contains(where: { $0.name.value == earlier.value }) { return }
        let help = Help.nearest(
            to: earlier.value.text, among: sessions[..<place].map(\.name.value.text),
            all: "the sessions above are")
        if earlier.value == session.name.value {
            reading.report(
                .sessionOrder, "the session '\(earlier.value)' comes after itself", at: earlier.range,
                help: help ?? "leave 'after' out")
        } else if sessions.contains(where: { $0.name.value == earlier.value }) {
            reading.report(
                .sessionOrder, "the session '\(earlier.value)' stands below this one", at: earlier.range,
                help: "put the sessions into the order in which they come")
        } else {
            reading.report(
                .unknownSession, "there is no session '\(earlier.value)'", at: earlier.range,
                help: help ?? "leave 'after' out: this is the first session")
        }
    }

    /// On the same day as the earlier session, its last time must not lie before the earlier one's first.
    private func checkTimes(of session: SessionsShape.Draft, at place: Int) {
        guard let after = session.after, after.days?.value.upperBound == 0, let times = session.between,
            let earlier = sessions[..<place].first(where: { $0.name.value == after.session.value }),
            let first = earlier.between?.value.lowerBound, times.value.upperBound < first
        else { return }
        reading.report(
            .sessionWindow,
            "the session can never be held: it is on the day of '\(earlier.name.value)', which begins later",
            at: times.range, help: "write later times, or another day")
    }

    /// A drawn moment needs room in its times, and a seed that whoever waits for it knows.
    private func checkOpening(of session: SessionsShape.Draft) {
        guard let open = session.openFor, let between = session.between?.value else { return }
        let minutes = Int(open.value / .seconds(60))
        let room = between.upperBound - between.lowerBound
        if .seconds(60 * minutes) != open.value {
            reading.report(
                .sessionWindow, "moments are drawn in whole minutes", at: open.range,
                help: Help("write '\(max(1, minutes)) min' or '\(minutes + 1) min'"))
        } else if minutes > room {
            reading.report(
                .sessionWindow,
                "the times of the day are \(room) min apart, and the session is to be open for \(minutes)",
                at: open.range, help: "write a shorter time here, or other times in 'between'")
        } else if session.after?.days?.value.lowerBound == 0 {
            reading.report(
                .sessionWindow,
                "the moment may come before the earlier session is over, and the session is then missed",
                at: open.range, help: "let it be on a later day, or leave 'openFor' out", severity: .warning)
        } else if !hasSeed {
            reading.report(
                .noSeed, "the moment cannot be drawn before the session without a seed", at: open.range,
                help: "add a 'seed' to 'study': any whole number, chosen once")
        }
    }

    private func checkNextTask() {
        guard let nextTask else { return }
        switch nextTask.value {
        case .menu: return
        case .fixed, .shuffle, .latinSquare, .williams: break
        }
        guard sessions.count > tasks.count, let first = sessions.dropFirst(tasks.count).first else { return }
        reading.report(
            .sessionOrder,
            "'nextTask: \(nextTask.value.rawValue)' gives each session another task, and there are only \(tasks.count)",
            at: first.name.range,
            help: "leave this session out, or name a task for each session instead of 'nextTask'")
    }

    /// - Parameter sets: where each set says that its draws go on from session to session.
    static func checkDraws(of study: Study, _ sets: [(Identifier, SourceRange?)], _ reading: Reading) {
        for (set, range) in sets {
            guard let range else { continue }
            guard !study.sessions.isEmpty, study.nextTask != .menu else {
                let why =
                    study.sessions.isEmpty
                    ? "the study lists no sessions" : "participants choose their tasks with 'nextTask: menu'"
                reading.report(
                    .misplacedKey, "draws cannot go on from session to session: \(why)", at: range,
                    help: "leave 'over' out, or list the 'sessions' with their tasks")
                continue
            }
            if study.seed == nil {
                reading.report(
                    .noSeed, "each session draws anew from '\(set)' unless all share a seed", at: range,
                    help: "add a 'seed' to 'study': any whole number, chosen once", severity: .warning)
            }
            guard study.nextTask == nil, let pool = study.stimulusSet(set)?.pool.count else { continue }
            let draws = study.sessions.map { session in
                let task = study.tasks.first { $0.identifier == session.task } ?? study.tasks[0]
                return task.draws(from: set.text)
            }.reduce(0, +)
            guard draws > pool else { continue }
            reading.report(
                .repeatedClip,
                "the sessions draw \(draws) clips from '\(set)', which has \(pool): some are heard again",
                at: range, help: "add clips to the set, or draw fewer", severity: .warning)
        }
    }

    private func checkUse() {
        for task in tasks where !sessions.contains(where: { $0.task?.value == task.identifier.value }) {
            reading.report(
                .unusedName, "no session has the task '\(task.identifier.value)'", at: task.identifier.range,
                help: "name it as the task of a session, or leave it out", severity: .warning)
        }
    }
}
