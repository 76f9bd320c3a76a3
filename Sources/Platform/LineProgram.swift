import CPlatform
import Glibc
import Synchronization

/// Another program, with which this one exchanges lines. It sees nothing but what it is given.
///
/// It has a process group of its own, which ends as a whole with the conversation. If this program is killed, the
/// kernel kills the other one. If the other program writes faster than this one reads, its lines wait in its own
/// pipe.
package final class LineProgram: Sendable {
    /// The program to start, and what it sees.
    package struct Command: Hashable, Sendable {
        /// The program's path.
        package var path: String
        /// Its name and its arguments.
        package var words: [String]
        /// `NAME=value`.
        package var environment: [String]
        /// The folder in which it works.
        package var folder: String

        package init(path: String, words: [String], environment: [String], folder: String) {
            (self.path, self.words, self.environment, self.folder) = (path, words, environment, folder)
        }
    }

    package enum Word: Hashable, Sendable {
        /// A line; `nil` if it was too long.
        case line([UInt8]?)
        case ended(End)
    }

    /// How a program ended.
    package enum End: Hashable, Sendable {
        /// By itself, with this exit code and the last line of its error output, if it wrote any.
        case code(Int32, errorLine: String?)
        /// By this signal.
        case signal(Int32)
        /// It closed its output, did not end, and was ended.
        case fellSilent
        /// It was stopped.
        case stopped
        /// It never began: the system's error number.
        case neverBegan(Int32)
    }

    private struct State {
        var isStopped = false
        /// Bytes that are still to be written to it.
        var unsaid: [UInt8] = []
    }

    private let command: Command
    private let state = Mutex(State())
    private let bell = WakePipe()

    /// Lines that are accepted at once, and in each second after that.
    private static let burst = 200
    private static let rate = 100
    /// Bytes that may wait for a program that does not read.
    private static let room = 65_536
    /// How long a program may take to end when it is asked to, or when it has closed its output.
    private static let patience = (asked: Int32(500), silent: Int32(1000))
    private static let longestErrorOutput = 4096

    package init(_ command: Command) {
        self.command = command
    }

    /// Sends a line. It is left out if too much is waiting already. Never blocks.
    package func say(_ line: [UInt8]) {
        state.withLock { state in
            guard state.unsaid.count + line.count < Self.room else { return }
            state.unsaid += line + [0x0A]
        }
        bell?.ring()
    }

    /// Asks the program to end; it ends a little later.
    package func stop() {
        state.withLock { $0.isStopped = true }
        bell?.ring()
    }

    /// Starts the program, and returns when all of its processes have ended: by themselves, stopped, or because the
    /// task was cancelled.
    package func run(_ tell: @escaping @Sendable (Word) -> Void) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DetachedThread.start { [self] in
                    tell(.ended(converse { tell(.line($0)) }))
                    continuation.resume()
                }
            }
        } onCancel: {
            stop()
        }
    }
}

// MARK: The conversation, on a thread of its own

extension LineProgram {
    /// Our ends of its pipes, and what was read from them.
    private struct Link {
        var process: pid_t
        /// Becomes readable when the program has ended.
        var watch: Int32
        var input: Int32
        var output: Int32
        var errors: Int32
        var isOutputOpen = true
        var hasEnded = false
        /// Whether everything that it wrote before it ended has been read.
        var isDrained = false
        var buffer = LineBuffer()
        /// Lines that were read and not passed on yet.
        var ready: [[UInt8]?] = []
        var errorOutput: [UInt8] = []
    }

    private func converse(_ tell: ([UInt8]?) -> Void) -> End {
        guard let bell else { return .neverBegan(EMFILE) }
        guard !state.withLock(\.isStopped) else { return .stopped }
        var link: Link
        switch begin() {
        case .failure(let failure): return .neverBegan(failure.code)
        case .success(let begun): link = begun
        }
        defer { for end in [link.watch, link.input, link.output, link.errors] where end >= 0 { close(end) } }
        let start = monotonicNanoseconds()
        var told = 0
        while !state.withLock(\.isStopped) {
            let allowed =
                Self.burst + Int((monotonicNanoseconds() - start) / 1_000_000 * Int64(Self.rate) / 1000)
            let count = min(link.ready.count, max(0, allowed - told))
            for line in link.ready.prefix(count) { tell(line) }
            told += count
            link.ready.removeFirst(count)
            if link.ready.isEmpty, link.isDrained || !link.isOutputOpen { break }
            wait(&link, bell)
        }
        return end(&link)
    }

