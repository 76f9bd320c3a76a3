import Allocating
import ArgumentParser
import Logging
import Monitor
import MonitorInterface

extension Serve {
    func perform() async throws {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let store = try data.open()
        var configuration = Monitor.Configuration()
        configuration.exposure = Exposure(
            host: host, hasCertificate: certificate != nil, proxy: behindProxy,
            isInsecure: insecure)
        configuration.exposure.name = hostName?.lowercased()
        configuration.port = port
        configuration.limits.requestsPerSecond = Double(rate)
        if let certificate = certificate, let key = key {
            configuration.certificate = (certificate, key)
        }
        configuration.ledgers = try opened(ledgers)
        configuration.alarms = alarmRules
        let hasToken = try !store.tokens().isEmpty
        if let problem = configuration.exposure.problem(hasToken: hasToken) {
            throw Failure(problem, code: 64)
        }
        let monitor = Monitor(
            store: store, configuration: configuration, logger: Logger(label: "entrain-monitor"))
        if untilInputEnds { try Lifeline.watch() }
        let scheme = certificate == nil ? "http" : "https"
        let host = host.contains(":") ? "[\(host)]" : host
        do {
            try await monitor.run { port in say("Listening on \(scheme)://\(host):\(port)/") }
        } catch let failure as ListenFailure {
            throw Failure(failure.description, code: 69)
        } catch {
            throw Failure("the monitor ended: \(error)", code: 69)
        }
    }
    /// The ledgers in these folders.
    private func opened(_ folders: [String]) throws -> Ledgers {
        do throws(LedgerFailure) {
            return try Ledgers(folders: folders)
        } catch {
            let code: Int32 =
                switch error.kind {
                case .usage: 64
                case .damaged: 65
                case .unreachable, .tooMany: 69
                case .disk: 74
                }
            throw Failure(error.description, code: code)
        }
    }
}
