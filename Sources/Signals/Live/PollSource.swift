import Platform
package import SessionPorts
package import StudyModel
import TextFormat

/// A server that is asked repeatedly for what is new since the last answer.
package struct PollSource: SampleSource {
    private let server: PolledServer
    private let token: String?
    private let client: HTTPClient
    private let wallClock: @Sendable () -> Double
    private let remarks: SourceRemarks?
    private let waves: [Signal]

    /// The longest time that an answer may take, whatever the interval.
    private static let slowest = Duration.seconds(30)

    /// - Parameters:
    ///   - token: for servers that need one, in the header `Authorization: Bearer`.
    ///   - signals: the signals that recorders want.
    ///   - remarks: takes remarks for the end of the run.
    ///   - wallClock: seconds since 1970.
    /// - Throws: `SourceFailure` if libcurl is missing.
    package init(
        _ server: PolledServer, token: String? = nil, signals: Set<Signal> = [],
        remarks: SourceRemarks? = nil,
        wallClock: @escaping @Sendable () -> Double = wallSeconds
    ) throws(SourceFailure) {
        self.server = server
        self.token = token
        self.remarks = remarks
        waves = signals.waves
        self.wallClock = wallClock
        do throws(HTTPFailure) { client = try HTTPClient() } catch { throw SourceFailure(error.description) }
    }

    /// Never returns by itself.
    package func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant {
        let origin = clock.now
        var poll = Poll(server, from: origin, waves: waves)
        var next = origin
        while !Task.isCancelled {
            let answer = await answer(to: poll.question)
            let (now, wall) = clock.now(beside: wallClock)
            // A long answer is not read on the run's own thread.
            let reports = await withTaskExecutorPreference(globalConcurrentExecutor) {
                poll.take(answer, at: now, wall: wall)
            }
            guard !Task.isCancelled else { break }
            for said in reports { report(said) }
            // Requests keep to their times; one whose time has passed is left out.
            repeat { next = next.advanced(by: server.interval) } while next <= clock.now
            guard await clock.wait(until: max(next, poll.notBefore)) != nil else { break }
        }
        remarks?.add(poll.remarks, of: server.url)
    }

    private func answer(to question: String) async -> Result<HTTPResponse, HTTPFailure> {
        var request = HTTPRequest(question)
        request.limit = Self.slowest
        request.headers = [HTTPHeader("Accept", "application/json, application/x-ndjson")]
        if let token { request.headers.append(HTTPHeader("Authorization", "Bearer \(token)")) }
        do throws(HTTPFailure) { return .success(try await client.response(to: request)) } catch {
            return .failure(error)
        }
    }
}

/// Requests to a server and its answers, as a value.
struct Poll {
    private let server: PolledServer
    private var inbox: LiveInbox
    private var cursor: String?
    private var isLive = false
    private var problem: String?
    private var failures = 0
    private var lastNews: RunInstant
    private var allowance = Allowance.lines
    private var lastAnswer: RunInstant
    /// Whether it was reported that there is nothing new.
    private var isQuiet = false
    /// The server asked not to be contacted before this moment.
    private(set) var notBefore = RunInstant.start
    private let waves: [Signal]

    init(_ server: PolledServer, from origin: RunInstant, waves: [Signal] = []) {
        self.waves = waves
        self.server = server
        inbox = LiveInbox(from: origin, usualAge: server.interval / .seconds(1))
        lastNews = origin
        lastAnswer = origin
    }

    /// The address to ask, with the cursor once there is one.
    var question: String {
        if server.url.contains("{cursor}") {
            return server.url.replacing("{cursor}", with: (cursor ?? "null").percentEncoded())
        }
        guard let cursor else { return server.url }
        return server.url + (server.url.contains("?") ? "&" : "?") + "since=" + cursor.percentEncoded()
    }

    /// The remarks for the end of the run.
    var remarks: [String] {
        (failures > 0 ? ["requests without an answer: \(failures); the last time: \(problem ?? "")"] : [])
            + inbox.tally.remarks
    }

    /// How long a server may send nothing new before this is reported.
    private var patience: Duration { max(server.interval * 2, .seconds(10)) }

    mutating func take(
        _ answer: Result<HTTPResponse, HTTPFailure>, at now: RunInstant, wall: Double
    ) -> [SourceReport] {
        switch answer {
        case .failure(let failure): return fail(failure.description)
        case .success(let response):
            guard response.head.isSuccess else {
                wait(response.head, from: now)
                return fail(Self.words(response.head.status))
            }
            return take(response.body, at: now, wall: wall)
        }
    }

    private mutating func take(_ body: [UInt8], at now: RunInstant, wall: Double) -> [SourceReport] {
        let answer = PollAnswer(body, waves: waves)
        for problem in answer.problems { inbox.refuse(problem) }
        if !answer.problems.isEmpty, answer.readings.isEmpty {
            return fail("none of the readings in the server's answers is understood")
        }
        cursor = answer.cursor ?? cursor
        var samples = inbox.take(answer.readings, at: now, wall: wall)
        let flood = limit(&samples, at: now)
        if samples.isEmpty {
            let quiet = lastNews.duration(to: now)
            guard quiet > patience else { return revive() + inbox.news() }
            guard !isQuiet else { return inbox.news() }
            (isLive, isQuiet) = (false, true)
            return inbox.news() + [.lost("the server has sent nothing new for \(Int(quiet / .seconds(1))) s")]
        }
        (lastNews, isQuiet) = (now, false)
        return revive() + inbox.news() + flood + samples.map { .measured($0) }
    }

    /// Drops the oldest samples of an answer that has more than a run can process.
    private mutating func limit(_ samples: inout [Timed<SignalValue>], at now: RunInstant) -> [SourceReport] {
        let flood = max(0, samples.count - allowance.refill(at: now))
        samples.removeFirst(flood)
        allowance.spend(samples.count)
        defer { lastAnswer = now }
        guard flood > 0 else { return [] }
        inbox.leaveOut(flood)
        return [.flooded(flood, since: lastAnswer)]
    }

    /// Samples seem to come again. A server that sent nothing for a long time is lost until it does.
    private mutating func revive() -> [SourceReport] {
        guard !isLive else { return [] }
        isLive = true
        return [.live]
    }

    private mutating func fail(_ reason: String) -> [SourceReport] {
        failures += 1
        let isKnown = !isLive && !isQuiet && problem == reason
        (isLive, isQuiet, problem) = (false, false, reason)
        return isKnown ? [] : [.lost(SourceProblem(reason))]
    }

    /// Observes the header `Retry-After`, in seconds.
    private mutating func wait(_ head: HTTPHead, from now: RunInstant) {
        guard let told = head["Retry-After"].flatMap({ Int($0) }), (1...3600).contains(told) else { return }
        notBefore = now.advanced(by: .seconds(told))
    }

    private static func words(_ status: Int) -> String {
        switch status {
        case 401, 403:
            "the server answers \(status): it requires a token; set the environment variable ENTRAIN_TOKEN"
        case 404: "the server answers 404: there is nothing at this address"
        case 429: "the server answers 429: it is asked too often"
        default: "the server answers \(status)"
        }
    }
}
