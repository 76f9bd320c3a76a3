import StudyModel
import StudySession

extension AskedQuestion {
    /// The question as lines, its options numbered.
    func lines(on screen: Screen, _ wording: Wording) -> [String] {
        let note = isOptional ? " (\(wording(.optional)))" : ""
        let heading = title == screen.title && note.isEmpty ? "" : title + note
        let control = format.control(in: screen.language)
        let options = control.options.enumerated().map { "\($0 + 1). \($1)" }
        return ([heading.trimmed, text == screen.text ? "" : text] + options + control.labels)
            .filter { !$0.isEmpty }
    }

    /// What to type.
    func request(on screen: Screen, _ wording: Wording) -> [String] {
        let control = format.control(in: screen.language)
        let request = control.request.text(in: wording) + (control.unit.map { " (\($0))" } ?? "")
        return isOptional ? [request, wording(.lineLeaveOut)] : [request]
    }

    /// Reads a typed line.
    ///
    /// - Returns: `nil` for an empty line where none is needed.
    func read(line: String, on screen: Screen) throws(ValidationError) -> Answer? {
        let control = format.control(in: screen.language)
        let answer: Answer?
        if !control.options.isEmpty {
            answer = format.answer(picking: try control.pick(line, Wording(screen.language)))
        } else if control.takesLetters, line.count >= 2, line.hasPrefix("\""), line.hasSuffix("\"") {
            answer = try format.read(String(line.dropFirst().dropLast()))
        } else {
            answer = try format.read(line)
        }
        if answer == nil, !isOptional { throw control.need }
        return answer
    }
}

extension AnswerControl {
    /// The options that a typed line means, by their numbers or words.
    fileprivate func pick(_ line: String, _ wording: Wording) throws(ValidationError) -> Set<Int> {
        let line = line.trimmed
        if line.isEmpty { return [] }
        if let index = options.firstIndex(where: { $0.lowercased() == line.lowercased() }) { return [index] }
        if isYesOrNo, let letter = line.first, line.count == 1, let isYes = wording.isYes(letter) {
            return [isYes ? 0 : 1]
        }
        let words = line.split { $0 == " " || $0 == "," }
        let numbers = words.compactMap { Int($0) }.filter(Set(1...options.count).contains)
        guard numbers.count == words.count, takesSeveral || numbers.count == 1 else { throw request }
        return Set(numbers.map { $0 - 1 })
    }
}
