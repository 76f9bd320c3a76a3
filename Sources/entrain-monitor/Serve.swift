import ArgumentParser
import Logging
import Monitor

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Takes heart rates in and shows them in a browser.",
        discussion: """
            Only this machine can connect unless --host says otherwise. Another address needs a token, and \
            encryption: a certificate, or a reverse proxy that has one.
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes any that is free, and says which.")
    var port = 8080

    @OptionGroup var data: DataOptions

    @Option(help: ArgumentHelp("The certificate and those that vouch for it, PEM.", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "file"))
    var key: String?

    @Option(
        help: ArgumentHelp(
            "The address of the reverse proxy that encrypts; nobody else may connect.", valueName: "address"))
    var behindProxy: String?

    @Flag(help: "Serve another address without encryption. Anyone between can read heart rates and tokens.")
    var insecure = false

    @Option(help: "Requests per second that one token may make.")
    var rate = 1000

    @Flag(help: .hidden)
    var untilInputEnds = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port should be 0 to 65535") }
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--certificate and --key belong together")
        }
        guard (1...1_000_000).contains(rate) else { throw ValidationError("--rate should be 1 to 1000000") }
    }

    func run() async throws { try await reporting { try await serve() } }

    private func serve() async throws {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let store = try data.open()
        var configuration = Monitor.Configuration()
        configuration.exposure = Exposure(
            host: host, hasCertificate: certificate != nil, proxy: behindProxy, isInsecure: insecure)
        configuration.port = port
        configuration.limits.requestsPerSecond = Double(rate)
        if let certificate, let key { configuration.certificate = (certificate, key) }
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
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure("the monitor ended: \(error)", code: 69)
        }
    }
}
