/// A mistake in a study file, or in a file that it names, with its place.
package struct Diagnostic: Error, Hashable, Sendable {
    /// Whether the study can still be run.
    package enum Severity: String, Hashable, Sendable {
        /// The study cannot be run.
        case error
        /// The study can be run, but probably does not do what the author meant.
        case warning
    }

    /// A second place that belongs to the mistake, such as the first of two equal keys.
    package struct Note: Hashable, Sendable {
        package var message: String
        package var range: SourceRange
        /// The text of the line where `range` starts.
        package var sourceLine: SourceLine
    }

    package var severity: Severity
    package var code: DiagnosticCode
    /// One sentence without a full stop.
    package var message: String
    /// The path by which the reader can open the file, relative to where the study file was named.
    package var file: String
    package var range: SourceRange
    /// What to do about it.
    package var help: String?
    /// The text of the line where `range` starts.
    package var sourceLine: SourceLine
    package var note: Note?
    /// The changes of `file` that carry out `help`; empty if only the author can know.
    package var fix: [TextEdit] = []

    package init(
        _ severity: Severity, _ code: DiagnosticCode, _ message: String, file: String,
        range: SourceRange, sourceLine: SourceLine, help: String? = nil, note: Note? = nil
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.file = file
        self.range = range
        self.sourceLine = sourceLine
        self.help = help
        self.note = note
    }
}

/// A place in a file, with everything that is needed to show it.
package struct TextPlace: Hashable, Sendable {
    package var file: String
    package var range: SourceRange
    /// The text of the line where `range` starts.
    package var sourceLine: SourceLine

    init(_ range: SourceRange, _ source: SourceText) {
        file = source.file
        self.range = range
        sourceLine = source.line(around: range.start)
    }
}

extension Diagnostic {
    /// A mistake that was found after the file was read.
    package init(
        _ severity: Severity, _ code: DiagnosticCode, _ message: String, at place: TextPlace, help: String
    ) {
        self.init(severity, code, message, at: place, help: Help(help))
    }

    init(_ severity: Severity, _ code: DiagnosticCode, _ message: String, at place: TextPlace, help: Help) {
        self.init(
            severity, code, message, file: place.file, range: place.range, sourceLine: place.sourceLine,
            help: help.text)
        fix = help.edits(at: place.range)
    }
}
