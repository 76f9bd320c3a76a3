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
        let beginning = text.prefix { $0 != ":" }
        let tail = String(text.dropFirst(beginning.count + 1)).trimmed
        let head = String(beginning).trimmed
        if beginning.count < text.count, let picked = Self.numbers(head, control) {
            options = picked
            words = tail.isEmpty ? nil : tail
        } else if Self.names(text, control) == nil, Self.numbers(text, control) == nil,
            text.contains(where: \.isLetter)
        {
            if Notation.folded(head) == Notation.folded(control.options[other]), !tail.isEmpty {
                words = tail
            } else if let listed = Self.listed(text, control) {
                options = listed
            } else if let meant = Self.optionMeant(by: text, control) {
                let own = "\(control.options[other]): \(text)"
                throw ValidationError(.twoReadings, control.options[meant], own).then(control.request)
            } else if control.takesSeveral, Self.noOwnWords.contains(Notation.folded(text)) {
                throw ValidationError(.noSuchOption, "\(control.options.count)").then(control.request)
            } else {
                words = text
            }
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

    /// Words that speak of the list as a whole; nobody's own words for one more option.
    private static let noOwnWords: Set<String> = [
        "all", "all of them", "none", "no", "nothing", "alle", "alles", "keine", "keins", "nichts", "nein",
        "tous", "tout",
        "toutes", "aucun", "aucune", "rien", "non", "todos", "todas", "todo", "ninguno", "ninguna", "nada",
        "ολα", "κανενα",
        "τιποτα", "οχι", "كل", "لا",
    ]

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
        case (_, let numbers?):
            if !control.isReview { try mustBeClear(numbers, text, options) }
            return numbers
        case (nil, nil):
            guard control.isYesOrNo, let isYes = Self.isYes(text, options, language) else {
                throw ValidationError(.noSuchOption, "\(options.count)").then(control.request)
            }
            return [isYes ? 0 : 1]
        }
    }

    /// A number that is also what another option counts may mean either: `1` of `0 cups`, `1 cup`, `2 cups`.
    private static func mustBeClear(
        _ numbers: Set<Int>, _ text: String, _ options: [String]
    ) throws(ValidationError) {
        guard let index = numbers.first, numbers.count == 1, let number = words(in: text).first,
            !words(in: options[index]).contains(number),
            let other = options.firstIndex(where: { words(in: $0).contains(number) })
        else { return }
        throw ValidationError(.twoReadings, options[index], options[other])
    }

    /// The words of a text in small letters, with plain digits and without what stands between them.
    private static func words(in text: String) -> [String] {
        Notation.folded(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Words between the parts of a list.
    private static let between: Set<String> = [
        "and", "und", "et", "y", "e", "en", "og", "och", "και", "و", "ו", "и",
    ]

    /// The options that a text lists by numbers or words; `nil` if anything else is among them, or if there is one alone.
    private static func listed(_ text: String, _ control: AnswerControl) -> Set<Int>? {
        guard control.takesSeveral else { return nil }
        var parts: [[Substring]] = [[]]
        let text = Notation.plain(text).replacing(",", with: " , ").replacing("،", with: " , ")
        for word in text.split(separator: " ") {
            if word == "," || between.contains(word.lowercased()) {
                parts.append([])
            } else if word.first == "و", Int(word.dropFirst()) != nil {
                parts.append([word.dropFirst()])
            } else {
                parts[parts.count - 1].append(word)
            }
        }
        let named = parts.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
        let picked = named.map { names($0, control).map { [$0] } ?? numbers($0, control) }
        guard named.count > 1, picked.allSatisfy({ $0 != nil }) else { return nil }
        return picked.reduce(into: []) { $0.formUnion($1 ?? []) }
    }

    /// An option that words which are no option may mean all the same: they hold its words, begin them, or begin with its
    /// number.
    private static func optionMeant(by text: String, _ control: AnswerControl) -> Int? {
        let typed = words(in: text)
        let isListed = text.contains { ",،".contains($0) } || typed.count == 3 && between.contains(typed[1])
        let isNoted = control.takesSeveral && text.contains("(")
        return control.options.indices.first { index in
            let own = words(in: control.options[index])
            guard index != control.other, let first = own.first else { return false }
            let number = String(index + 1)
            let holds = typed.indices.contains { typed[$0...].starts(with: own) }
            let begins = typed.count == 1 && typed[0].count > 2 && first.hasPrefix(typed[0])
            let words = own.joined(separator: " ")
            let isNear =
                words.count > 4
                && Suggestion.nearest(to: typed.joined(separator: " "), among: [words]) != nil
            return holds || begins || isNear
                || typed.first == number && (isListed || isNoted)
                || control.takesSeveral && typed.count > 1 && typed.last == number
        }
    }

    /// The text without the full stop or the exclamation mark of a sentence.
    private static func withoutStop(_ text: String) -> String {
        text.count > 1 && ".!".contains(text.last ?? " ") ? String(text.dropLast()) : text
    }

    /// Whether a text means yes: by the first letter of one of the two options, or by a word of the language.
    private static func isYes(_ text: String, _ options: [String], _ language: Language?) -> Bool? {
        let text = Notation.folded(withoutStop(text))
        let first = options.map { Notation.folded($0).prefix(1) == text }
        let byWord = Wording(language).isYes(text)
        let begins = options.map { words(in: $0).first.flatMap { Wording(language).isYes($0) } }
        // A study's own words may say yes with the option that means no.
        if byWord != nil, begins.first == false || begins.last == true { return nil }
        guard options.count == 2, first[0] != first[1] else { return byWord }
        return byWord == !first[0] ? nil : first[0]
    }

    private static func names(_ text: String, _ control: AnswerControl) -> Int? {
        if let index = control.options.firstIndex(where: { $0.lowercased() == text.lowercased() }) {
            return index
        }
        let same = control.options.indices.filter {
            Notation.folded(control.options[$0]) == Notation.folded(withoutStop(text))
        }
        return same.count == 1 ? same[0] : nil
    }

    /// The options whose numbers a text lists; `nil` if it is not such a list.
    static func numbers(_ text: String, _ control: AnswerControl) -> Set<Int>? {
        let words = Notation.plain(withoutStop(text)).split { " ,،".contains($0) }
        let numbers = words.compactMap { Int($0.drop { $0 == "#" }) }.filter {
            control.options.indices.contains($0 - 1)
        }
        guard numbers.count == words.count, !words.isEmpty, control.takesSeveral || numbers.count == 1 else {
            return nil
        }
        return Set(numbers.map { $0 - 1 })
    }
}
