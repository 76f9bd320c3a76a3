import BundleReplay
import Hashing
import Platform
import Results
import SessionPorts
import Signals
import Sound
import StudyEngine
import StudyFile
import StudyModel
import StudySession
import StudyTesting

/// A study and what its run leaves, in virtual time.
struct Sittings {
    let checked: CheckedStudy
    let folder: TemporaryFolder

    /// - Parameter folder: for the bundles; whoever made it keeps it until all is read.
    init(_ text: String, in folder: TemporaryFolder, catalogue: String = Sittings.catalogue) {
        self.folder = folder
        checked = CheckedStudy(
            Array(text.utf8), path: "study.yaml",
            library: Library(
                text: { _ in .success(Array(catalogue.utf8)) }, media: { _ in nil }))
    }

    static let catalogue = """
        entrain: 1
        clips:
          - {identifier: tune, file: tune.ogg, duration: 4 s, mood: calm, energy: 0.5}
        """

    static let wallClock = WallClock(
        seconds: 1_767_258_000, nanoseconds: 0, utcOffset: 19_800, zone: "Asia/Kolkata")

    func plan() throws -> RunPlan {
        let study = try checked.study()
        return try RunPlan(
            drawing: study, task: study.task(named: nil), participant: "P01", number: 1, session: 1, seed: 7)
    }

    /// Runs by itself and returns how it ended, with its bundle.
    ///
    /// - Parameters:
    ///   - sources: in the place of a simulated heart.
    ///   - name: distinguishes the runs of one test.
    ///   - isAutomatic: whether a simulated participant acts too.
    ///   - pace: of the run's time; where it is real, no sync is ever due.
    ///   - others: who take part beside the participant.
    func run(
        sources: [Identifier: any SampleSource]? = nil, name: Character = "A",
        prompter: (any Prompter)? = nil, isAutomatic: Bool = true,
        interruptions: AsyncStream<Void>? = nil, pace: RunLoop.Pace = .virtual, microphone: Microphone? = nil,
        yoke: Yoke? = nil, others: [Sitting.Companion] = [],
        observer: (@Sendable (RunUpdate) -> Void)? = nil
    ) async throws -> (sealed: Sealed, bundle: ResultBundle) {
        var sitting = try sitting(name: name, pace: pace)
        if !isAutomatic { sitting.autopilot = nil }
        let heart = SimulatedHeartSource(SimulatedSource(), random: SplitMix64(seed: 3))
        sitting.seat.sources = sources ?? ["heartRate": heart]
        sitting.prompter = prompter
        sitting.interruptions = interruptions
        (sitting.microphone, sitting.seat.observer) = (microphone, observer)
        sitting.session.yoke = yoke
        if !others.isEmpty { sitting.add(others, as: Self.uuid("F")) }
        let ready = sitting
        let sealed = try await RunLoop.with { loop in
            do throws(FileFailure) {
                return Result<Sealed, FileFailure>.success(try await ready.run(in: loop))
            } catch { return .failure(error) }
        }.get()
        return (sealed, try bundle(name))
    }

    func sitting(name: Character, pace: RunLoop.Pace) throws -> Sitting {
        let document = Sitting.Document(try checked.study(), text: checked.text, files: checked.parsed.files)
        // A run in real time goes on from its wall clock.
        let wallClock = pace == .virtual ? Self.wallClock : .now()
        var sitting = Sitting(
            document, as: Sitting.Name(program: "test", uuid: Self.uuid(name), wallClock: wallClock),
            plan: try plan(), pace: pace, output: folder.path, player: SilentPlayer())
        sitting.autopilot = SimulatedParticipant(seed: 5)
        sitting.session.number = 1
        sitting.durability = .unsynced
        sitting.syncInterval = .seconds(1_000_000)
        return sitting
    }

    /// A bundle to write into.
    func fresh() throws -> RunningBundle {
        let sitting = try sitting(name: "A", pace: .virtual)
        return try RunningBundle.create(
            in: folder.path, header: sitting.header(of: sitting.seat), study: checked.text,
            plan: sitting.seat.plan,
            durability: .unsynced)
    }

    /// Somebody who takes part beside the participant, with this heart.
    static func companion(
        _ participant: String, name: Character, heart: (any SampleSource)?
    ) -> Sitting.Companion {
        Sitting.Companion(
            participant, uuid: uuid(name), sources: heart.map { ["heartRate": $0] } ?? [:], kinds: [:])
    }

    /// The bundle of a run of that name.
    func bundle(_ name: Character) throws -> ResultBundle {
        try ResultBundle(at: folder.path + "/" + Self.uuid(name))
    }

    /// What a killed run leaves: its folder, with the files of its steps and as much of its journal.
    static func copy(
        _ bundle: ResultBundle, to name: String, in output: String, journal: [UInt8]
    ) throws {
        try Folder(output).makeFolder(name)
        let running = try Folder("\(output)/\(name)")
        let steps = bundle.manifest.files.map(\.path).filter { $0.text.hasPrefix("steps/") }
        try running.makeFolder("steps")
        for path in ["study.yaml", "plan.json"] + steps {
            let parts = path.text.split(separator: "/")
            if parts.count == 3 { try running.makeFolderIfMissing("steps/\(parts[1])") }
            try running.write(bundle.contents(of: path), to: path.text, isDurable: false)
        }
        try running.write(journal, to: "journal.jsonl", isDurable: false)
    }

    private static func uuid(_ name: Character) -> String { "00000000-0000-8000-8000-00000000000\(name)" }
}

/// A source that says what a test wants, at the moments that it wants.
struct ScriptedSource: SampleSource {
    var script: [(at: RunInstant, report: SourceReport)]

    /// One reading a second, from `first` on.
    static func steady(_ rates: [Double], from first: Double = 0.25) -> [(
        at: RunInstant, report: SourceReport
    )] {
        rates.enumerated().map { index, rate in
            let instant = RunInstant.seconds(first + Double(index))
            return (instant, .sample(Timed(HeartRateSample(rate: rate), at: instant, arrival: instant)))
        }
    }

    /// A heart that is live from a moment on, and beats at one rate for a minute.
    static func heart(_ rate: Double, from start: Double = 0) -> ScriptedSource {
        ScriptedSource(
            script: [(at: .seconds(start), report: .live)]
                + steady(Array(repeating: rate, count: 60), from: start + 0.25))
    }

    func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant {
        for entry in script {
            do { try await clock.sleep(until: entry.at, tolerance: nil) } catch { return }
            report(entry.report)
        }
    }
}

/// Confirms each screen as soon as it is shown, as the one so many screens away.
struct Eager: Prompter {
    var offset: Int

    func run<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, on clock: C, act: @escaping @Sendable (ParticipantAct) -> Void
    ) async where C.Instant == RunInstant {
        for await case .screen(let screen) in updates {
            act(.event(.confirmed, ordinal: screen.ordinal + offset))
        }
    }
}
