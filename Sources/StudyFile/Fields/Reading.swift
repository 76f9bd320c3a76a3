/// One file while it is read: its text, what was found in it, and the study around it.
final class Reading {
    let source: SourceText
    /// What the whole study knows so far; shared by the readings of all its files.
    let context: StudyContext
    private(set) var diagnostics: [Diagnostic] = []
    /// The clip or condition whose values are in the steps that are being read.
    var row: FilledRow?
    /// The arm whose values are in what is being read.
    var arm: FilledRow?
    /// Where a `$name` stands that no row has: nothing more is said of it.
    var unknownValues: Set<SourceRange> = []

    init(_ source: SourceText, context: StudyContext) {
        self.source = source
        self.context = context
    }

    /// Adds a mistake; one that was found before at the same place is not repeated.
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

    /// Gives a finding that names no change a better help.
    func mend(at range: SourceRange, _ code: DiagnosticCode, _ help: Help) {
        guard let last = diagnostics.indices.last, diagnostics[last].range == range,
            diagnostics[last].code == code,
            diagnostics[last].fix.isEmpty
        else { return }
        diagnostics[last].help = help.text
        diagnostics[last].fix = help.edits(at: range)
    }

    /// Tells what is wrong without a change that mends it: what is meant stands somewhere within the place.
    func withoutFixes(_ check: () -> Void) {
        let known = diagnostics.count
        check()
        for place in diagnostics.indices.dropFirst(known) { diagnostics[place].fix = [] }
    }

    /// Whether something is wrong with the value at a place.
    func hasReported(at range: SourceRange?) -> Bool {
        diagnostics.contains { $0.range == range }
    }

    /// Adds what others found in this file.
    func add(_ found: [Diagnostic]) { diagnostics += found }

    /// Leaves out every mistake for which `isCertain` does not hold.
    func keep(_ isCertain: (Diagnostic) -> Bool) { diagnostics.removeAll { !isCertain($0) } }
}
