import Allocating
import ArgumentParser
import BundleReplay
import Glibc
import Platform
import Recordings
import StudyEngine
import StudyModel
import TextFormat

/// Does a command's work, and turns errors into words and an exit code.
package func reporting<Value>(_ work: () throws -> Value) throws -> Value {
    do { return try work() } catch { throw exit(for: error) }
}

/// Like `reporting`, for asynchronous work.
package func reporting<Value>(_ work: () async throws -> Value) async throws -> Value {
    do { return try await work() } catch { throw exit(for: error) }
}

/// The folder of results, if nobody names one.
package let usualResults = "entrain-results"

/// What to do about a folder that is none.
private func remedy(for failure: FileFailure) -> String {
    switch failure.problem {
    case .system(code: ENOTDIR): return "; name a folder, such as that with the results"
    case .system(code: ENOENT) where failure.path == usualResults: return "; name the folder with the results"
    default: return ""
    }
}

private func exit(for error: any Error) -> any Error {
    switch error {
    case let failure as StudyFailure:
        Output.complain("\(failure)")
        switch failure.kind {
        case .usage: return ExitCode.usage
        case .badStudy: return ExitCode.badData
        case .missing: return ExitCode.unavailable
        case .disk: return ExitCode.diskFailure
        }
    case let problem as PlanProblem:
        Output.complain("\(problem)")
        if case .numberNeeded = problem { return ExitCode.usage }
        return ExitCode.badData
    case let failure as FileFailure:
        Output.complain("\(failure)\(remedy(for: failure))")
        if case .malformed = failure.problem { return ExitCode.badData }
        return failure.isNotFound ? ExitCode.unavailable : ExitCode.diskFailure
    case let failure as LedgerFailure:
        Output.complain("\(failure)")
        switch failure.kind {
        case .usage: return ExitCode.usage
        case .damaged: return ExitCode.badData
        case .unreachable, .tooMany: return ExitCode.unavailable
        case .disk: return ExitCode.diskFailure
        }
    case let failure as RecordingExport.Failure:
        Output.complain("\(failure)")
        if case .exists = failure { return ExitCode.usage }
        return ExitCode.diskFailure
    case let failure as SourceFailure:
        Output.complain("\(failure)")
        return failure.isBadData ? ExitCode.badData : ExitCode.unavailable
    case let failure as HTTPFailure:
        Output.complain("\(failure)")
        return ExitCode.unavailable
    default: return error
    }
}
