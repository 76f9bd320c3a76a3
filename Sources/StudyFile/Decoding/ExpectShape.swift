import StudyModel
import TextFormat

/// A warning to which the study's author has an answer, so that it is not said again.
package struct Expectation: Hashable, Sendable {
    package let code: DiagnosticCode
    /// The step for which it holds; `nil` for the whole study.
    let scope: SourceRange?
    let place: TextPlace

    package func answers(_ warning: Diagnostic) -> Bool {
        guard warning.severity == .warning, warning.code == code else { return false }
        guard let scope else { return true }
        return warning.file == place.file && scope.start <= warning.range.start
            && warning.range.start < scope.end
    }
}

/// The warnings that authors expect, with their reasons.
enum ExpectShape {
    static let ofStudy = field("Warnings of 'entrain check' that are meant, each with the reason.")
    static let ofStep = field("The step's warnings of 'entrain check' that are meant, each with the reason.")

    private static func field(_ description: String) -> Field<[Entry<String>]> {
        Field(
            "expect", .map(.text(), noun: "reason"), "Expected warnings", description,
            example: ["clip-short": "The silence after the tone belongs to the trial."])
    }

    /// - Parameter scope: the step for which they hold; `nil` for the whole study.
    static func remember(_ expected: [Entry<String>]?, within scope: SourceRange?, _ reading: Reading) {
        for entry in expected ?? [] {
            let (name, place) = (entry.key.value.text, entry.key.range)
            guard let code = DiagnosticCode(rawValue: name) else {
                reading.report(
                    .unknownWord, "no warning has the code '\(name)'", at: place,
                    help: Help.nearest(
                        to: name, among: DiagnosticCode.allCases.map(\.rawValue),
                        all: "'entrain check' prints the codes in brackets, such as"))
                continue
            }
            let expectation = Expectation(code: code, scope: scope, place: TextPlace(place, reading.source))
            guard !reading.context.expectations.contains(expectation) else { continue }
            reading.context.expectations.append(expectation)
        }
    }
}

extension [Diagnostic] {
    /// The findings that no expectation answers.
    package func unanswered(by expectations: [Expectation]) -> [Diagnostic] {
        expectations.isEmpty ? self : filter { finding in !expectations.contains { $0.answers(finding) } }
    }

    /// A warning about each expectation that answers none of these findings.
    package func unmet(_ expectations: [Expectation]) -> [Diagnostic] {
        expectations.filter { expectation in !contains { expectation.answers($0) } }.map {
            Diagnostic(
                .warning, .unmetExpectation, "nothing is found here that '\($0.code.rawValue)' would warn of",
                at: $0.place, help: "leave it out")
        }
    }
}
