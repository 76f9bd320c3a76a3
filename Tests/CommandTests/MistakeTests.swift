import StudyFile
import StudyTesting
import Testing
import TextFormat

/// The mistakes of `Mistakes/mistakes.txt`, made one at a time in studies without any, and mended by what `check` says.
@Suite struct MistakeTests {
    let program = Program()
    static let folder = "\(Program.root)Tests/CommandTests/Mistakes"

    @Test func `each mistake is found on its line, and gone when its help is followed to the letter`() throws
    {
        let mistakes = try Mistake.all(in: Self.folder)
        #expect(mistakes.count >= 250)
        _ = program.lines(of: "cp \(Self.folder)/*.yaml \(Self.folder)/*.md .")
        for (clip, length) in [("harbour", 36.5), ("tram", 36.4), ("market", 34.3), ("lights", 34.1)] {
            #expect(writeFile(Self.tone(lasting: length), to: "\(program.folder.path)/\(clip).wav"))
        }
        #expect(try findings(in: Set(mistakes.map(\.base)).map { "\($0).yaml" }).isEmpty)
        let found = try check(mistakes.map { ($0.number, $0.text) }, named: "mistake")
        var after: [(number: Int, text: String)] = []
        for mistake in mistakes {
            let all = found[mistake.number] ?? []
            guard let finding = all.first(where: { $0.code == mistake.code && $0.line == mistake.line })
            else {
                Issue.record("\(mistake.row)\nfound: \(all.map { "\($0.code) in line \($0.line)" })")
                continue
            }
            guard let text = mended(mistake, finding, all) else { continue }
            after.append((mistake.number, text))
            // Whoever chose from a list may have meant something else.
            let isMeant = mistake.choice != nil || mistake.means(text)
            #expect(isMeant, "\(mistake.row)\nafter its help the study says something else")
        }
        #expect(after.count >= 145)
        let left = try check(after, named: "mended")
        for (number, findings) in left where !findings.isEmpty {
            let row = mistakes.first { $0.number == number }?.row ?? ""
            Issue.record(
                "\(row)\nafter its help: \(findings.map { "\($0.code) in line \($0.line): \($0.message)" })")
        }
    }

    /// The study after every help was followed; `nil` if only the author can mend it.
    private func mended(_ mistake: Mistake, _ finding: Finding, _ all: [Finding]) -> String? {
        #expect(!finding.help.isEmpty, "\(mistake.row)")
        if let words = mistake.words {
            #expect(
                finding.edits.isEmpty && (finding.help + finding.message).contains(words),
                "\(mistake.row)\n\(finding.help)")
            return nil
        }
        var edits = all.flatMap(\.edits)
        if finding.edits.isEmpty {
            guard let choice = mistake.choice, finding.help.contains(choice) else {
                Issue.record("\(mistake.row)\nno change, and no choice among: \(finding.help)")
                return nil
            }
            edits.append(Finding.Edit(start: finding.start, end: finding.end, text: choice))
        }
        for edit in finding.edits {
            #expect(finding.says(edit), "\(mistake.row)\n\(finding.help) ≠ \(edit.text)")
        }
        return Text(mistake.text).applying(edits)
    }

    private func check(_ studies: [(number: Int, text: String)], named name: String) throws -> [Int:
        [Finding]]
    {
        for study in studies { _ = program.write(study.text, "\(name)-\(study.number).yaml") }
        let all = try findings(in: studies.map { "\(name)-\($0.number).yaml" })
        return Dictionary(grouping: all) { finding in
            Int(finding.file.split { !$0.isNumber }.first ?? "") ?? 0
        }
    }

    /// What is found in the files, half of them at a time.
    private func findings(in files: [String]) throws -> [Finding] {
        let half = files.count / 2
        let names = [files[..<half], files[half...]].map { $0.joined(separator: " ") }
        let check = "\(Program.executables)/entrain check --format json"
        _ = program.lines(of: "{ \(check) \(names[0]) >0.json & \(check) \(names[1]) >1.json; wait; }")
        return try ["0.json", "1.json"].flatMap { name in
            let text = Program.text(of: "\(program.folder.path)/\(name)")
            return try #require(try JSON(parsing: Array(text.utf8)).list).map(Finding.init)
        }
    }

    /// A WAV file, 8 kHz and one channel, with a tone of 500 Hz: quick to measure.
    private static func tone(lasting seconds: Double) -> [UInt8] {
        let size = 2 * Int(seconds * 8000)
        let bytes = { (value: Int, count: Int) in (0..<count).map { UInt8(value >> (8 * $0) & 0xff) } }
        let half = { (level: Int) in [[UInt8]](repeating: bytes(level, 2), count: 8).flatMap(\.self) }
        let wave = half(3000) + half(-3000)
        var file = Array("RIFF".utf8) + bytes(36 + size, 4) + Array("WAVEfmt ".utf8)
        for (value, count) in [(16, 4), (1, 2), (1, 2), (8000, 4), (16000, 4), (2, 2), (16, 2)] {
            file += bytes(value, count)
        }
        file += Array("data".utf8) + bytes(size, 4)
        let sound = [[UInt8]](repeating: wave, count: size / wave.count + 1).flatMap(\.self)
        return file + sound.prefix(size)
    }
}

/// What `check --format json` tells of a mistake.
private struct Finding {
    struct Edit {
        var start: (line: Int, column: Int)
        var end: (line: Int, column: Int)
        var text: String
    }

