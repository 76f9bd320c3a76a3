/// Paths as study files write them: relative, with `/`.
package enum FilePath {
    /// The folder of a file; `.` for a file in the working folder.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The part of a path before the file's name: its folder with a `/`, or nothing.
    package static func prefix(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// `path`, which is relative to the folder of `file`, in normal form: no `.`, and `..` only at the beginning.
    package static func normal(_ path: String, besides file: String = "") -> String {
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        var parts: [Substring] = []
        for part in folder + path.split(separator: "/", omittingEmptySubsequences: false) {
            if part == ".." && !parts.isEmpty && parts.last != ".." && parts.last != "" {
                parts.removeLast()
            } else if part != "." && !(part.isEmpty && !parts.isEmpty) {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }
}

extension Reading {
    /// Reports why a file that the text names cannot be read.
    func report(_ problem: Library.Problem, path: String, at range: SourceRange) {
        let meant = problem == .missing ? fileMeant(by: path) : nil
        let path = "'\(path.prefix(80))'"
        switch problem {
        case .missing:
            report(
                .missingFile, "there is no file \(path)", at: range,
                help: meant.map { .write($0, "did you mean '\($0)'?") }
                    ?? "name a file that exists: paths are relative to the file in which they are written")
        case .notAFile: report(.unreadableFile, "\(path) is not a file", at: range)
        case .outsideLibrary:
            report(
                .outsideLibrary, "\(path) is outside the study's library", at: range,
                help: "put the file into the study's folder, or into a folder Media beside it")
        case .unreadable(let reason): report(.unreadableFile, "\(path) cannot be read: \(reason)", at: range)
        case .tooLarge:
            report(.unreadableFile, "\(path) is too large", at: range, help: "at most 1 MiB is read")
        }
    }
}

extension Reading {
    /// An existing file with nearly the same name: another extension for the same format, or small letters.
    private func fileMeant(by path: String) -> String? {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        let (stem, ending) = (String(path[..<dot]), path[path.index(after: dot)...].lowercased())
        let alike = [["yaml", "yml"], ["md", "markdown"], ["wav", "flac", "ogg", "opus", "mp3"]]
        let endings = [ending] + (alike.first { $0.contains(ending) } ?? [])
        let isText = ["yaml", "yml", "md", "markdown"].contains(ending)
        return [stem, stem.lowercased()].flatMap { stem in endings.map { "\(stem).\($0)" } }.first { other in
            guard other != path else { return false }
            if case .success = context.library.text(other), isText { return true }
            return !isText && context.library.media(other) == nil
        }
    }
}

extension Fields {
    /// The normal path, at a key, of a file that is not read now; reports if there is no such file.
    func mediaPath(_ field: Field<String>) -> String? {
        guard let path = located(field) else { return nil }
        if let problem = reading.context.library.media(path.value) {
            reading.report(problem, path: path.value, at: path.range)
        }
        return FilePath.normal(path.value)
    }
}
