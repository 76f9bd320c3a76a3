import Platform
import StudyModel
import StudyTesting
import Synchronization
import Testing

@testable import Terminal

/// The page of whoever runs sessions.
@Suite(.serialized, .timeLimit(.minutes(1))) struct DeskTests {
    private func page(_ change: (inout DeskPage) -> Void = { _ in }) -> DeskPage {
        var page = DeskPage(
            study: "music, revision 3", comparison: "as it was registered on 2026-11-02", isAsCompared: true,
            clock: "2026-11-30 09:14", nextCode: "P09")
        change(&page)
        return page
    }

    private func run(
        _ state: DeskRun.State = .running, _ participant: String = "P01", room: String? = nil,
        heart: DeskRun.Heart = .rate(71.4, age: .seconds(1)), controls: Set<RunMark.Control> = []
    ) -> DeskRun {
        var run = DeskRun(
            run: "run of \(participant)", room: room, participant: participant, session: "week1",
            state: state,
            step: "Listening to music")
        (run.heart, run.left, run.controls) = (heart, .seconds(134), controls)
        return run
    }

    private let due = DeskAppointment(
        participant: "P04", number: 2, session: "week1", state: "due",
        when: "2026-11-29 to 2026-12-01, 16:00 to 20:00")

    private func picture(_ desk: Desk, _ columns: Int, _ rows: Int) -> String {
        let frame = desk.frame(in: TerminalSize(columns: columns, rows: rows))
        #expect(frame.lines.count == rows && frame.lines.allSatisfy { $0.columns <= columns })
        let edge = "+" + String(repeating: "-", count: columns) + "+\n"
        return edge
            + frame.lines.map { "|\($0.text)" + String(repeating: " ", count: columns - $0.columns) + "|\n" }
            .joined()
            + edge
    }

    /// All that can come together on a page.
    private var full: DeskPage {
        page { page in
            var marked = run(controls: [.pause, .restart, .skip, .message, .end])
            marked.lastMark = "note: coughed"
            page.runs = [
                marked, run(.paused(.seconds(32)), "P02", heart: .unrecorded, controls: [.resume, .end]),
                run(.stopped(canGoOn: true), "P03", heart: .unrecorded),
                run(.silent, "P05", room: "room-3", heart: .unknown),
            ]
            page.due = [
                due,
                DeskAppointment(
                    participant: "P06", number: 2, session: "week1", state: "overdue",
                    when: "2026-11-20 to 2026-11-22",
                    obstacles: [.wrongTime]),
            ]
            page.alarms = [
                DeskAlarm("P01: heartRate: no notification for 5 s"), DeskAlarm("P05: run dead", number: 4),
            ]
            page.unusual = ["P07, baseline: poor: 71.2 % covered, at least 90 % wanted"]
            page.check = [
                "09:12 P04: not ready: 1 thing must be mended first", "STOP heartRate: nothing came in 5 s",
            ]
            page.takesNotes = true
        }
    }

    private var commanded: DeskAppointment {
        var due = due
        due.command = "entrain run study.yaml --participant P04 --session 2 --out results"
        return due
    }

    @Test func `nobody, one who is due, a run and each of its troubles look as they should`() {
        let worries: [DeskPage] = [
            page(), page { $0.due = [commanded] }, page { $0.runs = [run()] },
            page { $0.runs = [run(.paused(.seconds(32)), controls: [.resume])] },
            page { $0.runs = [run(.stopped(canGoOn: false), heart: .unrecorded)] },
            page { $0.runs = [run(.silent, room: "room-3", heart: .unknown)] },
            page {
                $0.runs = [run(.waitingForSource("heartRate"), heart: .unknown, controls: [.withoutSource])]
            },
            page { ($0.runs, $0.alarms) = ([run(heart: .unknown)], [DeskAlarm("P01: run dead", number: 1)]) },
            page {
                ($0.comparison, $0.isAsCompared) = (
                    "the study is not what was registered on 2026-11-02", false
                )
            },
        ]
        let text = worries.map { picture(Desk($0), 80, 16) }.joined()
        #expect(goldenDifference(text, "desk.txt") == nil)
    }

    @Test func `a full page fits terminals of every size`() {
        let text = [(80, 24), (40, 12), (120, 40)].map { picture(Desk(full), $0, $1) }.joined()
        #expect(goldenDifference(text, "desk-sizes.txt") == nil)
        for (columns, rows) in [(1, 1), (3, 2), (20, 5), (200, 60)] {
            for keys in ["", "x", "a", "3"] {
                var desk = Desk(full)
                for key in keys { _ = desk.take(.character(key), pressed: 0) }
                _ = picture(desk, columns, rows)
            }
        }
    }

    @Test func `the same page is told in lines`() {
        let text = Desk(full).lines.joined(separator: "\n") + "\n"
        #expect(goldenDifference(text, "desk-lines.txt") == nil)
    }

    @Test func `keys are offered only while they can do something`() {
        func keys(_ row: DeskRow?, _ change: (inout DeskPage) -> Void = { _ in }) -> String {
            String(DeskAction.offered(for: row, on: page(change)).map(\.key))
        }
        #expect(keys(nil) == "+q")
        #expect(keys(.due(due)) == "bc+q")
        #expect(keys(.run(run())) == "mda+q")
        #expect(keys(.run(run(controls: [.pause, .skip, .end]))) == "mdapsx+q")
        #expect(keys(.run(run(.paused(.seconds(32)), controls: [.resume, .message]))) == "mdagt+q")
        #expect(keys(.run(run(.waitingForSource("h"), controls: [.withoutSource]))) == "mdaw+q")
        #expect(keys(.run(run(.ending, controls: [.end]))) == "+q")
        #expect(keys(.run(run(.silent, room: "room-3", controls: [.end]))) == "+q")
        #expect(keys(.run(run(.stopped(canGoOn: true)))) == "gv+q")
        #expect(keys(.run(run(.stopped(canGoOn: false)))) == "v+q")
        #expect(keys(.run(run())) { $0.takesNotes = true } == "mdan+q")
        var companion = run(controls: [.end])
        companion.takesOrders = false
        #expect(keys(.run(companion)) == "+q")
        #expect(keys(nil) { $0.alarms = [DeskAlarm("a"), DeskAlarm("b", number: 7)] } == "k+q")
        let all = DeskAction.offered(for: .run(run(controls: Set(RunMark.Control.allCases))), on: full).map(
            \.key)
        #expect(Set(all).count == all.count && all.count == 15)
    }

    private func typed(_ text: String, at desk: inout Desk) -> [DeskOrder] {
        text.compactMap { desk.take($0 == "\n" ? .return : .character($0), pressed: 7) }
    }

    @Test func `nothing dangerous is ordered without its reason`() {
        var desk = Desk(page { $0.runs = [run(controls: [.end, .pause, .resume])] })
        #expect(typed("x\n", at: &desk) == [] && desk.question?.words.contains("ends now") == true)
        #expect(typed("  \n", at: &desk) == [])
        _ = desk.take(.escape, pressed: 0)
        #expect(desk.question == nil)
        let orders = typed("xshe is unwell\n", at: &desk)
        #expect(orders.map(\.action) == [.control(.end)] && orders.first?.text == "she is unwell")
        #expect(orders.first?.pressed == 7 && orders.first?.run?.participant == "P01")
        #expect(typed("g", at: &desk).map(\.action) == [.control(.resume)], "going on needs no reason")
        desk.take(page { $0.runs = [run(.stopped(canGoOn: false))] })
        #expect(typed("vn", at: &desk) == [])
        #expect(typed("vy", at: &desk).map(\.action) == [.recover])
    }

    @Test func `an adverse event is judged, and its moment is that of its key`() {
        var desk = Desk(page { $0.runs = [run()] })
        _ = desk.take(.character("a"), pressed: 5)
        #expect(typed("42feels dizzy", at: &desk) == [])
        let order = desk.take(.return, pressed: 99)
        #expect(order?.severity == .moderate && order?.text == "feels dizzy" && order?.pressed == 5)
    }

    @Test func `a session that is not due, and one that was held, ask why`() {
        var early = due
        early.obstacles = [.wrongTime]
        var desk = Desk(page { $0.due = [early] })
        #expect(typed("b", at: &desk) == [] && desk.question?.words.contains("not due now") == true)
        #expect(typed("she travels\n", at: &desk).first?.departs == true)
        early.obstacles = [.repeated]
        desk.take(page { $0.due = [early] })
        #expect(typed("b", at: &desk) == [] && desk.question?.words.contains("done again") == true)
    }

    @Test func `a new code is proposed, and another one can be typed`() {
        var desk = Desk(page())
        #expect(typed("+\n", at: &desk).first?.participant == "P09")
        #expect(typed("+Q1\n", at: &desk).first?.participant == "Q1")
        desk.take(page { $0.isAsCompared = false })
        #expect(typed("+\n", at: &desk) == [] && desk.question?.words.contains("not as it was") == true)
        let order = typed("a typing error\n", at: &desk).first
        #expect(order?.participant == "P09" && order?.departs == true && order?.text == "a typing error")
        desk.take(page { ($0.runs, $0.isAsCompared) = ([run(.stopped(canGoOn: true))], false) })
        #expect(typed("1g", at: &desk) == [] && typed("why\n", at: &desk).first?.action == .goOn)
    }

    @Test func `the chosen row stays chosen while others come and go`() {
        var desk = Desk(page { ($0.runs, $0.due) = ([run()], [due]) })
        _ = typed("2", at: &desk)
        #expect(desk.chosen?.participant == "P04")
        desk.take(page { ($0.runs, $0.due) = ([run(), run(.paused(.seconds(32)), "P02")], [due]) })
        #expect(desk.chosen?.participant == "P04")
        _ = desk.take(.up, pressed: 0)
        #expect(desk.chosen?.participant == "P02")
    }

    @Test func `no key reaches somebody else when the chosen row goes`() {
        var desk = Desk(
            page { ($0.runs, $0.due) = ([run(), run(.paused(.zero), "P02", controls: [.resume])], [due]) })
        #expect(desk.chosen?.participant == "P01")
        desk.take(page { $0.runs = [run(.paused(.zero), "P02", controls: [.resume])] })
        #expect(desk.chosen == nil && typed("g", at: &desk) == [])
        #expect(desk.lines.last == "1-9 choose + new code  q quit")
        #expect(typed("1g", at: &desk).map(\.participant) == ["P02"])
        desk = Desk(page { $0.due = [due] })
        desk.take(page { $0.runs = [run(.running, "P01"), run(.running, "P04")] })
        #expect(desk.chosen?.participant == "P04", "whoever was due runs now")
    }

    @Test func `an order is called received only when it is`() {
        var desk = Desk(page { $0.runs = [run(controls: [.pause])] })
        let order = typed("pcough\n", at: &desk)[0]
        let number = desk.remember(order)
        #expect(desk.told.map(\.text) == ["09:14 pause, P01: ordered, not received yet"])
        desk.take(.received, to: number)
        #expect(desk.told.map(\.text) == ["09:14 pause, P01: received"])
        desk.take(.refused("no timed step is running"), to: number)
        #expect(desk.told.map(\.text) == ["09:14 pause, P01: not done: no timed step is running"])
    }

    @Test func `keys at a terminal order, and leave the terminal as it was`() async {
        let terminal = PseudoTerminal(
            columns: 80, rows: 24, habits: [("P01", "m"), ("What happened", "coughed\r")])
        let page = page { $0.runs = [run()] }
        let ordered = Mutex<[String]>([])
        let left = await DeskScreen(
            input: terminal.program, output: terminal.program, on: nil, usesUnicode: true, isPlain: false
        ).show(
            Desk(page), on: ManualClock(), page: { page },
            perform: { order in
                ordered.withLock { $0.append(order.text) }
                terminal.type("q")
                return .received
            })
        #expect(left.order == nil && left.desk.told.count == 1 && terminal.isSane)
        #expect(ordered.withLock { $0 } == ["coughed"])
        await terminal.finish()
    }
}
