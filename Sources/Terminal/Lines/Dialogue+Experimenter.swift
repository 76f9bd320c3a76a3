import SessionPorts
import StudyModel

// What the experimenter does at the participant's terminal.
extension Dialogue {
    /// Whether what is being typed is the experimenter's.
    var isIntervening: Bool { isUnlocking || isUnlocked && typed.first == Intervention.sign }

    /// Whether a key is the experimenter's.
    func isOfExperimenter(_ key: Key) -> Bool {
        isIntervening || isUnlocked && key == .character(Intervention.sign)
    }

    /// Takes a line that the experimenter typed: the word, or what to do and why.
    ///
    /// - Returns: `nil` if it is the participant's.
    mutating func takeFromExperimenter(_ line: String, at now: RunInstant) -> Outcome? {
        if isUnlocking { return unlock(line.trimmed) }
        if let lock = conversation.lock, line.trimmed == lock, isUnlocked {
            // It was typed once more, and is neither an answer nor a command.
            return Outcome(lines: [wording(.lineUnlocked)] + (isLeaving ? [leaveRequest] : nowWanted))
        }
        guard isUnlocked, line.trimmed.first == Intervention.sign else { return nil }
        goOnTyping()
        switch Intervention.mark(String(line.trimmed.dropFirst()), at: now) {
        case .success(let mark):
            return Outcome(lines: [wording(.noteTaken)] + nowWanted, acts: [.marked(mark)])
        case .failure(let problem): return Outcome(lines: [wording(.notDone, problem.text)] + nowWanted)
        }
    }

    /// The experimenter types the word; an empty line goes on without it.
    private mutating func unlock(_ word: String) -> Outcome {
        conversation.unlock(with: word)
        isUnlocking = !word.isEmpty && !isUnlocked
        guard !isUnlocking else { return Outcome(lines: [wording(.wrongWord), wording(.unlock)]) }
        goOnTyping()
        return Outcome(
            lines: (isUnlocked
                ? [wording(.lineUnlocked), wording(.intervening, Intervention.words.joined(separator: ", "))]
                : []) + nowWanted)
    }
}
