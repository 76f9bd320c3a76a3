import Glibc
import Platform
import SessionPorts
import Signals
import StudyModel
import StudySession
import StudyTesting
import Synchronization
import Testing

@Suite(.enabled(if: HTTPClient.problem == nil, "libcurl is not on this machine"), .timeLimit(.minutes(30)))
struct PollSourceTests {
    @Test func `keeps the laws of sources, and asks with the cursor it was given`() async throws {
        let server = ScriptedServer([
            .status(
                200, #"{"cursor":"c","samples":[{"t":1000000000,"bpm":61.0},{"t":1000000001,"bpm":62.0}]}"#)
        ])
        defer { server.stop() }
        let source = try PollSource(
            PolledServer(url: server.url(), interval: .seconds(1)), token: "secret",
            wallClock: { 1_000_000_001 })
        #expect(await checkSampleSourceContract(source) == [])
        #expect(server.requests[0].hasPrefix("GET / HTTP/1.1\r\n"))
        #expect(server.requests[0].contains("Authorization: Bearer secret\r\n"))
        #expect(server.requests[1].hasPrefix("GET /?since=c HTTP/1.1\r\n"))
    }

    @Test func `goes on after errors, and remarks on them`() async throws {
        let server = ScriptedServer([
            .status(200, "60"), .status(500, "no"), ScriptedServer.Answer(""), .status(200, "61"),
        ])
        defer { server.stop() }
        let remarks = SourceRemarks()
        let source = try PollSource(
            PolledServer(url: server.url(), interval: .seconds(5)), remarks: remarks, wallClock: { 0 })
        let trace = await SampleSourceTrace(of: source, turns: 4)
        #expect(trace.brokenLaws == [])
        #expect(trace.samples.prefix(2).map(\.value.rate) == [60, 61])
        #expect(trace.samples.prefix(2).map(\.arrival) == [.start, .seconds(15)])
        #expect(trace.reports.count { if case .lost = $0.what { true } else { false } } == 2)
        #expect(remarks.all.count == 1 && remarks.all[0].contains("requests without an answer: 2"))
    }
}

@Suite(.timeLimit(.minutes(30))) struct PushSourceTests {
    /// A path that nobody else uses.
    private static func freshPath() -> String {
        "/tmp/entrain-test-\(getpid())-\(UInt64.random(in: .min ... .max)).sock"
    }

    /// Runs a source on a clock that stands still, and hands what it reports to `body`.
    private func listen(
        to origin: PushOrigin, _ body: @escaping @Sendable (Queue<SourceReport>) async -> Void
    ) async throws -> SourceFailure? {
        let source = try PushSource(origin, wallClock: { 0 })
        let (reports, sink) = AsyncStream.makeStream(of: SourceReport.self)
        return await withTaskGroup(of: SourceFailure?.self) { group in
            group.addTask {
                defer { sink.finish() }
                do throws(SourceFailure) {
                    try await source.run(
                        on: ManualClock(), circumstances: { Circumstances() }, report: { sink.yield($0) })
                    return nil
                } catch {
                    return error
                }
            }
            await body(Queue(reports))
            group.cancelAll()
            return await group.next() ?? nil
        }
    }

    /// Connects as soon as somebody listens, on a thread of its own: whoever is to listen may need ours.
    private static func connect(to path: String) async -> Int32 {
        await withCheckedContinuation { connected in
            DetachedThread.start {
                while true {
                    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                    if unsafe withAddress(path, { unsafe Glibc.connect(descriptor, $0, $1) }) == 0 {
                        connected.resume(returning: descriptor)
                        return
                    }
                    close(descriptor)
                    sched_yield()
                }
            }
        }
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func send(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        // Whoever has gone must not end the tests by a signal.
        _ = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Makes a socket, and sends to whoever connects to it while the tests run.
    private static func serve(_ text: String, at path: String) {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isBound = unsafe withAddress(path, { unsafe Glibc.bind(listener, $0, $1) }) == 0
        #expect(isBound && Glibc.listen(listener, 8) == 0)
        DetachedThread.start {
            while true {
                let descriptor = Glibc.accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                send(text, to: descriptor)
            }
        }
    }

    @Test func `a script keeps the laws of sources`() async throws {
        let path = Self.freshPath()
        Self.serve("70\nnonsense\n{\"bpm\":71,\"rr\":[0.8]}\n", at: path)
        defer { unsafe unlink(path) }
        let source = try PushSource(.socket(path: path), wallClock: { 0 })
        #expect(await checkSampleSourceContract(source) == [])
    }

    @Test func `any program can send readings to a socket, and another after it`() async throws {
        let path = Self.freshPath()
        let failure = try await listen(to: .socket(path: path)) { reports in
            for round in 0..<2 {
                let descriptor = await Self.connect(to: path)
                #expect(await reports.next() == .live)
                Self.send("9\(round)\nnonsense\n{\"bpm\":70,", to: descriptor)
                Self.send("\"rr\":[0.8]}\n", to: descriptor)
                let expected = [
                    HeartRateSample(rate: 90 + Double(round)), HeartRateSample(rate: 70, rrIntervals: [0.8]),
                ]
                for sample in expected {
                    #expect(await reports.next() == .sample(Timed(sample, at: .start, arrival: .start)))
                }
                close(descriptor)
                #expect(await reports.next() == .lost("the sender has disconnected"))
            }
            var status = stat()
            #expect(unsafe lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
        #expect(failure == nil)
        var status = stat()
        #expect(unsafe lstat(path, &status) != 0)
    }

    @Test func `a file in the place of the socket is left alone`() async throws {
        let path = Self.freshPath()
        close(unsafe open(path, O_CREAT | O_WRONLY, 0o600))
        defer { unsafe unlink(path) }
        let failure = try await listen(to: .socket(path: path)) { reports in
            #expect(await reports.next() == nil)
        }
        #expect(failure?.description.contains("is not a socket to read from") == true)
        var status = stat()
        #expect(unsafe lstat(path, &status) == 0)
    }

    @Test func `what can never be a socket is known before the run`() throws {
        let path = Self.freshPath()
        try PushSource.check(.socket(path: path))
        try PushSource.check(.standardInput)
        close(unsafe open(path, O_CREAT | O_WRONLY, 0o600))
        defer { unsafe unlink(path) }
        for (wrong, words) in [
            (path, "another file has that name"), (path + "/x/heart.sock", "cannot be made"),
            ("/tmp/" + String(repeating: "x", count: 120), "longer than 107 bytes"),
        ] {
            let failure = #expect(throws: SourceFailure.self) { try PushSource.check(.socket(path: wrong)) }
            #expect(failure?.description.contains(words) == true, "\(failure as Any)")
            #expect(failure?.isBadData == false)
        }
    }

    @Test(.enabled(if: HTTPClient.problem == nil, "libcurl is not on this machine"))
    func `reads a server's events`() async throws {
        let server = ScriptedServer([
            ScriptedServer.Answer(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                    + "id: 4\nevent: heartRate\ndata: {\"bpm\":66}\n\n", isHeld: true)
        ])
        defer { server.stop() }
        let failure = try await listen(to: .events(url: server.url())) { reports in
            #expect(await reports.next() == .live)
            let sample = HeartRateSample(rate: 66)
            #expect(await reports.next() == .sample(Timed(sample, at: .start, arrival: .start)))
        }
        #expect(failure == nil)
        #expect(server.requests.first?.contains("Accept: text/event-stream\r\n") == true)
    }
}
