import SessionPorts
import StudyModel

extension Wording {
    /// The question whether to leave, with the words that answer it.
    func leaveRequest(mayPutAside: Bool) -> String {
        let words: [Phrase] = [.wordYes] + (mayPutAside ? [.wordLater] : []) + [.wordNo]
        return "\(self(.reallyLeave)) \(words.map { self($0) }.joined(separator: " / "))"
    }

    /// Whether a line says to leave and to go on another time.
    func isLater(_ line: String) -> Bool {
        [self(.wordLater), Wording(nil)(.wordLater)].contains(line.trimmed.lowercased())
    }

    /// What a letter in small says to the question whether to leave; `nil` if it does not say to leave.
    func leaving(_ letter: String, mayPutAside: Bool) -> Event? {
        if mayPutAside, letter == "l" || letter == self(.laterLetter) { return .putAside }
        return letter == "y" || letter == self(.yesLetter) ? .withdrawn : nil
    }
}
