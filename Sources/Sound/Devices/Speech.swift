import Glibc
import Platform
package import StudyModel

/// Words turned into samples by espeak-ng, before they are needed.
package struct Speech {
    /// Why nothing is spoken, once that is known.
    package private(set) var problem: String?
    /// The moment by which all texts together must have been spoken, nanoseconds of the monotonic clock.
    private let deadline: Int64
    private let patience: Int64
    private let program: String

    /// - Parameters:
    ///   - program: a program that takes the arguments of espeak-ng.
    ///   - patience: seconds that all texts together may take. A program that needs longer counts as missing.
    package init(by program: String = "espeak-ng", patience: Int64 = 10) {
        self.program = program
        self.patience = patience
        deadline = monotonicNanoseconds() + patience * 1_000_000_000
    }

    /// - Parameters:
    ///   - language: the language of the words; `nil` is English.
    /// - Returns: `nil` if the program is missing, fails or takes too long.
    package mutating func samples(of words: String, in language: Language?) -> SpokenWords? {
        let tag = language?.tag ?? "en"
        let general = tag.split(separator: "-").first.map(String.init) ?? tag
        for tongue in tag == general ? [tag] : [tag, general] where problem == nil {
            if let said = output(of: [program, "--stdout", "-v", tongue, "--", words]),
                let spoken = SpokenWords(wav: said)
            {
                return spoken
            }
        }
        return nil
    }

    /// What a program writes on its standard output; `nil` if it cannot be started, fails or takes too long.
    private mutating func output(of arguments: [String]) -> [UInt8]? {
        var ends: [Int32] = [-1, -1]
        // The program holds the other end of the second pipe, so this end shows when the program is gone.
        var life: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0, unsafe pipe(&life) == 0 else { return nil }
        for end in ends + life { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { for end in [ends[0], life[0]] { close(end) } }
        var process = pid_t()
        let failure = unsafe ProcessGroup.spawn(arguments, as: &process) { actions in
            unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
            for stream in [STDIN_FILENO, STDERR_FILENO] {
                unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
            }
            unsafe posix_spawn_file_actions_adddup2(&actions, life[1], 3)
        }
        for end in [ends[1], life[1]] { close(end) }
        guard failure == 0 else {
            guard failure != E2BIG else { return nil }
            problem =
                failure == ENOENT
                ? "apt install \(arguments[0])" : "\(arguments[0]): \(systemMessage(failure))"
            return nil
        }
        let bytes = read(from: ends[0])
        if bytes == nil {
            let isLate = monotonicNanoseconds() >= deadline
            problem = "\(arguments[0]) " + (isLate ? "took longer than \(patience) s" : "does not stop")
            kill(-process, SIGKILL)
        }
        // A program that has nothing more to say may still keep running.
        let left = Duration.nanoseconds(max(0, deadline - monotonicNanoseconds()))
        if ProcessGroup.firstReady(of: [life[0]], within: left) == nil { kill(-process, SIGKILL) }
        return ProcessGroup.wait(for: process) == 0 ? bytes : nil
    }

    /// More than half an hour of speech.
    private static let most = 1 << 27

    /// Everything that comes out of a pipe; `nil` if it does not end in time.
    private func read(from descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let left = (deadline - monotonicNanoseconds()) / 1_000_000
            guard left > 0 else { return nil }
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&ready, 1, Int32(left)) > 0 else { continue }
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return bytes }
            guard bytes.count + count <= Self.most else { return nil }
            bytes += buffer[..<count]
        }
    }
}

extension SpokenWords {
    /// The words in a WAV with one channel of 16-bit integers, without the silence before and after them.
    ///
    /// espeak-ng writes into a pipe, so its lengths are meaningless; `say` adds other chunks in between.
    init?(wav bytes: [UInt8]) {
        let number = { (offset: Int, size: Int) in
            (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        guard bytes.starts(with: "RIFF".utf8) else { return nil }
        var rate: Int?
        var offset = 12
        while offset + 24 <= bytes.count, !bytes[offset...].starts(with: "data".utf8) {
            if bytes[offset...].starts(with: "fmt ".utf8), number(offset + 10, 2) == 1,
                number(offset + 22, 2) == 16
            {
                rate = number(offset + 12, 4)
            }
            offset += 8 + number(offset + 4, 4)
        }
        guard let rate, offset + 24 <= bytes.count else { return nil }
        let length = min(number(offset + 4, 4), bytes.count - offset - 8)
        let samples = stride(from: offset + 8, to: offset + 7 + length, by: 2).map { index in
            Float(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)) / 32_768
        }
        let isHeard = { (sample: Float) in abs(sample) > 0.002 }
        guard (4_000...96_000).contains(rate), let first = samples.firstIndex(where: isHeard),
            let last = samples.lastIndex(where: isHeard)
        else { return nil }
        self.init(samples: Self.levelled(Array(samples[first...last])), rate: rate)
    }

    /// The words at an average level of -21 dB; on both sides that is about as loud as a clip of -18 LUFS, whatever
    /// the voice.
    private static func levelled(_ samples: [Float]) -> [Float] {
        let power = samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)
        let peak = samples.reduce(0) { max($0, abs($1)) }
        guard power > 0 else { return samples }
        let gain = min(0.089 / power.squareRoot(), 0.89 / peak)
        return samples.map { $0 * gain }
    }
}
