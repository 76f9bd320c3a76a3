import SessionPorts
import StudyModel
import Testing

@testable import Terminal

/// Moving the mark of a rating: by keys, with the pointer and by lines.
@Suite struct RatingTests {
    private static func dimension(_ name: Identifier, _ low: String, _ high: String)
        -> RatingScale.Dimension
    {
        RatingScale.Dimension(
            name: name, from: 0, to: 100, fromLabel: .plain(low), toLabel: .plain(high), start: 50, step: 5)
    }
    private static let line = RatingScale(dimensions: [dimension("tension", "calm", "tense")], rate: 10)
    private static let plane = RatingScale(
        dimensions: [
            dimension("valence", "unpleasant", "pleasant"), dimension("arousal", "calm", "excited"),
        ], rate: 10)

    private static func screen(_ scale: RatingScale, phase: Presentation.Phase = Screen.running) -> Screen {
        var screen = Screen.sample(Screen.thirtySeconds, phase: phase, title: "How tense is it?")
        screen.rating = Screen.Rating(recorder: "tension", scale: scale)
        return screen
    }

    private static func interview(_ scale: RatingScale) -> Interview {
        var interview = Interview()
        interview.handle(.screen(screen(scale)), at: .seconds(8))
        return interview
    }

    private static func values(_ acts: [ParticipantAct]) -> [Double]? {
        for case .rated(let rated) in acts { return rated.values }
        return nil
    }

