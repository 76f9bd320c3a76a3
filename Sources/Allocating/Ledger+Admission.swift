import Platform
import StudyModel
import TextFormat

extension Ledger {
    /// Looks whether participants can be allocated, as the ledger is now.
    ///
    /// - Parameter participant: who is about to be allocated, if that is known. Whoever has a slot is let through.
    /// - Returns: for whom, by their answers, the list has no slot left.
    /// - Throws: if the participant, or nobody, can be allocated.
    @discardableResult
    package func admit(
        _ participant: String?, in contents: LedgerContents
    ) throws(LedgerFailure) -> [String] {
        guard participant.flatMap(contents.slot(of:)) == nil else { return [] }
        try refuse(participant, in: contents)
        _ = try course(after: contents)
        guard let list else { return [] }
        let taken = Dictionary(grouping: contents.slots, by: \.levels).mapValues(\.count)
        return list.strata.filter { taken[$0.levels, default: 0] >= $0.slots }
            .map { AllocationList.words(for: $0.levels) }
    }

    /// Refuses whoever cannot be allocated, whatever places are left.
    func refuse(_ participant: String?, in contents: LedgerContents) throws(LedgerFailure) {
        guard contents.revealed == nil else { throw .revealed }
        if contents.chance == nil, let source = design.allocation.publicChance {
            throw LedgerFailure(
                "the study mixes public chance with the secret, '\(source)', and the ledger does not have it yet: add it with 'entrain allocation chance'",
                .damaged)
        }
        if let participant { try admit(code: participant, in: contents) }
    }

    private func admit(code: String, in contents: LedgerContents) throws(LedgerFailure) {
        guard codes?.contains(code) ?? true else {
            throw LedgerFailure(
                "'\(code)' is not on the list of codes that this ledger allocates. Is it misspelt?", .damaged)
        }
        let skeleton = codeSkeleton(code)
        guard let other = contents.slots.first(where: { codeSkeleton($0.participant) == skeleton }) else {
            return
        }
        throw LedgerFailure(
            "'\(code)' looks like '\(other.participant)', who was allocated: write the code in the same way for the same person, and give another person a code that cannot be mistaken",
            .damaged)
    }

    /// Two codes that are the same, or that look so.
    package static func mistakable(among codes: [String]) -> (String, String)? {
        var known: [String: String] = [:]
        for code in codes {
            if let other = known.updateValue(code, forKey: codeSkeleton(code)) { return (other, code) }
        }
        return nil
    }

    /// Refuses to allocate somebody else for a room whose last participant's run has not ended: whoever could begin again
    /// with other codes would choose the arm. More than 20 in an hour are no sessions either.
    ///
    /// - Parameter time: the time, as text.
    func admit(room: String, in contents: LedgerContents, at time: String) throws(LedgerFailure) {
        if let open = contents.unended(in: room).first {
            throw LedgerFailure(
                "the run of '\(open.participant)', who was allocated for '\(room)' on \(open.time.prefix(10)), has not ended. Go on with it, or say on the monitor's machine with 'entrain allocation end' what became of it",
                .damaged)
        }
        let now = WallClock.seconds(ofDate: time) ?? 0
        let recent = contents.slots.count { slot in
            slot.isByMonitor && slot.askedBy == room
                && (WallClock.seconds(ofDate: slot.time) ?? 0) > now - 3_600
        }
        guard recent < 20 else {
            throw LedgerFailure("'\(room)' has got 20 arms within an hour: wait for the next one", .tooMany)
        }
    }

    /// Refuses answers that the study does not have. Nobody has to answer.
    func admit(levels: [String]) throws(LedgerFailure) {
        for (place, level) in levels.enumerated() where !level.isEmpty {
            guard let known = design.levels?[place], !known.contains(level) else { continue }
            throw LedgerFailure(
                "'\(design.allocation.factors[place])' cannot be '\(level)': it is \(listed(known, last: "or"))",
                .damaged)
        }
    }
}

/// A code without what people overlook: case, leading zeros, separators, and letters of other scripts that look the same.
func codeSkeleton(_ code: String) -> String {
    let hasDigit = code.contains { $0.wholeNumberValue != nil }
    var skeleton = ""
    for character in code.uppercased().map(halfWidth) {
        if let digit = character.wholeNumberValue, digit < 10 {
            skeleton += "\(digit)"
        } else if !character.isWhitespace, !character.isPunctuation {
            skeleton.append(sameLooks[character] ?? character)
        }
    }
    guard hasDigit else { return skeleton }
    var numbered = ""
    for character in skeleton.map({ digitLooks[$0] ?? $0 }) {
        // A zero counts only behind another digit.
        if character == "0", numbered.last?.isNumber != true { continue }
        numbered.append(character)
    }
    return numbered
}

/// The ASCII character that has the same shape as a wide one.
private func halfWidth(_ character: Character) -> Character {
    guard let scalar = character.unicodeScalars.first, (0xFF01...0xFF5E).contains(scalar.value),
        let narrow = UnicodeScalar(scalar.value - 0xFEE0)
    else { return character }
    return Character(narrow)
}

private let digitLooks: [Character: Character] = ["O": "0", "I": "1", "L": "1"]

/// Cyrillic and Greek capitals that look like Latin ones.
private let sameLooks = Dictionary(
    zip("АВСЕНІЈКМОРЅТХУΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABCEHIJKMOPSTXYABEZHIKMNOPTYX"),
    uniquingKeysWith: { first, _ in first })
