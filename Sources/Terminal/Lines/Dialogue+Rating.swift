import SessionPorts
import StudyModel
import TextFormat

extension Dialogue {
    /// What is said about a step before anything else.
    func introduction(_ screen: Screen) -> [String] {
        let step = screen.progress.map { wording(.stepOf, String($0.step), String($0.of)) }
        let heading = [step, screen.title.isEmpty ? nil : screen.title].compactMap(\.self)
        var lines = [heading.joined(separator: ": "), screen.text, screen.detail]
        if let image = screen.image { lines.append("[\(image.alternative)]") }
        if case .consent(_, let document, _) = screen.content {
            lines += Markdown.blocks(of: document).map(\.text)
        }
        return lines.filter { !$0.isEmpty } + (rater.map { ratingRequest($0, screen.language) } ?? [])
            + SaidDisplays.request(screen, wording) + tapRequest(screen) + reactionRequest(screen)
    }

    /// What a key means that counts by itself, without Return; `nil` if it belongs to a line.
    mutating func counted(_ key: Keystroke, at now: RunInstant) -> [ParticipantAct]? {
        guard !isUnlocking, !isLeaving, gate.isOpen(at: now), let screen else { return nil }
        // A stray key must not turn all later ones into letters of a line that nobody means.
        let counts = screen.tapping != nil || !screen.reactionKeys.isEmpty
        if counts, rater == nil, !isTypingCommand { line = LineEditor() }
        guard typed.isEmpty else { return nil }
        return screen.acts(of: key, &gate, at: now)
    }

    /// Whether the half-typed line may become a command.
    private var isTypingCommand: Bool {
        if isIntervening { return true }
        let word = typed.lowercased().drop { $0 == "/" }
        let wordings = [wording, Wording(nil)]
        return Command.allCases.contains { command in
            wordings.contains { $0(command.phrase).hasPrefix(word) }
        }
    }

    /// How a reaction is asked for by lines. A key counts without Return.
    private func reactionRequest(_ screen: Screen) -> [String] {
        guard !screen.reactionKeys.isEmpty, !isShowOnly else { return [] }
        if keepsEarlyLines { return [wording(.lineNoReaction)] }
        return [wording(.lineReact, screen.reactionWords(wording).joined(separator: ", "))]
    }

    /// How taps are asked for by lines. A key counts without Return.
    private func tapRequest(_ screen: Screen) -> [String] {
        guard let tapping = screen.tapping, !isShowOnly else { return [] }
        if keepsEarlyLines { return [wording(.lineNoTaps)] }
        return [wording(.lineTap, Screen.words(tapping.keys, wording))]
    }

    /// How a rating is asked for by lines.
    private func ratingRequest(_ rater: Rater, _ language: Language?) -> [String] {
        let ends = rater.dimensions.map { dimension in
            wording(
                .ratingEnds, dimension.from.shown, dimension.fromLabel.text(in: language),
                dimension.to.shown, dimension.toLabel.text(in: language))
        }
        guard !isShowOnly else { return ends }
        if keepsEarlyLines { return ends + [wording(.lineNoRating)] }
        return ends + [wording(rater.isPlane ? .lineRatePlane : .lineRate)]
    }

    /// Takes a line of numbers during a rating: the new position of the mark.
    ///
    /// - Returns: `nil` if the line is not a rating.
    mutating func rate(_ line: String, at now: RunInstant) -> Outcome? {
        guard !keepsEarlyLines, !isShowOnly, var moving = rater, case .running? = screen?.phase,
            screen?.prompt == nil
        else { return nil }
        let words = line.split { $0.isWhitespace || $0 == ";" }
        let numbers = words.compactMap { Double($0.replacing(",", with: ".")) }
        guard !words.isEmpty, numbers.count == words.count else { return nil }
        let fits =
            numbers.count == moving.dimensions.count
            && zip(moving.dimensions, numbers).allSatisfy { $0.from <= $1 && $1 <= $0.to }
        guard fits else { return Outcome(lines: ratingRequest(moving, screen?.language)) }
        let before = moving.values
        moving.put(numbers)
        rater = moving
        return Outcome(acts: moving.values == before ? [] : [moving.rated(at: now)])
    }
}
