import StudyEngine
import StudyModel
import Testing

@Suite struct StandstillTests {
    @Test func `a standstill belongs to the step on show, from its beginning at the earliest`() throws {
        var sitting = try Sitting([timed("first", 30), timed("second", 30), thanks])
        #expect(sitting.tell(.stoodStill(since: .seconds(-1)), at: 2).isEmpty)
        #expect(sitting.tell(.stoodStill(since: .seconds(10)), at: 32).isEmpty)
        sitting.timeIsUp(1, at: 32)
        #expect(sitting.tell(.stoodStill(since: .seconds(40)), at: 43).isEmpty)
        sitting.timeIsUp(2, at: 62)
        #expect(
            sitting.results.map(\.standstills) == [
                [.start..<(.seconds(2)), .seconds(10)..<(.seconds(32))], [.seconds(40)..<(.seconds(43))],
            ])
    }

    @Test func `before a run, and for no time at all, nothing stands still`() throws {
        var sitting = try Sitting([timed("first", 30), thanks], begun: false)
        #expect(sitting.tell(.stoodStill(since: .seconds(1)), at: 3).isEmpty)
        sitting.tell(.begin, at: 4)
        sitting.tell(.stoodStill(since: .seconds(9)), at: 9)
        sitting.timeIsUp(1, at: 34)
        #expect(sitting.results.first?.standstills == [])
    }
}
