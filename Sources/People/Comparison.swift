package import Results
package import StudyModel

/// What was meant beside what is stored.
package struct Comparison {
    private let reading: StudyReading
    private let meant: [PersonSession.Meant]
    private let visits: [ResultBundle.Visit]

    package init(_ meant: [PersonSession.Meant], with visits: [ResultBundle.Visit], _ reading: StudyReading) {
        (self.meant, self.reading) = (meant, reading)
        self.visits = visits.filter { !$0.isSkipped }
    }

    /// The answers that are not stored as they were meant, in the order of the questions.
    package var lost: [Finding] {
        Set(reading.questions.filter { $0.place.isCompared }.map(reading.name)).sorted().flatMap(lost)
    }

    /// - Parameter name: that of a question, which stands for all with the same words.
    private func lost(_ name: Identifier) -> [Finding] {
        let twins = reading.questions.filter { reading.name(of: $0) == name && $0.place.isCompared }
        let names = Set(twins.map(\.identifier.text))
        let meant = meant.filter { reading.name(of: $0.question) == name && $0.question.place.isCompared }
        let all = visits.flatMap(\.answers).filter { names.contains($0.question) && $0.reaction == nil }
        let mayRunOut = twins.contains(where: \.mayRunOut)
        let stored = all.map { Meaning(stored: $0) }.filter { !mayRunOut || $0 != .nothing }
        let finding = { (meant: PersonSession.Meant?, words: String) in
            Finding(
                kind: .lost, step: (meant?.question ?? twins[0]).step,
                question: (meant?.question ?? twins[0]).identifier.text, words: words,
                screen: meant?.screen ?? [])
        }
        if mayRunOut {
            // What was typed too late is not stored, but what is stored was typed.
            var rest = meant[...]
            return stored.compactMap { stored in
                guard let place = rest.firstIndex(where: { $0.meaning.isSame(as: stored) }) else {
                    return finding(rest.first, "\(stored) is stored, and that was not meant")
                }
                rest = rest[(place + 1)...]
                return nil
            }
        }
        guard meant.count == stored.count else {
            return [finding(meant.last, "answered \(meant.count) times, and stored \(stored.count) times")]
        }
        return zip(meant, stored).compactMap { meant, stored in
            meant.meaning.isSame(as: stored)
                ? nil : finding(meant, "meant \(meant.meaning), stored \(stored)")
        }
    }

    /// The texts that nobody could read to their end, or not in their language.
    ///
    /// - Parameters:
    ///   - first: the first language of the study.
    ///   - shortest: steps of less time are over before anybody can read.
    package func unread(in sight: Sight, first: Language?, shortest: Duration) -> [Finding] {
        let answered = Set(visits.flatMap(\.answers).filter { $0.text != nil }.map(\.question))
        let texts = reading.texts(shortest: shortest) { entry in
            visits.contains {
                $0.path == entry.path.dotted && $0.round == entry.round
                    && $0.program == nil
            }
        } wasAsked: {
            answered.contains($0.text)
        }
        return texts.flatMap { shown in finding(shown, sight, first) }
    }

    private func finding(_ shown: StudyReading.Shown, _ sight: Sight, _ first: Language?) -> [Finding] {
        let text = shown.text.text(in: reading.language)
        let make = { (kind: Finding.Kind, words: String, screen: [String]) in
            Finding(kind: kind, step: shown.step, question: shown.question, words: words, screen: screen)
        }
        // Of a document, each line is a text of its own.
        let pieces = text.split(separator: "\n").flatMap { String($0).pieces }
        let seen = pieces.map { sight.share(of: $0, isInColumns: shown.isInColumns) }
        let unseen = zip(pieces, seen).filter { $1.share != .all }.map { piece, seen in
            make(seen.share == .some ? .cutOff : .notSeen, piece, seen.screen)
        }
        let isSpoken = text.split(separator: " ").count { $0.contains(where: \.isLetter) } > 1
        guard unseen.isEmpty, reading.language != first, case .plain = shown.text, isSpoken else {
            return unseen
        }
        return [make(.notTranslated, text, seen.first?.screen ?? [])]
    }
}

extension Step.Asked.Place {
    /// Whether its answers are values that were typed.
    fileprivate var isCompared: Bool {
        switch self {
        case .step, .item, .prompt: true
        case .key, .program, .document: false
        }
    }
}