    private func begin() -> Result<Link, ChildProgram.Failure> {
        let pipes = (0..<3).compactMap { _ in ProcessGroup.pipe() }
        guard pipes.count == 3 else {
            let code = errno
            for pipe in pipes { _ = (close(pipe.read), close(pipe.write)) }
            return .failure(ChildProgram.Failure(code: code))
        }
        var process: pid_t = 0
        let code = Self.spawn(
            command, as: &process, input: pipes[0].read, output: pipes[1].write, errors: pipes[2].write)
        for end in [pipes[0].read, pipes[1].write, pipes[2].write] { close(end) }
        let ours = [pipes[0].write, pipes[1].read, pipes[2].read]
        let watch = code == 0 ? entrain_watch_process(process) : -1
        guard code == 0, watch >= 0 else {
            let failure = code == 0 ? errno : code
            for end in ours { close(end) }
            if process > 0 {
                kill(-process, SIGKILL)
                ProcessGroup.wait(for: process)
            }
            return .failure(ChildProgram.Failure(code: failure))
        }
        for end in ours { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        return .success(
            Link(process: process, watch: watch, input: ours[0], output: ours[1], errors: ours[2]))
    }

    private static func spawn(
        _ command: Command, as process: inout pid_t, input: Int32, output: Int32, errors: Int32
    ) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = unsafe command.words.map { unsafe strdup($0) }
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe command.environment.map { unsafe strdup($0) }
        unsafe words.append(nil)
        unsafe variables.append(nil)
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        return unsafe entrain_spawn_tied(
            &process, command.path, words, variables, command.folder, input, output, errors)
    }

    /// Waits until something happens, and takes it in.
    private func wait(_ link: inout Link, _ bell: WakePipe) {
        let unsaid = state.withLock { !$0.unsaid.isEmpty }
        // While lines wait to be passed on, nothing more is read.
        let isListening = link.ready.isEmpty
        var polled = [
            bell.awaited,
            pollfd(
                fd: isListening && link.isOutputOpen ? link.output : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: link.errors, events: Int16(POLLIN), revents: 0),
            pollfd(fd: link.hasEnded ? -1 : link.watch, events: Int16(POLLIN), revents: 0),
            pollfd(fd: unsaid ? link.input : -1, events: Int16(POLLOUT), revents: 0),
        ]
        let limit = isListening ? link.hasEnded ? 0 : -1 : Int32(1000 / Self.rate)
        guard unsafe poll(&polled, nfds_t(polled.count), limit) >= 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        if polled[0].revents != 0 { _ = unsafe read(bell.descriptor, &bytes, bytes.count) }
        if polled[3].revents != 0 { link.hasEnded = true }
        if polled[1].revents != 0 || link.hasEnded && isListening { readOutput(&link, &bytes) }
        if polled[2].revents != 0 { readErrorOutput(&link, &bytes) }
        if polled[4].revents != 0 { sayMore(&link) }
    }

    private func readOutput(_ link: inout Link, _ bytes: inout [UInt8]) {
        let count = unsafe read(link.output, &bytes, bytes.count)
        if count > 0 {
            link.ready += link.buffer.lines(with: bytes[..<count])
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            link.isOutputOpen = false
            finishLastLine(&link)
        } else if link.hasEnded, errno == EAGAIN {
            // Another process still holds its output open, but writes nothing any more.
            link.isDrained = true
            finishLastLine(&link)
        }
    }

    /// Bytes after the end of the last line are a line too.
    private func finishLastLine(_ link: inout Link) {
        if !link.buffer.rest.isEmpty { link.ready.append(link.buffer.rest) }
    }

    private func readErrorOutput(_ link: inout Link, _ bytes: inout [UInt8]) {
        let count = unsafe read(link.errors, &bytes, bytes.count)
        if count > 0 {
            link.errorOutput = (link.errorOutput + bytes[..<count]).suffix(Self.longestErrorOutput)
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            close(link.errors)
            link.errors = -1
        }
    }

    /// Nothing more is written to a program that has closed its input.
    private func sayMore(_ link: inout Link) {
        state.withLock { state in
            let count = unsafe write(link.input, state.unsaid, state.unsaid.count)
            if count > 0 {
                state.unsaid.removeFirst(count)
            } else if count < 0, errno != EAGAIN, errno != EINTR {
                state.unsaid = []
                close(link.input)
                link.input = -1
            }
        }
    }

    /// Ends the program with all of its group, unless it has ended by itself.
    private func end(_ link: inout Link) -> End {
        let isStopped = state.withLock(\.isStopped)
        if link.input >= 0 { close(link.input) }
        link.input = -1
        var isForced = isStopped
        if !isStopped,
            ProcessGroup.firstReady(of: [link.watch], within: .milliseconds(Self.patience.silent)) == nil
        {
            isForced = true
        }
        if isForced {
            kill(-link.process, SIGTERM)
            _ = ProcessGroup.firstReady(of: [link.watch], within: .milliseconds(Self.patience.asked))
        }
        kill(-link.process, SIGKILL)
        let status = ProcessGroup.wait(for: link.process)
        var bytes = [UInt8](repeating: 0, count: 16_384)
        if link.errors >= 0 { readErrorOutput(&link, &bytes) }
        guard !isStopped else { return .stopped }
        guard !isForced else { return .fellSilent }
        let lines = String(decoding: link.errorOutput, as: UTF8.self).split(whereSeparator: \.isNewline)
        return status & 0x7f == 0
            ? .code(status >> 8 & 0xff, errorLine: lines.last.map(String.init)) : .signal(status & 0x7f)
    }
}
