import Glibc
import Platform
import Results
package import StudyFile

extension Library {
    /// The files beside a study: in its own folder, or in one of the two folders above it if that contains a folder
    /// `Media`.
    ///
    /// - Parameter path: the path of the study file.
    package static func beside(study path: String) -> Library {
        let folder = FilePath.folder(of: path)
        let root = root(for: folder)
        return Library(
            text: { name in
                switch resolve(name, in: folder, below: root) {
                case .failure(let problem): .failure(problem)
                case .success(let path): contents(of: path, limit: 1 << 20)
                }
            },
            media: { name in
                switch resolve(name, in: folder, below: root) {
                case .failure(let problem): problem
                case .success: nil
                }
            },
            image: { name in
                switch resolve(name, in: folder, below: root) {
                case .failure(let problem): problem
                case .success(let path): ImageSize.problem(at: path).map { .unreadable($0) }
                }
            },
            program: { name in
                guard let path = ExecutableFile.path(of: name, in: folder) else { return .missing }
                return ExecutableFile.isOne(path) ? nil : .notExecutable
            })
    }

    private static func root(for folder: String) -> String? {
        let above = ["/..", "/../.."].first { kind(of: "\(folder)\($0)/Media") == S_IFDIR }
        return realPath(folder + (above ?? ""))
    }

    private static func resolve(
        _ name: String, in folder: String, below root: String?
    ) -> Result<String, Problem> {
        guard !name.hasPrefix("/") else { return .failure(.outsideLibrary) }
        guard let root, let path = realPath(folder + "/" + name) else { return .failure(.missing) }
        guard path.hasPrefix(root == "/" ? "/" : root + "/") else { return .failure(.outsideLibrary) }
        return kind(of: path) == S_IFREG ? .success(path) : .failure(.notAFile)
    }

    private static func contents(of path: String, limit: Int) -> Result<[UInt8], Problem> {
        switch FileContents.read(path, limit: limit) {
        case .success(let bytes): .success(bytes)
        case .failure(.tooLarge): .failure(.tooLarge)
        case .failure(.system(let code)):
            .failure(code == ENOENT ? .missing : .unreadable(systemMessage(code)))
        }
    }

    /// The type bits of the file, with symbolic links followed; `nil` if there is nothing.
    static func kind(of path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
