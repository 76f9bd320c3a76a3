package import StudyModel

/// What can be done at the desk, by one key each.
package enum DeskAction: Hashable, Sendable {
    /// Puts a mark into a run.
    case mark(RunMark.Kind)
    /// Changes the course of a run.
    case control(RunMark.Control)
    /// Begins the session of a row.
    case begin
    /// Goes on with a run that was killed or left.
    case goOn
    /// Seals a run that was killed.
    case recover
    /// Checks that all is there before a session.
    case check
    /// Writes a note about a person.
    case note
    /// Begins with a participant whose code is typed.
    case newcomer
    /// Says that the oldest alarm of a monitor was seen.
    case acknowledge
    case quit

    var key: Character {
        switch self {
        case .mark(.disturbance): "d"
        case .mark(.adverse): "a"
        case .mark: "m"
        case .control(.pause): "p"
        case .control(.resume), .goOn: "g"
        case .control(.restart): "r"
        case .control(.again): "o"
        case .control(.skip): "s"
        case .control(.withoutSource): "w"
        case .control(.message): "t"
        case .control(.end): "x"
        case .begin: "b"
        case .recover: "v"
        case .check: "c"
        case .note: "n"
        case .newcomer: "+"
        case .acknowledge: "k"
        case .quit: "q"
        }
    }

    /// What the key does, in few words.
    package var words: String {
        switch self {
        case .mark(.disturbance): "disturbance"
        case .mark(.adverse): "adverse event"
        case .mark: "mark"
        case .control(.pause): "pause"
        case .control(.resume), .goOn: "go on"
        case .control(.restart): "restart step"
        case .control(.again): "once more"
        case .control(.skip): "skip step"
        case .control(.withoutSource): "without source"
        case .control(.message): "tell"
        case .control(.end): "end run"
        case .begin: "begin"
        case .recover: "seal"
        case .check: "check"
        case .note: "note"
        case .newcomer: "new code"
        case .acknowledge: "alarm seen"
        case .quit: "quit"
        }
    }

    /// What is asked before it is done; `nil` if it is done at once.
    ///
    /// - Parameters:
    ///   - row: what it is done to.
    ///   - page: what is known when it is asked.
    func question(of row: DeskRow?, on page: DeskPage) -> String? {
        let who = row?.participant ?? ""
        switch self {
        case .mark(.note): return "What happened with \(who)?"
        case .mark(.disturbance): return "What may have disturbed \(who)?"
        case .mark: return "What was bad for \(who)?"
        case .control(.message): return "What shall \(who) read?"
        case .control(.pause): return "Why pause \(who)?"
        case .control(.restart): return "The step of \(who) begins anew; what it has so far is replaced. Why?"
        case .control(.again):
            return "\(who) does the last timed step once more; what it had is replaced. Why?"
        case .control(.skip): return "The step of \(who) is left, and does not come back. Why?"
        case .control(.withoutSource): return "\(who) goes on, and nothing is recorded from this source. Why?"
        case .control(.end): return "The run of \(who) ends now and is sealed as it is. Why?"
        case .control(.resume), .acknowledge, .quit, .check: return nil
        case .recover: return "The run of \(who) is sealed as it was when it stopped. Seal it? y = yes"
        case .note: return "A note about \(who):"
        case .newcomer: return "The participant's code:"
        case .begin, .goOn:
            let changed =
                page.isAsCompared ? nil : "The study is not as it was. What is different for \(who), and why?"
            guard self == .begin, case .due(let due) = row else { return changed }
            if due.obstacles.contains(.repeated) {
                return "\(who) had this session already. Why is it done again?"
            }
            guard due.obstacles.contains(.wrongTime) else { return changed }
            return "\(due.session) of \(who) is not due now: \(due.when). Why is it held all the same?"
        }
    }

    /// What can be done now: to the row that is chosen, and then at any time.
    static func offered(for row: DeskRow?, on page: DeskPage) -> [DeskAction] {
        var offered: [DeskAction] = []
        switch row {
        case .run(let run) where run.canBeTold:
            offered = RunMark.Kind.noted.map(DeskAction.mark)
            offered += RunMark.Control.allCases.filter(run.controls.contains).map(DeskAction.control)
        case .run(let run):
            if case .stopped(let canGoOn) = run.state, run.room == nil {
                offered = canGoOn ? [.goOn, .recover] : [.recover]
            }
        case .due(let due): offered = (due.canGoOn ? [.goOn] : []) + [.begin, .check]
        case nil: break
        }
        if row != nil, page.takesNotes { offered.append(.note) }
        if page.alarms.contains(where: { $0.number != nil }) { offered.append(.acknowledge) }
        return offered + [.newcomer, .quit]
    }
}

/// Something that somebody at the desk wants done.
package struct DeskOrder: Hashable, Sendable {
    package var action: DeskAction
    /// Whose session it is.
    package var participant: String
    /// The run that is told; `nil` where no run is.
    package var run: DeskRun?
    /// The session that begins or goes on; `nil` where none does.
    package var due: DeskAppointment?
    /// Whether the run departs from the protocol: the study is not as it was, or the time is wrong.
    package var departs = false
    /// What was typed: a reason, a message, a note, a code.
    package var text = ""
    package var severity: RunMark.Severity?
    /// When its key was pressed, nanoseconds of the machine's monotonic clock.
    package var pressed: Int64
    /// The alarm that was seen.
    package var alarm: DeskAlarm?

    init(_ action: DeskAction, of row: DeskRow?, pressed: Int64) {
        (self.action, self.pressed) = (action, pressed)
        participant = row?.participant ?? ""
        switch row {
        case .run(let run): self.run = run
        case .due(let due): self.due = due
        case nil: break
        }
    }

    /// Whether it needs the terminal for itself, so that the desk makes room.
    var needsTerminal: Bool {
        switch action {
        case .begin, .goOn, .check, .newcomer: true
        case .mark, .control, .recover, .note, .acknowledge, .quit: false
        }
    }
}

/// What came of an order.
package enum DeskAnswer: Hashable, Sendable {
    /// Whoever was told has it, safe from a power cut.
    case received
    case refused(String)
}
