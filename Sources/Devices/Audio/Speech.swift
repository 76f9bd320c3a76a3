import Glibc
package import StudyModel

/// Words made into samples by the machine's speech program, ahead of the moment they are heard at: espeak-ng, or on
/// macOS `say`.
package enum Speech {
    /// - Parameters:
    ///   - language: of the words; `nil` is English.
    /// - Returns: `nil` where the program is missing or fails.
    package static func samples(of words: String, in language: Language?) -> SpokenWords? {
        let tag = language?.tag ?? "en"
        let general = tag.split(separator: "-").first.map(String.init) ?? tag
        for voice in tag == general ? [tag] : [tag, general] {
            if let said = output(of: program(saying: words, voice: voice)),
                let spoken = SpokenWords(wav: said)
            {
                return spoken
            }
        }
        return nil
    }

    /// A program that writes a WAV on its standard output.
    private static func program(saying words: String, voice: String) -> [String] {
        #if os(macOS)
            // `say` picks the voice of the system's language by itself, and writes to files only.
            let script =
                "f=$(mktemp).wav; say --file-format=WAVE --data-format=LEI16@22050 -o $f -- \"$0\" && cat $f; rm -f $f"
            return ["sh", "-c", script, words]
        #else
            return ["espeak-ng", "--stdout", "-v", voice, "--", words]
        #endif
    }

    /// How long a voice may take for one text, milliseconds.
    private static let patience: Int32 = 10_000

    /// What a program writes on its standard output; `nil` where it cannot be started or fails.
    private static func output(of arguments: [String]) -> [UInt8]? {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        for stream in [STDIN_FILENO, STDERR_FILENO] {
            unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        var process = pid_t()
        let words = unsafe arguments.map { unsafe strdup($0) }
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        let failure = unsafe posix_spawnp(&process, arguments[0], &actions, nil, words + [nil], environ)
        close(ends[1])
        guard failure == 0 else { return nil }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var ready = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
            let change = unsafe poll(&ready, 1, patience)
            if change < 0, errno == EINTR { continue }
            guard change > 0 else {
                kill(process, SIGKILL)
                break
            }
            let count = unsafe read(ends[0], &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            bytes += buffer[..<count]
        }
        return ProcessGroup.wait(for: process) == 0 ? bytes : nil
    }
}

extension SpokenWords {
    /// The words in a WAV of one channel of 16-bit integers, as espeak-ng writes it into a pipe (with lengths that
    /// mean nothing), without the silence before and behind them.
    init?(wav bytes: [UInt8]) {
        guard bytes.count > 44, bytes[0..<4].elementsEqual("RIFF".utf8), bytes[22] == 1, bytes[34] == 16
        else { return nil }
        let rate = (0..<4).reduce(0) { $0 | Int(bytes[24 + $1]) << (8 * $1) }
        let samples = stride(from: 44, to: bytes.count - 1, by: 2).map { index in
            Float(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)) / 32_768
        }
        let isHeard = { (sample: Float) in abs(sample) > 0.002 }
        guard (4_000...96_000).contains(rate), let first = samples.firstIndex(where: isHeard),
            let last = samples.lastIndex(where: isHeard)
        else { return nil }
        self.init(samples: Self.levelled(Array(samples[first...last])), rate: rate)
    }

    /// The words at -21 dB on the average: on both sides about as loud as a clip of -18 LUFS, whatever the voice.
    private static func levelled(_ samples: [Float]) -> [Float] {
        let power = samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)
        let peak = samples.reduce(0) { max($0, abs($1)) }
        guard power > 0 else { return samples }
        let gain = min(0.089 / power.squareRoot(), 0.89 / peak)
        return samples.map { $0 * gain }
    }
}
