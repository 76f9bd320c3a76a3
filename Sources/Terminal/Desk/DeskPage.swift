package import StudyModel
import TextFormat

/// What there is to know at one moment for whoever runs sessions.
package struct DeskPage: Hashable, Sendable {
    /// Such as `music-heart-rate, revision 3`.
    package var study: String
    /// With what the study was compared, or how it differs from that.
    package var comparison: String
    package var isAsCompared: Bool
    /// Day and time of this machine: `2026-11-30 09:14`.
    package var clock: String
    package var runs: [DeskRun] = []
    /// The sessions to hold, those that may begin now first.
    package var due: [DeskAppointment] = []
    package var nextCode: String
    /// What somebody must see at once.
    package var alarms: [DeskAlarm] = []
    /// What of today's runs departs from the protocol or misses a limit.
    package var unusual: [String] = []
    /// What the last check before a run found.
    package var check: [String] = []
    /// Whether there is a monitor that takes notes about a person.
    package var takesNotes = false

    package init(study: String, comparison: String, isAsCompared: Bool, clock: String, nextCode: String) {
        (self.study, self.comparison, self.isAsCompared) = (study, comparison, isAsCompared)
        (self.clock, self.nextCode) = (clock, nextCode)
    }
}

/// A run that goes on, or that was killed.
package struct DeskRun: Hashable, Sendable {
    /// Its UUID.
    package var run: String
    /// The room that reports it to a monitor; `nil` for a run of this machine.
    package var room: String?
    package var participant: String
    package var session: String
    package var state: State
    /// The title of the step on show.
    package var step: String
    /// What is left of a timed step.
    package var left: Duration?
    package var heart: Heart = .unrecorded
    package var lastMark: String?
    /// What can be done to its course now.
    package var controls: Set<RunMark.Control> = []
    /// Whether somebody here may tell it anything.
    package var takesOrders = true

    package enum State: Hashable, Sendable {
        case running
        /// For so long.
        case paused(Duration)
        case waitingForSource(String)
        /// It saves what it has.
        case ending
        /// It was killed. The study lets it be continued, or does not.
        case stopped(canGoOn: Bool)
        /// The monitor has heard nothing of it for some seconds.
        case silent
    }

    /// What is known of a heart rate.
    package enum Heart: Hashable, Sendable {
        case unrecorded
        case unknown
        /// Beats per minute, and how long ago it was measured.
        case rate(Double, age: Duration)

        /// A heart rate that is older than this is not known any more.
        package static let fresh = Duration.seconds(4.5)
    }

    package init(
        run: String, room: String? = nil, participant: String, session: String, state: State, step: String
    ) {
        (self.run, self.room, self.participant, self.session) = (run, room, participant, session)
        (self.state, self.step) = (state, step)
    }

    /// Whether a program goes on with it that can be told something.
    var canBeTold: Bool {
        switch state {
        case .running, .paused, .waitingForSource: takesOrders
        case .ending, .stopped, .silent: false
        }
    }

    /// - Parameters:
    ///   - isStill: without what changes every second.
    ///   - isNarrow: in few columns.
    func words(isStill: Bool = false, isNarrow: Bool = false) -> String {
        switch state {
        case .running: "running"
        case .paused(let time):
            "paused" + (isStill ? "" : isNarrow ? " \(time.clockFace)" : " for \(time.clockFace)")
        case .waitingForSource(let source): isNarrow ? "waits" : "waits for \(source)"
        case .ending: "ending"
        case .stopped(let canGoOn): canGoOn && !isNarrow ? "stopped, can be resumed" : "stopped"
        case .silent: isNarrow ? "no word" : "no word from it"
        }
    }

    func heartWords(isNarrow: Bool) -> String {
        switch heart {
        case .unrecorded: ""
        case .unknown: isNarrow ? "♥ ?" : "♥ not known"
        case .rate(let rate, let age):
            "♥ \(Int(rate.rounded()))" + (isNarrow ? "" : " (\(age.components.seconds) s ago)")
        }
    }
}

/// A session that is still to be held.
package struct DeskAppointment: Hashable, Sendable {
    package var participant: String
    /// Its number; `nil` for that which is due when it begins.
    package var number: Int?
    /// Its name, where the study lists its sessions.
    package var session: String
    /// `due`, `overdue`, `incomplete` …, as `entrain next` says it.
    package var state: String
    /// When it may begin.
    package var when: String
    /// Why it does not begin unless somebody says why.
    package var obstacles: Set<Obstacle>
    /// Whether a run of it was left and can be continued.
    package var canGoOn: Bool
    /// What begins it in another terminal, as a shell reads it.
    package var command = ""

    package enum Obstacle: Hashable, Sendable {
        /// The participant had it already.
        case repeated
        case wrongTime
    }

    package init(
        participant: String, number: Int?, session: String, state: String, when: String,
        obstacles: Set<Obstacle> = [], canGoOn: Bool = false
    ) {
        (self.participant, self.number, self.session, self.state) = (participant, number, session, state)
        (self.when, self.obstacles, self.canGoOn) = (when, obstacles, canGoOn)
    }

    /// Whether it may begin now.
    package var isDue: Bool { obstacles.isEmpty || canGoOn }
}

/// Something that must be seen at once.
package struct DeskAlarm: Hashable, Sendable {
    /// Its number at the monitor that raised it, where it can be acknowledged.
    package var number: Int?
    package var text: String

    package init(_ text: String, number: Int? = nil) { (self.text, self.number) = (text, number) }
}

/// What a key can be for.
enum DeskRow: Hashable, Sendable {
    case run(DeskRun)
    case due(DeskAppointment)

    /// Stays the same while what is known of it changes.
    var name: String {
        switch self {
        case .run(let run): run.run
        case .due(let due): "\(due.participant) \(due.session)"
        }
    }

    var participant: String {
        switch self {
        case .run(let run): run.participant
        case .due(let due): due.participant
        }
    }
}

extension DeskPage {
    var rows: [DeskRow] { runs.map(DeskRow.run) + due.map(DeskRow.due) }

    /// What needs somebody now, the most pressing first.
    var needs: [String] {
        let worries = runs.compactMap { run -> String? in
            let who = run.room.map { "\(run.participant) (\($0))" } ?? run.participant
            switch run.state {
            case .stopped(let canGoOn): return "\(who) has stopped\(canGoOn ? " and can be resumed" : "")."
            case .silent: return "The monitor hears nothing of \(who)."
            case .waitingForSource(let source): return "\(who) waits for \(source)."
            case .paused: return "\(who) is paused."
            case .running, .ending:
                return run.heart == .unknown ? "The heart rate of \(who) is not known." : nil
            }
        }
        return alarms.map { "Alarm: \($0.text)." }
            + (isAsCompared ? [] : ["The study is not as it was: see 'protocol'."])
            + worries
            + due.filter(\.isDue).map {
                "\($0.participant) can \($0.canGoOn ? "go on" : "begin"): \($0.session)."
            }
    }

    /// What needs somebody now, in one sentence.
    var sentence: String {
        let needs = needs
        guard let first = needs.first else { return "Nothing needs you now." }
        return needs.count > 1 ? "\(first) And \(needs.count - 1) more." : first
    }
}
