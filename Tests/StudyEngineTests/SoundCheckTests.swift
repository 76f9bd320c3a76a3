import StudyEngine
import StudyModel
import Testing

/// How loud a run is, by what its participant and its experimenter answered.
@Suite struct SoundCheckTests {
    private static func check(_ name: Identifier, _ format: AnswerFormat, _ check: SoundCheck) -> Step {
        var step = ask(name, format)
        step.soundCheck = check
        return step
    }

    private static let level = check(
        "level", .continuous(.init(from: -40, to: 0, decimals: 0, start: -20)),
        SoundCheck(
            .volume, hearing: Stimulus.Use(choice: .play(ReferenceTone.sides.clip), settings: .init(gain: -3))
        ))
    private static let ear = check(
        "ear", .number(unit: "dB(A)", minimum: 20, maximum: 140),
        SoundCheck(
            .measured(limit: 80),
            hearing: Stimulus.Use(choice: .play(ReferenceTone.steady.clip), settings: .init(gain: -10))))

    private static let beat = Stimulus(identifier: "beat", file: "beat.ogg", path: "beat.ogg")

    private static func use(_ gain: Double) -> Stimulus.Use {
        Stimulus.Use(choice: .play(beat), settings: Playback.Settings(gain: gain))
    }

    /// What is asked of the player, and what is stopped.
    private static func asked(_ effects: [Effect]) -> [String] {
        effects.compactMap { effect in
            switch effect {
            case .play(let drawn, let settings, let ordinal, _, _):
                let ceiling = settings.ceiling.map { ", at most \($0)" } ?? ""
                return "\(ordinal): \(drawn.stimulus.identifier) \(settings.gain)\(ceiling)"
            case .stopPlaying(let ordinal, _): return "stop \(ordinal)"
            default: return nil
            }
        }
    }

    private func answer(_ name: Identifier, _ answer: Answer) -> Event {
        .answered([GivenAnswer(question: name, answer: answer)])
    }

    @Test func `a volume is tried from its beginning on, and holds for everything after it`() throws {
        var run = TaskRun(
            try makePlan([
                read("hello"), Self.level, timed("music", 30, stimulus: Self.use(-6)),
                timed("more", 30, stimulus: Self.use(0)), thanks,
            ]))
        _ = run.handle(.begin, at: .seconds(0))
        #expect(Self.asked(run.handle(.confirmed, at: .seconds(1))) == ["2: sides -23.0"])
        #expect(run.volume == -20)
        let next = run.handle(answer("level", .continuous(-8)), at: .seconds(9))
        #expect(Self.asked(next) == ["stop 2", "3: beat -14.0"])
        #expect(run.volume == -8)
        let last = run.handle(.woke(Wake(ordinal: 3, segment: 1, moment: .end)), at: .seconds(39))
        #expect(Self.asked(last) == ["stop 3", "4: beat -8.0"])
    }

    @Test func `who goes back hears the volume that was chosen, and may choose another`() throws {
        var run = TaskRun(
            try makePlan([
                read("hello"), Self.level, read("ready"), timed("music", 30, stimulus: Self.use(0)), thanks,
            ]))
        _ = run.handle(.begin, at: .seconds(0))
        _ = run.handle(.confirmed, at: .seconds(1))
        _ = run.handle(answer("level", .continuous(-8)), at: .seconds(9))
        #expect(Self.asked(run.handle(.wentBack, at: .seconds(10))) == ["4: sides -11.0"])
        // Before the sound check, nothing is heard.
        #expect(Self.asked(run.handle(.wentBack, at: .seconds(11))) == ["stop 4"])
        #expect(Self.asked(run.handle(.confirmed, at: .seconds(12))) == ["6: sides -11.0"])
        #expect(Self.asked(run.handle(answer("level", .continuous(-30)), at: .seconds(13))) == ["stop 6"])
        #expect(Self.asked(run.handle(.confirmed, at: .seconds(14))) == ["8: beat -30.0"])
    }

    @Test func `a measurement limits the loudness of everything but the tone that is measured`() throws {
        var run = TaskRun(
            try makePlan([Self.ear, Self.level, timed("music", 30, stimulus: Self.use(3)), thanks]))
        #expect(Self.asked(run.handle(.begin, at: .seconds(0))) == ["1: steady -10.0"])
        // The tone of -28 LUFS is 72 dB(A) at the ear, so -20 LUFS are 80 dB(A).
        let next = run.handle(answer("ear", .number(72)), at: .seconds(5))
        #expect(Self.asked(next) == ["stop 1", "2: sides -23.0, at most -20.0"])
        let music = run.handle(answer("level", .continuous(0)), at: .seconds(9))
        #expect(Self.asked(music) == ["stop 2", "3: beat 3.0, at most -20.0"])
        #expect(run.ceiling == -20)
    }

    @Test func `who skips it keeps the level at which it began`() throws {
        var level = Self.level
        level.isOptional = true
        var run = TaskRun(try makePlan([level, timed("music", 30, stimulus: Self.use(1)), thanks]))
        _ = run.handle(.begin, at: .seconds(0))
        #expect(Self.asked(run.handle(.skipped, at: .seconds(5))) == ["stop 1", "2: beat -19.0"])
    }
}
