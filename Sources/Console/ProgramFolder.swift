package import BundleReplay
import Glibc
import TextFormat

/// The place of this program, and of the files beside it.
package enum ProgramFolder {
    /// The file of this program.
    package static var program: String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &path, path.count)
        return String(decoding: path.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The folder of this program.
    package static var path: String {
        let program = program
        return program.lastIndex(of: "/").map { String(program[..<$0]) } ?? "."
    }

    /// The path of the library that breaks a program's calls: beside the program, or where packages put it.
    ///
    /// - Throws: if it is missing; the error says how to build it.
    package static func faults() throws(StudyFailure) -> String {
        let places = ["", "/../lib/entrain"].map { "\(path)\($0)/libEntrainFaults.so" }
        guard let found = places.first(where: { unsafe access($0, R_OK) == 0 }) else {
            throw StudyFailure(
                """
                the library that breaks runs on purpose is not built yet: run 'swift build -c release --product \
                EntrainFaults' in the folder of Entrain's source; it should then be \(printable(places[0]))
                """, .missing)
        }
        return found
    }
}
