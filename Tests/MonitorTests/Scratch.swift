import Glibc
import Hummingbird
import Logging
import Results
import ServiceLifecycle
import StudyTesting
import TextFormat

@testable import Monitor

/// Everything that these tests write, until they end.
private let scratch: TemporaryFolder = {
    atexit { scratch.remove() }
    return TemporaryFolder()
}()

/// A folder of one test's own.
func scratchFolder() -> String {
    var template = Array("\(scratch.path)/XXXXXX".utf8CString)
    guard let path = unsafe mkdtemp(&template) else { preconditionFailure("no folder in \(scratch.path)") }
    return unsafe String(cString: path)
}

/// A store of one test's own.
func scratchStore(quota: Int = Limits().storedBytes) throws -> Store {
    try Store(folder: scratchFolder(), quota: quota)
}

/// Runs a monitor on a free port of this machine and asks it.
func withMonitor(
    _ configuration: Monitor.Configuration = Monitor.Configuration(), store: Store? = nil,
    ask: @escaping @Sendable (Browser) async throws -> Void
) async throws {
    var configuration = configuration
    configuration.port = 0
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let monitor = Monitor(store: try store ?? scratchStore(), configuration: configuration, logger: logger)
    let (ports, port) = AsyncStream<Int>.makeStream()
    var application = try monitor.application { port.yield($0) }
    application.services = monitor.services
    let group = ServiceGroup(
        configuration: ServiceGroupConfiguration(services: [application], logger: logger))
    try await withThrowingTaskGroup { tasks in
        tasks.addTask {
            defer { port.finish() }
            try await group.run()
        }
        tasks.addTask {
            // The stream ends without a port if the monitor could not begin; its own task says why.
            do {
                for await port in ports {
                    try await ask(Browser(port: port))
                    break
                }
            } catch {
                // A monitor that nobody ends goes on, and with it the test.
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
        }
        try await tasks.waitForAll()
    }
}

func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }
