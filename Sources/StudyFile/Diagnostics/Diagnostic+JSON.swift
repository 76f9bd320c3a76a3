extension [Diagnostic] {
    /// All diagnostics as a JSON array of
    /// `{code, severity, message, file, line, column, endLine, endColumn, help}`, one per line.
    ///
    /// `help` is left out where there is none; lines and columns count from 1, the end is exclusive.
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
        return .object(members)
    }
}
