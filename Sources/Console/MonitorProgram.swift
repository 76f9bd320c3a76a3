package import BundleReplay
import Glibc
import Platform
import Results
import TextFormat

/// The program `entrain-monitor`: a server with a database, kept apart so that this one is quick to build.
package enum MonitorProgram {
    /// Its path, beside this program.
    ///
    /// - Throws: if it is missing; the error says how to build it.
    package static func path() throws(StudyFailure) -> String {
        let path = ProgramFolder.path + "/entrain-monitor"
        guard unsafe access(path, X_OK) == 0 else {
            throw StudyFailure(
                """
                the monitor is a separate program and is not built yet: run 'apt-get install libsqlite3-dev \
                libjs-dygraphs', then 'swift build -c release --product entrain-monitor' in the folder of \
                Entrain's source (some minutes, once); it should then be \(printable(path))
                """, .missing)
        }
        return path
    }

    /// Becomes the monitor: the same process with the same terminal and signals.
    ///
    /// - Throws: if that is not possible. Otherwise this does not return.
    package static func become(_ arguments: [String]) throws(StudyFailure) {
        let path = try path()
        let words: [UnsafeMutablePointer<CChar>?] =
            unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        unsafe execv(path, words)
        throw StudyFailure("cannot start \(path): \(systemMessage(errno))", .missing)
    }
}
