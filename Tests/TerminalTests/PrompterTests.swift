import Glibc
import SessionPorts
import StudyModel
import StudyTesting
import Synchronization
import Testing

@testable import Terminal

@Suite(.serialized, .timeLimit(.minutes(30))) struct PrompterTests {
    private static let question = AskedQuestion.sample(
        "q", .scale(from: 1, to: 9, fromLabel: nil, toLabel: nil))
    private static let screens: [Screen] = {
        var screens: [Screen] = [
            .sample(.instruction), .sample(.questions([question])),
            .sample(Screen.thirtySeconds, phase: .running(start: .start, end: .seconds(30)), canSkip: true),
            .sample(.completion),
        ]
        for index in screens.indices { screens[index].ordinal = index + 1 }
        return screens
    }()

    /// A pipe into which all of `text` was written.
    private static func pipe(holding text: String) -> Int32 {
        var ends: [Int32] = [-1, -1]
        unsafe _ = Glibc.pipe(&ends)
        let bytes = Array(text.utf8)
        unsafe _ = write(ends[1], bytes, bytes.count)
        close(ends[1])
        return ends[0]
    }

    private static let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)

    @Test func `lines keep the laws of a prompter`() async {
        let broken = await checkPrompterContract(Self.screens) {
            PlainPrompter(input: Self.pipe(holding: "\n5\nskip\n\n"), output: Self.nowhere)
        }
        #expect(broken == [])
    }

    @Test func `a terminal keeps the laws of a prompter and is left as it was`() async {
        let terminals = (0..<3).map { _ in
            PseudoTerminal(habits: [("go on", "\r"), ("choose", "5\r"), ("pause", "s"), ("finish", "\r")])
        }
        let order = Counter()
        let broken = await checkPrompterContract(Self.screens) {
            let terminal = terminals[order.next()]
            return TerminalPrompter(
                input: terminal.program, output: terminal.program, isListening: true, usesColour: false)
        }
        #expect(broken == [])
        for terminal in terminals {
            #expect(terminal.isSane)
            await terminal.finish()
        }
    }

    @Test func `a person sees each step, and what stays at the end`() async {
        let terminal = PseudoTerminal()
        let (updates, sink) = AsyncStream.makeStream(of: ScreenUpdate.self)
        let (acts, actSink) = AsyncStream.makeStream(of: ParticipantAct.self)
        let prompter = TerminalPrompter(
            input: terminal.program, output: terminal.program, isListening: true, usesColour: false)
        async let running: Void = prompter.run(updates, on: ManualClock()) { actSink.yield($0) }
        var told = acts.makeAsyncIterator()
        sink.yield(.screen(.sample(.instruction, text: "Please sit down.")))
        let first = await terminal.wait(for: "leave")
        #expect(first.contains("Please sit down.") && first.contains("\u{1B}[?2501h"))
        #expect(first.contains("\u{1B}[?1002h"))
        terminal.type("\r")
        #expect(await told.next() == .key("return"))
        #expect(await told.next() == .event(.confirmed, ordinal: 2))
        sink.yield(.screen(.sample(.completion, phase: .saving)))
        _ = await terminal.wait(for: "Saving")
        sink.yield(.over(.completed, folder: "results/P01", problem: nil))
        sink.finish()
        await running
        let rest = await terminal.wait(for: "results/P01\r\n")
        #expect(rest.contains("\u{1B}[?1049l"))
        // Lines have the direction of their first letter no more.
        #expect(rest.contains("\u{1B}[?2501l"))
        #expect(terminal.isSane)
        await terminal.finish()
    }

    @Test func `a run that is only shown leaves the keys alone`() async {
        let terminal = PseudoTerminal()
        let (updates, sink) = AsyncStream.makeStream(of: ScreenUpdate.self)
        let (acts, actSink) = AsyncStream.makeStream(of: ParticipantAct.self)
        let prompter = TerminalPrompter(
            input: terminal.program, output: terminal.program, isListening: false, usesColour: false)
        async let running: Void = prompter.run(updates, on: ManualClock()) { actSink.yield($0) }
        terminal.type("\rqy")
        sink.yield(.screen(.sample(.instruction, text: "Please sit down.")))
        #expect(await !terminal.wait(for: "Please sit down.").contains("\u{1B}[?1002h"))
        sink.finish()
        await running
        actSink.finish()
        for await act in acts { Issue.record("told \(act)") }
        #expect(terminal.isSane)
        await terminal.finish()
    }
}

/// Counts from 0.
private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}
