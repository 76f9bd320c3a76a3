import Glibc
import StudyTesting

/// The program as a user meets it: arguments in, text and exit code out.
struct Program {
    struct Outcome {
        var code: Int32
        var output: String
        var errors: String
    }

    let folder = TemporaryFolder()

    /// The project's root.
    static let root = String(#filePath.dropLast("Tests/CommandTests/Program.swift".count))

    /// The folder of the executables: that of the bundle of the tests.
    static let executables: String = {
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
        let parts = bundle.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.prefix { !$0.hasSuffix(".xctest") }.joined(separator: "/")
        return folder.isEmpty ? root + ".build/debug" : folder
    }()

    /// Runs in a folder of its own.
    ///
    /// - Parameters:
    ///   - arguments: as a shell reads them.
    ///   - program: the path of another program than `entrain`.
    func run(
        _ arguments: String, of program: String = executables + "/entrain", input: String = "/dev/null",
        environment: String = ""
    ) -> Outcome {
        let (out, err) = (folder.path + "/stdout", folder.path + "/stderr")
        let status = unsafe system(
            "cd \(folder.path) && \(environment) \(program) \(arguments) <\(input) >\(out) 2>\(err)")
        return Outcome(
            code: status >> 8 & 0xff, output: Self.text(of: out), errors: Self.text(of: err))
    }

    /// Writes a file into the folder and returns its path.
    func write(_ text: String, _ name: String) -> String {
        let path = folder.path + "/" + name
        guard writeFile(Array(text.utf8), to: path) else { preconditionFailure("cannot write \(path)") }
        return path
    }

    static func text(of path: String) -> String { String(decoding: readFile(path) ?? [], as: UTF8.self) }

    /// The lines of what a shell command prints.
    func lines(of command: String) -> [String] {
        let out = folder.path + "/lines"
        _ = unsafe system("cd \(folder.path) && \(command) >\(out)")
        return Self.text(of: out).split(separator: "\n").map(String.init)
    }
}