    var file, code, message, help: String
    var start: (line: Int, column: Int)
    var end: (line: Int, column: Int)
    var edits: [Edit]
    var line: Int { start.line }

    init(_ json: JSON) {
        let text = { (key: String) in json[key]?.text ?? "" }
        (file, code, message, help) = (text("file"), text("code"), text("message"), text("help"))
        (start, end) = (Self.place(json, "line", "column"), Self.place(json, "endLine", "endColumn"))
        edits = (json["fix"]?.list ?? []).map {
            Edit(
                start: Self.place($0, "line", "column"), end: Self.place($0, "endLine", "endColumn"),
                text: $0["text"]?.text ?? "")
        }
    }

    private static func place(_ json: JSON, _ line: String, _ column: String) -> (line: Int, column: Int) {
        (Int(json[line]?.number ?? 0), Int(json[column]?.number ?? 0))
    }

    /// Whether the words say what the change does: they hold what is to be written, or say how to lay it out.
    func says(_ edit: Edit) -> Bool {
        let words = edit.text.filter { !" \n\"',[]{}-:".contains($0) }
        let plain = help.filter { !" \n\"',[]{}-:".contains($0) }
        let layout = [
            "quotes", "column", "indent", "space", "close", "where it ends", "line of its own", "swap",
            "language",
        ]
        return plain.contains(words) || layout.contains { help.contains($0) } || words.isEmpty
    }
}

/// A line of `mistakes.txt`, made in its study.
private struct Mistake {
    var number: Int
    var row: String
    var base: String
    var text: String
    /// The study that was meant: the one before the mistake, unless the row says what was meant in its place.
    var meant: String?
    var line: Int
    var code: String
    /// What the author writes who chooses from a list.
    var choice: String?
    /// What the help says where only the author can mend it.
    var words: String?

    struct Unreadable: Error { var row: String }

    static func all(in folder: String) throws -> [Mistake] {
        try Program.text(of: "\(folder)/mistakes.txt").split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .enumerated().compactMap { number, row in
            row.isEmpty || row.hasPrefix("#") ? nil : try Mistake(String(row), number: number + 1, in: folder)
        }
    }

    private init(_ row: String, number: Int, in folder: String) throws {
        let cells = row.replacing(" | |", with: " |  |").split(
            separator: " | ", omittingEmptySubsequences: false
        ).map(String.init)
        guard cells.count >= 4 else { throw Unreadable(row: row) }
        (self.row, self.number, base) = (row, number, cells[0])
        let (old, marked) = (Self.spelled(cells[1]), Self.spelled(cells[2]))
        let study = Program.text(of: "\(folder)/\(base).yaml")
        guard let place = study.firstRange(of: old) else { throw Unreadable(row: row) }
        let new = marked.filter { $0 != "◆" }
        text = study[..<place.lowerBound] + new + study[place.upperBound...]
        let right =
            cells.count > 4 && cells[4].hasPrefix("=") ? Self.spelled(String(cells[4].dropFirst())) : old
        meant = right.isEmpty ? nil : study[..<place.lowerBound] + right + study[place.upperBound...]
        let same =
            marked.contains("◆")
            ? String(marked.prefix { $0 != "◆" }) : String(zip(old, new).prefix { $0 == $1 }.map(\.0))
        let code = cells[3].split(separator: " @")
        self.code = code[0].filter { $0 != " " }
        line =
            code.count > 1
            ? Int(code[1].filter { $0 != " " }) ?? 0
            : 1 + (study[..<place.lowerBound] + same).count { $0 == "\n" }
        guard cells.count > 4, !cells[4].hasPrefix("=") else { return }
        if cells[4].hasPrefix("!") { words = String(cells[4].dropFirst()) } else { choice = cells[4] }
    }

    /// Whether a study says what was meant.
    func means(_ mended: String) -> Bool {
        meant.map { StudyMeaning(of: mended, files: [:]) == StudyMeaning(of: $0, files: [:]) } ?? true
    }

    private static func spelled(_ cell: String) -> String {
        cell.replacing("⏎", with: "\n").replacing("⇥", with: "\t").replacing("␣", with: "\u{A0}")
    }
}

/// A text by line and column, counted in Unicode scalars from 1.
private struct Text {
    var scalars: [Unicode.Scalar]
    var starts = [0]

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        for (place, scalar) in scalars.enumerated() where scalar == "\n" { starts.append(place + 1) }
    }

    /// The text with changes made; of two that overlap, the later one only goes on leaving out.
    func applying(_ edits: [Finding.Edit]) -> String {
        let place = { (at: (line: Int, column: Int)) in
            min(starts[at.line - 1] + at.column - 1, scalars.count)
        }
        var result = String.UnicodeScalarView()
        var position = 0
        for edit in edits.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
            let (start, end) = (place(edit.start), place(edit.end))
            guard start >= position else {
                if edit.text.isEmpty { position = max(position, end) }
                continue
            }
            result.append(contentsOf: scalars[position..<start])
            result.append(contentsOf: edit.text.unicodeScalars)
            position = max(start, end)
        }
        result.append(contentsOf: scalars[position...])
        return String(result)
    }
}

private func < (
    left: ((line: Int, column: Int), (line: Int, column: Int)),
    right: ((line: Int, column: Int), (line: Int, column: Int))
) -> Bool {
    (left.0.line, left.0.column, left.1.line, left.1.column) < (
        right.0.line, right.0.column, right.1.line, right.1.column
    )
}
