import StudyModel
import StudySession

extension SampleSource {
    /// Measures until the time is over, somebody ends it, or nothing more can come.
    ///
    /// - Parameters:
    ///   - time: since the clock's start; `nil` for no end.
    ///   - ending: gives a word when somebody ends it.
    ///   - report: takes what was found; never blocks.
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
