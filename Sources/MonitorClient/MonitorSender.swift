package import Platform
import Results
import TextFormat

/// Sends messages of one series to a monitor, one at a time.
struct MonitorSender: Sendable {
    private let monitor: MonitorAddress
    private let series: String
    private let query: String
    private let client: HTTPClient

    /// - Parameter query: what addresses end with behind `?`; empty for nothing.
    init(_ monitor: MonitorAddress, series: String, query: String = "", client: HTTPClient) {
        self.monitor = monitor
        self.series = series
        self.query = query
        self.client = client
    }

    func send(_ message: MonitorMessage) async -> MonitorOutbox.Answer {
        do throws(HTTPFailure) {
            return Self.meaning(
                of: try await client.response(to: message.request(to: monitor, series: series, query: query)))
        } catch {
            return .away(error.description)
        }
    }

    /// Says that the run goes on. What became of it does not matter: the next one comes in a second.
    func sayAlive() async {
        do throws(HTTPFailure) {
            _ = try await client.response(to: MonitorMessage.alive(to: monitor, series: series))
        } catch {}
    }

    /// - Parameter response: a monitor's, or that of somebody else (a proxy, another server) who is there instead:
    ///   only a monitor says why.
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

    /// What a monitor says in an answer, perhaps nothing; `nil` if the answer is none of a monitor's.
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
    /// Why no run could be watched there, if so.
    ///
    /// - Parameter series: the identifier of a run that the monitor does not know.
    /// - Throws: `HTTPFailure` where libcurl is not installed.
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
}
