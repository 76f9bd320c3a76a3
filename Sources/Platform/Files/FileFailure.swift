import Glibc

/// Why a file or a folder, such as a bundle, could not be written or read.
public struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was being done: `write`, `sync`, `rename`, `read` ….
    public var action: String
    /// What the action was applied to, relative to the output folder if the bundle is ours, otherwise as given.
    public var path: String
    /// Why it failed.
    public var problem: Problem

    /// Why something failed.
    public enum Problem: Hashable, Sendable {
        /// The system reported this error.
        case system(code: Int32)
        /// It exists already, and nothing is ever overwritten.
        case exists
        /// Another program is writing it.
        case inUse
        /// The run was killed before its journal existed. Nothing was recorded, and the remains were removed.
        case neverBegan
        /// It does not have the right form or content.
        case malformed(String)
    }

    /// A failure.
    public init(_ action: String, _ path: String, _ problem: Problem) {
        self.action = action
        self.path = path
        self.problem = problem
    }

    /// Whether the disk, or the user's share of it, is full.
    public var isDiskFull: Bool {
        if case .system(let code) = problem { SystemCall.isDiskFull(code) } else { false }
    }

    /// Whether there is no such folder or file.
    public var isNotFound: Bool { problem == .system(code: ENOENT) }

    public var description: String {
        switch problem {
        case .system(let code): "cannot \(action) \(path): \(systemMessage(code))"
        case .exists: "cannot \(action) \(path): it exists already"
        case .inUse: "cannot \(action) \(path): the run is still going on, or being recovered"
        case .neverBegan: "cannot \(action) \(path): the run ended before anything was recorded"
        case .malformed(let reason): "cannot \(action) \(path): \(reason)"
        }
    }
}
