import SessionPorts
import StudyModel

// What the experimenter does at the participant's terminal, once the word was typed.
extension Interview {
    /// Takes a key while the experimenter is asked for the word.
    mutating func unlock(with key: Key, at now: RunInstant) -> Bool {
        if isLocked, key == .control("c"), !mode.isUnlocking {
            mode = .unlocking(LineEditor())
            gate.turn(by: key, at: now)
            return true
        }
        guard case .unlocking(var line) = mode else { return false }
        switch key {
        case .return:
            conversation.unlock(with: line.text)
            mode = isUnlocked ? .plain : .unlocking(LineEditor())
            notice = isUnlocked ? nil : .said(wording(.wrongWord))
        case .escape, .control("c"):
            (mode, notice) = (.plain, nil)
        case .character, .paste, .backspace, .delete, .left, .right, .home, .end, .up, .down, .pageUp,
            .pageDown, .tab, .backTab, .control, .alt, .pointer, .wheel:
            _ = line.handle(key)
            mode = .unlocking(line)
        }
        return true
    }

    /// Keeps the word from being commands, if it is typed once more where letters are commands.
    ///
    /// - Returns: the keys that count now, those among them that only seemed to begin the word; `nil` if none does yet.
    mutating func withoutWord(_ keystroke: Keystroke, at now: RunInstant) -> [Keystroke]? {
        let isCommand = mode == .leaving || mode == .plain && !isAnswering
        guard let lock = conversation.lock, isUnlocked, isCommand else { return [keystroke] }
        let begun = begunWord
        begunWord = ""
        if case .character(let letter) = keystroke.key, letter != Intervention.sign,
            lock.hasPrefix(begun + String(letter))
        {
            guard begun + String(letter) != lock else {
                notice = .said(wording(.lineUnlocked))
                return nil
            }
            // A single letter may be a command; the second one shows that it was not.
            if !begun.isEmpty || lock.dropFirst().first != nil {
                begunWord = begun + String(letter)
                return nil
            }
        }
        return begun.map { Keystroke(.character($0)) } + [keystroke]
    }

    /// Takes a key while the experimenter intervenes, or the one with which that begins.
    ///
    /// - Returns: `nil` if the key is for somebody else.
    mutating func intervene(with key: Key, at now: RunInstant) -> [ParticipantAct]? {
        guard case .intervening(var line) = mode else {
            guard isUnlocked, mode == .plain, key == .character(Intervention.sign) else { return nil }
            mode = .intervening(LineEditor())
            return []
        }
        switch key {
        case .return:
            mode = .plain
            guard !line.text.trimmed.isEmpty else { return [] }
            switch Intervention.mark(line.text, at: now) {
            case .success(let mark):
                notice = .said(wording(.noteTaken))
                return [.marked(mark)]
            case .failure(let problem):
                notice = .said(wording(.notDone, problem.text))
                mode = .intervening(line)
            }
        case .escape, .control("c"): mode = .plain
        case .character, .paste, .backspace, .delete, .left, .right, .home, .end, .up, .down, .pageUp,
            .pageDown, .tab, .backTab, .control, .alt, .pointer, .wheel:
            _ = line.handle(key)
            mode = .intervening(line)
        }
        return []
    }
}

/// The line with which an experimenter intervenes at the participant's terminal: what to do, and why.
///
///     pause the strap fell off
///     adverse mild feels dizzy
enum Intervention {
    /// The key that begins such a line.
    static let sign = Character("!")

    /// Why a line cannot be understood.
    struct Problem: Error, Hashable {
        var text: String
    }

    /// All first words.
    static let words = RunMark.Control.allCases.map(\.word) + RunMark.Kind.noted.map(\.rawValue)

    static func mark(_ line: String, at now: RunInstant) -> Result<RunMark, Problem> {
        let parts = line.trimmed.split(separator: " ", maxSplits: 1).map { String($0).trimmed }
        let name = parts.first?.lowercased() ?? ""
        var text = parts.count > 1 ? parts[1] : ""
        if let control = RunMark.Control.allCases.first(where: { $0.word == name }) {
            if control == .resume, text.isEmpty { text = RunMark.Control.resumption }
            return made(.control, control: control, text: text, at: now)
        }
        guard let kind = RunMark.Kind.noted.first(where: { $0.rawValue == name }) else {
            return .failure(Problem(text: "'\(name)' is none of: \(words.joined(separator: ", "))"))
        }
        guard kind == .adverse else { return made(kind, text: text, at: now) }
        let rest = text.split(separator: " ", maxSplits: 1).map { String($0).trimmed }
        guard let severity = rest.first.flatMap({ RunMark.Severity(rawValue: $0.lowercased()) }) else {
            let names = RunMark.Severity.allCases.map(\.rawValue).joined(separator: ", ")
            return .failure(Problem(text: "after 'adverse', write one of: \(names)"))
        }
        return made(kind, severity, text: rest.count > 1 ? rest[1] : "", at: now)
    }

    private static func made(
        _ kind: RunMark.Kind, _ severity: RunMark.Severity? = nil, control: RunMark.Control? = nil,
        text: String, at now: RunInstant
    ) -> Result<RunMark, Problem> {
        guard !text.isEmpty else { return .failure(Problem(text: "write why, or what")) }
        guard let mark = RunMark(kind, severity, control: control, text: text, at: now) else {
            return .failure(Problem(text: "this is too long"))
        }
        return .success(mark)
    }
}
