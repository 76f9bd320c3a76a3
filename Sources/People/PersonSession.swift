import Hashing
package import Platform
import SessionPorts
import StudyEngine
import StudyModel
import TextFormat

/// A person who sits through a run: reads the screen, types, and keeps a record of what was meant.
package struct PersonSession {
    private let person: Person
    private let reading: StudyReading
    private let terminal: PersonTerminal
    private let words: KnownWords
    /// Seconds of the run in one of this clock.
    private let speed: Double
    private let patience: Duration
    private let clock = ContinuousClock()
    private var random: SplitMix64
    private var lastReturn: ContinuousClock.Instant?
    private var wantsToLeave: Bool
    /// How much of what was said line by line belongs to pages before.
    private var saidBefore = 0
    private var saidAtReturn = 0
    /// The screens of this page, letters and digits.
    private var page: [String] = []
    /// The question of this page that took the keys when its mark was on the screen.
    private var lastFocus: String?
    /// The question that is being answered, what is meant, and how often that was tried before.
    private var answering: ReadQuestion?
    private var pending: Meaning?
    private var tries = 0
    /// How often in a row Return showed more of the page.
    private var readOn = 0
    private static let longestPage = 500
    /// The page with the answer on it, before its Return.
    private var typed: String?
    private var answered: [String] = []
    package private(set) var sight = Sight()
    package private(set) var record: [Meant] = []
    package private(set) var findings: [Finding] = []
    package private(set) var code = 0

    /// What was meant to be answered, and seen to be taken.
    package struct Meant: Hashable, Sendable {
        package var question: ReadQuestion
        package var meaning: Meaning
        package var screen: [String]
    }

    /// - Parameters:
    ///   - command: starts the run.
    ///   - longest: the longest time for which the run shows the same by itself.
    package init(
        _ person: Person, running command: [String], _ reading: StudyReading, seed: UInt64, speed: Double,
        longest: Duration, mayLeave: Bool
    ) throws(FileFailure) {
        (self.person, self.reading, self.speed) = (person, reading, speed)
        words = KnownWords(Wording(reading.language))
        random = SplitMix64(seed: seed)
        wantsToLeave = person.isNervous && mayLeave
        patience = .seconds(30) + longest / speed
        terminal = try PersonTerminal(command, columns: person.columns, rows: person.rows)
    }

    /// Sits through the run to its end.
    package mutating func sit() {
        do {
            try goThrough()
        } catch {
            giveUp(error.description)
        }
        code = terminal.leave()
    }

    private mutating func goThrough() throws(TerminalPicture.Unknown) {
        while !terminal.hasEnded {
            try settle()
            let before = fingerprint
            let request = request
            if tries == 0 { answering = request == .answer ? asked : nil }
            let isDone = try act(on: request)
            guard findings.isEmpty else { return }
            let question = answering
            if try isDone ? isTurned(from: typed ?? before) : change(from: before, within: patience) {
                if isDone, let question, let pending {
                    record.append(Meant(question: question, meaning: pending, screen: answered))
                }
                if request == .readOn { readOn += 1 } else { readOn = 0 }
                if readOn > Self.longestPage { return giveUp("the page has no end") }
                if isDone, request != .readOn { (page, lastFocus, saidBefore) = ([], nil, saidAtReturn) }
                (tries, pending) = (0, nil)
            } else if !terminal.hasEnded, !isDone || tries > 6 {
                giveUp(
                    question == nil ? "nothing leads on from here" : "the answer is not taken", at: question)
                return
            } else {
                // Whoever sees nothing happen presses the key again.
                tries += 1
            }
            typed = nil
        }
    }

    private mutating func giveUp(_ words: String, at question: ReadQuestion? = nil) {
        findings.append(
            Finding(
                kind: .impossible, step: question?.step, question: question?.identifier.text, words: words,
                screen: terminal.picture.isScreen ? lines : last))
    }
}

// MARK: - Seeing

extension PersonSession {
    /// What was on show last.
    package var last: [String] {
        let said = terminal.picture.said.split(separator: "\n").map(String.init)
        return Array(said.suffix(terminal.picture.rows))
    }

    /// What is on show: the rows of the screen, or the lines that were said since the last page.
    private var lines: [String] {
        guard !terminal.picture.isScreen else { return terminal.picture.lines }
        let said = terminal.picture.said.dropFirst(saidBefore).split(separator: "\n").map(String.init)
        return Array(said.suffix(terminal.picture.rows))
    }

