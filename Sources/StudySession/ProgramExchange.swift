import Patterns
package import Platform
import Results
import SessionPorts
import StudyEngine
package import StudyModel
import TextFormat

/// The exchange with the program of a step, as lines of JSON. A value: lines in, messages out.
struct ProgramExchange: Sendable {
    /// The visit.
    let ordinal: Int
    private let questions: [Question]
    /// When the step began.
    private let start: RunInstant
    /// How many lines came so far.
    private var count = 0

    /// The greatest length of a text that the program may show, characters.
    private static let longestText = 2000

    init(_ program: ProgramStep, ordinal: Int, from start: RunInstant) {
        (self.ordinal, self.start) = (ordinal, start)
        questions = program.questions
    }

    /// The line about a key that the participant pressed.
    func key(_ name: String, at now: RunInstant) -> [UInt8] {
        let line: JSON = ["type": "key", "key": .text(name), "time": .real(now.offset / .seconds(1))]
        return line.encoded()
    }

    /// The messages in a line, one for each thing that it says.
    mutating func messages(_ line: [UInt8]?, at now: RunInstant) -> [ProgramMessage] {
        count += 1
        guard let line else { return [.unclear("line \(count): it is longer than 64 KiB")] }
        guard !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else { return [] }
        do throws(Unclear) { return try messages(JSON(line: line), at: now) } catch {
            return [.unclear("line \(count): \(error.problem)")]
        }
    }

    /// Why a line could not be understood.
    fileprivate struct Unclear: Error { var problem: String }

    private func messages(_ json: JSON, at now: RunInstant) throws(Unclear) -> [ProgramMessage] {
        guard let members = json.object?.members, !members.isEmpty else {
            throw Unclear(problem: "it is not an object such as {\"text\": \"…\"}")
        }
        if let key = members.map(\.key).first(where: { !["text", "answer", "sample", "time"].contains($0) }) {
            throw Unclear(problem: "\(quoted(key)) is none of text, answer, sample and time")
        }
        let time = try json["time"].map { json throws(Unclear) in try instant(json, now) } ?? now
        var messages: [ProgramMessage] = []
        if let text = json["text"] {
            guard let words = text.text, words.unicodeScalars.count <= Self.longestText else {
                throw Unclear(
                    problem: "the text is not a text, or is longer than \(Self.longestText) characters")
            }
            messages.append(.shows(words))
        }
        if let answers = json["answer"] { messages.append(.answers(try given(answers, at: time))) }
        for (name, value) in try Self.pairs(json["sample"], "sample") {
            guard let name = Identifier(name), let value = value.number, value.isFinite else {
                throw Unclear(problem: "a sample is a name and a number")
            }
            messages.append(.sample(ProgramSample(name: name, value: value, at: time)))
        }
        return messages
    }

    private func instant(_ json: JSON, _ now: RunInstant) throws(Unclear) -> RunInstant {
        guard let seconds = json.number, seconds.isFinite, abs(seconds) < 1e8 else {
            throw Unclear(problem: "the time is not a number of seconds")
        }
        let instant = RunInstant.nanoseconds(Int64((seconds * 1e9).rounded()))
        guard (start...max(start, now)).contains(instant) else {
            throw Unclear(problem: "the time is before the step, or in the future")
        }
        return instant
    }

    private func given(_ json: JSON, at time: RunInstant) throws(Unclear) -> [GivenAnswer] {
        var given: [GivenAnswer] = []
        for (name, value) in try Self.pairs(json, "answer") {
            guard let question = questions.first(where: { $0.identifier.text == name }) else {
                throw Unclear(problem: "the step has no answer \(quoted(name))")
            }
            guard let answer = question.format.answer(value) else {
                throw Unclear(problem: "\(quoted(name)) does not take this answer")
            }
            var times = AnswerTimes(shown: start)
            times.change(at: time)
            times.confirmed = time
            given.append(GivenAnswer(question: question.identifier, answer: answer, times: times))
        }
        return given
    }

    private static func pairs(_ json: JSON?, _ noun: String) throws(Unclear) -> [(String, JSON)] {
        guard let json else { return [] }
        guard let members = json.object?.members, !members.isEmpty else {
            throw Unclear(problem: "\"\(noun)\" is no object such as {\"\(noun)\": {\"name\": 1}}")
        }
        return members.map { ($0.key, $0.value) }
    }
}

extension JSON {
    fileprivate init(line: [UInt8]) throws(ProgramExchange.Unclear) {
        do { self = try JSON(parsing: line) } catch {
            throw ProgramExchange.Unclear(problem: "it is not JSON")
        }
    }
}

extension AnswerFormat {
    /// The answer that a JSON value stands for; `nil` if it cannot be one.
    fileprivate func answer(_ json: JSON) -> Answer? {
        let values: [Navigation.Value] =
            switch json {
            case .integer(let number): [.number(Double(number))]
            case .real(let number): [.number(number)]
            case .boolean(let isYes): [.boolean(isYes)]
            case .text(let text): [.text(text)]
            case .list(let items): items.compactMap { $0.text.map { .text($0) } }
            case .null, .object: []
            }
        if case .list(let items) = json, items.count != values.count { return nil }
        if case .severalOf(let choices) = domain {
            guard values.allSatisfy({ value in choices.contains { .text($0.value) == value } }) else {
                return nil
            }
        }
        if case .scale = self, case .number(let number)? = values.first, Int(exactly: number) == nil {
            return nil
        }
        guard let answer = answer(values, inOtherWords: nil), accepts(answer), matches(answer) else {
            return nil
        }
        return answer
    }
}

