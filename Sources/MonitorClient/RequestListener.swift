import MonitorInterface
import Platform
import SessionPorts
import StudyModel
import TextFormat

/// Receives from a monitor what experimenters want of a run, and says what came of it.
struct RequestListener: Sendable {
    let monitor: MonitorAddress
    let run: String
    /// That with which the run was begun.
    let secret: String?
    let client: HTTPClient
    let requests: AsyncStream<MarkRequest>.Continuation

    private var path: String { "\(MonitorPath.sessions)/\(run)/\(MonitorPath.requests)" }

    /// Listens until it is cancelled.
    func listen() async {
        var parser = ServerEventParser(names: [MonitorPath.request])
        while !Task.isCancelled {
            var request = monitor.request(path)
            (request.limit, request.sizeLimit) = (nil, nil)
            request.add(secret: secret)
            // A monitor sends a sign of life every two seconds.
            request.silenceLimit = .seconds(30)
            parser.begin()
            for await event in client.events(of: request) {
                guard case .bytes(let bytes) = event else { continue }
                for told in parser.take(bytes) { await hand(told) }
            }
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
        }
    }

    /// Hands a request to the run.
    private func hand(_ told: [UInt8]) async {
        guard let json = try? JSON(parsing: told), let number = json["number"]?.integer else { return }
        let (answers, answer) = AsyncStream.makeStream(of: String?.self)
        let clock = await comparison()
        let request = clock.flatMap { clock in
            MarkRequest(json, by: clock) { problem in
                answer.yield(problem)
                answer.finish()
            }
        }
        guard let request else {
            await say("this request cannot be understood", to: number)
            return
        }
        if case .terminated = requests.yield(request) {
            await say("the run is over", to: number)
            return
        }
        for await problem in answers { await say(problem, to: number) }
    }

    private func say(_ problem: String?, to number: Int) async {
        let body = JSON.members(["problem": problem.map { .text($0) } ?? .null])
        var request = monitor.request("\(path)/\(number)", body: body.encoded())
        request.headers.append(HTTPHeader("Content-Type", "application/json"))
        request.add(secret: secret)
        do throws(HTTPFailure) { _ = try await client.response(to: request) } catch {}
    }

    /// The best of three comparisons of the clocks, each over one question and its answer.
    private func comparison() async -> ClockComparison? {
        var best: ClockComparison?
        for _ in 0..<3 {
            var request = monitor.request(MonitorPath.clock)
            request.limit = .seconds(2)
            let asked = monotonicNanoseconds()
            guard let response = try? await client.response(to: request), response.head.isSuccess,
                let said = (try? JSON(parsing: response.body))?["now"]?.number
            else { continue }
            let found = ClockComparison(asked: asked, answered: monotonicNanoseconds(), said: said)
            if found.uncertainty < best?.uncertainty ?? .infinity { best = found }
        }
        return best
    }
}

/// How a monitor's clock relates to this machine's monotonic one.
struct ClockComparison: Hashable, Sendable {
    /// Nanoseconds of the monotonic clock when the monitor looked at its own, and what it saw, seconds since 1970.
    private let (middle, said): (Double, Double)
    /// How many seconds the comparison may be off: half of the time that the answer took.
    let uncertainty: Double

    /// - Parameters:
    ///   - asked: when the question was sent, nanoseconds of the monotonic clock.
    ///   - answered: when the answer came.
    ///   - said: what the monitor's clock showed in between, seconds since 1970.
    init(asked: Int64, answered: Int64, said: Double) {
        let took = Double(answered) - Double(asked)
        (middle, self.said) = (Double(asked) + took / 2, said)
        uncertainty = took / 2e9
    }

    /// A moment of the monitor's clock in nanoseconds of the monotonic clock; `nil` if it is more than a day away.
    func monotonic(_ time: Double) -> Int64? {
        let away = time - said
        guard abs(away) < 86_400 else { return nil }
        return Int64(middle + away * 1e9)
    }

    /// A moment of the monotonic clock, in nanoseconds, as one of the monitor's clock.
    func time(_ monotonic: Int64) -> Double { said + (Double(monotonic) - middle) / 1e9 }
}

extension MarkRequest {
    fileprivate init?(_ json: JSON, by clock: ClockComparison, reply: @escaping @Sendable (String?) -> Void) {
        guard let kind = json["kind"]?.text.flatMap(RunMark.Kind.init), let text = json["text"]?.text,
            let pressed = json["pressed"]?.number.flatMap(clock.monotonic)
        else { return nil }
        self.init(
            kind, json["severity"]?.text.flatMap(RunMark.Severity.init),
            control: json["control"]?.text.flatMap(RunMark.Control.init), text: text, by: json["by"]?.text,
            pressed: pressed, reply: reply)
        let others = json["uncertainty"]?.number ?? 0
        uncertainty = .seconds(min(max(others + clock.uncertainty, 0), 86_400))
    }
}
