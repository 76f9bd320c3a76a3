import StudyEngine
import StudyModel
import Testing

/// Clips that go on over several steps.
@Suite struct MusicTests {
    private static func music(_ from: Identifier, _ to: Identifier) -> SpanningMusic {
        SpanningMusic(identifier: "m", from: from, to: to, use: draw(.fixed))
    }

    /// What the player is asked to do: `play VISIT from SECOND` or `stop VISIT`, with the second of the run.
    private static func asked(_ effects: [Effect]) -> [String] {
        effects.compactMap { effect in
            switch effect {
            case .play(_, _, let ordinal, let instant, let position):
                "\(RunInstant.start.duration(to: instant) / .seconds(1)): play \(ordinal) from \(position / .seconds(1))"
            case .stopPlaying(let ordinal, let instant):
                "\(RunInstant.start.duration(to: instant) / .seconds(1)): stop \(ordinal)"
            default: nil
            }
        }
    }

    private static func played(_ ordinal: Int, _ onset: Double, _ end: Double? = nil) -> Event {
        .played(Playback(ordinal: ordinal, onset: .seconds(onset), end: end.map(RunInstant.seconds)))
    }

    @Test func `goes on through a question, and its step's result waits for it`() throws {
        var sitting = try Sitting(
            [read("hello"), timed("listen"), ask("q"), read("after"), thanks],
            music: [Self.music("listen", "q")])
        #expect(Self.asked(sitting.tell(.confirmed, at: 10)) == ["10.0: play 2 from 0.0"])
        #expect(sitting.run.isMusic(2) && !sitting.run.isMusic(1))
        sitting.tell(Self.played(2, 10), at: 10)
        #expect(Self.asked(sitting.timeIsUp(2, at: 40)).isEmpty)
        #expect(sitting.result("listen") == nil)
        #expect(Self.asked(sitting.answer("q", .scale(5), at: 50)) == ["50.0: stop 2"])
        #expect(sitting.result("listen") == nil, "the player has not said when it ended")
        sitting.tell(Self.played(2, 10, 50.5), at: 51)
        let result = try #require(sitting.result("listen"))
        #expect(result.playback?.end == .seconds(50.5) && result.end == .seconds(40))
        #expect(result.clipThrough == "q" && result.stimulus?.method == "fixed")
        #expect(sitting.result("q")?.stimulus == nil)
    }

