import StudyModel
import Testing

@testable import Results

@Suite struct ProvenanceTests {
    /// A run at a speed, with the kinds of its sources; `nil` is a run of an earlier program.
    private func run(
        speed: Double?, kinds: [String]?, isParticipantSimulated: Bool = false
    ) -> RunDescription {
        var run = Sample.header().run
        run.speed = speed
        run.provenance = kinds.map { kinds in
            Provenance(
                isParticipantSimulated: isParticipantSimulated,
                sources: Dictionary(
                    uniqueKeysWithValues: kinds.enumerated().map {
                        (Identifier(stringLiteral: "source\($0.offset)"), $0.element)
                    }))
        }
        return run
    }

    @Test(arguments: [[], ["bluetooth"], ["poll", "push", "lsl", "camera"]])
    func `a participant in real time with live sources is recorded`(kinds: [String]) {
        #expect(run(speed: 1, kinds: kinds).origin == .recorded)
    }

    @Test(
        arguments: zip(
            [
                ["replay"], ["bluetooth", "video"], ["simulated"], ["bluetooth", "simulated", "replay"],
                ["telepathy"],
            ],
            [.replayed, .replayed, .simulated, .simulated, .simulated] as [RunOrigin]))
    func `one source that is not live takes the run with it`(kinds: [String], origin: RunOrigin) {
        #expect(run(speed: 1, kinds: kinds).origin == origin)
    }

    @Test func `what is not in real time, or answered by a program, is simulated`() {
        #expect(run(speed: nil, kinds: ["bluetooth"]).origin == .simulated)
        #expect(run(speed: 10, kinds: ["bluetooth"]).origin == .simulated)
        #expect(run(speed: 1, kinds: ["bluetooth"], isParticipantSimulated: true).origin == .simulated)
        #expect(run(speed: nil, kinds: nil).origin == .simulated)
    }

    @Test func `a run of a program that did not say is of unknown origin`() {
        #expect(run(speed: 1, kinds: nil).origin == .unknown)
    }
}
