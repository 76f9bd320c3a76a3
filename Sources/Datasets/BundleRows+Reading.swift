import BundleReplay
package import Deidentifying
package import Platform
import Results

extension BundleRows {
    package typealias Outcome = Result<BundleRows, FileFailure>

    /// Reads bundles on two cores and passes them on in order.
    package static func read(
        _ paths: [String], _ deidentification: Deidentification? = nil,
        _ body: (String, Outcome) throws -> Void
    ) async throws {
        let tasks = TasksOfBundles()
        try await inOrder(paths, share: 16) {
            rows(of: $0, deidentification, tasks)
        } _: {
            try body($0, $1)
        }
    }

    private static func rows(
        of path: String, _ deidentification: Deidentification?, _ tasks: TasksOfBundles
    ) -> Outcome {
        do throws(FileFailure) {
            return .success(try BundleRows(of: path, deidentification, tasks))
        } catch {
            return .failure(error)
        }
    }
}

/// Works on the pieces of a list on two cores, and passes what becomes of its elements on in their order.
///
/// - Parameters:
///   - share: how many elements a piece has.
///   - ahead: how many pieces are worked on, or wait to be passed on, at a time.
package func inOrder<Element: Sendable, Value: Sendable>(
    _ elements: [Element], share: Int, ahead: Int = 3,
    _ work: @escaping @Sendable (Element) throws -> Value, _ body: (Element, Value) throws -> Void
) async throws {
    let starts = Array(stride(from: 0, to: elements.count, by: share))
    try await withThrowingTaskGroup(of: (Int, [Value]).self) { group in
        var begun = 0
        var waiting: [Int: [Value]] = [:]
        var next = 0
        func begin() {
            guard begun < starts.count else { return }
            let place = begun
            let piece = elements[starts[place]..<min(elements.count, starts[place] + share)]
            begun += 1
            group.addTask(executorPreference: globalConcurrentExecutor) { (place, try piece.map(work)) }
        }
        for _ in 0..<ahead { begin() }
        while let (place, values) = try await group.next() {
            waiting[place] = values
            while let ready = waiting.removeValue(forKey: next) {
                for (offset, value) in ready.enumerated() { try body(elements[starts[next] + offset], value) }
                next += 1
                begin()
            }
        }
    }
}
