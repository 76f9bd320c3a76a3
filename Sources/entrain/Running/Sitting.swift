import BundleReplay
import Results
import StudyEngine
import StudyFile
import StudyModel
import StudySession

/// One participant's run with everything that it needs from the world.
struct Sitting {
    var checked: CheckedStudy
    var study: Study
    var plan: RunPlan
    var number: Int?
    var language: Language?
    var sources: [Identifier: any SampleSource]
    var prompter: (any Prompter)?
    var player: any StimulusPlayer
    var microphone: Microphone?
    var isAutomatic: Bool
    var pace: RunLoop.Pace
    /// The output folder.
    var output: String
    var runUUID: String
    var wallClock: WallClock
    var durability: Durability
    var interruptions: AsyncStream<Void>?
    var observer: (@Sendable (RunUpdate) -> Void)?

    /// Runs to the sealed bundle.
    func run(in loop: RunLoop) async throws -> Sealed {
        let header = JournalHeader(
            program: programVersion, study: study.identifier, revision: study.revision,
            studySHA256: SHA256.hexadecimal(of: checked.text), task: plan.task.identifier,
            participant: plan.participant, number: number, session: plan.session, seed: plan.seed,
            language: language, runUUID: runUUID, wallClock: wallClock, speed: speed, audio: player.name,
            files: checked.parsed.files)
        let bundle = try RunningBundle.create(
            in: output, header: header, study: checked.text, plan: plan, durability: durability)
        let autopilot = SimulatedParticipant(
            seed: SHA256.streamSeed(of: plan.streamText("source/participant")))
        let session = Session(
            Session.Setup(
                study: study, plan: plan, language: language, sources: sources, prompter: prompter,
                player: player, microphone: microphone,
                autopilot: isAutomatic ? autopilot : nil, output: output, isVirtual: pace == .virtual,
                syncInterval: .seconds(0.5 * (speed ?? 1)), isWallClockAdjusted: { isAdjusted(at: $0) },
                interruptions: interruptions, observer: observer))
        // The wall clock was read before the bundle was made, which takes the disk a while.
        return await session.run(
            on: loop.clock(pace, started: .seconds(max(0, secondsOfWallClock))), into: bundle)
    }

    /// What the wall clock has gone on since the run began.
    private var secondsOfWallClock: Double {
        WallClock.now().secondsSince1970(of: .start) - wallClock.secondsSince1970(of: .start)
    }

    private var speed: Double? {
        switch pace {
        case .realTime(let speed): speed
        case .virtual: nil
        }
    }

    /// Whether the wall clock says something else than the run's own clock, by more than a second.
    private func isAdjusted(at now: RunInstant) -> Bool {
        guard let speed else { return false }
        return abs(secondsOfWallClock - now.offset.seconds / speed) > 1
    }

    /// A random UUID (version 4), upper case.
    static func freshUUID() -> String {
        uuid(from: (0..<16).map { _ in UInt8.random(in: .min ... .max) }, version: 4)
    }

    /// A UUID from 16 bytes or more, with its version and variant set.
    static func uuid(from bytes: [UInt8], version: UInt8) -> String {
        var bytes = Array(bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0f | version << 4
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }
}
