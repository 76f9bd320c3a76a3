import BundleReplay
import Console
import StudyFile
import TextFormat

/// Writes a study in today's words.
enum Rewriting {
    /// - Parameter output: a file that does not exist.
    static func write(_ path: String, to output: String) throws {
        try NewFile.mustBeNew(output)
        let checked = try CheckedStudy(reading: path)
        _ = try checked.study()
        guard let today = TodaysWords(checked.text, named: path, library: .beside(study: path)) else {
            throw StudyFailure(
                "'\(path)' cannot be rewritten without saying something else: change the places that 'entrain check' "
                    + "names by hand", .badStudy)
        }
        for older in today.left {
            Output.remark(
                "\(path):\(older.range.start.line): not replaced, because a comment stands there: \(older.message)"
            )
        }
        guard today.count > 0 else {
            return Output.say("\(path): already in today's words; nothing is written")
        }
        let new = CheckedStudy(today.text, path: output, library: .beside(study: output))
        guard new.parsed.study == checked.parsed.study else {
            throw StudyFailure(
                "'\(output)' would not find the files that the study names: write it into the study's folder",
                .badStudy)
        }
        try NewFile.write(today.text, to: output)
        Output.say("\(output): \(counted(today.count, "older word")) replaced; it says the same as \(path)")
        if checked.parsed.registration != nil {
            Output.remark(
                "The registration has the older words: freeze the new file before its first run, or run the old one."
            )
        }
    }
}
