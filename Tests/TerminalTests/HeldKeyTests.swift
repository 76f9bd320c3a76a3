import SessionPorts
import StudyModel
import Testing

@testable import Terminal

/// Held keys: told by the terminal, measured, or not known.
@Suite struct HeldKeyTests {
    @Test(
        arguments: [
            ("\u{1B}[97;;97u", [Keystroke(.character("a"))]),
            ("\u{1B}[97;1:2;97u", [Keystroke(.character("a"), isRepetition: true)]), ("\u{1B}[97;1:3u", []),
            ("\u{1B}[97:65;2;65u", [Keystroke(.character("A"))]),
            ("\u{1B}[97:65;2u", [Keystroke(.character("A"))]),
            (
                "\u{1B}[13u\u{1B}[9;2u\u{1B}[27u\u{1B}[127;1:2u",
                [
                    Keystroke(.return), Keystroke(.backTab), Keystroke(.escape),
                    Keystroke(.backspace, isRepetition: true),
                ]
            ),
            (
                "\u{1B}[1;1:2A\u{1B}[B\u{1B}[3;1:1~\u{1B}[1;1:3D",
                [
                    Keystroke(.up, isRepetition: true), Keystroke(.down), Keystroke(.delete),
                ]
            ),
            (
                "\u{1B}[99;5u\u{1B}[1089::99;5u\u{1B}[109;5u",
                [
                    Keystroke(.control("c")), Keystroke(.control("c")), Keystroke(.return),
                ]
            ),
            ("\u{1B}[57441;2u\u{1B}[57400;129;49u", [Keystroke(.character("1"))]),
            ("\u{1B}[0;;233u", [Keystroke(.character("é"))]), ("\u{1B}[115;3u", [Keystroke(.alt("s"))]),
            (
                "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\x\u{1B}]11;rgb:0/0/0\u{7}y",
                [
                    Keystroke(.character("x")), Keystroke(.character("y")),
                ]
            ), ("\u{1B}[?31ux", [Keystroke(.character("x"))]),
        ] as [(String, [Keystroke])])
    func `keys are read as kitty reports them`(text: String, keys: [Keystroke]) {
        var decoder = KeyDecoder()
        #expect(Array(text.utf8).flatMap { decoder.decode([$0]) } == keys)
        #expect(decoder.patience == nil)
    }

    @Test func `a character is kept, however slowly its bytes come`() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0xC3]).isEmpty)
        #expect(decoder.patience == 1_000)
        #expect(decoder.decode([0xA9, 0x0D]).map(\.key) == [.character("é"), .return])
    }

    /// Which of the arrivals of one key, seconds, are presses.
    private func presses(_ keyboard: Keyboard, _ arrivals: [(Double, Bool)]) -> [Bool] {
        var gate = KeyGate(keyboard)
        return arrivals.map { gate.isPress(Keystroke(.character("f"), isRepetition: $1), at: .seconds($0)) }
    }

    @Test func `a terminal that tells held keys is believed`() {
        let fast = (0..<40).map { (10 + Double($0) * 0.12, false) }
        #expect(presses(Keyboard(tellsHeldKeys: true), fast).allSatisfy { $0 })
        let held = [(1, false), (1.5, true), (1.53, true), (1.6, false)]
        #expect(presses(Keyboard(tellsHeldKeys: true), held) == [true, false, false, true])
    }

    @Test func `a measured rhythm tells held keys, and fast ones from them`() {
        let measured = Keyboard(repetition: Keyboard.Repetition(delay: 0.5, period: 0.033))
        let held = [1, 1.51, 1.543, 1.577, 1.9, 2.2, 2.21].map { ($0, false) }
        #expect(presses(measured, held) == [true, false, false, false, true, true, false])
        let reactions = (0..<40).map { (10 + Double($0) * 0.31, false) }
        #expect(presses(measured, reactions).allSatisfy { $0 })
    }

    @Test func `the rhythm of a held key is measured, and of no other`() {
        let arrivals = [3] + (0..<7).map { 3.6 + Double($0) * 0.04 }
        let rhythm = Keyboard.Repetition(arrivals)
        #expect(rhythm.map { abs($0.delay - 0.6) < 1e-9 && abs($0.period - 0.04) < 1e-9 } == true)
        #expect(Keyboard.Repetition((0..<8).map { Double($0) * 0.2 }) == nil)
        #expect(Keyboard.Repetition([3, 3.6, 3.64]) == nil)
        #expect(Keyboard.Repetition([3, 3.6, 3.64, 3.68, 3.72, 4.2, 4.24]) == nil)
    }

    @Test func `what a terminal answers is known, and nothing else`() {
        let kitty = TerminalFacts(
            answers: Array("\u{1B}[?31u\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{7}\u{1B}[?62c".utf8))
        #expect(kitty.keyboard.tellsHeldKeys)
        #expect(kitty.background == Colour(red: 30 / 255, green: 30 / 255, blue: 46 / 255))
        for answer in ["\u{1B}[?62c", "\u{1B}[?1u\u{1B}[?62c", "abc", ""] {
            #expect(TerminalFacts(answers: Array(answer.utf8)) == TerminalFacts())
        }
        #expect(TerminalFacts.isComplete(Array("x\u{1B}[?1;2c".utf8)))
        #expect(!TerminalFacts.isComplete(Array("\u{1B}[?31u".utf8)))
    }

    @Test func `a terminal is asked, and left as it was`() async {
        let terminal = PseudoTerminal(habits: [("[c", "\u{1B}[?31u\u{1B}[?62c")])
        var facts: TerminalFacts?
        if let probe = TerminalProbe(input: terminal.program, output: terminal.program) {
            facts = probe.facts()
        }
        #expect(facts?.keyboard == Keyboard(tellsHeldKeys: true))
        #expect(terminal.isSane)
        await terminal.finish()
    }

    @Test func `a held space bar is measured at a terminal, and Return goes on without it`() async {
        var clock = [3] + (0..<7).map { 3.5 + Double($0) * 0.03 }
        for (typed, expected) in [
            ("        ", TerminalProbe.Measurement.measured(.init(delay: 0.5, period: 0.03))),
            ("\r", .leftOut),
            ("\u{3}", .interrupted),
        ] {
            let terminal = PseudoTerminal(habits: [("Hold", typed)])
            var measured: TerminalProbe.Measurement?
            if let probe = TerminalProbe(input: terminal.program, output: terminal.program) {
                measured = probe.repetition(request: "Hold", now: { clock.removeFirst() })
            }
            if case .measured(let rhythm) = measured, case .measured(let right) = expected {
                #expect(abs(rhythm.delay - right.delay) < 1e-9 && abs(rhythm.period - right.period) < 1e-9)
            } else {
                #expect(measured == expected)
            }
            #expect(terminal.isSane)
            await terminal.finish()
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a terminal that goes away is not asked forever`() {
        let facts = PseudoTerminal.withGone { terminal, goAway in
            guard let probe = TerminalProbe(input: terminal, output: terminal) else {
                return TerminalFacts?.none
            }
            goAway()
            return probe.facts()
        }
        #expect(facts == TerminalFacts())
    }
}
