import Platform
package import SessionPorts
package import StudyModel

/// Readings that other programs send: one a line on standard input or at a Unix socket, or as a server's events.
package struct PushSource: SampleSource {
    private let origin: PushOrigin
    private let token: String?
    private let client: HTTPClient?
    private let wallClock: @Sendable () -> Double
    private let remarks: SourceRemarks?
    private let waves: [Signal]

    /// - Parameters:
    ///   - token: for servers that need one.
    ///   - signals: the signals that recorders want.
    ///   - remarks: takes remarks for the end of the run.
    ///   - wallClock: seconds since 1970.
    /// - Throws: `SourceFailure` if libcurl is needed but missing.
    package init(
        _ origin: PushOrigin, token: String? = nil, signals: Set<Signal> = [],
        remarks: SourceRemarks? = nil,
        wallClock: @escaping @Sendable () -> Double = wallSeconds
    ) throws(SourceFailure) {
        self.origin = origin
        waves = signals.waves
        self.token = token
        self.remarks = remarks
        self.wallClock = wallClock
        guard case .events = origin else {
            client = nil
            return
        }
        do throws(HTTPFailure) { client = try HTTPClient() } catch { throw SourceFailure(error.description) }
    }

    /// Checks that readings can come from there, so that a run without them does not begin.
    ///
    /// - Throws: `SourceFailure` if a socket cannot be made.
    package static func check(_ origin: PushOrigin) throws(SourceFailure) {
        guard case .socket(let path) = origin, let problem = UnixSocket.problem(at: path) else { return }
        throw SourceFailure(problem.text)
    }

    /// Returns when standard input, or another program's socket, has ended.
    package func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant {
        guard !Task.isCancelled else { return }
        let inlet = Inlet<PushInterpreter.Input>(.lines, at: clock.now, measure: \.dataSize)
        let reader = LineReader { inlet.send(.line($0)) }
        switch origin {
        case .standardInput: reader.readStandardInput()
        case .socket(let path): reader.serve(path)
        case .events: break
        }
        let events = eventStream
        let (wallClock, waves) = (wallClock, waves)
        let (failure, remarked) = await withDiscardingTaskGroup { group in
            var interpreter = PushInterpreter(from: clock.now, waves: waves)
            var failure: SourceFailure?
            if let events {
                // An endless stream is not read on the run's own thread.
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    await events.run(on: clock) { inlet.send(.line($0)) }
                }
            }
            reading: while let batch = await inlet.next(on: clock) {
                let (now, wall) = clock.now(beside: wallClock)
                let actions = batch.elements.flatMap { interpreter.take($0, at: now, wall: wall) }
                for action in interpreter.report(batch.flood) + actions {
                    guard !Task.isCancelled else { break reading }
                    switch action {
                    case .report(let said): report(said)
                    case .wake(let instant):
                        group.addTask {
                            do { try await clock.sleep(until: instant, tolerance: nil) } catch { return }
                            inlet.send(.woke)
                        }
                    case .fail(let reason):
                        failure = reason
                        break reading
                    case .end: break reading
                    }
                }
            }
            group.cancelAll()
            return (failure, interpreter.remarks)
        }
        reader.stop()
        remarks?.add(remarked, of: name)
        if let failure { throw failure }
    }

    private var name: String {
        switch origin {
        case .standardInput: "standard input"
        case .socket(let path): path
        case .events(let url): url
        }
    }

    private var eventStream: ServerEvents? {
        guard case .events(let url) = origin, let client else { return nil }
        return ServerEvents(url: url, token: token, client: client)
    }
}

/// What is done with what is pushed, as a value.
struct PushInterpreter {
    enum Input: Hashable, Sendable {
        case line(LineEvent)
        /// It is time to check whether anything comes.
        case woke

        /// Bytes that may be dropped if too many come; `nil` for what must not be dropped.
        var dataSize: Int? {
            switch self {
            case .line(.line(let bytes)): bytes.count
            case .line(.tooLong): 0
            case .line(.opened), .line(.closed), .line(.ended), .line(.failed), .woke: nil
            }
        }
    }

    enum Action: Hashable, Sendable {
        case report(SourceReport)
        case wake(RunInstant)
        case fail(SourceFailure)
        case end
    }

    /// If there is no reading for this long, the gap is reported.
    static let silence = Duration.seconds(10)

    private var inbox: LiveInbox
    private var isLive = false
    private var isOpen = false
    private var problem: String?
    private var lastWord: RunInstant
    private let waves: [Signal]

    init(from begin: RunInstant, waves: [Signal] = []) {
        self.waves = waves
        inbox = LiveInbox(from: begin, usualAge: 5)
        lastWord = begin
    }

    var remarks: [String] { inbox.tally.remarks }

    mutating func take(_ input: Input, at now: RunInstant, wall: Double) -> [Action] {
        switch input {
        case .line(.opened):
            lastWord = now
            defer { isOpen = true }
            return revive() + (isOpen ? [] : [.wake(now.advanced(by: Self.silence))])
        case .line(.line(let line)): return read(line, at: now, wall: wall)
        case .line(.tooLong):
            inbox.refuse(LiveReading.Malformed(text: "a line is longer than 64 KiB"))
            return []
        case .line(.closed(let reason)): return lose(reason)
        case .line(.failed(let reason)): return [.fail(SourceFailure(reason))]
        case .line(.ended): return lose("the sender has ended") + [.end]
        case .woke:
            let quiet = lastWord.duration(to: now)
            guard quiet >= Self.silence else { return [.wake(lastWord.advanced(by: Self.silence))] }
            let words = isLive ? lose("no reading for \(Int(quiet / .seconds(1))) s") : []
            return words + [.wake(now.advanced(by: Self.silence))]
        }
    }

    /// Reports readings that came too fast.
    mutating func report(_ flood: (count: Int, since: RunInstant)?) -> [Action] {
        guard let flood else { return [] }
        inbox.leaveOut(flood.count)
        return [.report(.flooded(flood.count, since: flood.since))]
    }

    private mutating func read(_ line: [UInt8], at now: RunInstant, wall: Double) -> [Action] {
        let words = line.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        guard !words.isEmpty else { return [] }
        let readings: [LiveReading]
        do throws(LiveReading.Malformed) {
            readings = try LiveReading.all(inLine: words, waves: waves)
        } catch {
            inbox.refuse(error)
            return []
        }
        lastWord = now
        let watch: [Action] = isOpen ? [] : [.wake(now.advanced(by: Self.silence))]
        isOpen = true
        let samples = inbox.take(readings, at: now, wall: wall)
        return revive() + (inbox.news() + samples.map { .measured($0) }).map(Action.report) + watch
    }

    private mutating func revive() -> [Action] {
        guard !isLive else { return [] }
        (isLive, problem) = (true, nil)
        return [.report(.live)]
    }

    private mutating func lose(_ reason: String) -> [Action] {
        guard problem != reason else { return [] }
        (isLive, problem) = (false, reason)
        return [.report(.lost(SourceProblem(reason)))]
    }
}