    @Test func `a block plays its clip through all its rounds, another one in each round around it`() throws {
        var trials = Block(repetitions: 2, steps: [read("trial")])
        trials.stimulus = Stimulus.Use(choice: .roundOf(set: "clips"))
        let pieces = Block(set: "clips", steps: [block("trials", trials), ask("q")])
        var sitting = try Sitting([block("pieces", pieces), thanks])
        let clips = sitting.run.plan.sections[0].passes[0].map { entry -> Identifier? in
            if case .clip(let clip) = entry.stimulus { clip.stimulus.identifier } else { nil }
        }
        let pool = sitting.run.plan.sections[0].passes[0].compactMap(
            \.blocks.first?.clip?.stimulus.identifier)
        #expect(clips.prefix(6) == [pool[0], nil, nil, pool[3], nil, nil] && pool[0] != pool[3])
        sitting.tell(Self.played(1, 0), at: 0)
        #expect(Self.asked(sitting.tell(.confirmed, at: 5)).isEmpty)
        #expect(
            Self.asked(sitting.tell(.confirmed, at: 9)) == ["9.0: stop 1"], "the question is not in the block"
        )
        sitting.tell(Self.played(1, 0, 9), at: 9)
        #expect(sitting.result("trial")?.clipThrough == "trials")
        #expect(sitting.result("trial", visit: 2)?.stimulus == nil)
        #expect(Self.asked(sitting.answer("q", .scale(5), at: 12)) == ["12.0: play 4 from 0.0"])
        #expect(Self.asked(sitting.tell(.confirmed, at: 14)).isEmpty)
        #expect(Self.asked(sitting.tell(.confirmed, at: 16)) == ["16.0: stop 4"])
    }

    @Test func `a block that comes again at once begins its clip anew`() throws {
        var trials = Block(repetitions: 1, steps: [read("trial")])
        trials.stimulus = draw(.fixed)
        let pieces = Block(repetitions: 2, steps: [block("trials", trials)])
        var sitting = try Sitting([block("pieces", pieces), thanks])
        sitting.tell(Self.played(1, 0), at: 0)
        #expect(Self.asked(sitting.tell(.confirmed, at: 5)) == ["5.0: stop 1", "5.0: play 2 from 0.0"])
    }

    @Test func `begins with a step that is not timed, and its draw has a stream of its own`() throws {
        let random = SpanningMusic(identifier: "m", from: "hello", to: "hello", use: draw(.random))
        var sitting = try Sitting([read("hello"), thanks], music: [random], begun: false)
        #expect(Self.asked(sitting.tell(.begin, at: 0)) == ["0.0: play 1 from 0.0"])
        #expect(sitting.run.plan.draws.map(\.stream) == ["music/T/m/1"])
        #expect(Self.asked(sitting.tell(.confirmed, at: 4)) == ["4.0: stop 1"])
        // A player of silence says nothing of its own accord: the clip never sounded.
        #expect(sitting.result("hello")?.stimulus?.stream == "music/T/m/1")
    }

    @Test func `pauses with the timed step on show, and goes on with it`() throws {
        var sitting = try Sitting([timed("one"), timed("two"), thanks], music: [Self.music("one", "two")])
        sitting.tell(Self.played(1, 0), at: 0)
        sitting.timeIsUp(1, at: 30)
        #expect(Self.asked(sitting.tell(.paused, at: 40)) == ["40.0: stop 1"])
        sitting.tell(Self.played(1, 0, 40), at: 40)
        #expect(sitting.result("one") == nil, "the music is not over")
        #expect(Self.asked(sitting.tell(.resumed, at: 45)) == ["45.0: play 1 from 40.0"])
        sitting.tell(Self.played(1, 45), at: 45)
        #expect(Self.asked(sitting.timeIsUp(2, segment: 2, at: 65)) == ["65.0: stop 1"])
        sitting.tell(Self.played(1, 45, 65), at: 65)
        #expect(sitting.result("one")?.playback?.end == .seconds(65))
    }

    @Test func `a clip that comes to its end before is over, and its result is written`() throws {
        var sitting = try Sitting([timed("one"), ask("q"), thanks], music: [Self.music("one", "q")])
        sitting.tell(Self.played(1, 0), at: 0)
        sitting.timeIsUp(1, at: 30)
        sitting.tell(Self.played(1, 0, 35), at: 35)
        #expect(sitting.result("one")?.playback?.end == .seconds(35))
        #expect(Self.asked(sitting.answer("q", .scale(1), at: 50)).isEmpty)
    }

    @Test func `who goes back hears it go on, and the experimenter who begins its step anew begins it anew`()
        throws
    {
        var sitting = try Sitting(
            [read("a"), ask("b"), ask("c"), thanks], music: [Self.music("a", "c")])
        sitting.tell(Self.played(1, 0), at: 0)
        sitting.tell(.confirmed, at: 5)
        #expect(Self.asked(sitting.tell(.wentBack, at: 6)).isEmpty)
        #expect(Self.asked(sitting.tell(.confirmed, at: 7)).isEmpty)
        sitting.answer("b", .scale(1), at: 8)
        #expect(Self.asked(sitting.answer("c", .scale(1), at: 9)) == ["9.0: stop 1"])

        sitting = try Sitting([timed("one"), ask("q"), thanks], music: [Self.music("one", "q")])
        sitting.tell(Self.played(1, 0), at: 0)
        let restart = try #require(RunMark(.control, control: .restart, text: "noise", at: .seconds(3)))
        #expect(Self.asked(sitting.tell(.marked(restart), at: 3)) == ["3.0: stop 1", "3.0: play 2 from 0.0"])
    }

    @Test func `a run that ends early stops it, and goes on with it where it stopped`() throws {
        var sitting = try Sitting(
            [timed("one"), ask("q"), timed("two"), thanks], music: [Self.music("one", "two")])
        sitting.tell(Self.played(1, 0), at: 0)
        sitting.timeIsUp(1, at: 30)
        #expect(Self.asked(sitting.tell(.putAside, at: 42)) == ["42.0: stop 1"])
        #expect(sitting.tell(Self.played(1, 0, 42), at: 42).finish == .saved)
        #expect(sitting.result("one")?.playback?.end == .seconds(42))
        #expect(Self.asked(sitting.tell(.continued, at: 100)) == ["100.0: play 3 from 42.0"])
        sitting.tell(Self.played(3, 100), at: 100)
        // Once more, at the same step.
        #expect(Self.asked(sitting.tell(.putAside, at: 110)) == ["110.0: stop 3"])
        sitting.tell(Self.played(3, 100, 110), at: 110)
        #expect(Self.asked(sitting.tell(.continued, at: 200)) == ["200.0: play 4 from 52.0"])
        sitting.answer("q", .scale(1), at: 205)
        #expect(Self.asked(sitting.timeIsUp(5, at: 235)) == ["235.0: stop 4"])
    }

    @Test func `a jump back to a step with a clip of its own ends it`() throws {
        let again = Navigation(goTo: [.init(condition: nil, target: .step("own"))])
        var sitting = try Sitting(
            [
                timed("own", 10, stimulus: draw(.fixed), Navigation(maximumVisits: 2)), timed("one", 10),
                read("back", again), thanks,
            ], music: [Self.music("one", "back")])
        sitting.timeIsUp(1, at: 10)
        sitting.tell(Self.played(2, 10), at: 10)
        sitting.timeIsUp(2, at: 20)
        let left = sitting.tell(.confirmed, at: 25)
        #expect(Self.asked(left) == ["25.0: stop 2", "25.0: play 4 from 0.0"])
        sitting.tell(Self.played(2, 10, 25), at: 25)
        #expect(sitting.result("one") != nil)
    }

    @Test func `a jump over its last step stops it where the list ends`() throws {
        let jump = Navigation(goTo: [.init(condition: nil, target: .end)])
        var sitting = try Sitting(
            [read("one", jump), read("two"), thanks], music: [Self.music("one", "two")])
        #expect(Self.asked(sitting.tell(.confirmed, at: 10)) == ["10.0: stop 1"])
    }
}
