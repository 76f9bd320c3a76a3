import Hashing
package import Platform
package import Results
package import SessionPorts
package import StudyEngine
package import StudyModel

/// One run with everything that it needs from outside: the plan, the sources, the participant and the output
/// folder.
package struct Sitting: Sendable {
    package let document: Document
    package let name: Name
    package let pace: RunLoop.Pace
    package let output: String
    /// The participant's.
    package var seat: Seat
    /// Those of the others who take part in the same run, on the same clock, each with sources and a bundle of their own.
    package private(set) var companions: [Seat] = []
    /// What was said of the session before it.
    package var session = Session()
    /// What makes the sounds.
    package let player: any StimulusPlayer
    /// Records the participant's sound, if anything does.
    package var microphone: Microphone?
    /// Shows the screens and takes the participant's answers; `nil` in rehearsals, which nobody watches.
    package var prompter: (any Prompter)?
    /// Answers in the participant's place (`--auto`).
    package var autopilot: SimulatedParticipant?
    /// Allocates the participant to an arm, if the run has to.
    package var armSource: RunArmSource?
    package var durability = Durability.synced
    /// How often the samples are synced, in time of the run; half a second of real time.
    package var syncInterval: Duration
    /// Yields when a signal or the operator ends the run; `nil` if nothing can.
    package var interruptions: AsyncStream<Void>?
    /// Marks that others request; `nil` if nobody can.
    package var marks: AsyncStream<MarkRequest>?
    /// The study's folder, in which its programs work.
    package var programFolder = "."
    /// The files of which the programs of steps are made, with their SHA-256.
    package var programs: [String: String] = [:]
    /// The pictures of the task, and how they are shown; `nil` if it has none.
    package var images: ShownImages?
    /// The first participant's run that this one continues; `nil` if it begins itself.
    var continuation: Continued? { seat.continuation }
    /// Called with the UUID of each bundle once it is there, before the first step. It gives the proof that a log has
    /// the run, if there is one.
    package var begun: (@Sendable (String) -> [UInt8]?)?

    /// What was said of a session before it.
    package struct Session: Sendable {
        /// The session's name, where the study lists its sessions.
        package var name: Identifier?
        /// The participant's number for balanced orders.
        package var number: Int?
        /// The participant's language; `nil` if the study has only one.
        package var language: Language?
        /// Why the session is repeated; `nil` if it is not.
        package var repeatReason: String?
        /// How the run departs from the protocol, in the experimenter's words; `nil` if nothing was said.
        package var deviation: String?
        /// Who runs the session, in one line of 1 to 64 characters; `nil` if nobody said so.
        package var experimenter: String?
        /// The course of another participant's clips, which yoked clips repeat; `nil` without such a run.
        package var yoke: Yoke?
        /// What the participant's terminal tells of held keys, where the study measures reactions.
        package var keyboard: Keyboard?
        /// The answers of earlier sessions that the task uses.
        package var recalled: [GivenAnswer] = []

        package init() {}
    }

    /// A participant's place in a run: what is recorded of them, and told.
    package struct Seat: Sendable {
        /// The upper-case UUID of the bundle.
        package let uuid: String
        package let plan: RunPlan
        /// Where samples come from, by the name that recorders use.
        package var sources: [Identifier: any SampleSource] = [:]
        /// The kind of each source. A source that is not named here does not count as live.
        package var sourceKinds: [Identifier: SourceConfiguration.Kind] = [:]
        /// Calendar days since the participant's first session, where the study lists its sessions.
        package var sessionDay: Int?
        /// Receives what happens, in order, on the run's own thread. It must return at once.
        package var observer: (@Sendable (RunUpdate) -> Void)?
        /// The run that is continued; `nil` if one begins.
        fileprivate(set) var continuation: Continued?
        /// Which of several participants this one is; `nil` if the participant is alone.
        fileprivate var gathering: Gathering?
        /// For a companion, the first participant, for whom the plan was drawn; otherwise `nil`.
        fileprivate var drawnFor: String?

        fileprivate init(_ uuid: String, _ plan: RunPlan) { (self.uuid, self.plan) = (uuid, plan) }

        /// Whether this seat is a companion's; only the first participant answers.
        var isCompanion: Bool { drawnFor != nil }

        /// Only sources that the run listens to, because others are in no result and change nothing.
        fileprivate var heardKinds: [Identifier: String] {
            let heard = plan.sourceNames.filter { sources[$0] != nil }
            return Dictionary(
                uniqueKeysWithValues: heard.map { ($0, sourceKinds[$0]?.rawValue ?? "unknown") })
        }

        /// Tells the observer what a source said.
        func observe(_ input: Shell.Input, at now: RunInstant) {
            // A sample that waits for the end of a step comes a second time.
            guard let observer, case .report(let source?, let report, after: nil, at: _) = input else {
                return
            }
            if let sample = report.heart { observer(.measured(source, sample)) }
            if case .told(let information) = report { observer(.told(source, information, at: now)) }
            if case .flooded(let count, _) = report { observer(.flooded(source, count, at: now)) }
        }
    }

    /// The study as it was read.
    package struct Document: Sendable {
        let study: Study
        /// The study file, byte for byte.
        let text: [UInt8]
        /// The texts that it refers to, by path relative to it.
        let files: [String: String]
        /// Lower-case hexadecimal SHA-256 of what the study says, and of the registration that it names, if any.
        package var meaningSHA256: String?
        package var registrationSHA256: String?

        package init(_ study: Study, text: [UInt8], files: [String: String]) {
            self.study = study
            self.text = text
            self.files = files
        }
    }

    /// What distinguishes the run from all others.
    package struct Name: Sendable {
        /// The program's version.
        let program: String
        /// The run's upper-case UUID.
        package let uuid: String
        /// The wall clock at the run's start.
        package let wallClock: WallClock

        package init(program: String, uuid: String, wallClock: WallClock) {
            (self.program, self.uuid, self.wallClock) = (program, uuid, wallClock)
        }
    }

    /// A run that continues an earlier one.
    package struct Continued: Sendable {
        package let earlier: EarlierRun
        /// The engine, as it was when that run ended.
        let run: TaskRun
        /// The moment at which it goes on, and the wall clock then.
        package let instant: RunInstant
        let wallClock: WallClock
        /// Whether the wall clock was set before.
        let isClockAdjusted: Bool

        package init(
            _ earlier: EarlierRun, _ run: TaskRun, from instant: RunInstant, at wallClock: WallClock,
            isClockAdjusted: Bool
        ) {
            (self.earlier, self.run, self.instant) = (earlier, run, instant)
            (self.wallClock, self.isClockAdjusted) = (wallClock, isClockAdjusted)
        }
    }

    package init(
        _ document: Document, as name: Name, plan: RunPlan, pace: RunLoop.Pace, output: String,
        player: any StimulusPlayer
    ) {
        (self.document, self.name, self.pace) = (document, name, pace)
        (self.output, self.player) = (output, player)
        seat = Seat(name.uuid, plan)
        syncInterval = .seconds(0.5 * (pace.speed ?? 1))
    }

    /// The participant's seat, and those of all others.
    package var seats: [Seat] { [seat] + companions }

    /// The plan that the run goes on with: of one that is continued, that of the arm, if it was allocated.
    package func currentPlan(of seat: Seat) -> RunPlan { seat.continuation?.run.plan ?? seat.plan }

    /// The study's title, in every language.
    package var title: LocalizedText { document.study.title }

    /// Runs from the first step to the sealed bundle.
    ///
    /// - Returns: how it ended and where the bundle lies.
    package func run(in loop: RunLoop) async throws(FileFailure) -> Sealed {
        let bundle = try newBundle(of: seat)
        var writers: [BundleWriter] = []
        for companion in companions { writers.append(BundleWriter(try newBundle(of: companion))) }
        // The wall clock was read before the bundle was made, and making it takes the disk a while.
        let clock = loop.clock(
            pace, started: .seconds(max(0, secondsOfWallClock)), at: continuation?.instant ?? .start)
        return await LiveRun(self, on: clock).run(into: bundle, beside: writers)
    }

    private func newBundle(of seat: Seat) throws(FileFailure) -> RunningBundle {
        var bundle = try RunningBundle.create(
            in: output, header: header(of: seat), study: document.text, plan: seat.plan,
            durability: durability, continuing: seat.continuation?.earlier)
        if let proof = begun?(seat.uuid) { bundle.keep(proof: proof) }
        return bundle
    }

    /// The first line of the journal of a participant's bundle.
    package func header(of seat: Seat) -> JournalHeader {
        var header = JournalHeader(
            of: seat.plan, program: name.program, studySHA256: SHA256.hexadecimal(of: document.text),
            runUUID: seat.uuid, wallClock: name.wallClock)
        (header.number, header.language, header.speed) = (session.number, session.language, pace.speed)
        (header.audio, header.files) = (player.name, document.files)
        header.run.provenance = Provenance(
            isParticipantSimulated: autopilot != nil, sources: seat.heardKinds)
        header.run.meaningSHA256 = document.meaningSHA256
        header.run.registrationSHA256 = document.registrationSHA256
        header.run.programs = programs.sorted { $0.key < $1.key }.map { UsedFile(name: $0, sha256: $1) }
        header.run.images = images
        (header.run.repeatReason, header.run.deviation) = (session.repeatReason, session.deviation)
        (header.run.yokedTo, header.run.sessionName) = (session.yoke?.run, session.name)
        header.run.continues = seat.continuation?.earlier.run
        header.run.keyboard = session.keyboard
        (header.run.sessionDay, header.run.gathering) = (seat.sessionDay, seat.gathering)
        header.drawnFor = seat.drawnFor
        return header
    }

    /// Adds companions, to whom all happens that happens to the first participant. Only the first is asked, and only
    /// there the player reports; of companions, heart rates and waveforms are recorded.
    ///
    /// - Parameter uuid: of the gathering, upper-case.
    package mutating func add(_ others: [Companion], as uuid: String) {
        let size = others.count + 1
        seat.gathering = Gathering(uuid, place: 1, of: size)
        for (place, other) in others.enumerated() {
            var companion = Seat(other.uuid, seat.plan.beside(other.participant))
            companion.gathering = Gathering(uuid, place: place + 2, of: size)
            companion.drawnFor = seat.plan.participant
            (companion.sources, companion.sourceKinds) = (other.sources, other.sourceKinds)
            companion.sessionDay = other.sessionDay
            companions.append(companion)
        }
    }

    /// Lets the run of each participant go on, in the order of `seats`.
    package mutating func go(on runs: [Continued]) {
        seat.continuation = runs.first
        for (place, run) in runs.dropFirst().enumerated() { companions[place].continuation = run }
    }

    /// Sets an observer of what happens to a companion, given by its place among them.
    package mutating func observe(companion place: Int, _ observer: @escaping @Sendable (RunUpdate) -> Void) {
        companions[place].observer = observer
    }

    /// A further participant of the run, who goes through the first participant's steps and is only measured.
    package struct Companion: Sendable {
        let participant: String
        /// The upper-case UUID of their bundle.
        let uuid: String
        var sources: [Identifier: any SampleSource]
        var sourceKinds: [Identifier: SourceConfiguration.Kind]
        /// Calendar days since their first session, where the study lists its sessions.
        var sessionDay: Int?

        package init(
            _ participant: String, uuid: String, sources: [Identifier: any SampleSource],
            kinds: [Identifier: SourceConfiguration.Kind], sessionDay: Int? = nil
        ) {
            (self.participant, self.uuid, self.sources, sourceKinds) = (participant, uuid, sources, kinds)
            self.sessionDay = sessionDay
        }
    }

    /// Whether the wall clock has moved away from the run's own clock by more than a second.
    func isWallClockAdjusted(at now: RunInstant) -> Bool {
        if continuation?.isClockAdjusted == true { return true }
        guard let speed = pace.speed else { return false }
        let passed = (continuation?.instant ?? .start).duration(to: now).seconds
        return abs(secondsOfWallClock - passed / speed) > 1
    }

    /// How far the wall clock has advanced since the run began, or was continued.
    private var secondsOfWallClock: Double {
        WallClock.now().secondsSince1970(of: .start)
            - (continuation?.wallClock ?? name.wallClock).secondsSince1970(of: .start)
    }
}

extension RunLoop.Pace {
    /// Seconds of the run per second of the machine; `nil` if the run waits for nothing.
    package var speed: Double? {
        switch self {
        case .realTime(let speed): speed
        case .virtual: nil
        }
    }
}

extension SimulatedParticipant {
    /// The simulated participant: the same one for the same plan.
    package init(for plan: RunPlan, language: Language?, answers: [Identifier: Answer?] = [:]) {
        self.init(
            seed: SHA256.streamSeed(of: plan.streamText("source/participant")), language: language,
            answers: answers, scores: plan.task.scores)
    }
}
