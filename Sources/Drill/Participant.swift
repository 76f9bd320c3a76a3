import CPlatform
import Glibc
import Platform
import Results
import Synchronization

/// A simulated person at a system terminal, who reads what is shown line by line and types answers.
///
/// The person keeps a list of what was shown and typed, which the program does not know.
final class Participant: Sendable {
    private let master: Int32
    private let seen = Mutex("")
    private let stop: (read: Int32, write: Int32)
    private let done = Semaphore()
    /// The terminal that the program gets.
    let terminal: String
    /// What the person answers, by the last words of what asks for it.
    private static let answers = [
        ("Choose a number from 6 to 20", "9"), ("Type your answer.", "no words"),
        ("Type the number of your answer.", "2"),
    ]
    /// How these answers stand in the result, by question.
    static let answered = ["effort": "9", "words": "no words", "taste": "sour"]

    /// Opens a new terminal.
    init() throws(FileFailure) {
        var name = [CChar](repeating: 0, count: 64)
        master = unsafe entrain_open_terminal(O_RDWR | O_NOCTTY | O_CLOEXEC, &name, UInt(name.count))
        guard master >= 0, let ends = ProcessGroup.pipe() else {
            throw FileFailure("open", "/dev/ptmx", .system(code: errno))
        }
        terminal = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        stop = ends
    }

    deinit {
        close(stop.read)
        close(stop.write)
    }

    /// What was shown so far.
    var shown: String { seen.withLock(\.self) }

    /// Reads and types until `leave`, or until the person goes away silently and the line hangs up.
    ///
    /// - Parameter patience: the time after which the line hangs up; `nil` for a person who stays.
    func start(patience: Duration?) {
        DetachedThread.start { [self] in
            sit(until: patience.map { ContinuousClock.now + $0 })
            close(master)
            done.signal()
        }
    }

    /// Waits until the person has gone.
    func leave() {
        _ = unsafe Glibc.write(stop.write, "x", 1)
        done.wait(milliseconds: 5000)
    }

    private func sit(until deadline: ContinuousClock.Instant?) {
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let left = deadline.map { ContinuousClock.now.duration(to: $0) } ?? .milliseconds(150)
            if left <= .zero { return }
            switch ProcessGroup.firstReady(of: [stop.read, master], within: min(left, .milliseconds(150))) {
            case 1:
                // The program has not opened the terminal yet, or has already closed it.
                guard !look(&piece) else { continue }
                if ProcessGroup.firstReady(of: [stop.read], within: .milliseconds(20)) != nil { return }
            case nil: type()
            case _?:
                // What the program said last may wait to be read.
                while ProcessGroup.firstReady(of: [master], within: .zero) != nil, look(&piece) {}
                return
            }
        }
    }

    /// - Returns: whether anything was shown.
    private func look(_ piece: inout [UInt8]) -> Bool {
        let count = unsafe read(master, &piece, piece.count)
        guard count > 0 else { return false }
        let text = String(decoding: piece.prefix(count), as: UTF8.self)
        seen.withLock { $0 += text }
        return true
    }

    /// Nothing more is being shown, so it is the person's turn.
    private func type() {
        let lines = shown.split(whereSeparator: \.isNewline)
        let isAskedToBegin = lines.last?.hasPrefix("Press Return to begin") == true
        guard isAskedToBegin || lines.contains(where: { $0.hasPrefix("Step ") }) else { return }
        let words = Self.answers.first { lines.last?.hasPrefix($0.0) ?? false }?.1 ?? ""
        var bytes = Array("\(words)\n".utf8)
        _ = unsafe Glibc.write(master, &bytes, bytes.count)
    }
}
