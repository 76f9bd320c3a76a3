import Glibc
import Testing

/// A Swift file of the project, read once.
struct SourceFile: Sendable, CustomTestStringConvertible {
    /// Relative to the project's root, such as `Sources/Results/JSON.swift`.
    let path: String
    let lines: [String]
    /// The lines without what comes after `//`.
    let code: [String]

    init(path: String, lines: [String]) {
        self.path = path
        self.lines = lines
        code = lines.map { line in
            guard let comment = line.utf8.firstIndex(of: UInt8(ascii: "/")),
                line.utf8[line.utf8.index(after: comment)...].first == UInt8(ascii: "/")
            else { return line }
            return String(line[..<comment])
        }
    }

    var testDescription: String { path }

    /// The second folder: the room, or the test target.
    var room: String { String(path.split(separator: "/")[1]) }
    var isTest: Bool { path.hasPrefix("Tests/") }
    /// The numbers of the lines, from 1, whose code says `word`, not as the end of a longer name.
    func places(of word: String) -> [Int] {
        code.indices.filter { code[$0].says(word) }.map { $0 + 1 }
    }

    private static let root = String(#filePath.dropLast("Tests/TidyTests/SourceFile.swift".count))

    static let manifest = SourceFile(path: "Package.swift", lines: contents(of: root + "Package.swift"))
    static let architecture: [String] = contents(
        of: root + "Sources/Documentation/Entrain.docc/Architecture.md")

    /// Every Swift file under `Sources` and `Tests`, by path.
    static let all: [SourceFile] = {
        ["Sources", "Tests"].flatMap { list($0, below: root) }.sorted { $0.path < $1.path }
    }()

    /// The headers of the targets that are written in C.
    static let headers = list("Sources", below: root, suffix: ".h").filter { $0.path.contains("/include/") }

    private static func list(_ folder: String, below root: String, suffix: String = ".swift") -> [SourceFile]
    {
        guard let directory = unsafe opendir(root + folder) else { return [] }
        defer { unsafe closedir(directory) }
        var files: [SourceFile] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            let path = folder + "/" + name
            if unsafe entry.pointee.d_type == UInt8(DT_DIR) {
                files += list(path, below: root, suffix: suffix)
            } else if name.hasSuffix(suffix) {
                files.append(SourceFile(path: path, lines: contents(of: root + path)))
            }
        }
        return files
    }

    private static func contents(of path: String) -> [String] {
        guard let file = unsafe fopen(path, "r") else { return [] }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe fread(&buffer, 1, buffer.count, file)
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }
}

extension String {
    fileprivate func says(_ word: String) -> Bool {
        let (text, sought) = (Array(utf8), Array(word.utf8))
        guard text.count >= sought.count else { return false }
        return (0...(text.count - sought.count)).contains { start in
            text[start..<(start + sought.count)].elementsEqual(sought)
                && (start == 0 || !text[start - 1].isPartOfName || !sought[0].isPartOfName)
        }
    }
}

extension UInt8 {
    var isPartOfName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xff:
            true
        default: false
        }
    }
}
