import BundleReplay
import Results
import StudyModel
import StudyTesting
import Synchronization
import Testing

@testable import StudySession

@Suite struct BundleWriterTests {
    let folder = TemporaryFolder()

    /// Adds commands one by one and returns what is handed over after each.
    private func handedOver(_ commands: [WriteCommand], isPatient: Bool = false) -> [[String]] {
        var batch = WriteBatch(isPatient: isPatient)
        return commands.map { command in
            batch.add(command)
            return (batch.due() ?? []).map { command in
                switch command {
                case .save(let result): "save \(result.ordinal)"
                case .sync: "sync"
                case .journal: "journal"
                case .append, .plan, .open, .close, .confirm, .seal: "other"
                }
            }
        }
    }

    private static func save(_ ordinal: Int) -> WriteCommand {
        .save(StepResult(ordinal: ordinal, path: ["listen"], visit: ordinal, start: .start, end: .start))
    }

    private static let planned = WriteCommand.journal(
        .woke(Wake(ordinal: 1, segment: 1, moment: .end)), at: .start, [])

    @Test func `of several results between two syncs the first is safe at once, the others together`() {
        let handed = handedOver([
            Self.planned, Self.save(1), Self.planned, Self.save(2), Self.save(3), .sync, Self.save(4),
        ])
        #expect(
            handed == [
                ["journal"], ["save 1", "sync"], [], [], [], ["journal", "save 2", "save 3", "sync"],
                ["save 4", "sync"],
            ])
    }

    @Test func `what people do is written at once`() {
        let handed = handedOver([Self.save(1), .journal(.confirmed, at: .start, []), Self.save(2)])
        #expect(handed == [["save 1", "sync"], ["journal"], []])
    }

    @Test func `in virtual time every result is safe at once`() {
        let saves = handedOver((1...3).map(Self.save), isPatient: true)
        #expect(saves == [["save 1", "sync"], ["save 2", "sync"], ["save 3", "sync"]])
    }

    @Test func `results are said to be saved at the sync that follows`() async throws {
        let sittings = Sittings(SessionTests.listening, in: folder)
        let bundle = try sittings.fresh()
        let mailbox = Mailbox<[WriteCommand]>()
        mailbox.send([Self.save(1), Self.save(2), .sync, Self.save(3)])
        mailbox.finish()
        let told = Mutex<[Int]>([])
        await BundleWriter(bundle).run(mailbox) { input in
            guard case .event(.saved(let ordinal)) = input else { return }
            told.withLock { $0.append(ordinal) }
        }
        #expect(told.withLock(\.self) == [1, 2])
    }

    @Test func `a run does not wait for the next sync to end`() async throws {
        let (sealed, bundle) = try await Sittings(SessionTests.listening, in: folder)
            .run(pace: .realTime(speed: 500))
        #expect(sealed.reason == .completed && sealed.problem == nil)
        #expect(bundle.visits.map(\.identifier) == ["welcome", "listen", "liked", "thanks"])
        #expect(try Verification.problems(at: bundle.path) == [])
    }
}
