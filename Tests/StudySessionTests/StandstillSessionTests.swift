import BundleReplay
import Results
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

    @Test func `a late look at the clock is a standstill, and nothing else is`() throws {
        var sitting = try Sittings(Self.study, in: folder).sitting(name: "A", pace: .realTime(speed: 1))
        sitting.syncInterval = .seconds(0.5)
        var shell = Shell(sitting)
        #expect(noticed(shell.look(at: .seconds(0.1))) == nil)
        // The disk took its time before the run began.
        #expect(noticed(shell.look(at: .seconds(5))) == nil)
        _ = shell.take(.event(.begin), at: .seconds(5))
        #expect(noticed(shell.look(at: .seconds(5.9))) == nil)
        #expect(noticed(shell.look(at: .seconds(6.9))) == nil)
        #expect(noticed(shell.look(at: .seconds(8))) == .seconds(6.9))
        #expect(noticed(shell.look(at: .seconds(8.5))) == nil)
    }

    @Test func `time that jumps is no standstill`() throws {
        var shell = Shell(try Sittings(Self.study, in: folder).sitting(name: "A", pace: .virtual))
        _ = shell.take(.event(.begin), at: .start)
        #expect(noticed(shell.look(at: .start)) == nil && noticed(shell.look(at: .seconds(60))) == nil)
    }

    private func noticed(_ chores: [Shell.Chore]) -> RunInstant? {
        for case .write(.journal(.stoodStill(let start), _, _)) in chores { return start }
        return nil
    }
}

/// Goes on from each screen; in a timed step, the program notices at 6 s that it has stood still since 3 s.
private struct Suspended: Prompter {
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
            act(.event(.stoodStill(since: start.advanced(by: .seconds(3)))))
        }
    }
}
