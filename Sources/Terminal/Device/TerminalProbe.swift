import Glibc
import Platform
package import StudyModel

/// What a terminal says of itself when it is asked, before a run.
package struct TerminalFacts: Hashable, Sendable {
    package var keyboard = Keyboard()
    /// The colour behind its text; `nil` if it does not say.
    package var background: Colour?
    /// How it shows pictures, as far as it says so.
    package var imageForm = StepImage.Form.alternative

    package init() {}

    /// Reads the answers to `TerminalProbe.question`, among whatever else was typed.
    ///
    /// - Parameter type: the terminal's, `TERM`.
    init(answers: [UInt8], type: String = "") {
        let text = String(decoding: answers, as: UTF8.self)
        for answer in text.split(separator: "\u{1B}").map(String.init) {
            if answer.hasPrefix("[?"), answer.hasSuffix("u"), let flags = Int(answer.dropFirst(2).dropLast())
            {
                // Kinds of events are only told of keys that are not sent as plain text.
                keyboard.tellsHeldKeys = flags & 0b1010 == 0b1010
            } else if answer.hasPrefix("]11;"), Colour.areIndexed(on: type) {
                background = Colour(answer.dropFirst(4).filter { $0 != "\u{7}" && $0 != "\\" })
            } else if answer.hasPrefix("_G"), answer.contains(";OK") {
                imageForm = .kitty
            } else if answer.hasPrefix("[?"), answer.hasSuffix("c"), imageForm != .kitty,
                answer.dropFirst(2).dropLast().split(separator: ";").dropFirst().contains("4")
            {
                imageForm = .sixel
            }
        }
        // A terminal that tells its colours shows 256 of them.
        if imageForm == .alternative, background != nil { imageForm = .blocks }
    }

    /// Whether the last question, to which every terminal knows an answer, was answered.
    static func isComplete(_ answers: [UInt8]) -> Bool {
        String(decoding: answers, as: UTF8.self).split(separator: "\u{1B}").contains {
            $0.hasPrefix("[?") && $0.hasSuffix("c")
        }
    }
}

/// Asks a terminal, and whoever sits at it, before a run what cannot be known otherwise.
package struct TerminalProbe: ~Copyable {
    private let input: Int32
    private let output: Int32
    private var original = termios()

    /// Switches on all that the keyboard protocol of kitty has, asks which of it is on, and undoes it; then the colour
    /// of the background (OSC 11), whether it takes a picture of one point, and what kind of terminal it is, which ends
    /// the answers and names sixels as 4.
    /// https://sw.kovidgoyal.net/kitty/keyboard-protocol/, https://sw.kovidgoyal.net/kitty/graphics-protocol/
    static let question =
        Painter.keysOn + "\u{1B}[?u" + Painter.keysOff + "\u{1B}]11;?\u{1B}\\"
        + "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" + "\u{1B}[c"

    /// For so long a terminal may think, milliseconds.
    private static let patience: Int32 = 500
    /// No terminal answers with more bytes.
    private static let longestAnswers = 4096
    /// A held key comes again within this time, milliseconds.
    private static let longestDelay: Int32 = 1_500
    /// How often a held key has to come.
    private static let arrivals = 8

    /// - Returns: `nil` if one of them is no terminal.
    package init?(input: Int32, output: Int32) {
        (self.input, self.output) = (input, output)
        guard isatty(output) == 1, unsafe tcgetattr(input, &original) == 0 else { return nil }
        var raw = original
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        raw.c_iflag &= ~tcflag_t(ICRNL)
        unsafe tcsetattr(input, TCSANOW, &raw)
    }

    deinit {
        var original = original
        unsafe tcsetattr(input, TCSANOW, &original)
    }

    package func facts() -> TerminalFacts {
        send(Self.question)
        var answers: [UInt8] = []
        // A key that is held down, or a terminal that has gone away, must not be asked forever.
        while !TerminalFacts.isComplete(answers), answers.count < Self.longestAnswers,
            let bytes = read(within: Self.patience), !bytes.isEmpty
        {
            answers += bytes
        }
        return TerminalFacts(answers: answers, type: environmentVariable("TERM") ?? "")
    }

    /// How a key is measured that somebody holds down.
    package enum Measurement: Hashable, Sendable {
        case measured(Keyboard.Repetition)
        /// Somebody went on without it.
        case leftOut
        case interrupted
    }

    /// Measures how the space bar repeats.
    ///
    /// - Parameters:
    ///   - request: what to do, in one line. It is said again if the key was let go too early.
    ///   - now: seconds.
    package func repetition(request: String, now: () -> Double) -> Measurement {
        var instants: [Double] = []
        send(request + "\n")
        while true {
            guard let bytes = read(within: instants.isEmpty ? -1 : Self.longestDelay) else {
                if instants.count > 1 { send(request + "\n") }
                instants = []
                continue
            }
            if bytes.isEmpty || bytes.contains(3) { return .interrupted }
            if bytes.contains(13) || bytes.contains(10) { return .leftOut }
            instants += bytes.filter { $0 == UInt8(ascii: " ") }.map { _ in now() }
            guard instants.count >= Self.arrivals else { continue }
            if let measured = Keyboard.Repetition(instants) { return .measured(measured) }
            instants = []
        }
    }

    /// Says something, and waits until no key comes any more.
    package func say(_ words: String) {
        send(words + "\n")
        while let bytes = read(within: 300), !bytes.isEmpty {}
    }

    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        unsafe _ = write(output, bytes, bytes.count)
    }

    /// - Returns: `nil` if nothing came in time; empty if nothing will come any more.
    private func read(within milliseconds: Int32) -> [UInt8]? {
        var wait = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wait, 1, milliseconds) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe Glibc.read(input, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}
