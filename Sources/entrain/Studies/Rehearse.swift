import ArgumentParser
import BundleReplay
import Glibc
import Results
import StudyEngine
import StudyModel
import StudySession
import TextFormat

struct Rehearse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a study without waiting, with simulated participants and hearts.",
        discussion: """
            For one participant, it prints everything that happens, with its time. For several, it says how balanced the \
            draws are, how long the sessions last, and how much data to expect. With --out, every rehearsal leaves a \
            bundle, as a run would. Rules look at the same simulated hearts with and without it.
            """)

    @OptionGroup var options: StudyOptions

    @Option(help: "How many participants, with the codes P01, P02 ….")
    var participants = 1

    @Option(help: "The session, from 1.")
    var session = 1

    @Option(name: [.customLong("out")], help: "A folder for result bundles.", completion: .directory)
    var output: String?

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func validate() throws {
        guard (1...1_000_000).contains(participants) else {
            throw ValidationError("--participants takes 1 to 1000000")
        }
        guard session >= 1 else { throw ValidationError("--session counts from 1") }
    }

    func run() async throws {
        try await reporting {
            let checked = try options.load()
            let study = try checked.study()
            let task = try study.task(named: options.task)
            let cohort = Cohort(
                checked: checked, study: study, task: task, seed: options.seed(of: study), session: session)
            if task.observesSoundLevel {
                Output.remark(
                    "A rehearsal has no microphone: no rule that looks at a sound level holds in it.")
            }
            if participants == 1, format == .text, output == nil {
                Output.emit(.lines(try await cohort.transcript(of: 1)))
                return
            }
            let tally = try await cohort.rehearse(participants, output: output)
            switch format {
            case .json: Output.say(json: tally.json)
            case .text: Output.emit(.lines(tally.text))
            }
        }
    }
}

/// Simulated participants of one study.
struct Cohort: Sendable {
    let checked: CheckedStudy
    let study: Study
    let task: Study.Task
    let seed: UInt64
    let session: Int

    /// `P01` for 1, `P1000` for 1000.
    static func code(of number: Int) -> String { "P\(digits(number, 2))" }

    func plan(of number: Int) throws -> RunPlan {
        try RunPlan(
            drawing: study, task: task, participant: Self.code(of: number), number: number, session: session,
            seed: seed, streamSeed: SHA256.streamSeed)
    }

    func rehearsal(of plan: RunPlan) -> Rehearsal {
        Rehearsal(plan, seed: SHA256.streamSeed(of: plan.streamText("source/participant")))
    }

    func transcript(of number: Int) async throws -> String {
        let plan = try plan(of: number)
        let told = try await rehearsals(of: [(number, plan)], output: nil)
        return told.map { Transcript($0, of: plan, language: study.languages.first).text }.joined()
    }

    /// Rehearses participants 1 to `count` on every core.
    func rehearse(_ count: Int, output: String?) async throws -> Tally {
        // Small, so that no core is idle while another has a last share left.
        let share = 8
        return try await withThrowingTaskGroup(of: Tally.self) { group in
            var next = 1
            var tally = Tally(study: study, task: task, seed: seed)
            func add() {
                guard next <= count else { return }
                let numbers = next...min(count, next + share - 1)
                next += share
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    try await rehearse(numbers, output: output)
                }
            }
            for _ in 0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) { add() }
            while let part = try await group.next() {
                tally.add(part)
                add()
            }
            return tally
        }
    }

    private func rehearse(_ numbers: ClosedRange<Int>, output: String?) async throws -> Tally {
        var tally = Tally(study: study, task: task, seed: seed)
        let plans = try numbers.map { ($0, try plan(of: $0)) }
        for (told, (_, plan)) in zip(try await rehearsals(of: plans, output: output), plans) {
            tally.add(told, of: plan)
        }
        return tally
    }

    /// Goes through plans, each by a participant of its own.
    ///
    /// What nothing but the plan and the answers decides needs no hearts, and is told at once. Where rules look at heart
    /// rates the rehearsal is a run, with the simulated hearts that `--out` would record.
    private func rehearsals(of plans: [(Int, RunPlan)], output: String?) async throws -> [Rehearsal] {
        guard task.observesHeartRate else {
            if let output { _ = try await sit(plans, output: output) }
            return plans.map { rehearsal(of: $0.1) }
        }
        if let output { return try await sit(plans, output: output) }
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        return try await sit(plans, output: folder.path)
    }

    /// Runs in virtual time, one after the other; every run leaves a bundle.
    private func sit(_ plans: [(Int, RunPlan)], output: String) async throws -> [Rehearsal] {
        try await RunLoop.with { loop in
            do {
                var told: [Rehearsal] = []
                for (number, plan) in plans {
                    var sitting = try sitting(number, plan, output: output)
                    let (updates, sink) = AsyncStream.makeStream(of: RunUpdate.self)
                    sitting.observer = { sink.yield($0) }
                    let sealed = try await sitting.run(in: loop)
                    sink.finish()
                    if let problem = sealed.problem { throw StudyFailure(problem, .disk) }
                    told.append(await Rehearsal(of: updates))
                }
                return Result<[Rehearsal], any Error>.success(told)
            } catch { return .failure(error) }
        }.get()
    }

    /// The sitting has a name and a time of its own that do not depend on the day of the rehearsal. Another task or
    /// another text of the study has another name.
    private func sitting(_ number: Int, _ plan: RunPlan, output: String) throws -> Sitting {
        let what = plan.streamText("rehearsal\n\(task.identifier)\n\(SHA256.hexadecimal(of: checked.text))")
        let name = SHA256.digest(of: Array(what.utf8))
        var sitting = Sitting(
            try checked.document(),
            as: Sitting.Name(
                program: programVersion, uuid: UUIDText.text(of: name, version: 8),
                wallClock: WallClock(seconds: 1_767_258_000, nanoseconds: 0, utcOffset: 0, zone: "UTC")),
            plan: plan, pace: .virtual, output: output, player: SilentPlayer())
        let made = try SourceOptions.simulated(for: study, plan: plan)
        (sitting.sources, sitting.sourceKinds) = (made.sources, made.kinds)
        sitting.autopilot = SimulatedParticipant(for: plan)
        sitting.number = number
        sitting.language = study.languages.first
        sitting.durability = .unsynced
        return sitting
    }
}

extension Rehearsal {
    /// What a run told while it went on.
    fileprivate init(of updates: AsyncStream<RunUpdate>) async {
        var events: [(event: Event, at: RunInstant, effects: [Effect])] = []
        for await case .happened(let event, let instant, let effects) in updates {
            events.append((event, instant, effects))
        }
        self.init(retelling: events)
    }
}
