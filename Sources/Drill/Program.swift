import Glibc
import Platform
import Results

/// The program that is drilled, and how it is started.
package struct Program: Sendable {
    /// The program's own file.
    package let path: String
    /// The library that counts and breaks its calls.
    package let library: String

    package init(at path: String, library: String) {
        self.path = path
        self.library = library
    }

    /// How a program ended, and what it said.
    struct Outcome: Hashable, Sendable {
        /// Its exit code; 128 and the signal where one ended it; `nil` if it had not ended in time.
        var code: Int?
        var said: String
        var errorOutput: String
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - faults: what the preloaded library does, as `ENTRAIN_FAULTS` says it; `nil` without the library.
    ///   - folder: where its output is kept meanwhile.
    ///   - limit: after which it counts as hanging, and is ended.
    func run(
        _ arguments: [String], faults: String? = nil, in folder: String, atMost limit: Duration = .seconds(60)
    ) throws(FileFailure) -> Outcome {
        try Self.run(words(faults: faults) + arguments, in: folder, atMost: limit)
    }

    /// The words that start it, without its arguments.
    func words(faults: String?) -> [String] {
        let preloaded = faults.map { ["LD_PRELOAD=\(library)", "ENTRAIN_FAULTS=\($0)"] } ?? []
        return ["env", "LC_ALL=C.UTF-8", "TZ=UTC"] + preloaded + [path]
    }

    /// Runs any program to its end.
    static func run(
        _ words: [String], in folder: String, atMost limit: Duration = .seconds(60)
    ) throws(FileFailure) -> Outcome {
        let paths = ["\(folder)/said", "\(folder)/error-output"]
        let end = unsafe ProcessGroup.run(words, atMost: limit) { actions in
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            for (index, path) in paths.enumerated() {
                unsafe posix_spawn_file_actions_addopen(
                    &actions, Int32(index) + 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            }
        }
        let within = try Folder(folder)
        let said = String(decoding: try within.read("said"), as: UTF8.self)
        let errorOutput = String(decoding: try within.read("error-output"), as: UTF8.self)
        switch end {
        case .code(let code): return Outcome(code: Int(code), said: said, errorOutput: errorOutput)
        case .stopped, .interrupted: return Outcome(code: nil, said: said, errorOutput: errorOutput)
        case .neverBegan(let error): throw FileFailure("start", words[0], .system(code: error))
        }
    }
}
