import ArgumentParser
import Logging
import Monitor
import MonitorInterface

struct Serve: AsyncParsableCommand {
    static let configuration = ServeOptions.configuration

    @OptionGroup var options: ServeOptions

    @Flag(help: .hidden)
    var untilInputEnds = false

    func run() async throws { try await reporting { try await serve() } }

    private func serve() async throws {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let store = try options.data.open()
        var configuration = Monitor.Configuration()
        configuration.exposure = Exposure(
            host: options.host, hasCertificate: options.certificate != nil, proxy: options.behindProxy,
            isInsecure: options.insecure)
        configuration.port = options.port
        configuration.limits.requestsPerSecond = Double(options.rate)
        if let certificate = options.certificate, let key = options.key {
            configuration.certificate = (certificate, key)
        }
        let hasToken = try !store.tokens().isEmpty
        if let problem = configuration.exposure.problem(hasToken: hasToken) {
            throw Failure(problem, code: 64)
        }
        let monitor = Monitor(
            store: store, configuration: configuration, logger: Logger(label: "entrain-monitor"))
        if untilInputEnds { try Lifeline.watch() }
        let scheme = options.certificate == nil ? "http" : "https"
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        do {
            try await monitor.run { port in say("Listening on \(scheme)://\(host):\(port)/") }
        } catch let failure as ListenFailure {
            throw Failure(failure.description, code: 69)
        } catch {
            throw Failure("the monitor ended: \(error)", code: 69)
        }
    }
}
