package import BundleReplay
import Console
import Glibc
import Platform
import StudyFile
import StudyModel
import TextFormat

/// What comes with the program.
enum DataFolder {
    /// The folder that ENTRAIN_DATA names; otherwise where packages put it, or the source in which the program was built.
    ///
    /// - Parameter part: a folder in it.
    /// - Returns: `nil` if no folder has that part.
    static func path(holding part: String) -> String? {
        let beside = ProgramFolder.path
        var places = [beside + "/../share/entrain"]
        for end in beside.indices where beside[end] == "/" { places.append(String(beside[..<end])) }
        if let named = environmentVariable("ENTRAIN_DATA") { places = [named] }
        return places.last { (try? Folder($0))?.isFolder(part) == true }
    }
}

/// The studies that come with the program, with their clips and tables.
package struct ExampleStudies {
    package struct Example {
        let name: String
        let path: String
    }

    package let all: [Example]

    package init() throws {
        let folders = ["Studies", "Studies/protocols"]
        guard let data = DataFolder.path(holding: folders[1]) else {
            throw StudyFailure(
                "the studies that come with the program are not here: set ENTRAIN_DATA to the folder with 'Studies' and 'Media'",
                .missing)
        }
        all = try folders.flatMap { folder in
            try Folder("\(data)/\(folder)").names(in: ".").filter { $0.hasSuffix(".yaml") }.map {
                Example(name: String($0.dropLast(5)), path: "\(data)/\(folder)/\($0)")
            }
        }.sorted { $0.name < $1.name }
    }

    package func named(_ name: String) throws(StudyFailure) -> Example {
        if let example = all.first(where: { $0.name == name }) { return example }
        let near = Suggestion.nearest(to: name, among: all.map(\.name)).map { "did you mean '\($0)'?" }
        throw StudyFailure(
            "no example is called '\(printable(name))'; \(near ?? "'entrain examples' lists them")",
            .usage)
    }
}

extension ExampleStudies.Example {
    /// The first sentence of its comment, which says what it is.
    var summary: String {
        get throws {
            let text = String(decoding: try NewFile.read(path), as: UTF8.self)
            let comment = text.split(separator: "\n", omittingEmptySubsequences: false).drop {
                $0.hasPrefix("# yaml-language-server")
            }.prefix { $0.hasPrefix("# ") }
            let words = comment.map { $0.dropFirst(2) }.joined(separator: " ")
            return words.firstRange(of: ". ").map { String(words[..<$0.lowerBound]) + "." } ?? words
        }
    }

    /// Copies the study with all that it uses into a new folder, where it says the same.
    package func copy(to folder: String) throws {
        do throws(FileFailure) { try NewFile.mustBeNew(folder) } catch {
            throw StudyFailure(
                "'\(printable(folder))' exists already and stays as it is; choose another name", .usage)
        }
        let checked = try CheckedStudy(reading: path)
        let clips = Set(checked.parsed.clipUses.entries.map(\.clip.path)).union(try checked.study().images)
        let home = FilePath.prefix(of: path)
        var files = ["\(name).yaml": Self.rewritten(String(decoding: checked.text, as: UTF8.self), for: "")]
        for (file, text) in checked.parsed.files {
            let place = Self.place(of: file)
            files[place] = Self.rewritten(text, for: place)
        }
        files["study.schema.json"] = StudySchema.text
        for (place, text) in files.sorted(by: { $0.key < $1.key }) {
            try Self.write(Array(text.utf8), to: "\(folder)/\(place)")
        }
        for clip in clips.sorted() {
            try Self.write(try NewFile.read(home + clip), to: "\(folder)/\(Self.place(of: clip))")
        }
    }

    /// Where a file lies in the new folder, whose study is at its top.
    private static func place(of path: String) -> String { String(path.trimmingPrefix(/(\.\.\/)+/)) }

    /// A text whose references lead from its new place to that of other files.
    private static func rewritten(_ text: String, for place: String) -> String {
        let up = String(repeating: "../", count: place.count { $0 == "/" })
        return text.replacing(/(\.\.\/)+(Media|catalogues)\//) { "\(up)\($0.output.2)/" }
            .replacing(/\$schema=\S*study\.schema\.json/, with: "$schema=./study.schema.json")
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        try Folder.make(FilePath.folder(of: path))
        try NewFile.write(bytes, to: path)
    }
}
