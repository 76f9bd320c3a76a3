import Patterns
package import StudyModel
import TextFormat

/// The answers that simulated participants are told to give, and all mistakes in them.
package struct ParsedAnswers: Sendable {
    /// Every mistake.
    package var diagnostics: [Diagnostic]
    /// For each question, the answers of one participant after another; `nil` leaves the question out.
    private let answers: [Identifier: [Answer?]]

    /// - Parameters:
    ///   - text: the file's bytes.
    ///   - file: its name as diagnostics show it.
    ///   - tasks: the tasks whose questions are answered.
    package init(_ text: [UInt8], named file: String, to tasks: [Study.Task]) {
        let checked = CheckedText(text, file: file)
        var found = checked.diagnostics
        var entries: [Entry<[Answer?]>] = []
        if let text = checked.text {
            let nowhere = Library(text: { _ in .failure(.missing) }, media: { _ in .missing })
            let reading = Reading(checked.source, context: StudyContext(library: nowhere, file: file))
            entries = reading.read(TreeBuilder(text, checked.source), as: .answers(to: tasks)) ?? []
            found += reading.diagnostics
        }
        diagnostics = found
        answers = Dictionary(entries.map { ($0.key.value, $0.value) }) { first, _ in first }
    }

    /// The answers that a participant is told to give.
    ///
    /// - Parameter number: the participant's number, from 1. Lists start again at their end.
    package func answers(of number: Int) -> [Identifier: Answer?] {
        answers.mapValues { $0[(max(1, number) - 1) % $0.count] }
    }
}

/// A question of a task, and what its answers look like.
private struct Asked: Hashable {
    /// The format; `nil` for a document to agree to.
    var format: AnswerFormat?
    var isOptional: Bool
}

extension Kind<[Entry<[Answer?]>]> {
    /// Answers by question: one, or a list that the participants use in turn.
    fileprivate static func answers(to tasks: [Study.Task]) -> Kind {
        let questions = Dictionary(
            tasks.flatMap(\.allSteps).flatMap(\.facts.asked).map {
                ($0.identifier, [Asked(format: $0.format, isOptional: $0.mayBeMissing)])
            }, uniquingKeysWith: +)
        return Kind([:]) { node, reading in
            guard case .mapping(let pairs) = node.content else {
                reading.reportKind(
                    of: node, expected: "answers by question",
                    help: "write a question and its answer: 'sex: female'")
                return nil
            }
            return pairs.compactMap { pair in
                guard let asked = reading.question(pair.key, among: questions),
                    let answers = reading.answers(pair.value, to: asked, named: pair.key.value),
                    let name = Identifier(pair.key.value)
                else { return nil }
                return Entry(key: Located(value: name, range: pair.key.range), value: answers)
            }
        }
    }
}

extension Reading {
    /// The question with that name; reports if there is none, or if several differ.
    fileprivate func question(_ name: Located<String>, among questions: [Identifier: [Asked]]) -> Asked? {
        guard let asked = Identifier(name.value).flatMap({ questions[$0] }), let first = asked.first else {
            report(
                .unknownQuestion, "the task asks no question '\(name.value.prefix(64))'", at: name.range,
                help: Help.nearest(
                    to: name.value, among: questions.keys.map(\.text).sorted(), all: "the questions are"))
            return nil
        }
        guard Set(asked.map(\.format)).count == 1 else {
            report(
                .ambiguousQuestion,
                "several questions are called '\(name.value)', with different answers", at: name.range,
                help: "give them different identifiers in the study")
            return nil
        }
        return Asked(format: first.format, isOptional: asked.allSatisfy(\.isOptional))
    }

    /// - Returns: at least one; `nil` if any cannot be used.
    fileprivate func answers(_ node: Node, to asked: Asked, named name: String) -> [Answer?]? {
        guard case .sequence(let nodes) = node.content else {
            return answer(node, to: asked, named: name).map { [$0] }
        }
        guard !nodes.isEmpty else {
            report(.emptyList, "the list is empty", at: node.range, help: "write at least one answer")
            return nil
        }
        let answers = nodes.map { answer($0, to: asked, named: name) }
        return answers.contains { $0 == nil } ? nil : answers.compactMap(\.self)
    }

    /// - Returns: the answer, or an inner `nil` to leave the question out; an outer `nil` if a mistake was
    ///   reported.
    private func answer(_ node: Node, to asked: Asked, named name: String) -> Answer?? {
        if node.isNull {
            if asked.isOptional { return .some(nil) }
            report(
                .missingValue, "the question '\(name)' cannot be left out", at: node.range,
                help: "write an answer, or make the question optional")
            return nil
        }
        guard let format = asked.format else {
            guard case .boolean(let agrees)? = ConditionValue.boolean(node, self) else { return nil }
            return agrees ? .consent(signature: "Simulated Participant") : .declined
        }
        let words: [Node] = if case .sequence(let nodes) = node.content { nodes } else { [node] }
        let values = words.map {
            ConditionValue.answer($0, to: format, Located(value: .eq, range: $0.range), self)
        }
        guard !values.contains(nil) else { return nil }
        guard let answer = format.answer(values.compactMap(\.self), inOtherWords: "simulated"),
            format.accepts(answer),
            format.matches(answer)
        else {
            report(
                .conditionValue, "'\(name)' does not take this answer", at: node.range,
                help: "write what a participant could answer")
            return nil
        }
        return answer
    }
}
