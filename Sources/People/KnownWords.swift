import SessionPorts
import StudyModel

/// The program's own words that a person understands.
struct KnownWords {
    /// What a page waits for.
    enum Request: Hashable {
        case answer
        case goOn
        /// Return shows more of the same page.
        case readOn
        case resume
        /// A key, without Return.
        case react(String)
        case rate
        /// Seconds, and then the same again.
        case wait(Int)

        var isWait: Bool { if case .wait = self { true } else { false } }
    }

    private let wording: Wording
    private let goingOn: [String]
    private let requests: [String]
    private let saidGoingOn: [String]

    init(_ wording: Wording) {
        self.wording = wording
        let phrases: [Phrase] = [.toGoOn, .toBegin, .toFinish, .toSend, .toChange]
        goingOn = phrases.map { wording(.keyReturn) + " " + wording($0) }
        let requests: [Phrase] = [
            .lineChoice, .lineChoices, .lineText, .writeNumber, .writeWholeNumber, .numberBetween,
            .numberAtLeast,
            .numberAtMost, .dateForm, .timeForm, .lineLeaveOut, .lineKeep,
        ]
        self.requests = requests.map { Self.beginning(of: wording($0)) }
        let said: [Phrase] = [
            .lineGoOn, .lineBegin, .lineFinish, .beginAllTheSame, .holdKey, .lineTryAgain, .volumeHeard,
            .lineReview,
            .lineSend,
        ]
        saidGoingOn = said.map { Self.beginning(of: wording($0)) }
    }

    /// The words before the first one that the program fills in.
    private static func beginning(of text: String) -> String { String(text.prefix { $0 != "%" }) }

    /// The question for a name, letters and digits.
    var fullName: String { wording(.fullName).squeezed }
    var resume: String { wording(.wordResume) }

    /// Whether a line tells of the page before.
    func isNotice(_ line: String) -> Bool {
        line.drop { $0 == " " }.hasPrefix(Self.beginning(of: wording(.saved)))
    }

    /// - Returns: `nil` while there is nothing to do but wait.
    func request(in lines: [String], isScreen: Bool) -> Request? {
        let lines = lines.map { String($0.drop { $0 == " " }) }
        guard isScreen else { return lines.last.flatMap { said($0) } }
        let begins = { (words: String) in lines.contains { $0.hasPrefix(words) } }
        if begins(wording(.keyReturn) + " " + wording(.toConfirm)) { return .answer }
        if goingOn.contains(where: begins) { return .goOn }
        if begins(wording(.keyReturn) + " " + wording(.toReadOn)) { return .readOn }
        if begins("p " + wording(.toResume)) { return .resume }
        if lines.contains(where: {
            $0.contains("← → ") && $0.contains(wording(.toRate)) || $0.contains(" ↑ ↓ " + wording(.toRate))
        }) {
            return .rate
        }
        // Texts may hold the same words; the keys stand below everything else, a capital letter each.
        for action in [wording(.toReact), wording(.toTap)] {
            for line in lines.filter({ !$0.isEmpty }).suffix(3)
            where (line + "   ").contains(" \(action)   ") && (line.dropFirst().first == " " || isSpace(line))
            {
                return key(firstIn: line).map { .react($0) }
            }
        }
        return nil
    }

    private func said(_ line: String) -> Request? {
        if saidGoingOn.contains(where: line.hasPrefix) { return .goOn }
        if requests.contains(where: line.hasPrefix) { return .answer }
        let beginning = { (phrase: Phrase) in Self.beginning(of: wording(phrase)) }
        if line.hasPrefix(beginning(.lineResume)) { return .resume }
        if line.hasPrefix(beginning(.opensIn)) {
            return .wait(Int(line.dropFirst(beginning(.opensIn).count).prefix(while: \.isWholeNumber)) ?? 1)
        }
        if line.hasPrefix(wording(.lineRate)) || line.hasPrefix(wording(.lineRatePlane)) { return .rate }
        for phrase in [Phrase.lineReact, .lineTap] where line.hasPrefix(beginning(phrase)) {
            return key(firstIn: String(line.dropFirst(beginning(phrase).count))).map { .react($0) }
        }
        return nil
    }

    private func isSpace(_ line: String) -> Bool { line.hasPrefix(wording(.keySpace) + " ") }

    /// The first key that a line names.
    private func key(firstIn line: String) -> String? {
        guard !isSpace(line) else { return " " }
        return line.first.map { $0.lowercased() }
    }
}
