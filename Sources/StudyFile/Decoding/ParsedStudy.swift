package import StudyModel

/// The content of a study file, and all mistakes in it.
package struct ParsedStudy: Sendable {
    /// The study; `nil` if there is any error.
    package var study: Study?
    /// Every mistake, sorted by file (the study's own first) and place; those that may follow from others come last.
    package var diagnostics: [Diagnostic]
    /// Findings about things that are never used, never hold or have no effect. Only for a study without errors,
    /// because errors may cause such findings.
    package var hints: [Diagnostic]
    /// Warnings about what can be read, and can hardly be meant, such as a question without words. Only for a study
    /// without errors.
    package var doubts: [Diagnostic]
    /// The text of every other file that was read, by normal path relative to the study file.
    package var files: [String: String]
    /// The registration that the study names, with its path as in `files` and its text; `nil` if it names none.
    package var registration: NamedRegistration?
    /// Every block that says how its rounds are ordered.
    package var orders: [OrderPlace]
    /// Where the study uses clips.
    package var clipUses: ClipUses
    /// Where the study names each of its outcomes, in their order.
    package var outcomePlaces: [TextPlace]
    /// Where the study writes each step, blocks included.
    package var stepPlaces: [StepPlace]
    /// The warnings to which the study has an answer.
    package var expectations: [Expectation]
    /// Where texts for participants stand.
    let textPlaces: [StudyText.Place]

    /// - Parameters:
    ///   - text: the file's bytes.
    ///   - file: its name as diagnostics show it.
    ///   - library: reads the files that it names.
    package init(_ text: [UInt8], named file: String, library: Library) {
        let context = StudyContext(library: library, file: file)
        let checked = CheckedText(text, file: file)
        var found = checked.diagnostics
        var study: Study?
        if let text = checked.text {
            let tree = TreeBuilder(text, checked.source)
            let reading = Reading(checked.source, context: context)
            study = reading.read(tree, as: .mapping(StudyShape.shape))
            found += reading.diagnostics
        }
        textPlaces = context.texts.map(\.place)
        found += context.removeOtherDiagnostics()
        let sorted = Self.sorted(found, first: file)
        diagnostics = sorted.filter { !$0.isHint }
        hints = diagnostics.contains { $0.severity == .error } ? [] : sorted.filter(\.isHint)
        self.study = diagnostics.contains { $0.severity == .error } ? nil : study
        doubts = self.study == nil ? [] : Self.sorted(context.doubts, first: file)
        files = context.files
        registration = context.registration
        orders = context.orderPlaces
        clipUses = context.clipUses
        outcomePlaces = context.outcomePlaces
        stepPlaces = context.stepPlaces
        expectations = context.expectations
    }

    /// Without duplicates: a mistake that an alias repeats is reported once.
    private static func sorted(_ diagnostics: [Diagnostic], first file: String) -> [Diagnostic] {
        var seen: Set<Key> = []
        let unique = diagnostics.enumerated().filter { seen.insert(Key($0.element)).inserted }
        let hasCauses = unique.contains { $0.element.isCause }
        let ordered = unique.sorted { left, right in
            let (a, b) = (left.element, right.element)
            if a.file != b.file { return a.file == file || (b.file != file && a.file < b.file) }
            if hasCauses, a.isCause != b.isCause { return a.isCause }
            if a.range.start != b.range.start { return a.range.start < b.range.start }
            return left.offset < right.offset
        }
        return ordered.map(\.element)
    }
}

extension Diagnostic {
    /// Whether it is a mistake of its own place, from which others elsewhere may follow.
    fileprivate var isCause: Bool {
        switch code.horizon {
        case .value, .group: severity == .error
        case .section, .study: false
        }
    }
}

/// The parts in which equal diagnostics agree.
private struct Key: Hashable {
    var code: DiagnosticCode
    var file: String
    var range: SourceRange
    var message: String

    init(_ diagnostic: Diagnostic) {
        (code, file) = (diagnostic.code, diagnostic.file)
        (range, message) = (diagnostic.range, diagnostic.message)
    }
}

/// Where a block says how its rounds are ordered, for problems that only drawing finds.
package struct OrderPlace: Hashable, Sendable {
    package var task: Identifier
    package var block: Identifier
    /// The place of the value of the key `order`.
    package var place: TextPlace
}

/// Where a step is written.
package struct StepPlace: Hashable, Sendable {
    package var task: Identifier
    /// Identifiers from the task's list down to the step, with dots between.
    package var path: String
    package var place: TextPlace
}

/// The registration that a study names.
package struct NamedRegistration: Hashable, Sendable {
    /// The path of the file, relative to the study file, in normal form.
    package var path: String
    /// The text of the file.
    package var text: String
    /// Where the study names it.
    package var place: TextPlace
}
