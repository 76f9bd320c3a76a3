import StudyEngine
import StudyModel
import Testing

@Suite struct NavigationTests {
    private static func to(
        _ name: Identifier, if condition: Navigation.Condition? = nil
    ) -> Navigation.Jump {
        Navigation.Jump(condition: condition, target: .step(name))
    }

    @Test func `goes through the list and ends after it`() throws {
        var sitting = try Sitting([read("a"), read("b")])
        #expect(sitting.tell(.confirmed, at: 1).shown?.section == 1)
        let last = sitting.tell(.confirmed, at: 2)
        #expect(last.shown?.phase == .saving && last.finish == .completed)
        #expect(sitting.results.map(\.ordinal) == [1, 2])
        #expect(sitting.results.map(\.start) == [.start, .seconds(1)])
    }

    @Test func `leaves out what a rule excludes, and says so`() throws {
        let skip = Navigation(
            skipIf: [when("q", .eq, .number(9)), when("q", .lt, .number(3))],
            goTo: [Self.to("thanks")])
        for (answer, isLeftOut) in [(9, true), (2, true), (3, false)] {
            var sitting = try Sitting([ask("q"), read("extra", skip), read("last"), thanks])
            let shown = sitting.answer("q", .scale(answer), at: 4).shown
            #expect(shown?.section == (isLeftOut ? 2 : 1), "rules of a step left out lead nowhere")
            #expect(shown?.ordinal == (isLeftOut ? 3 : 2))
            guard isLeftOut else { continue }
            let result = try #require(sitting.result("extra"))
            #expect(result.skip == .rule && result.start == .seconds(4) && result.end == .seconds(4))
            #expect(result.ordinal == 2)
        }
    }

    @Test func `leaves out a whole block by one result`() throws {
        let skip = Navigation(skipIf: [when("q", .ge, .number(5))])
        let rounds = block("b", Block(repetitions: 3, steps: [read("r")]), skip)
        var sitting = try Sitting([ask("q"), rounds, thanks])
        #expect(sitting.answer("q", .scale(5), at: 1).shown?.section == 2)
        #expect(sitting.results.map(\.path) == [["q"], ["b"]] && sitting.results[1].skip == .rule)
    }

