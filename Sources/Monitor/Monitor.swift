import Glibc
package import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
import NIOSSL
import Platform
import Results
package import ServiceLifecycle
package import StudyModel
import UnixSignals

/// The monitor: a store, the way in, the way out, and the server in front of them.
package struct Monitor: Sendable {
    /// Also the store of `tokens`.
    package let store: Store
    let ingest: Ingest
    let feed: Feed
    let requests: RunRequests
    let alarms: AlarmKeeper
    let bundles: KeptBundles
    private let configuration: Configuration
    private let pages: Pages
    private let logger: Logger

    /// How a monitor is run.
    package struct Configuration: Sendable {
        package var exposure = Exposure()
        package var port = 8080
        package var limits = Limits()
        /// PEM files of the certificate's chain and its key.
        package var certificate: (chain: String, key: String)?
        /// What experimenters are alerted to in runs whose study does not say it.
        package var alarms: [AlarmRule] = []
        /// From what participants are allocated.
        package var ledgers = Ledgers()
        package var charts = "/usr/share/javascript/dygraphs/"

        package init() {}
    }

    package init(store: Store, configuration: Configuration = Configuration(), logger: Logger) {
        self.store = store
        self.configuration = configuration
        self.logger = logger
        pages = Pages(charts: configuration.charts)
        feed = Feed(limits: configuration.limits)
        ingest = Ingest(
            store: store, feed: feed, limits: configuration.limits, logger: logger, now: secondsSince1970)
        requests = RunRequests(feed)
        bundles = KeptBundles(of: store)
        alarms = AlarmKeeper(
            store: store, feed: feed, requests: requests, rules: configuration.alarms, logger: logger,
            now: secondsSince1970)
    }

    /// The server alone, without the services that it needs.
    package func application(
        started: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws -> Application<MonitorResponder> {
        let limits = configuration.limits
        let responder = MonitorResponder(
            store: store, ingest: ingest, feed: feed, requests: requests,
            ledgers: configuration.ledgers, bundles: bundles,
            access: AccessControl(exposure: configuration.exposure, limits: limits, store: store),
            pages: pages,
            limits: limits, isEncrypted: configuration.exposure.isEncrypted, now: secondsSince1970)
        return Application(
            responder: responder, server: try server(limits),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.exposure.host, port: configuration.port), backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: logger)),
            onServerRunning: { channel in await started(channel.localAddress?.port ?? 0) },
            logger: logger)
    }

    /// Services that the server needs, in the order in which they begin.
    package var services: [any Service] { [ingest, feed, alarms, nightlyCheck] }

    private var nightlyCheck: NightlyCheck {
        NightlyCheck(bundles: bundles, logger: logger, now: secondsSince1970)
    }

    private func server(_ limits: Limits) throws -> HTTPServerBuilder {
        let pending = PendingConnections(limit: limits.pendingConnectionsPerAddress)
        let plain = HTTPServerBuilder.http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [RequestDeadline(limits: limits, pending: pending)],
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                    maxHeaderFieldCount: limits.headerFields)))
        guard let (chain, key) = configuration.certificate else { return plain }
        let certificates = try usable("certificate", chain) {
            try NIOSSLCertificate.fromPEMFile(chain).map { NIOSSLCertificateSource.certificate($0) }
        }
        let privateKey = try usable("key", key) { try NIOSSLPrivateKey(file: key, format: .pem) }
        var encryption = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates, privateKey: .privateKey(privateKey))
        // With keys that are new for each connection (RFC 9325).
        encryption.minimumTLSVersion = .tlsv12
        encryption.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
        return try usable("certificate with the key \(key)", chain) {
            try .tls(plain, tlsConfiguration: encryption)
        }
    }

    private func usable<Value>(_ what: String, _ path: String, _ make: () throws -> Value) throws -> Value {
        do { return try make() } catch {
            throw ListenFailure(
                "cannot use the \(what) \(path): it should be a file in PEM form that can be read (\(error))")
        }
    }

    /// Serves until SIGTERM or SIGINT; then ends streams, answers what was asked, writes what was sent, and closes
    /// the store, within ten seconds.
    ///
    /// - Parameter started: told the port when it listens.
    package func run(started: @escaping @Sendable (Int) async -> Void) async throws {
        var group = ServiceGroupConfiguration(
            services: [ingest, try application(started: started), alarms, nightlyCheck, feed],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(10)
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as IOError {
            let place = "port \(configuration.port) of \(configuration.exposure.host)"
            throw ListenFailure(
                error.errnoCode == EADDRINUSE
                    ? "\(place) is taken by another program: choose another with --port"
                    : "cannot listen on \(place): \(systemMessage(error.errnoCode))")
        }
        try store.close()
    }
}

/// A server that cannot begin.
package struct ListenFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}

/// Seconds since 1970, to the microsecond.
package func secondsSince1970() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec / 1000) / 1e6
}
