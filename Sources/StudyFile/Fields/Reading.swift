/// One file while it is being read: its text, its findings, and the study around it.
final class Reading {
    let source: SourceText
    /// What is known about the whole study so far, shared by the readings of all its files.
    let context: StudyContext
    private(set) var diagnostics: [Diagnostic] = []
    /// The clip or condition whose values are used in the steps being read.
    var row: FilledRow?
    /// The arm whose values are used in what is being read.
    var arm: FilledRow?
    /// The places of each `$name` that no row has; nothing more is reported there.
    var unknownValues: Set<SourceRange> = []

    init(_ source: SourceText, context: StudyContext) {
        self.source = source
        self.context = context
    }

    /// Adds a mistake, unless it was already found at the same place.
    func report(
        _ code: DiagnosticCode, _ message: String, at range: SourceRange, help: Help? = nil,
        first: SourceRange? = nil, severity: Diagnostic.Severity = .error
    ) {
        guard !unknownValues.contains(range) else { return }
        if let cell = row?.places[range] ?? arm?.places[range] {
            cell.reading.add([cell.reading.source.diagnostic(code, message, at: cell.range, help: help)])
            return
        }
        let note = first.map {
            Diagnostic.Note(
                message: "it is first given here", range: $0, sourceLine: source.line(around: $0.start))
        }
        add([source.diagnostic(code, message, at: range, help: help, note: note, severity: severity)])
    }

    /// Adds a warning about what can be read, and can hardly be meant. Only `check` says it.
    func doubt(_ code: DiagnosticCode, _ message: String, at range: SourceRange, help: Help) {
        let place = (row?.places[range] ?? arm?.places[range]).map { ($0.reading.source, $0.range) }
        let (source, range) = place ?? (source, range)
        context.doubts.append(source.diagnostic(code, message, at: range, help: help, severity: .warning))
    }

    /// Replaces the help of a finding that has no fix with a better one.
    func mend(at range: SourceRange, _ code: DiagnosticCode, _ help: Help) {
        guard let last = diagnostics.indices.last, diagnostics[last].range == range,
            diagnostics[last].code == code,
            diagnostics[last].fix.isEmpty
        else { return }
        diagnostics[last].help = help.text
        diagnostics[last].fix = help.edits(at: range)
    }

    /// Reports mistakes without fixes, because what is meant lies somewhere within the place.
    func withoutFixes(_ check: () -> Void) {
        let known = diagnostics.count
        check()
        for place in diagnostics.indices.dropFirst(known) { diagnostics[place].fix = [] }
    }

    /// Whether something is wrong with the value at a place.
    func hasReported(at range: SourceRange?) -> Bool {
        diagnostics.contains { $0.range == range }
    }

    /// Adds findings that other code made in this file.
    func add(_ found: [Diagnostic]) { diagnostics += found }

    /// Removes every mistake for which `isCertain` is false.
    func keep(_ isCertain: (Diagnostic) -> Bool) { diagnostics.removeAll { !isCertain($0) } }
}
