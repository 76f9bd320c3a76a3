import ArgumentParser
import Datasets
import TextFormat

/// Which runs are taken where results are drawn.
struct SimulatedRuns: ParsableArguments {
    @Flag(help: "Include runs that were simulated or replayed; they are left out otherwise.")
    var includeSimulated = false
}

/// Which runs are one study.
struct PooledRevisions: ParsableArguments {
    @Flag(help: "Treat different texts of a study as one study; otherwise they are kept apart, or refused.")
    var poolRevisions = false
}

extension LeftOut {
    /// What to add where nothing is left to work on; nothing where none was left out.
    var hint: String { (inventedLines + withdrawnLines).map { "; \($0)" }.joined() }
}