    /// What changes when the page does: not the clocks, and not the heart.
    private var fingerprint: String {
        guard terminal.picture.isScreen else { return terminal.picture.said }
        return lines.filter { !$0.contains("♥") }.map { line in
            line.split(separator: " ").filter { word in
                !(word.contains(":") && word.allSatisfy { $0 == ":" || $0.isNumber })
            }.joined(separator: " ")
        }.filter { line in line.contains { $0.isLetter || $0.isNumber || $0 == "•" || $0 == "x" } }
            .joined(separator: "\n")
    }

    private mutating func take() {
        guard terminal.picture.isWhole else { return }
        sight.take(lines)
        page.append(lines.filter { !words.isNotice($0) }.joined(separator: "\n").squeezed)
        lastFocus = focus ?? lastFocus
    }

    /// Looks until nothing more comes, but not longer than it takes to see what moves.
    private mutating func settle() throws(TerminalPicture.Unknown) {
        let end = clock.now + .milliseconds(60)
        while clock.now < end, try terminal.look(within: .milliseconds(12)) || !terminal.picture.isWhole {
            if terminal.hasEnded { return }
            take()
        }
        take()
    }

    /// Looks until something else is on show.
    ///
    /// - Returns: whether it is.
    private mutating func change(
        from before: String, within limit: Duration
    ) throws(TerminalPicture.Unknown) -> Bool {
        let end = clock.now + limit
        while !terminal.hasEnded {
            if terminal.picture.isWhole, fingerprint != before { return true }
            let left = clock.now.duration(to: end)
            guard left > .zero else { return false }
            if try terminal.look(within: left), fingerprint == before { take() }
        }
        return false
    }

    /// Whether what was done led on: to another question, or to something else than a question.
    private mutating func isTurned(from before: String) throws(TerminalPicture.Unknown) -> Bool {
        let limit = Duration.milliseconds(1500) + .seconds(1.2) / speed
        guard let question = answering else { return try change(from: before, within: limit) }
        let end = clock.now + limit
        while !terminal.hasEnded {
            // What was typed comes back as a line first.
            let isAnswered = terminal.picture.isScreen || terminal.picture.said.count > saidAtReturn + 1
            if terminal.picture.isWhole, isAnswered {
                let request = request
                if request?.isWait == true { return false }
                if request != .answer && request != .readOn || asked?.identifier != question.identifier {
                    return true
                }
            }
            let left = clock.now.duration(to: end)
            guard left > .zero else { break }
            _ = try terminal.look(within: left)
        }
        // The same question may be asked once more.
        let isRefused = terminal.picture.isScreen && lines.contains { $0.drop { $0 == " " }.hasPrefix("! ") }
        return fingerprint != before && !isRefused
    }

    /// What the page waits for; `nil` while there is nothing to do.
    private var request: KnownWords.Request? {
        guard terminal.picture.isWhole, !terminal.hasEnded else { return nil }
        return words.request(in: lines, isScreen: terminal.picture.isScreen)
    }

    /// The question that takes the keys, as far as it is known by its words. They may have gone from the screen.
    private var asked: ReadQuestion? {
        let shown = lines.filter { !words.isNotice($0) }.joined(separator: "\n").squeezed
        let step = record.last?.question.step
        return
            (focus != nil || lastFocus == nil ? reading.question(on: [shown], focus: focus, in: step) : nil)
            ?? reading.question(on: page, focus: focus ?? lastFocus, in: step)
    }

    /// The lines of the question that takes the keys; `nil` if it is the only one.
    private var focus: String? {
        let isItem = { (line: String) in
            let rest = line.drop { $0 == " " }
            return rest.hasPrefix("› ")
                && !["(•)", "( )", "[x]", "[ ]"].contains(rest.dropFirst(2).prefix(3))
        }
        guard terminal.picture.isScreen, let start = lines.firstIndex(where: isItem) else { return nil }
        return lines[start...].prefix { !$0.isEmpty }.joined(separator: "\n").squeezed
    }
}

// MARK: - Acting

