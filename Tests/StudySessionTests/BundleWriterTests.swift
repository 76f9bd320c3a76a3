import Results
import StudyModel
import StudyTesting
import Synchronization
import Testing

@testable import StudySession

@Suite struct BundleWriterTests {
    let folder = TemporaryFolder()

    /// Hands the writer commands and returns the visits that it says are saved, in order.
    private func saved(
        after commands: [WriteCommand], isVirtual: Bool = false, name: Character = "A"
    ) async throws -> [Int] {
        let sittings = Sittings(SessionTests.listening, in: folder)
        let bundle = try sittings.fresh(try sittings.plan(), try sittings.checked.study(), name: name)
        let mailbox = Mailbox<[WriteCommand]>()
        for command in commands { mailbox.send([command]) }
        mailbox.finish()
        let told = Mutex<[Int]>([])
        await BundleWriter(bundle, isVirtual: isVirtual).run(mailbox) { input in
            guard case .event(.saved(let ordinal)) = input else { return }
            told.withLock { $0.append(ordinal) }
        }
        return told.withLock(\.self)
    }

    private static func save(_ ordinal: Int) -> WriteCommand {
        .save(StepResult(ordinal: ordinal, path: ["listen"], visit: ordinal, start: .start, end: .start))
    }

    @Test func `of several results between two syncs the first is safe at once, the others together`()
        async throws
    {
        let steps = (1...4).map(Self.save)
        #expect(try await saved(after: steps) == [1])
        #expect(try await saved(after: steps + [.sync], name: "B") == [1, 2, 3, 4])
        #expect(try await saved(after: [steps[0], .sync, steps[1], steps[2]], name: "C") == [1, 2])
    }

    @Test func `in virtual time every result is safe at once`() async throws {
        #expect(try await saved(after: (1...3).map(Self.save), isVirtual: true) == [1, 2, 3])
    }

    @Test func `a run does not wait for the next sync to end`() async throws {
        let (sealed, bundle) = try await Sittings(SessionTests.listening, in: folder)
            .run(pace: .realTime(speed: 500))
        #expect(sealed.reason == .completed && sealed.problem == nil)
        #expect(bundle.steps.map(\.identifier) == ["welcome", "listen", "liked", "thanks"])
        #expect(try Verification.problems(at: bundle.path) == [])
    }
}
