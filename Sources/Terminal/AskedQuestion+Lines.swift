import StudyModel
import StudySession

extension AskedQuestion {
    /// The question as lines, its options numbered.
    func lines(on screen: Screen, _ wording: Wording) -> [String] {
        let note = isOptional ? " (\(wording(.optional)))" : ""
        let heading = title == screen.title && note.isEmpty ? "" : title + note
        let options = format.options(in: screen.language).enumerated().map { "\($0 + 1). \($1)" }
        return ([heading.trimmed, text == screen.text ? "" : text] + options + labels(screen.language))
            .filter { !$0.isEmpty }
    }

    /// What to type.
    func request(_ wording: Wording) -> [String] {
        let request =
            switch format {
            case .scale(let from, let to, _, _): wording(.numberBetween, String(from), String(to))
            case .continuous(let from, let to, let decimals):
                wording(.numberBetween, from.shown(decimals), to.shown(decimals))
            case .choice, .boolean: wording(.lineChoice)
            case .choices: wording(.lineChoices)
            case .number(let unit, _, _): wording(.writeNumber) + (unit.map { " (\($0))" } ?? "")
            case .text: wording(.lineText)
            case .date: wording(.dateForm)
            case .timeOfDay: wording(.timeForm)
            }
        return isOptional ? [request, wording(.lineLeaveOut)] : [request]
    }

    /// What to say where an answer is needed.
    var need: ValidationError {
        switch format {
        case .scale, .choice, .choices, .boolean: ValidationError(.pleaseChoose)
        case .continuous, .number, .text, .date, .timeOfDay: ValidationError(.pleaseWrite)
        }
    }

    /// Reads a typed line.
    ///
    /// - Returns: `nil` for an empty line.
    func read(line: String, language: Language?) throws(ValidationError) -> Answer? {
        let options = format.options(in: language)
        if !options.isEmpty { return format.answer(picking: try pick(line, options, language)) }
        if case .text = format, line.count >= 2, line.hasPrefix("\""), line.hasSuffix("\"") {
            return try format.read(String(line.dropFirst().dropLast()))
        }
        return try format.read(line)
    }

    private func labels(_ language: Language?) -> [String] {
        guard case .scale(let from, let to, let fromLabel, let toLabel) = format else { return [] }
        return [(from, fromLabel), (to, toLabel)].compactMap { value, label in
            label.map { "\(value) = \($0.text(in: language))" }
        }
    }

    private func pick(_ line: String, _ options: [String], _ language: Language?) throws(ValidationError)
        -> Set<
            Int
        >
    {
        let line = line.trimmed
        if line.isEmpty { return [] }
        if let index = options.firstIndex(where: { $0.lowercased() == line.lowercased() }) { return [index] }
        if case .boolean = format, let letter = line.first, line.count == 1,
            let isYes = Wording(language).isYes(letter)
        {
            return [isYes ? 0 : 1]
        }
        let words = line.split { $0 == " " || $0 == "," }
        let numbers = words.compactMap { Int($0) }.filter(Set(1...options.count).contains)
        var isSeveral = false
        if case .choices = format { isSeveral = true }
        guard numbers.count == words.count, isSeveral || numbers.count == 1 else {
            throw ValidationError(isSeveral ? .lineChoices : .lineChoice)
        }
        return Set(numbers.map { $0 - 1 })
    }
}