extension PersonSession {
    /// - Returns: whether something was done that should lead on.
    private mutating func act(
        on request: KnownWords.Request?
    ) throws(TerminalPicture.Unknown) -> Bool {
        switch request {
        case .answer where pending != nil && tries > 0:
            try pressReturn()
            return true
        case .wait(let seconds):
            try rest(until: clock.now + .milliseconds(50) + .seconds(seconds) / speed)
            if let answering, let pending { return try type(pending, for: answering) }
            try pressReturn()
            return true
        case .answer:
            try readAll()
            if wantsToLeave, terminal.picture.isScreen { return try beginToLeave() }
            answering = answering ?? asked
            if let answering { return try answer(answering) }
            if page.contains(where: { $0.contains(words.fullName) }) { return try type(["Ada"]) }
            return false
        case .goOn, .readOn:
            if request == .goOn { try readAll() }
            try pressReturn()
            return true
        case .resume:
            terminal.type(terminal.picture.isScreen ? "p" : words.resume + "\r")
            return true
        case .react(let key):
            terminal.type(key)
            return false
        case .rate:
            try readAll()
            terminal.type(terminal.picture.isScreen ? "\u{1B}[C" : "1\r")
            return false
        case nil:
            try readAll()
            return false
        }
    }

    /// Looks at the rest of a page that is longer than the screen.
    private mutating func readAll() throws(TerminalPicture.Unknown) {
        guard terminal.picture.isScreen else { return }
        for (mark, key) in [("▲", "\u{1B}[5~"), ("▼", "\u{1B}[6~")] {
            for _ in 0..<60 where lines.contains(where: { $0.drop { $0 == " " }.hasPrefix(mark) }) {
                let before = fingerprint
                terminal.type(key)
                guard try change(from: before, within: .seconds(2)) else { break }
                try settle()
            }
        }
    }

    private mutating func answer(_ question: ReadQuestion) throws(TerminalPicture.Unknown) -> Bool {
        if case .document = question.place { return try type(["1"]) }
        guard let meaning = Meaning(to: question.question, using: &random) else {
            giveUp("no person knows a text that fits the pattern", at: question)
            return false
        }
        pending = meaning
        return try type(meaning, for: question)
    }

    private mutating func type(
        _ meaning: Meaning, for question: ReadQuestion
    ) throws(TerminalPicture.Unknown) -> Bool {
        try type(
            meaning.keys(
                for: question.question, in: reading.language, on: lines, isScreen: terminal.picture.isScreen))
    }

    /// Types lines, each with its Return.
    private mutating func type(_ parts: [String]) throws(TerminalPicture.Unknown) -> Bool {
        for (index, part) in parts.enumerated() {
            if part.isEmpty, request == .readOn {
                // The answer had gone from the screen.
                let before = fingerprint
                try pressReturn()
                _ = try change(from: before, within: .seconds(2))
                try settle()
            }
            let before = fingerprint
            if person.isNervous, !part.isEmpty, part.allSatisfy({ $0.isLetter || $0.isNumber || $0 == " " }) {
                terminal.type(part + String(repeating: "\u{7F}", count: part.count) + part)
            } else if person.isFast, parts.count == 1 {
                try waitForReturn()
                terminal.type(part + "\r")
                (lastReturn, typed, answered) = (clock.now, before, lines)
                saidAtReturn = terminal.picture.said.count
                return true
            } else {
                terminal.type(part)
            }
            if !part.isEmpty, try change(from: before, within: .seconds(2)) { try settle() }
            if index == parts.count - 1 { (typed, answered) = (fingerprint, lines) }
            try pressReturn(isDoubled: person.isNervous && index == parts.count - 1)
            if index < parts.count - 1 { try settle() }
        }
        return true
    }

    private mutating func pressReturn(isDoubled: Bool = false) throws(TerminalPicture.Unknown) {
        try waitForReturn()
        saidAtReturn = terminal.picture.said.count
        terminal.type(isDoubled ? "\r\r" : "\r")
        lastReturn = clock.now
    }

    /// A key that comes again too soon is taken for one that is held down.
    private mutating func waitForReturn() throws(TerminalPicture.Unknown) {
        if let lastReturn { try rest(until: lastReturn + .seconds(1.2) / speed) }
    }

    private mutating func rest(until end: ContinuousClock.Instant) throws(TerminalPicture.Unknown) {
        while clock.now < end, !terminal.hasEnded {
            if try terminal.look(within: clock.now.duration(to: end)) { take() }
        }
    }

    /// Ctrl-C, and then not after all.
    private mutating func beginToLeave() throws(TerminalPicture.Unknown) -> Bool {
        wantsToLeave = false
        let before = fingerprint
        terminal.type("\u{3}")
        guard try change(from: before, within: .seconds(5)) else { return false }
        terminal.type("n")
        return true
    }
}
