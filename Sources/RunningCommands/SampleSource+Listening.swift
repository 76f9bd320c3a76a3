import SessionPorts
import StudyModel
import StudySession

extension SampleSource {
    /// Measures until the time is over, somebody stops it, or nothing more can come.
    ///
    /// - Parameters:
    ///   - time: the time since the clock's start; `nil` for no limit.
    ///   - ending: yields when somebody stops it.
    ///   - report: receives what was measured; never blocks.
    /// - Returns: why the source could not go on, if so.
    func listen(
        on clock: RunClock, for time: Duration?, until ending: AsyncStream<Void>? = nil,
        report: @escaping @Sendable (SourceReport) -> Void
    ) async -> SourceFailure? {
        await withTaskGroup(of: SourceFailure?.self) { group in
            group.addTask {
                do throws(SourceFailure) {
                    try await run(on: clock, circumstances: { Circumstances() }, report: report)
                    return nil
                } catch { return error }
            }
            if let ending {
                group.addTask {
                    for await _ in ending { break }
                    return nil
                }
            }
            if let time {
                group.addTask {
                    let end = RunInstant.start.advanced(by: time)
                    do { try await clock.sleep(until: end, tolerance: nil) } catch {}
                    return nil
                }
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
