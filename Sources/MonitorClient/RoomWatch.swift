import MonitorInterface
package import Platform
package import SessionPorts
package import StudyModel
import TextFormat

/// A run as a monitor tells of it. Times are seconds.
package struct WatchedRun: Hashable, Sendable {
    package var run: String
    /// The name of the token with which its room reports.
    package var room: String?
    package var study: String
    package var participant: String
    package var session: Int
    /// The title of the step on show.
    package var step = ""
    /// Whether the monitor has heard nothing of it for some seconds.
    package var isLost: Bool
    /// For how long it is paused; `nil` if it is not.
    package var paused: Double?
    /// What is left of a timed step.
    package var left: Double?
    /// Beats per minute, and how long ago it was measured.
    package var heart: (rate: Double, age: Double)? { rate.map { ($0, age) } }
    /// Whether it has had a heart rate.
    package private(set) var hasHeart = false
    /// What is wrong with its sources, such as `heartRate: the battery is low: 12 %`.
    package var troubles: [String] = []
    /// The source for which it waits.
    package var awaitedSource: String?
    /// What can be done to its course, as far as the monitor knows.
    package var controls: Set<RunMark.Control> = []
    private var rate: Double?
    private var age = 0.0

    /// - Parameter now: of the monitor's clock, seconds since 1970.
    /// - Returns: `nil` if it is no run that goes on.
    init?(_ json: JSON, now: Double) {
        guard json["kind"]?.text == SeriesKind.run.rawValue, let state = json["state"]?.text,
            state != "over", let run = json["id"]?.text
        else { return nil }
        (self.run, room, study) = (run, json["source"]?.text, json["study"]?.text ?? "")
        (participant, session) = (json["participant"]?.text ?? "", json["session"]?.integer ?? 1)
        isLost = state != "running"
        if let last = json["last"], let rate = last["bpm"]?.number, let time = last["t"]?.number {
            (self.rate, age, hasHeart) = (rate, max(0, now - time), true)
        }
        let steps = json["steps"]?.list ?? []
        let progress = json["progress"]
        let name = progress?["step"]?.text
        let step = steps.first { $0["identifier"]?.text == name }
        self.step = step?["title"]?.text ?? name ?? ""
        let (since, paused) = (progress?["since"]?.number, progress?["paused"]?.number)
        let sources = json["sources"]?.list ?? []
        let lost = sources.first { $0["state"]?.text == "lost" }?["name"]?.text
        troubles = sources.compactMap { source in
            source["text"]?.text.map { "\(source["name"]?.text ?? ""): \($0)" }
        }
        awaitedSource = since == nil ? lost : nil
        if lost != nil { rate = nil }
        self.paused = paused.map { max(0, now - $0) }
        if let since, let duration = step?["duration"]?.number {
            left = max(0, since + duration - (paused ?? now))
        }
        controls = Self.controls(
            since, paused, isWaiting: awaitedSource != nil, isLast: name == steps.last?["identifier"]?.text)
    }

    private static func controls(_ since: Double?, _ paused: Double?, isWaiting: Bool, isLast: Bool)
        -> Set<RunMark.Control>
    {
        var controls: Set<RunMark.Control> = [.message, .end]
        if since != nil { controls.formUnion([paused == nil ? .pause : .resume, .restart]) }
        if isWaiting { controls.insert(.withoutSource) }
        if !isLast { controls.insert(.skip) }
        return controls
    }
}

/// An alarm of a run that a monitor has raised, and nobody has acknowledged.
package struct WatchedAlarm: Hashable, Sendable {
    package var number: Int
    package var run: String
    package var words: String
    package var isOver: Bool
}