extension Shell {
    /// Starts the program of a step that begins, and ends that of a step that is over.
    mutating func updateProgram(
        _ entry: RunPlan.Entry, in presentation: Presentation, at now: RunInstant
    ) -> [Chore] {
        guard case .running(let start, let end) = presentation.phase, let step = entry.step.program else {
            defer { program = nil }
            return program == nil ? [] : [.stopProgram]
        }
        // A rehearsal starts no programs; the simulated participant answers.
        guard autopilot == nil, program?.ordinal != presentation.ordinal else { return [] }
        let before = program == nil ? [] : [Chore.stopProgram]
        program = ProgramExchange(step, ordinal: presentation.ordinal, from: start)
        let line: JSON = .members([
            "type": "start", "step": .text(entry.step.identifier.text), "visit": .integer(entry.visit),
            "round": entry.round.map { .integer($0) }, "language": setting.language.map { .text($0.tag) },
            "time": .real(now.offset / .seconds(1)), "duration": .real(start.duration(to: end) / .seconds(1)),
            "values": .members(
                Dictionary(step.values.map { ($0.name.text, value($0, in: presentation)) }) { first, _ in
                    first
                }),
        ])
        return before + [.startProgram(step, ordinal: presentation.ordinal), .tellProgram(line.encoded())]
    }

    /// A value for the program: a number if it is written as one, otherwise a text.
    private func value(_ value: ProgramStep.Value, in presentation: Presentation) -> JSON {
        let words = run.words(.plain(value.text), for: presentation, in: setting.language, missing: "")
        switch try? JSON(parsing: Array(words.utf8)) {
        case .integer(let number)?: return .integer(number)
        case .real(let number)?: return .real(number)
        case .null?, .boolean?, .text?, .list?, .object?, nil: return .text(words)
        }
    }

    /// Takes what the program of a step says. Anything after the end of the step is ignored.
    mutating func take(_ word: LineProgram.Word, of ordinal: Int, at now: RunInstant) -> [Chore] {
        guard program?.ordinal == ordinal else { return [] }
        switch word {
        case .line(let line):
            return (program?.messages(line, at: now) ?? []).flatMap { handle(.program(ordinal, $0), at: now) }
        case .ended(let end): return handle(.program(ordinal, .ended(problem: end.problem)), at: now)
        }
    }
}

extension LineProgram.End {
    /// What was wrong, as the rest of a sentence about the program.
    fileprivate var problem: String? {
        switch self {
        case .code(0, _), .stopped: nil
        case .code(let code, let errorLine):
            "ended with the exit code \(code)" + (errorLine.map { ": \($0.prefix(200))" } ?? "")
        case .signal(let number): "was ended by signal \(number)"
        case .fellSilent: "closed its output and did not end"
        case .neverBegan(let code): "could not be started: \(systemMessage(code))"
        }
    }
}

extension ProgramStep {
    /// The command to start, and everything that the program sees.
    package func command(in folder: String) -> LineProgram.Command {
        let name = command.first ?? ""
        let variables = (Self.usualEnvironment + environment).compactMap { name in
            environmentVariable(name).map { "\(name)=\($0)" }
        }
        return LineProgram.Command(
            path: name.contains("/") ? name : ExecutableFile.path(of: name, in: folder) ?? name,
            words: command, environment: variables, folder: folder)
    }

    /// The files that the program is made of, as the command names them, with their SHA-256 in lower-case hexadecimal digits:
    /// the program or its interpreter, and arguments that are files in the study's folder.
    package func digests(in folder: String) -> [String: String] {
        var digests: [String: String] = [:]
        for (place, word) in command.enumerated() {
            let path =
                place == 0
                ? ExecutableFile.path(of: word, in: folder) : word.hasPrefix("/") ? word : "\(folder)/\(word)"
            guard let path, let real = realPath(path), let name = real.split(separator: "/").last else {
                continue
            }
            // An argument that is no file is a word for the program.
            do throws(FileFailure) {
                let holder = try Folder(String(real.dropLast(name.count)))
                guard holder.isRegularFile(String(name)) else { continue }
                digests[word] = try holder.digest(of: String(name)).sha256
            } catch { continue }
        }
        return digests
    }

    /// Why the program cannot be started on this machine; `nil` if it can.
    package func problem(in folder: String) -> String? {
        let name = command.first ?? ""
        guard let path = ExecutableFile.path(of: name, in: folder) else {
            return "this machine has no program '\(name)'"
        }
        return ExecutableFile.isOne(path) ? nil : "'\(name)' cannot be started as a program: chmod +x \(name)"
    }
}

extension Sequence<ProgramStep> {
    /// The files that all of them are made of, with their SHA-256.
    package func digests(in folder: String) -> [String: String] {
        reduce(into: [:]) { all, step in all.merge(step.digests(in: folder)) { first, _ in first } }
    }
}
