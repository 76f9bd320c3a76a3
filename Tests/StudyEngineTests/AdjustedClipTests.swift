import StudyEngine
import StudyModel
import Testing

/// Clips whose tempo and level change while they play.
@Suite struct AdjustedClipTests {
    private static func played(_ onset: Double, _ end: Double? = nil) -> Event {
        .played(Playback(ordinal: 1, onset: .seconds(onset), end: end.map(RunInstant.seconds)))
    }

    private static func change(_ at: Double, _ position: Double, _ tempo: Double) -> Playback.Change {
        Playback.Change(at: .seconds(at), position: .seconds(position), tempo: tempo, gain: -3)
    }

    @Test func `its result tells each change, and a pause goes on where the clip was`() throws {
        var sitting = try Sitting([timed("s", stimulus: draw(.fixed)), thanks])
        sitting.tell(Self.played(0), at: 0)
        let first = Self.change(4, 4, 0.5)
        sitting.tell(.adjusted(ordinal: 1, first), at: 4)
        sitting.tell(.paused, at: 10)
        sitting.tell(Self.played(0, 10), at: 10)
        let resumed = sitting.tell(.resumed, at: 20)
        let position = resumed.compactMap { effect -> Duration? in
            if case .play(_, _, _, _, let position) = effect { position } else { nil }
        }
        #expect(position == [.seconds(7)], "six seconds at half the tempo")
        sitting.tell(Self.played(20), at: 20)
        let second = Self.change(22, 9, 1.25)
        sitting.tell(.adjusted(ordinal: 1, second), at: 22)
        sitting.timeIsUp(1, segment: 2, at: 40)
        sitting.tell(Self.played(20, 40), at: 40)
        let result = try #require(sitting.results.first)
        #expect(
            result.changes == [
                Playback.Change(at: .seconds(0), position: .zero, tempo: 1, gain: 0), first,
                Playback.Change(at: .seconds(20), position: .seconds(7), tempo: 1, gain: 0), second,
            ])
    }

    @Test func `a clip that never changed has no course`() throws {
        var sitting = try Sitting([timed("s", stimulus: draw(.fixed)), thanks])
        sitting.tell(Self.played(0), at: 0)
        sitting.timeIsUp(1, at: 30)
        sitting.tell(Self.played(0, 30), at: 30)
        #expect(try #require(sitting.results.first).changes.isEmpty)
    }

    @Test func `a change that was planned, and never heard, is not told`() throws {
        var sitting = try Sitting([timed("s", stimulus: draw(.fixed)), thanks])
        sitting.tell(Self.played(0), at: 0)
        let heard = Self.change(4, 4, 0.5)
        sitting.tell(.adjusted(ordinal: 1, heard), at: 4)
        // The program is killed at 11 s, when the next change is ready.
        sitting.tell(.adjusted(ordinal: 1, Self.change(11.3, 7.65, 1.25)), at: 11)
        sitting.tell(.failed("killed"), at: 11)
        sitting.tell(Self.played(0, 11), at: 11)
        let result = try #require(sitting.results.first)
        #expect(
            result.changes == [Playback.Change(at: .seconds(0), position: .zero, tempo: 1, gain: 0), heard])
    }

    @Test func `of two changes at one frame, before which the device stood still, the second is told`() throws
    {
        var sitting = try Sitting([timed("s", stimulus: draw(.fixed)), thanks])
        sitting.tell(Self.played(0), at: 0)
        var (planned, taken) = (Self.change(4, 4, 0.5), Self.change(6, 4, 1.25))
        (planned.frame, taken.frame) = (192_000, 192_000)
        sitting.tell(.adjusted(ordinal: 1, planned), at: 4)
        sitting.tell(.adjusted(ordinal: 1, taken), at: 6)
        sitting.timeIsUp(1, at: 30)
        sitting.tell(Self.played(0, 30), at: 30)
        let result = try #require(sitting.results.first)
        #expect(
            result.changes == [Playback.Change(at: .seconds(0), position: .zero, tempo: 1, gain: 0), taken])
    }

    @Test func `a time in which nothing was heard is told, and how it went on once it is known better`()
        throws
    {
        var sitting = try Sitting([timed("s", stimulus: draw(.fixed)), thanks])
        sitting.tell(Self.played(0), at: 0)
        var (planned, moved) = (Self.change(5, 5, 1.25), Self.change(7, 5, 1.25))
        (planned.frame, moved.frame) = (240_000, 240_000)
        var (still, guessed, resumed) = (Self.change(4, 4, 0), Self.change(6.02, 4, 1), Self.change(6, 4, 1))
        (still.frame, guessed.frame, resumed.frame) = (192_000, 192_000, 192_000)
        for change in [planned, still, guessed, moved, resumed, moved] {
            sitting.tell(.adjusted(ordinal: 1, change), at: 6.5)
        }
        sitting.timeIsUp(1, at: 30)
        sitting.tell(Self.played(0, 30), at: 30)
        let result = try #require(sitting.results.first)
        let begin = Playback.Change(at: .seconds(0), position: .zero, tempo: 1, gain: 0)
        #expect(result.changes == [begin, still, resumed, moved])
    }

    @Test func `a change of a visit that is over changes nothing`() throws {
        var sitting = try Sitting([timed("s", stimulus: draw(.fixed)), thanks])
        sitting.tell(Self.played(0), at: 0)
        sitting.timeIsUp(1, at: 30)
        sitting.tell(Self.played(0, 30), at: 30)
        #expect(sitting.tell(.adjusted(ordinal: 1, Self.change(31, 31, 2)), at: 31).isEmpty)
        #expect(sitting.tell(.adjusted(ordinal: 9, Self.change(31, 31, 2)), at: 31).isEmpty)
    }
}