/// Asks a monitor how the runs of all rooms are, and tells it what an experimenter wants of them.
package struct RoomWatch: Sendable {
    /// Whether the monitor may be told anything about runs: it wants a token for that.
    package var canControl: Bool { monitor.token != nil }
    private let monitor: MonitorAddress
    private let client: HTTPClient

    /// Why the monitor did not answer, or did not do what it was asked.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Throws: `HTTPFailure` if libcurl is not installed.
    package init(_ monitor: MonitorAddress) throws(HTTPFailure) {
        (self.monitor, client) = (monitor, try HTTPClient())
    }

    /// The runs that go on or are lost, and the alarms that nobody has acknowledged.
    package func look() async throws(Failure) -> (runs: [WatchedRun], alarms: [WatchedAlarm]) {
        let now = try await read(MonitorPath.clock)["now"]?.number ?? 0
        let sessions = try await read(MonitorPath.sessions)["sessions"]?.list ?? []
        let runs = sessions.compactMap { WatchedRun($0, now: now) }
        let alarms = try await read("/api/\(MonitorPath.alarms)")["alarms"]?.list ?? []
        return (
            runs,
            alarms.compactMap { alarm in
                guard alarm["acknowledged"] == nil, let number = alarm["number"]?.integer,
                    let run = alarm["session"]?.text, let words = Self.words(of: alarm)
                else { return nil }
                return WatchedAlarm(number: number, run: run, words: words, isOver: alarm["ended"] != nil)
            }
        )
    }

    private static func words(of alarm: JSON) -> String? {
        let members = ["kind", "limit", "for"].compactMap { key in alarm[key].map { (key, $0) } }
        return AlarmRule(json: .members(Dictionary(members) { first, _ in first }))?.words
    }

    /// Puts a mark into a run, or changes its course; returns when the run has it in its journal.
    package func ask(_ run: String, for request: MarkRequest) async throws(Failure) {
        let (pressed, uncertainty) = try await moment(of: request.pressed)
        try await post(
            "\(MonitorPath.sessions)/\(run)/\(MonitorPath.requests)",
            .members([
                "control": request.control.map { .text($0.rawValue) }, "kind": .text(request.kind.rawValue),
                "pressed": .real(pressed), "severity": request.severity.map { .text($0.rawValue) },
                "text": .text(request.text), "uncertainty": .real(uncertainty),
            ]))
    }

    /// Writes a note about a participant.
    ///
    /// - Parameter pressed: the moment that it is about, nanoseconds of the machine's monotonic clock.
    package func note(_ text: String, about participant: String, pressed: Int64) async throws(Failure) {
        let moment = try await moment(of: pressed).time
        try await post(
            "/api/notes", ["participant": .text(participant), "t": .real(moment), "text": .text(text)])
    }

    /// Says that somebody has seen an alarm.
    package func acknowledge(_ alarm: Int) async throws(Failure) {
        try await post("/api/\(MonitorPath.alarms)/\(alarm)", [:])
    }

    /// A moment of this machine by the monitor's clock, and how many seconds that may be off.
    private func moment(of pressed: Int64) async throws(Failure) -> (time: Double, uncertainty: Double) {
        let asked = monotonicNanoseconds()
        guard let said = try await read(MonitorPath.clock)["now"]?.number else {
            throw Failure(description: "the monitor does not say its time")
        }
        let clock = ClockComparison(asked: asked, answered: monotonicNanoseconds(), said: said)
        return (clock.time(pressed), clock.uncertainty)
    }

    /// Whoever looks has a page to show, so a monitor that takes long is not waited for.
    private func read(_ path: String) async throws(Failure) -> JSON {
        var request = monitor.request(path)
        request.limit = .seconds(2)
        return try await answer(request)
    }

    private func post(_ path: String, _ body: JSON) async throws(Failure) {
        var request = monitor.request(path, body: body.encoded())
        request.headers.append(HTTPHeader("Content-Type", "application/json"))
        _ = try await answer(request)
    }

    private func answer(_ request: HTTPRequest) async throws(Failure) -> JSON {
        let response: HTTPResponse
        do { response = try await client.response(to: request) } catch {
            throw Failure(description: "\(error)")
        }
        let said = (try? JSON(parsing: response.body)) ?? .null
        guard response.head.isSuccess else {
            throw Failure(description: said["error"]?.text ?? "the monitor answers \(response.head.status)")
        }
        return said
    }
}
