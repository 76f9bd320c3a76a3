import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Results
import TextFormat

@testable import Monitor

/// A folder of one test's own.
func scratchFolder() -> String {
    var template = Array("/tmp/entrain-monitor-XXXXXX".utf8CString)
    guard let path = unsafe mkdtemp(&template) else { preconditionFailure("no folder under /tmp") }
    return unsafe String(cString: path)
}

/// A store of one test's own.
func scratchStore(quota: Int = Limits().storedBytes) throws -> Store {
    try Store(folder: scratchFolder(), quota: quota)
}

/// Runs a monitor on a free port of this machine and asks it.
func withMonitor(
    _ configuration: Monitor.Configuration = Monitor.Configuration(), store: Store? = nil,
    ask: @Sendable (any TestClientProtocol) async throws -> Void
) async throws {
    var configuration = configuration
    configuration.port = 0
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let monitor = Monitor(store: try store ?? scratchStore(), configuration: configuration, logger: logger)
    var application = try monitor.application()
    application.services = monitor.services
    try await application.test(.live) { client in try await ask(client) }
}

extension TestClientProtocol {
    func post(_ path: String, _ body: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await execute(uri: path, method: .post, headers: headers, body: ByteBuffer(string: body))
    }

    func get(_ path: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await execute(uri: path, method: .get, headers: headers)
    }
}

extension TestResponse {
    var json: JSON {
        get throws { try JSON(parsing: Array(body.readableBytesView)) }
    }
    var text: String { String(buffer: body) }
}

func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }
