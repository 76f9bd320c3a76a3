/// What is wrong in a PO file, and where.
package struct MessageProblem: Hashable, Sendable, Error, CustomStringConvertible {
    /// The line, from 1.
    package var line: Int
    /// What is wrong, and what to do.
    package var words: String

    package var description: String { "\(line): \(words)" }
}

extension MessageFile {
    /// The greatest size of a file, bytes.
    package static let limit = 8 << 20

    /// Reads a PO file strictly: whatever is not clear is a problem.
    ///
    /// - Parameter bytes: the file.
    /// - Throws: every problem, at most 20.
    package init(parsing bytes: [UInt8]) throws(MessageProblems) {
        var reader = MessageReader()
        self = try reader.read(bytes)
    }
}

/// The problems of a PO file, in the order of its lines; at least one.
package struct MessageProblems: Error, Hashable, Sendable {
    package var all: [MessageProblem]
}

/// Reads the lines of a PO file.
private struct MessageReader {
    /// The keywords of a message, in the order in which they must come.
    private enum Part: Int, Comparable {
        case context, text, translation
        static func < (left: Part, right: Part) -> Bool { left.rawValue < right.rawValue }
    }

    /// What stands before a keyword.
    private enum Mark { case none, obsolete, previous }

    private var file = MessageFile()
    private var problems: [MessageProblem] = []
    private var draft = Draft()
    private var number = 0
    /// The line of each message by its place and its text.
    private var lines: [[String?]: Int] = [:]

    /// A message whose end has not come yet.
    private struct Draft {
        var message = Message(text: "", translation: "")
        /// What was read of it last; strings go on with it.
        var last: (part: Part, mark: Mark)?
        var hasText = false
        var isEmpty = true
        /// Whether a part of it cannot be read, which was reported.
        var isBroken = false
    }

    mutating func read(_ bytes: [UInt8]) throws(MessageProblems) -> MessageFile {
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        var rest = content
        while !rest.isEmpty, problems.count < 20 {
            number += 1
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            var line = rest[..<end]
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            rest = rest[end...].dropFirst()
            let text = String(decoding: line, as: UTF8.self)
            guard line.elementsEqual(text.utf8) else {
                report("this is not UTF-8: save the file as UTF-8")
                break
            }
            read(text)
        }
        number += 1
        if problems.isEmpty { finish() }
        if problems.isEmpty { checkHeader() }
        guard problems.isEmpty else { throw MessageProblems(all: problems) }
        return file
    }

    private mutating func report(_ words: String, at line: Int? = nil) {
        problems.append(MessageProblem(line: line ?? number, words: words))
        draft.isBroken = true
    }

    private mutating func read(_ line: String) {
        let line = line.drop { $0 == " " || $0 == "\t" }
        guard !line.isEmpty else {
            if draft.last?.part == .translation { finish() }
            return
        }
        guard line.first == "#" else { return readWords(line, .none) }
        switch line.dropFirst().first {
        case "~":
            let words = line.dropFirst(2).drop { $0 == " " }
            if words.first == "|" {
                readWords(words.dropFirst().drop { $0 == " " }, .previous)
            } else {
                readWords(words, .obsolete)
            }
        case "|": readWords(line.dropFirst(2).drop { $0 == " " }, .previous)
        default: readComment(line)
        }
    }

    private mutating func readComment(_ line: Substring) {
        // A comment after the translation belongs to the next message.
        if draft.last?.part == .translation, draft.last?.mark != .previous { finish() }
        begin()
        let words = line.dropFirst(2).drop { $0 == " " }
        switch line.dropFirst().first {
        case ".": draft.message.remarks.append(String(words))
        case ":": draft.message.places.append(String(words))
        case ",":
            draft.message.flags += words.split(separator: ",").map { flag in
                String(flag.drop { $0 == " " }.prefix { $0 != " " })
            }
        case nil, " ": draft.message.notes.append(String(words))
        default: draft.message.notes.append(String(line.dropFirst()))
        }
    }

    private mutating func begin() {
        if draft.isEmpty { draft.message.line = number }
        draft.isEmpty = false
    }

    private mutating func readWords(_ line: Substring, _ mark: Mark) {
        if line.first == "\"" {
            guard let last = draft.last, last.mark == mark else {
                return report("this text has no keyword before it")
            }
            if let text = string(line) { add(text, to: last.part, mark) }
            return
        }
        let keyword = line.prefix { $0.isASCII && ($0.isLetter || $0 == "_") }
        let rest = line[keyword.endIndex...]
        if keyword == "msgid_plural" || keyword == "msgstr" && rest.first == "[" {
            return report("texts of a study have no plural forms: write 'msgid' and 'msgstr' only")
        }
        let part: Part
        switch keyword {
        case "msgctxt": part = .context
        case "msgid": part = .text
        case "msgstr": part = .translation
        default:
            return report(
                "'\(line.prefix(20))' means nothing here: write msgctxt, msgid, msgstr or a comment")
        }
        enter(part, mark)
        let value = rest.drop { $0 == " " || $0 == "\t" }
        guard value.first == "\"" else {
            return report("a text in double quotes is missing after '\(keyword)'")
        }
        if let text = string(value) { add(text, to: part, mark) }
    }

