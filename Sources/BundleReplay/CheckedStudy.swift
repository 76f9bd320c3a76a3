import Glibc
import Platform
import Results
import StudyEngine
package import StudyFile
package import StudyModel

/// A study file with all its mistakes: those that the parser finds, and those that the engine finds.
package struct CheckedStudy: Sendable {
    /// Its path, as given.
    package let path: String
    /// The file, byte for byte.
    package let text: [UInt8]
    /// What the parser found.
    package let parsed: ParsedStudy
    /// All mistakes, without the warnings that the study expects.
    package var diagnostics: [Diagnostic] { found.unanswered(by: parsed.expectations) }
    /// All mistakes, expected or not.
    package private(set) var found: [Diagnostic]
    /// How the study differs from what was registered, in words; only for a study that was read from its own
    /// folder.
    package private(set) var departures: [String] = []

    /// - Parameter path: the study file; `-` is standard input, whose other files are relative to the current
    ///   folder.
    /// - Throws: `StudyFailure` if the file cannot be read at all.
    package init(reading path: String) throws(StudyFailure) {
        // Opening a named pipe waits for a writer. A pipe from a shell, such as /dev/fd/63, has one.
        if Library.kind(of: path) == S_IFIFO, !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/") {
            throw StudyFailure(
                "the study '\(path)' is a named pipe: give a file, or '-' and the study on standard input",
                .missing)
        }
        switch FileContents.read(path, limit: 1 << 20 + 1) {
        case .success(let bytes):
            self.init(bytes, path: path, library: .beside(study: path == "-" ? "./-" : path))
            compareWithRegistration()
        case .failure(.tooLarge):
            self.init([UInt8](repeating: 0x23, count: 1 << 20 + 1), path: path, library: .beside(study: path))
        case .failure(.system(let code)):
            let other = path + ".yaml"
            let isThere = unsafe access(other, R_OK) == 0
            let hint =
                switch code {
                case ENOENT where isThere: "; did you mean '\(other)'?"
                case EISDIR: "; name a study in it"
                default: ""
                }
            throw StudyFailure("cannot read the study '\(path)': \(systemMessage(code))\(hint)", .missing)
        }
    }

    /// - Parameters:
    ///   - text: the study.
    ///   - path: its name in diagnostics.
    ///   - library: reads the files that it refers to.
    package init(_ text: [UInt8], path: String, library: Library) {
        self.path = path
        self.text = text
        parsed = ParsedStudy(text, named: path, library: library)
        var diagnostics = parsed.diagnostics + parsed.hints
        if let study = parsed.study {
            for (task, block, problem) in orderProblems(in: study) {
                for place in parsed.orders where place.task == task && place.block == block {
                    diagnostics.append(Diagnostic(problem, at: place.place))
                }
            }
        }
        found = diagnostics
    }

    /// The first of several differences, and the number of the others.
    package static func summary(of differences: [String]) -> String {
        let more = differences.count - 3
        return differences.prefix(3).joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
    }

    /// Warns if a study differs from the one in its registration.
    private mutating func compareWithRegistration() {
        guard let named = parsed.registration else { return }
        do throws(FileFailure) {
            guard let registration = try registration(), registration.meaningSHA256 != meaning.sha256 else {
                return
            }
            let folder = FilePath.folder(of: FilePath.prefix(of: path) + named.path)
            departures = ["it says something else"]
            if let registered = try? registration.study(in: folder) {
                departures = meaning.differences(from: registered.meaning).map(\.description)
            }
            found.append(registration.warning(of: departures, at: named.place, undo: "undo the change"))
        } catch {
            found.append(
                Diagnostic(
                    .error, .unreadableFile, "\(error)", at: named.place,
                    help: "write it again with 'entrain freeze', into a new folder"))
        }
    }

    /// A warning about the registered clips whose files were exchanged.
    ///
    /// - Parameter sums: the SHA-256 of each clip's file, by its path.
    package func exchangedClips(_ sums: [String: String]) -> [Diagnostic] {
        // If the registration cannot be read, that was found already.
        guard let named = parsed.registration, let registration = try? registration() else { return [] }
        let exchanged = registration.clips.filter { (sums[$0.name] ?? $0.sha256) != $0.sha256 }
        guard !exchanged.isEmpty else { return [] }
        let names = exchanged.map { "the clip \($0.name) is another file" }
        return [registration.warning(of: names, at: named.place, undo: "bring the file back")]
    }

    /// Whether the study cannot be run.
    package var hasErrors: Bool { found.contains { $0.severity == .error } }

    /// The content of the study, in a line.
    ///
    /// - Parameters:
    ///   - warnings: how many warnings there are.
    ///   - unmeasured: what could not be checked.
    package func summary(warnings: Int = 0, unmeasured: String? = nil) -> String {
        guard let study = parsed.study else { return "not readable" }
        let steps = study.tasks.map(\.steps.count).reduce(0, +)
        let counts = [
            (study.tasks.count, "task"), (steps, "step"), (study.stimulusSets.count, "stimulus set"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        return Self.verdict(warnings: warnings, unmeasured: unmeasured) + " (" + words.joined(separator: ", ")
            + ")"
    }

    /// "nothing wrong" is only said if everything could be checked.
    package static func verdict(warnings: Int, unmeasured: String? = nil) -> String {
        guard warnings == 0 else {
            return (warnings == 1 ? "1 warning" : "\(warnings) warnings")
                + (unmeasured.map { ", \($0)" } ?? "")
        }
        return unmeasured.map { "no mistakes, but \($0)" } ?? "nothing wrong"
    }

    /// The study, ready to run.
    ///
    /// - Throws: `StudyFailure` if it has errors; the diagnostics say which.
    package func study() throws(StudyFailure) -> Study {
        guard let study = parsed.study, !hasErrors else {
            throw StudyFailure("the study '\(path)' has errors", .badStudy)
        }
        return study
    }
}

extension Diagnostic {
    fileprivate init(_ problem: OrderProblem, at place: TextPlace) {
        switch problem {
        case .infeasible:
            self.init(
                .error, .noValidOrder, "\(problem)", at: place,
                help: "relax a constraint, or add clips that differ")
        case .tooLarge:
            self.init(.error, .orderTooLarge, "\(problem)", at: place, help: "use fewer clips or repetitions")
        }
    }
}

/// Why a study could not be run, in words for the user.
package struct StudyFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    package var description: String
    /// The kind of failure.
    package var kind: Kind

    /// What went wrong.
    package enum Kind: Hashable, Sendable {
        /// The command asks for something that the study does not have.
        case usage
        /// The study or the data have errors.
        case badStudy
        /// A file, source or device is missing.
        case missing
        /// The disk failed.
        case disk
    }

    package init(_ description: String, _ kind: Kind) {
        self.description = description
        self.kind = kind
    }
}

extension Registration {
    /// A warning that the study is not what was registered.
    ///
    /// - Parameter undo: what makes it so again.
    fileprivate func warning(of differences: [String], at place: TextPlace, undo: String) -> Diagnostic {
        Diagnostic(
            .warning, .changedStudy,
            "the study is not what was registered on \(date.prefix(10)): \(CheckedStudy.summary(of: differences))",
            at: place,
            help: "\(undo), freeze the study again, or say with 'entrain run --deviation' why it is run so")
    }
}
