import Analysing
import ArgumentParser
import BundleReplay
import Datasets
import Participants
import Platform
import Results
import TextFormat

/// Which runs an analysis includes.
struct SimulatedRuns: ParsableArguments {
    @Flag(help: "Include runs that were simulated or replayed; they are left out otherwise.")
    var includeSimulated = false
}

/// Which runs belong to one study.
struct PooledRevisions: ParsableArguments {
    @Flag(help: "Treat different texts of a study as one study; otherwise they are kept apart, or refused.")
    var poolRevisions = false
}

extension LeftOut {
    /// What to add to the message if nothing is left to work on; empty if nothing was left out.
    var hint: String { (inventedLines + withdrawnLines).map { "; \($0)" }.joined() }
}

/// The analysis that was registered.
struct RegistrationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Make the analysis that was registered: the folder that 'entrain freeze' wrote.",
            valueName: "folder"),
        completion: .directory)
    var registered: String?

    @Option(
        help: ArgumentHelp(
            "The certificates, as PEM, of the authority that stamped the registration: 'registration.tsr' in its folder is verified with OpenSSL.",
            valueName: "file"),
        completion: .file(extensions: ["pem", "crt"]))
    var authority: String?

    func validate(seed: UInt64, _ pooled: PooledRevisions) throws {
        guard registered != nil else {
            guard authority == nil else { throw ValidationError("--authority needs --registered") }
            return
        }
        guard seed == 1 else { throw ValidationError("--seed is that of the registration: leave it out") }
        guard !pooled.poolRevisions else {
            throw ValidationError(
                "--registered takes runs of the registered study only: leave --pool-revisions out")
        }
    }

    func read() throws -> RegisteredAnalysis? {
        try registered.map { folder in
            var registered = try Self.reading(folder) { try RegisteredAnalysis(in: folder) }
            registered.stamp = try TimeStamp.verified(in: folder, authority: authority)
            return registered
        }
    }

    /// Adds what to specify if nothing can be found.
    static func reading<Value>(_ folder: String, _ read: () throws -> Value) throws -> Value {
        do { return try read() } catch let failure as FileFailure where failure.isNotFound {
            throw StudyFailure(
                "there is no registration in '\(printable(folder))': give the folder that 'entrain freeze' wrote",
                .missing)
        }
    }
}