    /// Checks that a keyword may come here.
    private mutating func enter(_ part: Part, _ mark: Mark) {
        if let last = draft.last, last.part == .translation, last.mark != .previous { finish() }
        begin()
        if mark == .previous {
            if part == .translation { report("a previous translation means nothing here") }
            if draft.hasText || draft.last.map({ $0.mark != .previous }) == true {
                report("what the text was before must come before 'msgid'")
            }
        } else {
            let before = draft.last.flatMap { $0.mark == .previous ? nil : $0.part }
            if let before, before >= part { report("this keyword comes twice, or too late") }
            if let last = draft.last, last.mark != .previous, last.mark != mark {
                report("one part of the message is obsolete, and another is not")
            }
            if part == .translation, !draft.hasText { report("there is no 'msgid' before 'msgstr'") }
            draft.message.isObsolete = mark == .obsolete
            if part == .text { draft.hasText = true }
        }
        draft.last = (part, mark)
    }

    private mutating func add(_ text: String, to part: Part, _ mark: Mark) {
        switch (part, mark) {
        case (.context, .previous):
            draft.message.previousContext = (draft.message.previousContext ?? "") + text
        case (_, .previous): draft.message.previousText = (draft.message.previousText ?? "") + text
        case (.context, _): draft.message.context = (draft.message.context ?? "") + text
        case (.text, _): draft.message.text += text
        case (.translation, _): draft.message.translation += text
        }
    }

    /// The text in double quotes that is the rest of a line.
    private mutating func string(_ line: Substring) -> String? {
        var text = String.UnicodeScalarView()
        var scalars = line.unicodeScalars.dropFirst()
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"":
                guard scalars.allSatisfy({ $0 == " " || $0 == "\t" }) else {
                    report(
                        "there is something after the closing quote: write \\\" for a quote within the text")
                    return nil
                }
                return String(text)
            case "\\":
                switch scalars.popFirst() {
                case "n": text.append("\n")
                case "t": text.append("\t")
                case "r": text.append("\r")
                case "\"": text.append("\"")
                case "\\": text.append("\\")
                case let other:
                    report(
                        "'\\\(other.map(String.init) ?? "")' means nothing here: write \\\\ for a backslash")
                    return nil
                }
            default: text.append(scalar)
            }
        }
        report("the closing quote is missing in this line")
        return nil
    }

    /// Ends the message that is being read.
    private mutating func finish() {
        defer { draft = Draft() }
        guard !draft.isBroken, let last = draft.last else {
            // Comments at the end of the file.
            return
        }
        guard last.part == .translation else {
            return report("the message in line \(draft.message.line) has no 'msgstr'")
        }
        let message = draft.message
        if message.text.isEmpty, message.context == nil, !message.isObsolete { return readHeader(message) }
        if message.text.isEmpty {
            return report("the message in line \(message.line) has no text", at: message.line)
        }
        if !message.isObsolete {
            let name = [message.context, message.text]
            if let first = lines[name] {
                return report("this message is the same as the one in line \(first)", at: message.line)
            }
            lines[name] = message.line
        }
        file.messages.append(message)
    }

    private mutating func readHeader(_ message: Message) {
        guard file.messages.isEmpty, file.fields.isEmpty else {
            return report("the header must come first, and once", at: message.line)
        }
        file.notes = message.notes
        for line in message.translation.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else {
                return report("a field of the header has no ':': \(line.prefix(40))", at: message.line)
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            file.fields.append(MessageFile.Field(name: String(line[..<colon]), value: String(value)))
        }
    }

    private mutating func checkHeader() {
        guard !file.fields.isEmpty else { return report("the header is missing", at: 1) }
        let type = file["Content-Type"]?.lowercased() ?? ""
        guard let charset = type.split(separator: "charset=", maxSplits: 1).dropFirst().first else {
            return report("the header does not say 'Content-Type: text/plain; charset=UTF-8'", at: 1)
        }
        guard charset.prefix(while: { $0 != ";" && $0 != " " }) == "utf-8" else {
            return report("the header says charset=\(charset.prefix(20)): save the file as UTF-8", at: 1)
        }
    }
}
