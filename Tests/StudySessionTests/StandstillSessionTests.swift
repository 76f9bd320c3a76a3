import BundleReplay
import Results
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import StudySession

/// A program that stood still while the participant tapped.
@Suite struct StandstillSessionTests {
    let folder = TemporaryFolder()

    private static let study = """
        entrain: 1
        study: {identifier: tapping, title: Tapping}
        sources:
          heartRate: {type: simulated}
        stimuli:
          clips: {catalogue: clips.yaml}
        tasks:
          - identifier: task
            quality: {lateness: 50 ms}
            steps:
              - type: active
                identifier: tap
                duration: 10 s
                stimulus: {from: clips, draw: fixed}
                recorders:
                  - {type: taps, identifier: taps}
                  - {type: events, identifier: events}
                  - {type: stimulusPosition, identifier: position}
                  - {type: heartRate, identifier: heartRate}
              - {type: completion, identifier: thanks, title: Thank you}
        """

    @Test func `step, recordings of keys and quality say it, for all participants of the run`() async throws {
        let heart = ScriptedSource.heart(60)
        let (_, bundle) = try await Sittings(Self.study, in: folder).run(
            sources: ["heartRate": heart], prompter: Suspended(), isAutomatic: false,
            others: [Sittings.companion("P02", name: "B", heart: heart)])
        let other = try Sittings(Self.study, in: folder).bundle("B")
        for bundle in [bundle, other] {
            #expect(try Verification.problems(at: bundle.path) == [])
            let visit = bundle.visits[0]
            #expect(visit.standstills == [3..<6] && bundle.visits[1].standstills.isEmpty)
            #expect(visit.stoodStill == 3 && visit.standstillsInWords.count == 1)
            let gaps = Dictionary(uniqueKeysWithValues: visit.recordings.map { ($0.recorder, $0.gaps) })
            // Samples that came with their own times are there.
            #expect(gaps["heartRate"] == [])
            let recorders = bundle.manifest.participant == "P01" ? ["taps", "events", "position"] : []
            for recorder in recorders {
                #expect(gaps[recorder]?.map(\.span) == [3..<6], "\(recorder)")
                #expect(gaps[recorder]?.map(\.reason) == ["standstill"], "\(recorder)")
            }
            let quality = RunQuality(of: bundle.visits)
            #expect(quality.stoodStill == 3 && quality.phrases.contains("the program stood still for 3.0 s"))
            let shortfalls = quality.shortfalls(of: QualityLimits(lateness: .milliseconds(50)))
            #expect(shortfalls == ["the program stood still for 3.0 s, at most 50.000 ms late wanted"])
        }
        #expect(bundle.visits[0].recordings.first { $0.recorder == "taps" }?.coverage == 0.7)
    }

    /// Two timed steps, as a run in real time goes through them.
    private static let twoSteps = """
        entrain: 1
        study: {identifier: two, title: Two}
        sources:
          heartRate: {type: simulated}
        tasks:
          - identifier: task
            steps:
              - {type: active, identifier: first, duration: 10 s, recorders: [{type: heartRate, identifier: a}]}
              - {type: active, identifier: second, duration: 3 s, recorders: [{type: heartRate, identifier: b}]}
              - {type: active, identifier: third, duration: 60 s, recorders: [{type: heartRate, identifier: c}]}
              - {type: completion, identifier: thanks, title: Thank you}
        """

