import Glibc

/// Finds programs as the system does.
package enum ExecutableFile {
    /// The path of a program; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - name: a name with a `/` is relative to `folder`; any other is looked for along the path.
    package static func path(of name: String, in folder: String) -> String? {
        guard !name.contains("/") else {
            let path = name.hasPrefix("/") ? name : folder + "/" + name
            return isFile(path) ? path : nil
        }
        let folders = (environmentVariable("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { isFile($0) && isOne($0) }
    }

    /// Whether this user may start the file as a program.
    package static func isOne(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
