import BundleReplay
import Platform
import Results
import SessionPorts
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
                case .append, .alive, .plan, .open, .close, .confirm, .seal: "other"
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
            guard case .event(.saved(let ordinal), _) = input else { return }
            told.withLock { $0.append(ordinal) }
        }
        #expect(told.withLock(\.self) == [1, 2])
    }

    /// - Parameter isLasting: whether the plan cannot be written at the end either.
    @Test(arguments: [false, true])
    func `a bundle has the arm that its journal has, or is not sealed`(isLasting: Bool) async throws {
        let sittings = Sittings(Self.allocating, in: folder)
        let sitting = try sittings.sitting(name: "A", pace: .virtual)
        let bundle = try RunningBundle.create(
            in: folder.path, header: sitting.header(of: sitting.seat), study: sittings.checked.text,
            plan: sitting.seat.plan,
            durability: .synced)
        let arm = try #require(try sittings.plan().arms.first)
        // The plan is written under this name first.
        let running = "\(folder.path)/00000000-0000-8000-8000-00000000000A.running"
        let inTheWay = "plan.json\(Folder.temporarySuffix)"
        try Folder(running).makeFolder(inTheWay)
        let mailbox = Mailbox<[WriteCommand]>()
        let end = Event.failed("the disk")
        mailbox.send([
            .journal(.begin, at: .start, []),
            .journal(.allocated(arm.arm ?? "none", slot: 1), at: .start, []), .plan(arm),
            .journal(end, at: .start, []), .seal([], .failed, at: .start, isClockAdjusted: false),
        ])
        mailbox.finish()
        let sealed = Mutex<Sealed?>(nil)
        await BundleWriter(bundle).run(mailbox) { input in
            if case .event(.failed, _) = input, !isLasting {
                do { try Folder(running).removeFolder(inTheWay) } catch { Issue.record("\(error)") }
            }
            if case .sealed(let told) = input { sealed.withLock { $0 = told } }
        }
        let ended = sealed.withLock(\.self)
        let told = try #require(ended)
        #expect(told.reason == .failed && told.problem != nil && (told.folder == nil) == isLasting)
        guard let name = told.folder else { return }
        let whole = try ResultBundle(at: "\(folder.path)/\(name)")
        #expect(whole.manifest.run.arm == arm.arm)
        #expect(try whole.contents(of: "plan.json") == PlanDocument(arm).encoded())
    }

    private static let allocating = """
        entrain: 1
        study: {identifier: alloc, title: Alloc, seed: 5}
        arms: [short, long]
        allocation: {method: blocks, blocks: [4]}
        tasks:
          - identifier: main
            steps:
              - {type: instruction, identifier: hi, title: Hi}
              - {type: allocation, identifier: arm}
              - {type: completion, identifier: end, title: End}
        """

    @Test func `a run does not wait for the next sync to end`() async throws {
        let (sealed, bundle) = try await Sittings(SessionTests.listening, in: folder)
            .run(pace: .realTime(speed: 500))
        #expect(sealed.reason == .completed && sealed.problem == nil)
        #expect(bundle.visits.map(\.identifier) == ["welcome", "listen", "liked", "thanks"])
        #expect(try Verification.problems(at: bundle.path) == [])
    }
}
