import SessionPorts
import StudyModel

/// What a text chooses from a list: options by their numbers or words, and the participant's own words.
///
/// `2`, `1,3` or an option's words. After a colon, or if nothing else can be meant, the words for the option that asks
/// for words: `3: gardening`, `1 3: gardening`, `gardening`.
struct Picks: Hashable, Sendable {
    var options: Set<Int> = []
    /// The words for the option that asks for words; `nil` if there are none yet.
    var words: String?

    var isEmpty: Bool { options.isEmpty }

    init(_ options: Set<Int> = [], words: String? = nil) { (self.options, self.words) = (options, words) }

    /// What `written` wrote; `nil` for any other text.
    init?(written text: String, _ control: AnswerControl) {
        let head = text.prefix { $0 != ":" }
        let numbers = head.split(separator: " ").map { $0.first == "#" ? Int($0.dropFirst()) : nil }
        guard !numbers.isEmpty, !numbers.contains(nil),
            numbers.allSatisfy({ control.options.indices.contains(($0 ?? 0) - 1) })
        else { return nil }
        options = Set(numbers.compactMap { $0.map { $0 - 1 } })
        let tail = text.dropFirst(head.count + 1).trimmingPrefix(" ")
        words = tail.isEmpty ? nil : String(tail)
    }

    init(_ typed: String, _ control: AnswerControl, _ language: Language?) throws(ValidationError) {
        let text = typed.trimmed
        guard let other = control.other else {
            options = try Self.picked(text, control, language)
            return
        }
        let head = text.prefix { $0 != ":" }
        let tail = String(text.dropFirst(head.count + 1)).trimmed
        if head.count < text.count, let picked = Self.numbers(String(head), control) {
            options = picked
            words = tail.isEmpty ? nil : tail
        } else if Self.names(text, control) == nil, Self.numbers(text, control) == nil,
            text.contains(where: \.isLetter)
        {
            let isNamed = head.lowercased() == control.options[other].lowercased() && !tail.isEmpty
            words = isNamed ? tail : text
        } else {
            options = try Self.picked(text, control, language)
            return
        }
        if words != nil { options.insert(other) }
        guard control.takesSeveral || options.count < 2 else {
            throw ValidationError(.noSuchOption, "\(control.options.count)").then(control.request)
        }
    }

    /// The choice as a draft keeps it: `#1 #3: gardening`.
    var written: String {
        let numbers = options.sorted().map { "#\($0 + 1)" }.joined(separator: " ")
        return numbers + (words.map { ": " + $0 } ?? "")
    }

    /// The options that a text means: by their numbers, or by the words of one option.
    private static func picked(
        _ text: String, _ control: AnswerControl, _ language: Language?
    ) throws(ValidationError) -> Set<Int> {
        let options = control.options
        let numbers = numbers(text, control)
        switch (names(text, control), numbers) {
        case (let index?, nil): return [index]
        case (let index?, let numbers?) where numbers != [index]:
            throw ValidationError(.twoReadings, options[numbers.min() ?? index], options[index])
        case (_, let numbers?): return numbers
        case (nil, nil):
            guard control.isYesOrNo, let isYes = Wording(language).isYes(text) else {
                throw ValidationError(.noSuchOption, "\(options.count)").then(control.request)
            }
            return [isYes ? 0 : 1]
        }
    }

    private static func names(_ text: String, _ control: AnswerControl) -> Int? {
        control.options.firstIndex { $0.lowercased() == text.lowercased() }
    }

    /// The options whose numbers a text lists; `nil` if it is not such a list.
    static func numbers(_ text: String, _ control: AnswerControl) -> Set<Int>? {
        let words = text.split { $0 == " " || $0 == "," }
        let numbers = words.compactMap { Int($0.drop { $0 == "#" }) }.filter {
            control.options.indices.contains($0 - 1)
        }
        guard numbers.count == words.count, !words.isEmpty, control.takesSeveral || numbers.count == 1 else {
            return nil
        }
        return Set(numbers.map { $0 - 1 })
    }
}