    @Test func `leaves out a step of a round`() throws {
        let skip = Navigation(skipIf: [when("q", .le, .number(5))])
        let rounds = block("b", Block(repetitions: 2, steps: [ask("q"), read("r", skip)]))
        var sitting = try Sitting([rounds, thanks])
        #expect(sitting.answer("q", .scale(5), at: 1).shown?.entry == 2)
        #expect(sitting.answer("q", .scale(6), at: 2).shown?.entry == 3)
        sitting.tell(.confirmed, at: 3)
        #expect(sitting.results.map(\.path) == [["b", "q"], ["b", "r"], ["b", "q"], ["b", "r"]])
        #expect(
            sitting.results.map(\.visit) == [1, 1, 2, 2] && sitting.results.map(\.round) == [1, 1, 2, 2])
    }

    @Test func `takes the first jump that holds`() throws {
        let rules = Navigation(goTo: [
            Self.to("nowhere"), Self.to("low", if: when("q", .lt, .number(4))),
            Self.to("high", if: when("q", .gt, .number(4))),
        ])
        for (answer, section) in [(3, 2), (5, 3), (4, 1)] {
            var sitting = try Sitting([
                ask("q", rules: rules), read("next"), read("low"), read("high"), thanks,
            ])
            #expect(sitting.answer("q", .scale(answer), at: 1).shown?.section == section)
        }
    }

    @Test func `ends where a jump says so`() throws {
        let end = Navigation(goTo: [.init(condition: nil, target: .end)])
        var sitting = try Sitting([read("a", end), read("b"), thanks])
        #expect(sitting.tell(.confirmed, at: 1).finish == .completed)
        #expect(sitting.results.count == 1)
    }

    @Test func `loops as often as the target allows, each time with its own draws`() throws {
        let again = Navigation(goTo: [Self.to("listen")])
        let listen = timed("listen", 10, stimulus: draw(.random), Navigation(maximumVisits: 3))
        var sitting = try Sitting([listen, read("r", again), thanks])
        for visit in 1...3 {
            sitting.timeIsUp(2 * visit - 1, at: Double(visit * 20))
            let shown = sitting.tell(.confirmed, at: Double(visit * 20 + 5)).shown
            #expect(shown?.section == (visit < 3 ? 0 : 2))
            #expect(
                sitting.result("listen", visit: visit)?.stimulus?.stream == "draw/T/listen/\(visit)")
            #expect(sitting.result("r", visit: visit) != nil)
        }
    }

    @Test func `deals in the order of entering whatever the path`() throws {
        let over = Navigation(goTo: [Self.to("third")])
        let steps = [
            timed("first", stimulus: draw(.fixed), over), timed("second", stimulus: draw(.fixed)),
            timed("third", stimulus: draw(.fixed)), thanks,
        ]
        var sitting = try Sitting(steps)
        sitting.timeIsUp(1, at: 30)
        sitting.timeIsUp(2, at: 60)
        #expect(sitting.results.compactMap(\.stimulus?.stimulus.identifier) == ["a", "b"])
    }

    @Test func `a block's own jumps are asked after its last round`() throws {
        let rounds = block(
            "b", Block(repetitions: 2, steps: [read("r")]),
            Navigation(goTo: [Self.to("b")], maximumVisits: 2))
        var sitting = try Sitting([rounds, thanks])
        let shown = (1...4).map { sitting.tell(.confirmed, at: Double($0)).shown }
        #expect(shown.map { $0?.section } == [0, 0, 0, 1])
        #expect(shown.map { $0?.pass } == [0, 1, 1, 0] && shown.map { $0?.entry } == [1, 0, 1, 0])
    }

    @Test func `a step in a block may leave the block`() throws {
        let out = Navigation(goTo: [Self.to("thanks", if: when("q", .eq, .number(1)))])
        var sitting = try Sitting([
            block("b", Block(repetitions: 9, steps: [ask("q", rules: out)])), read("r"), thanks,
        ])
        #expect(sitting.answer("q", .scale(2), at: 1).shown?.section == 0)
        #expect(sitting.answer("q", .scale(1), at: 2).shown?.section == 2)
    }

    @Test func `sections that more jumps lead over than were planned use their last plan again`() throws {
        let steps = [
            read("a", Navigation(goTo: [Self.to("c")])), read("b"),
            read("c", Navigation(goTo: [Self.to("b")])), thanks,
        ]
        var sitting = try Sitting(steps)
        let shown = (1...4).map { sitting.tell(.confirmed, at: Double($0)).shown?.section }
        #expect(shown == [2, 1, 2, 3])
        #expect(sitting.result("c", visit: 2) != nil)
    }

    @Test func `compares the mean heart rate of the last visit`() throws {
        func high(_ step: Identifier) -> Navigation.Condition {
            .init(subject: .heartRate(.init(.during(step))), comparison: .ge, value: .number(100))
        }
        let effort = timed("effort", 10, Navigation(maximumVisits: 3))
        for rates in [[90, 110], [99.5], [], [Double.nan]] {
            let check = read(
                "check", Navigation(goTo: [Self.to("thanks", if: high("effort")), Self.to("effort")]))
            var sitting = try Sitting([effort, check, thanks])
            for rate in rates { sitting.tell(.observed(rate), at: 5) }
            sitting.timeIsUp(1, at: 10)
            #expect(sitting.tell(.confirmed, at: 11).shown?.section == (rates == [90, 110] ? 2 : 0))
            sitting.tell(.observed(120), at: 12)
            sitting.timeIsUp(3, at: 21)
            #expect(sitting.tell(.confirmed, at: 22).shown?.section == 2, "only the last visit counts")
        }
        let rounds = block("b", Block(repetitions: 2, steps: [timed("x", 10)]))
        let skip = Navigation(skipIf: [high("b")])
        var sitting = try Sitting([rounds, read("r", skip), thanks])
        sitting.tell(.observed(150), at: 5)
        sitting.timeIsUp(1, at: 10)
        sitting.tell(.observed(60), at: 15)
        #expect(sitting.timeIsUp(2, at: 20).shown?.section == 2, "the mean over all rounds")
    }

    @Test func `a room that is too loud is asked for quiet, as often as may be`() throws {
        let loud = Navigation.Condition(
            subject: .soundLevel(during: "room"), comparison: .ge, value: .number(0.45))
        for levels in [[0.5, 0.2], [0.2, 0.5], [], [Double.nan]] {
            let goTo = [Self.to("tooLoud", if: loud), Self.to("speak")]
            let room = timed("room", 5, Navigation(goTo: goTo, maximumVisits: 2))
            let ask = read("tooLoud", Navigation(goTo: [Self.to("room")]))
            var sitting = try Sitting([room, ask, timed("speak", 5), thanks])
            for level in levels { sitting.tell(.heard(level), at: 2) }
            #expect(sitting.timeIsUp(1, at: 5).shown?.section == (levels.last == 0.5 ? 1 : 2))
            guard levels.last == 0.5 else { continue }
            sitting.tell(.confirmed, at: 6)
            #expect(sitting.timeIsUp(3, at: 11).shown?.section == 2, "only the last visit counts")
        }
    }

    @Test func `compares answers of each kind`() throws {
        let yes = Navigation.Value.boolean(true)
        let cases: [(AnswerFormat, Answer, Navigation.Comparison, Navigation.Value, Bool)] = [
            (.boolean(yes: .plain("y"), no: .plain("n")), .boolean(true), .eq, yes, true),
            (.boolean(yes: .plain("y"), no: .plain("n")), .boolean(false), .ne, yes, true),
            (.boolean(yes: .plain("y"), no: .plain("n")), .boolean(true), .gt, yes, false),
            (.boolean(yes: .plain("y"), no: .plain("n")), .boolean(true), .ne, .number(1), false),
            (Self.choice, .choice("u"), .eq, .text("u"), true),
            (Self.choice, .choice("u"), .ne, .text("v"), true),
            (Self.choice, .choice("u"), .ne, .number(1), false),
            (Self.choice, .choice("u"), .lt, .text("v"), false),
            (Self.choices, .choices(["u", "v"]), .eq, .text("v"), true),
            (Self.choices, .choices(["u"]), .eq, .text("v"), false),
            (Self.choices, .choices([]), .ne, .text("v"), true),
            (.date(), .date(year: 987, month: 3, day: 4), .eq, .text("0987-03-04"), true),
            (.date(), .date(year: 2020, month: 12, day: 4), .gt, .text("2020-09-30"), true),
            (.date(), .date(year: 2020, month: 12, day: 4), .gt, .number(3), false),
            (.timeOfDay(), .timeOfDay(hour: 7, minute: 5), .le, .text("07:05"), true),
            (.number(unit: nil, minimum: nil, maximum: nil), .number(2.5), .ge, .number(2.5), true),
            (.number(unit: nil, minimum: nil, maximum: nil), .number(2.5), .eq, .text("2.5"), false),
            (.text(maximumLength: nil, pattern: nil), .text("no"), .eq, .text("no"), true),
            (.continuous(from: 0, to: 1, decimals: 1), .continuous(0.5), .ne, .number(0.5), false),
        ]
        for (format, answer, comparison, value, holds) in cases {
            let skip = Navigation(skipIf: [when("q", comparison, value)])
            var sitting = try Sitting([ask("q", format), read("r", skip), thanks])
            let shown = sitting.answer("q", answer, at: 1).shown
            #expect(shown?.section == (holds ? 2 : 1), "\(answer) \(comparison) \(value)")
        }
    }

    private static let choice = AnswerFormat.choice([
        .init(value: "u", text: .plain("U")), .init(value: "v", text: .plain("V")),
    ])
    private static let choices = AnswerFormat.choices([
        .init(value: "u", text: .plain("U")), .init(value: "v", text: .plain("V")),
    ])
}