    @Test(arguments: [
        (Key.right, 55.0), (.left, 45), (.up, 55), (.down, 45), (.home, 0), (.end, 100),
        (.character("1"), 0), (.character("9"), 100), (.character("3"), 25),
    ])
    func `a key moves the mark of a line`(key: Key, value: Double) {
        var interview = Self.interview(Self.line)
        let acts = interview.handle(key, at: .seconds(9))
        #expect(
            acts == [
                .key(key.name),
                .rated(Rated(ordinal: 2, recorder: "tension", values: [value], at: .seconds(9))),
            ])
    }

    @Test(arguments: [Key.character("5"), .character("0"), .character("x"), .pageDown, .tab, .escape])
    func `other keys, and those that lead where it stands, tell no change`(key: Key) {
        var interview = Self.interview(Self.line)
        #expect(interview.handle(key, at: .seconds(9)) == [.key(key.name)])
    }

    @Test func `a held key moves on with each repetition, up to the end`() {
        var interview = Self.interview(Self.line)
        let told = (0..<30).compactMap { place in
            Self.values(interview.handle(.right, at: .seconds(9 + 0.033 * Double(place))))
        }
        #expect(told.map { $0[0] } == [55, 60, 65, 70, 75, 80, 85, 90, 95, 100])
    }

    @Test func `a plane has both arrows, and digits as on a keypad`() {
        var interview = Self.interview(Self.plane)
        #expect(Self.values(interview.handle(.up, at: .seconds(9))) == [50, 55])
        #expect(Self.values(interview.handle(.left, at: .seconds(9))) == [45, 55])
        #expect(Self.values(interview.handle(.character("9"), at: .seconds(9))) == [100, 100])
        #expect(Self.values(interview.handle(.character("4"), at: .seconds(9))) == [0, 50])
    }

    @Test func `commands stay, and a mark stays over a pause but not over a step`() {
        var interview = Self.interview(Self.line)
        _ = interview.handle(.right, at: .seconds(9))
        #expect(interview.handle(.character("p"), at: .seconds(10)).last == .event(.paused))
        interview.handle(
            .screen(Self.screen(Self.line, phase: .paused(remaining: .seconds(20)))), at: .seconds(10))
        #expect(Self.values(interview.handle(.right, at: .seconds(11))) == nil)
        interview.handle(.screen(Self.screen(Self.line)), at: .seconds(12))
        #expect(Self.values(interview.handle(.right, at: .seconds(13))) == [60])
        var next = Self.screen(Self.line)
        next.ordinal = 3
        interview.handle(.screen(next), at: .seconds(14))
        #expect(Self.values(interview.handle(.right, at: .seconds(15))) == [55])
    }

    @Test func `a key keeps the moment at which it was read, whatever was drawn meanwhile`() {
        var interview = Self.interview(Self.line)
        interview.handle(.heartRate(70, at: .seconds(9)), at: .seconds(9.05))
        guard case .rated(let rated)? = interview.handle(.right, at: .seconds(9.001)).last else {
            Issue.record("nothing was rated")
            return
        }
        #expect(rated.instant == .seconds(9.001))
    }

    @Test(arguments: [(40, 24), (80, 24), (120, 40), (40, 12)])
    func `the pointer puts the mark where it is drawn`(columns: Int, rows: Int) throws {
        for scale in [Self.line, Self.plane] {
            var interview = Self.interview(scale)
            let size = TerminalSize(columns: columns, rows: rows)
            let picture = interview.picture(at: .seconds(9), in: size)
            #expect(picture.frame.wantsPointer)
            #expect(picture.frame.lines.allSatisfy { $0.columns <= columns })
            interview.handle(picture.view)
            let pad = try #require(picture.view.pad)
            let last = pad.left + pad.columns - 1
            let key = Key.pointer(column: last, row: pad.top)
            #expect(Self.values(interview.handle(key, at: .seconds(9)))?[0] == 100)
            let after = interview.picture(at: .seconds(9), in: size)
            #expect(Array(after.frame.lines[pad.top].text)[last] == "●")
            #expect(Self.values(interview.handle(.pointer(column: 0, row: 0), at: .seconds(9))) == nil)
        }
    }

    @Test func `labels and digits stand at forty columns`() {
        let narrow = TerminalSize(columns: 40, rows: 24)
        let line = Self.interview(Self.line).picture(at: .seconds(9), in: narrow).frame.lines.map(\.text)
        #expect(line.contains { $0.hasPrefix("calm") && $0.hasSuffix("tense") })
        #expect(line.contains { $0.contains("1") && $0.contains("9") })
        let plane = Self.interview(Self.plane).picture(at: .seconds(9), in: narrow).frame.lines.map(\.text)
        for label in ["▲ excited", "▼ calm", "◀ unpleasant", "pleasant ▶"] {
            #expect(plane.contains { $0.contains(label) }, "\(label)")
        }
    }

    @Test func `the pointer is wanted only while it does something`() {
        var painter = Painter()
        let size = TerminalSize(columns: 80, rows: 24)
        var interview = Self.interview(Self.line)
        #expect(painter.paint(interview.picture(at: .seconds(9), in: size).frame).contains("?1002h"))
        // A terminal that comes back from elsewhere is told again.
        painter.forget()
        #expect(painter.paint(interview.picture(at: .seconds(9), in: size).frame).contains("?1002h"))
        interview.handle(.screen(.sample(.completion, phase: .saving, ordinal: 3)), at: .seconds(10))
        let after = painter.paint(interview.picture(at: .seconds(10), in: size).frame)
        #expect(after.contains("?1002l") && !after.contains("?1002h"))
        #expect(Painter.leave.description.contains("?1002l"))
        var other = Painter()
        #expect(!other.paint(interview.picture(at: .seconds(10), in: size).frame).contains("?1002"))
    }

    @Test func `by lines a number is a rating, and nonsense is told what to type`() {
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        let shown = dialogue.handle(.screen(Self.screen(Self.line)), at: .seconds(8)).lines
        #expect(shown.contains("From 0 (calm) to 100 (tense)"))
        let rated = dialogue.handle(line: "72,5", at: .seconds(9))
        #expect(Self.values(rated.acts) == [72.5] && rated.lines == [])
        #expect(dialogue.handle(line: "72.5", at: .seconds(9)).acts == [])
        for wrong in ["120", "-1", "10 20", "nan"] {
            let outcome = dialogue.handle(line: wrong, at: .seconds(10))
            #expect(Self.values(outcome.acts) == nil, "\(wrong)")
            #expect(!outcome.lines.isEmpty, "\(wrong)")
        }
    }

    @Test func `by lines a plane takes two numbers, and a file of lines none`() {
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        _ = dialogue.handle(.screen(Self.screen(Self.plane)), at: .seconds(8))
        #expect(Self.values(dialogue.handle(line: "10 90", at: .seconds(9)).acts) == [10, 90])
        var file = Dialogue(keepsEarlyLines: true, isShowOnly: false)
        let shown = file.handle(.screen(Self.screen(Self.plane)), at: .seconds(8)).lines
        #expect(shown.contains("Lines from a file cannot give ratings: nothing is rated in this step."))
        #expect(file.handle(line: "10 90", at: .seconds(9)).acts == [])
    }
}
