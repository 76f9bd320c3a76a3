import SessionPorts
import StudyModel

extension Draft {
    /// The question as lines, its options numbered.
    func lines(on screen: Screen, _ wording: Wording) -> [String] {
        let note = question.isOptional ? " (\(wording(.optional)))" : ""
        let heading = question.title == screen.title && note.isEmpty ? "" : question.title + note
        let options = control.options.enumerated().map { "\($0 + 1). \($1)" }
        return
            ([heading.trimmed, question.text == screen.text ? "" : question.text] + options
            + control.labels.map(\.words))
            .filter { !$0.isEmpty }
    }

    /// What to type.
    func request(_ wording: Wording) -> [String] {
        var request = control.request.text(in: wording)
        if let unit = control.unit {
            request = "\(request.hasSuffix(".") ? String(request.dropLast()) : request) (\(unit))."
        }
        let kept = withoutHalf
        guard kept.text.isEmpty else { return [request, wording(.lineKeep, kept.words)] }
        return question.isOptional ? [request, wording(.lineLeaveOut)] : [request]
    }

    /// The answer, or a remark that there is none.
    func reviewed(_ wording: Wording) -> String { text.isEmpty ? wording(.unanswered) : words }

    /// How a line was understood, such as `= Greek`; `nil` if the answer is the line itself, or none.
    func understoodLine(_ text: String) -> String? {
        understood == nil || isNumberHidden && meaning == nil || words.lowercased() == text.lowercased()
            ? nil : "= \(words)"
    }

    /// The answer so far, in the words of the question.
    private var words: String {
        control.isList && !picked.isEmpty
            ? picked.sorted().map { control.options[$0] }.joined(separator: ", ")
                + (otherWords.map { ": " + $0 } ?? "")
            : meaning ?? (isNumberHidden ? place : nil) ?? text.trimmed
    }

    /// Where the mark stands on a scale whose numbers the participant does not see.
    private var place: String? {
        guard let value, case .interval(let from?, let to?, _) = question.format.domain, from < to else {
            return nil
        }
        let track = (0...20).map { $0 == Int(((value - from) / (to - from) * 20).rounded()) ? "●" : "─" }
        return "├" + track.joined() + "┤"
    }
}
