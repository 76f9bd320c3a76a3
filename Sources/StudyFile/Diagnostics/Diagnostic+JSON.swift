extension [Diagnostic] {
    /// All diagnostics as a JSON array of `{code, severity, message, file, line, column, endLine, endColumn, help,
    /// fix}`, one per line.
    ///
    /// `help` and `fix` are left out if there are none. `fix` is a list of `{line, column, endLine, endColumn,
    /// text}`: parts of the file and their replacements, which carry out what `help` says. Lines and columns count
    /// from 1, in Unicode scalars; the end is exclusive.
    package var json: String {
        guard !isEmpty else { return "[]" }
        return "[\n" + map { "  " + $0.jsonObject.text() }.joined(separator: ",\n") + "\n]"
    }
}

extension Diagnostic {
    fileprivate var jsonObject: JSON {
        var members: [JSON.Member] = [
            .init(key: "code", value: .string(code.rawValue)),
            .init(key: "severity", value: .string(severity.rawValue)),
            .init(key: "message", value: .string(message)),
            .init(key: "file", value: .string(file)),
            .init(key: "line", value: .number("\(range.start.line)")),
            .init(key: "column", value: .number("\(range.start.column)")),
            .init(key: "endLine", value: .number("\(range.end.line)")),
            .init(key: "endColumn", value: .number("\(range.end.column)")),
        ]
        if let help { members.append(.init(key: "help", value: .string(help))) }
        if !fix.isEmpty { members.append(.init(key: "fix", value: .array(fix.map(\.json)))) }
        return .object(members)
    }
}

extension TextEdit {
    fileprivate var json: JSON {
        [
            "line": .number("\(range.start.line)"), "column": .number("\(range.start.column)"),
            "endLine": .number("\(range.end.line)"), "endColumn": .number("\(range.end.column)"),
            "text": .string(text),
        ]
    }
}
