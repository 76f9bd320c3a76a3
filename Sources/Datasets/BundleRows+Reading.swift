import BundleReplay
package import Results

extension BundleRows {
    package typealias Outcome = Result<BundleRows, BundleFailure>

    /// Reads bundles on two cores and passes them on in order.
    package static func read(
        _ paths: [String], _ deidentification: Deidentification? = nil,
        _ body: (String, Outcome) throws -> Void
    ) async throws {
        let share = 16
        let tasks = TasksOfBundles()
        let starts = Array(stride(from: 0, to: paths.count, by: share))
        try await withThrowingTaskGroup(of: (Int, [Outcome]).self) { group in
            var begun = 0
            var waiting: [Int: [Outcome]] = [:]
            var next = 0
            func begin() {
                guard begun < starts.count else { return }
                let place = begun
                let piece = paths[starts[place]..<min(paths.count, starts[place] + share)]
                begun += 1
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    (place, piece.map { rows(of: $0, deidentification, tasks) })
                }
            }
            for _ in 0..<3 { begin() }
            while let (place, outcomes) = try await group.next() {
                waiting[place] = outcomes
                while let ready = waiting.removeValue(forKey: next) {
                    for (offset, outcome) in ready.enumerated() {
                        try body(paths[starts[next] + offset], outcome)
                    }
                    next += 1
                    begin()
                }
            }
        }
    }

    private static func rows(
        of path: String, _ deidentification: Deidentification?, _ tasks: TasksOfBundles
    ) -> Outcome {
        do throws(BundleFailure) {
            return .success(try BundleRows(of: path, deidentification, tasks))
        } catch {
            return .failure(error)
        }
    }
}
