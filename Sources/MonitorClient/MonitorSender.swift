package import Platform
import Results
import TextFormat

/// Sends messages of one series to a monitor, one at a time.
struct MonitorSender: Sendable {
    private let monitor: MonitorAddress
    private let series: String
    private let query: String
    private let secret: String?
    private let client: HTTPClient

    /// - Parameters:
    ///   - query: the end of addresses after `?`; empty for none.
    ///   - secret: that of the run, if the series is one.
    init(
        _ monitor: MonitorAddress, series: String, query: String = "", secret: String? = nil,
        client: HTTPClient
    ) {
        self.secret = secret
        self.monitor = monitor
        self.series = series
        self.query = query
        self.client = client
    }

    func send(_ message: MonitorMessage) async -> MonitorOutbox.Answer {
        do throws(HTTPFailure) {
            return Self.meaning(
                of: try await client.response(
                    to: message.request(to: monitor, series: series, query: query, secret: secret)))
        } catch {
            return .away(error.description)
        }
    }

    /// Reports that the run is going on. The result does not matter, because the next report comes in a second.
    func sayAlive() async {
        do throws(HTTPFailure) {
            _ = try await client.response(
                to: MonitorMessage.alive(to: monitor, series: series, secret: secret))
        } catch {}
    }

    /// - Parameter response: the answer of a monitor, or of something else at that address (a proxy, another
    ///   server). Only a monitor gives a reason.
    static func meaning(of response: HTTPResponse) -> MonitorOutbox.Answer {
        let status = response.head.status
        guard let words = words(of: response.body) else {
            return .away("no monitor is there: it answers \(status)")
        }
        switch status {
        case 200..<300: return .kept
        case 404: return .unknownSeries
        case 400, 409, 413, 422: return .unwanted("the monitor answers \(status): \(words)")
        default: return .away("the monitor answers \(status): \(words)")
        }
    }

    /// The reason in a monitor's answer, possibly empty; `nil` if it is not the answer of a monitor.
    private static func words(of body: [UInt8]) -> String? {
        do throws(JSON.Malformed) {
            let said = try JSON(parsing: body)
            return said["accepted"] == nil ? said["error"]?.text?.limited(to: 300) : ""
        } catch {
            return nil
        }
    }
}

extension MonitorAddress {
    /// Why no run could be shown there, if so.
    ///
    /// - Parameter series: the identifier of a run that the monitor does not know.
    /// - Throws: `HTTPFailure` if libcurl is not installed.
    package func problem(asking series: String) async throws(HTTPFailure) -> String? {
        let client = try HTTPClient()
        do throws(HTTPFailure) {
            let response = try await client.response(to: MonitorMessage.alive(to: self, series: series))
            return switch MonitorSender.meaning(of: response) {
            case .kept, .unknownSeries: nil
            case .away(let reason), .unwanted(let reason): reason
            }
        } catch {
            return error.description
        }
    }

    /// Sends a message that belongs to no series.
    ///
    /// - Returns: why the monitor does not have it, if so.
    /// - Throws: `HTTPFailure` if libcurl is not installed.
    package func problem(telling message: MonitorMessage) async throws(HTTPFailure) -> String? {
        let sender = MonitorSender(self, series: "", client: try HTTPClient())
        return switch await sender.send(message) {
        case .kept: nil
        case .unknownSeries: "no monitor is there, or one that knows nothing of studies"
        case .away(let reason), .unwanted(let reason): reason
        }
    }
}