    @Test(arguments: [true, false])
    func `readings that came meanwhile belong to their steps, whatever is acted upon first`(
        areReadingsFirst: Bool
    ) throws {
        var sitting = try Sittings(Self.twoSteps, in: folder).sitting(name: "A", pace: .realTime(speed: 1))
        (sitting.syncInterval, sitting.autopilot) = (.seconds(0.5), nil)
        var world = ShellWorld(Shell(sitting, of: sitting.seat))
        world.take(.event(.sourceChanged("heartRate", problem: nil)), at: .start)
        world.take(.event(.begin), at: .start)
        let readings = (0..<20).map { second in
            let instant = RunInstant.seconds(0.5 + Double(second))
            return Shell.Input.report(
                "heartRate",
                .sample(
                    Timed(HeartRateSample(rate: 60), at: instant, arrival: max(instant, .seconds(16)))))
        }
        for second in stride(from: 0.5, to: 7, by: 0.5) { world.take(.syncIsDue, at: .seconds(second)) }
        // The program stood still from 6.5 s until 16 s.
        if areReadingsFirst {
            for reading in readings { world.take(reading, at: .seconds(16), goesOn: false) }
        }
        world.goOn(at: .seconds(16))
        if !areReadingsFirst { for reading in readings { world.take(reading, at: .seconds(16)) } }
        for second in stride(from: 16.5, to: 20, by: 0.5) { world.take(.syncIsDue, at: .seconds(second)) }
        let firsts = world.recorded.mapValues { $0.map(\.offset.seconds) }
        #expect(firsts["a"] == (0..<10).map { 0.5 + Double($0) })
        #expect(firsts["b"] == [10.5, 11.5, 12.5])
        #expect(firsts["c"]?.prefix(4) == [13.5, 14.5, 15.5, 16.5])
        let stood = world.stoodStill.mapValues { [$0.lowerBound.offset, $0.upperBound.offset] }
        #expect(stood["a"] == [.seconds(6.5), .seconds(16)] && stood["b"] == [.seconds(10), .seconds(16)])
        #expect(stood["c"] == [.seconds(13), .seconds(16)])
        #expect(
            world.deadlines["a"] == .seconds(18), "late samples are waited for as long as the program ran")
    }

    @Test func `a late look at the clock is a standstill, and nothing else is`() throws {
        var sitting = try Sittings(Self.study, in: folder).sitting(name: "A", pace: .realTime(speed: 1))
        sitting.syncInterval = .seconds(0.5)
        var shell = Shell(sitting, of: sitting.seat)
        #expect(noticed(shell.look(at: .seconds(0.1))) == nil)
        // The disk took its time before the run began.
        #expect(noticed(shell.look(at: .seconds(5))) == nil)
        _ = shell.take(.event(.begin), at: .seconds(5))
        #expect(noticed(shell.look(at: .seconds(5.9))) == nil)
        #expect(noticed(shell.look(at: .seconds(6.9))) == nil)
        #expect(noticed(shell.look(at: .seconds(8))) == .seconds(6.9))
        #expect(noticed(shell.look(at: .seconds(8.5))) == nil)
    }

    @Test func `of a step that ends before its time, every recording lacks the rest`() async throws {
        let (_, bundle) = try await Sittings(Self.study, in: folder).run(
            sources: ["heartRate": ScriptedSource.heart(60)], prompter: Suspended(act: .interrupted),
            isAutomatic: false)
        #expect(try Verification.problems(at: bundle.path) == [])
        for recording in bundle.visits[0].recordings {
            let last = recording.gaps.last
            #expect(last?.span == 6..<10 && last?.reason == "ended", "\(recording.recorder)")
            #expect(abs(recording.coverage - 0.6) < 1e-9, "\(recording.recorder)")
        }
    }

    @Test func `a run begins once its bundle is there, however long the disk took`() throws {
        let sitting = try Sittings(Self.study, in: folder).sitting(name: "A", pace: .realTime(speed: 1))
        var shell = Shell(sitting, of: sitting.seat, from: .seconds(2))
        let chores = shell.take(.event(.begin), at: .seconds(2.001))
        guard case .write(.journal(.begin, let instant, _)) = chores[0] else {
            Issue.record("it does not begin")
            return
        }
        #expect(instant == .seconds(2))
    }

    @Test func `time that jumps is no standstill`() throws {
        let sitting = try Sittings(Self.study, in: folder).sitting(name: "A", pace: .virtual)
        var shell = Shell(sitting, of: sitting.seat)
        _ = shell.take(.event(.begin), at: .start)
        #expect(noticed(shell.look(at: .start)) == nil && noticed(shell.look(at: .seconds(60))) == nil)
    }

    private func noticed(_ chores: [Shell.Chore]) -> RunInstant? {
        for case .write(.journal(.stoodStill(let start), _, _)) in chores { return start }
        return nil
    }
}

/// Goes on from each screen; in a timed step, at 6 s, something happens: usually the program notices that it has stood
/// still since 3 s.
private struct Suspended: Prompter {
    var act: Event?

    func run<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, on clock: C, act: @escaping @Sendable (ParticipantAct) -> Void
    ) async where C.Instant == RunInstant {
        for await case .screen(let screen) in updates {
            guard case .running(let start, _) = screen.phase else {
                act(.event(.confirmed, ordinal: screen.ordinal))
                continue
            }
            do { try await clock.sleep(until: start.advanced(by: .seconds(6)), tolerance: nil) } catch {
                return
            }
            act(.event(self.act ?? .stoodStill(since: start.advanced(by: .seconds(3)))))
        }
    }
}

/// What a run's own thread does with a shell, in time that the test makes.
private struct ShellWorld: ~Copyable {
    private var shell: Shell
    private var agenda: [(at: RunInstant, input: Shell.Input)] = []
    /// The samples that each recorder was given, by time of measurement.
    private(set) var recorded: [Identifier: [RunInstant]] = [:]
    /// When the program stood still, as each recorder was told.
    private(set) var stoodStill: [Identifier: Range<RunInstant>] = [:]
    /// When each recorder stops to wait for late samples.
    private(set) var deadlines: [Identifier: RunInstant] = [:]

    init(_ shell: consuming Shell) { self.shell = shell }

    /// - Parameter goesOn: whether all that is due by then happens, too.
    mutating func take(_ input: Shell.Input, at now: RunInstant, goesOn: Bool = true) {
        perform(shell.look(at: now), at: now)
        perform(shell.take(input, at: now), at: now)
        if goesOn { goOn(at: now) }
    }

    mutating func goOn(at now: RunInstant) {
        while let next = agenda.indices.min(by: { agenda[$0].at < agenda[$1].at }), agenda[next].at <= now {
            let input = agenda.remove(at: next).input
            take(input, at: now, goesOn: false)
        }
    }

    private mutating func perform(_ chores: [Shell.Chore], at now: RunInstant) {
        for chore in chores {
            switch chore {
            case .carryOut(let effect, let instant, let planned):
                perform(shell.perform(effect, at: instant, planned: planned), at: now)
            case .later(let instant, let input):
                if case .recorder(let key, .graceOver) = input { deadlines[key.recorder] = instant }
                agenda.append((instant, input))
            case .write(.append(let key, .sample(let sample))):
                recorded[key.recorder, default: []].append(sample.instant)
            case .write(.append(let key, .stoodStill(let start, let end))):
                stoodStill[key.recorder] = start..<end
            case .update, .write, .place, .changeSound, .stopSound, .askOutcome, .listen, .stopListening,
                .allocate, .startProgram, .tellProgram, .stopProgram, .seal, .reply, .leave:
                continue
            }
        }
    }
}
