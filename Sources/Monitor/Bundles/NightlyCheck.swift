import Logging
import Platform
import Results
import ServiceLifecycle
import Synchronization
import TextFormat

/// Compares each night what is kept with its sums: disks forget without saying so.
struct NightlyCheck: Service {
    let bundles: KeptBundles
    let logger: Logger
    let now: @Sendable () -> Double

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while true {
                // At three the next night, and the day after a day on which the clock is set.
                let next = CivilDay(at: now()).next.second(ofHour: 3)
                do { try await Task.sleep(for: .seconds(next - now())) } catch { return }
                await look()
            }
        }
    }

    /// Looks once, and says what is damaged in the log and in the list of bundles.
    func look() async {
        do throws(Refusal) {
            for (run, problem) in try await bundles.damaged() {
                logger.error(
                    "a kept bundle is damaged; 'entrain deliver --check' sends again what it lacks",
                    metadata: ["run": "\(run)", "problem": "\(problem)"])
            }
        } catch {
            logger.error("the kept bundles cannot be looked at", metadata: ["reason": "\(error.reason)"])
        }
    }
}

extension KeptBundles {
    /// Compares all bundles with their sums, and remembers which are damaged.
    ///
    /// - Returns: their runs, each with what is wrong first.
    func damaged() async throws(Refusal) -> [(run: String, problem: String)] {
        try await apart { () throws(FileFailure) in
            var found: [(run: String, problem: String)] = []
            for entry in try opened()?.entries() ?? [] where entry.isFolder && UUIDText.isUUID(entry.name) {
                do throws(FileFailure) {
                    guard let first = try ResultBundle(at: "\(path)/\(entry.name)").verifySums().first else {
                        continue
                    }
                    found.append((entry.name, first.description))
                } catch {
                    // What was deleted meanwhile is not damaged.
                    if try opened()?.exists(entry.name) == true {
                        found.append((entry.name, error.description))
                    }
                }
            }
            known.damaged.withLock { $0 = Set(found.map(\.run)) }
            return .success(found)
        }
    }
}
