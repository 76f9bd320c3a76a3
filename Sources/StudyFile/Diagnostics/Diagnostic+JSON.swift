import TextFormat

extension [Diagnostic] {
    /// All diagnostics as a JSON array of `{code, severity, message, file, line, column, endLine, endColumn, help,
    /// fix}`, one per line.
    ///
    /// `help` and `fix` are left out if there are none. `fix` is a list of `{line, column, endLine, endColumn,
    /// text}`: parts of the file and their replacements, which carry out what `help` says. Lines and columns count
    /// from 1, in Unicode scalars; the end is exclusive.
    package var json: String {
        guard !isEmpty else { return "[]" }
        return "[\n" + map { "  " + $0.jsonObject.document() }.joined(separator: ",\n") + "\n]"
    }
}

extension Diagnostic {
    fileprivate var jsonObject: JSON {
        var members: [JSON.Object.Member] = [
            .init(key: "code", value: .text(code.rawValue)),
            .init(key: "severity", value: .text(severity.rawValue)),
            .init(key: "message", value: .text(message)),
            .init(key: "file", value: .text(file)),
            .init(key: "line", value: .integer(range.start.line)),
            .init(key: "column", value: .integer(range.start.column)),
            .init(key: "endLine", value: .integer(range.end.line)),
            .init(key: "endColumn", value: .integer(range.end.column)),
        ]
        if let help { members.append(.init(key: "help", value: .text(help))) }
        if !fix.isEmpty { members.append(.init(key: "fix", value: .list(fix.map(\.json)))) }
        return .members(members)
    }
}

extension TextEdit {
    fileprivate var json: JSON {
        [
            "line": .integer(range.start.line), "column": .integer(range.start.column),
            "endLine": .integer(range.end.line), "endColumn": .integer(range.end.column),
            "text": .text(text),
        ]
    }
}
