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
        let request = control.request.text(in: wording) + (control.unit.map { " (\($0))" } ?? "")
        let kept = withoutHalf
        guard kept.text.isEmpty else { return [request, wording(.lineKeep, kept.words)] }
        return question.isOptional ? [request, wording(.lineLeaveOut)] : [request]
    }

    /// The answer, or a remark that there is none.
    func reviewed(_ wording: Wording) -> String { text.isEmpty ? wording(.unanswered) : words }

    /// The answer so far, in the words of the question.
    private var words: String {
        control.isList && !picked.isEmpty
            ? picked.sorted().map { control.options[$0] }.joined(separator: ", ")
                + (otherWords.map { ": " + $0 } ?? "") : meaning ?? text.trimmed
    }
}
