import Results
import StudyModel

/// The results that were delivered, and what the participant is told when one is on disk.
struct SavingDesk {
    private var results: [StepResult]
    /// The name of each visit on the screen, by its ordinal.
    private var headings: [Int: String] = [:]

    init(_ results: [StepResult]) { self.results = results }

    mutating func keep(_ result: StepResult) { results.append(result) }

    mutating func name(_ ordinal: Int, _ heading: String) { headings[ordinal] = heading }

    /// The visit's name, once.
    mutating func saved(_ ordinal: Int) -> String? { headings.removeValue(forKey: ordinal) }

    /// All results in the order of their visits.
    var ordered: [StepResult] { results.sorted { $0.ordinal < $1.ordinal } }
}
