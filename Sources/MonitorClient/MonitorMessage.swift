import MonitorInterface
import Platform
import Results
package import TextFormat

/// A message to a monitor about a series: one request, which may be repeated without harm.
package struct MonitorMessage: Hashable, Sendable {
    /// What the message is about.
    package enum Part: String, Hashable, Sendable {
        /// The description of the series, which is the first message of each. Monitors and spools call a series a
        /// session.
        case series = "session"
        /// Events, identified by their sequence numbers.
        case events
        /// Heart rates, identified by the message's key.
        case heartRate = "heart-rate"
        /// How far the study has come, as this machine's register sees it; the newest counts.
        case progress
    }

    package var part: Part
    /// The key that identifies the message once the monitor has it; `nil` if the body identifies it.
    package var key: String?
    package var body: JSON

    package init(_ part: Part, key: String? = nil, _ body: JSON) {
        self.part = part
        self.key = key
        self.body = body
    }

    /// The secret of a run, if this is its first message.
    var secret: String? { part == .series ? body["secret"]?.text : nil }

    /// A sign of life, which is stored nowhere and not sent again.
    static func alive(to monitor: MonitorAddress, series: String, secret: String? = nil) -> HTTPRequest {
        var request = monitor.request("\(MonitorPath.sessions)/\(series)/\(MonitorPath.alive)", body: [])
        request.limit = .seconds(2)
        request.add(secret: secret)
        return request
    }

    func request(
        to monitor: MonitorAddress, series: String, query: String = "", secret: String? = nil
    ) -> HTTPRequest {
        let path =
            switch part {
            case .series: MonitorPath.sessions
            case .events: "\(MonitorPath.sessions)/\(series)/\(MonitorPath.events)"
            case .heartRate: "\(MonitorPath.sessions)/\(series)/\(MonitorPath.heartRate)"
            case .progress: "/api/\(MonitorPath.studies)/\(body["study"]?.text ?? "")"
            }
        var request = monitor.request(query.isEmpty ? path : "\(path)?\(query)", body: body.encoded())
        request.headers.append(HTTPHeader("Content-Type", "application/json"))
        if let key { request.headers.append(HTTPHeader(MonitorPath.deliveryKey, key)) }
        request.add(secret: secret)
        return request
    }
}

extension HTTPRequest {
    /// Says that it comes from the program that began a run.
    mutating func add(secret: String?) {
        if let secret { headers.append(HTTPHeader(MonitorPath.runSecret, secret)) }
    }
}

extension MonitorMessage {
    /// A heart rate in the form that monitors accept, for any moment.
    ///
    /// - Returns: `nil` if no monitor would store it: no pulse, or an impossible heart rate.
    static func sample(_ rate: Double?, rr intervals: some Sequence<Double>, _ moment: JSON.Object) -> JSON? {
        guard let rate, MonitorLimits.heartRates.contains(rate) else { return nil }
        var object = moment
        object["bpm"] = .real(rate)
        let intervals = intervals.filter { MonitorLimits.intervals.contains($0) }
            .prefix(MonitorLimits.intervalCount)
        if !intervals.isEmpty { object["rr"] = .list(intervals.map(JSON.real)) }
        return .object(object)
    }
}

extension MonitorMessage {
    /// A line of a spool.
    var line: [UInt8] {
        var object = JSON.Object(["part": .text(part.rawValue), "body": body])
        object["key"] = key.map(JSON.text)
        return JSON.object(object).encoded() + [UInt8(ascii: "\n")]
    }

    /// - Returns: `nil` for an incomplete line.
    init?(line: some Sequence<UInt8>) {
        let json: JSON
        do throws(JSON.Malformed) { json = try JSON(parsing: Array(line)) } catch { return nil }
        guard let part = json["part"]?.text.flatMap(Part.init), let body = json["body"] else { return nil }
        self.init(part, key: json["key"]?.text, body)
    }
}
