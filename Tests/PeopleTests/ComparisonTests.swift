import SessionPorts
import StudyModel
import Testing

@testable import People
@testable import Results

struct ComparisonTests {
    private static let french = Language("fr")

    private static func words(_ english: String, _ french: String) -> LocalizedText {
        .translated([
            .init(language: Language("en"), text: english), .init(language: Self.french, text: french),
        ])
    }

    private static let steps = [
        Step(
            identifier: "hello", title: words("Welcome to us", "Soyez les bienvenus"),
            text: .plain("Please read this text."), kind: .instruction),
        Step(
            identifier: "calm", title: words("How calm are you now?", "Êtes-vous calme ?"),
            kind: .question(.scale(from: 1, to: 9, fromLabel: words("not at all", "pas du tout")))),
    ]

    /// What is read of these steps, each once.
    private func reading(in language: String, _ steps: [Step] = steps) -> StudyReading {
        let sections = steps.map {
            RunPlan.Section(step: $0, passes: [[.init(step: $0, path: [$0.identifier], visit: 1)]])
        }
        let task = Study.Task(identifier: "task", steps: steps)
        return StudyReading(
            RunPlan(
                study: "study", revision: 1, task: task, participant: "P01", session: 1, seed: 1,
                sections: sections), in: Language(language), agreement: "")
    }

    private func visits(storing number: Double?) -> [ResultBundle.Visit] {
        var answer = ResultBundle.Answer(question: "calm", kind: "")
        (answer.number, answer.text) = (number, number.map { "\($0)" })
        return Self.steps.enumerated().map { index, step in
            ResultBundle.Visit(
                ordinal: index + 1, identifier: step.identifier.text, path: step.identifier.text, visit: 1,
                start: 0, end: 1, isSkipped: false, outerRounds: [], lateness: [], pauses: [],
                standstills: [],
                recorderErrors: [], answers: step.identifier == "calm" ? [answer] : [], recordings: [])
        }
    }

    private func lines(_ findings: [Finding]) -> [String] { findings.map { $0.line(of: "study") } }

    @Test func `an answer that is stored as something else is lost`() throws {
        let reading = reading(in: "en")
        let meant = PersonSession.Meant(
            question: try #require(reading.questions.first), meaning: Meaning(number: 7), screen: ["7"])
        #expect(Comparison([meant], with: visits(storing: 7), reading).lost == [])
        let other = Comparison([meant], with: visits(storing: 5), reading).lost
        #expect(lines(other) == ["lost: study, step calm, question calm: meant '7', stored '5'"])
        #expect(other.first?.picture(isASCII: true) == ["+---+", "| 7 |", "+---+"])
        let none = Comparison([meant, meant], with: visits(storing: 7), reading).lost
        #expect(
            lines(none) == ["lost: study, step calm, question calm: answered 2 times, and stored 1 times"])
    }

    @Test func `where time may run out, only what was not typed is lost`() throws {
        var step = Self.steps[1]
        step.timeLimit = .init(.seconds(5))
        let reading = reading(in: "en", [step])
        let meant = PersonSession.Meant(
            question: try #require(reading.questions.first), meaning: Meaning(number: 7), screen: [])
        #expect(Comparison([meant], with: visits(storing: nil), reading).lost == [])
        #expect(Comparison([meant], with: visits(storing: 4), reading).lost.count == 1)
    }

    private func unread(_ screens: [[String]], in language: String) -> [String] {
        var sight = Sight()
        for screen in screens { sight.take(screen) }
        return lines(
            Comparison([], with: visits(storing: 7), reading(in: language)).unread(
                in: sight, first: Language("en"), shortest: .seconds(1)))
    }

    @Test func `a text is read that comes in parts, one line of which is on both screens`() {
        let first = ["Welcome to us", "Please", "read this", "▼ more below"]
        let second = ["▲ more above", "read this", "text."]
        let question = ["How calm are you", "now?", "1 2 3", "not at all"]
        #expect(unread([first, second, question], in: "en") == [])
    }

    @Test func `tells texts that never came, were cut off or have no translation`() {
        #expect(
            unread([["Welcome to us"], ["How calm are you …", "not at all"]], in: "en") == [
                "not seen: study, step hello: Please read this text.",
                "cut off: study, step calm: How calm are you now?",
            ])
        #expect(
            unread(
                [["Soyez les bienvenus", "Please read this text."], ["Êtes-vous calme ?", "pas du tout"]],
                in: "fr")
                == ["not translated: study, step hello: Please read this text."])
    }

    @Test func `a question is known by its words, and by the mark before it`() {
        let calm = Question(identifier: "calm", title: .plain("Calm"), format: .scale(from: 1, to: 5))
        let calmer = Question(identifier: "calmer", title: .plain("Calmer"), format: .scale(from: 1, to: 5))
        let form = Step(identifier: "form", title: .plain("Mood"), kind: .form(Form([calm, calmer])))
        let reading = reading(in: "en", Self.steps + [form])
        #expect(reading.question(on: ["HowcalmareyounowWhat"], focus: nil)?.identifier == "calm")
        #expect(reading.question(on: ["MoodCalm123Calmer123"], focus: "Calm123")?.step == "form")
        #expect(reading.question(on: ["MoodCalm123Calmer123"], focus: "Calmer123")?.identifier == "calmer")
        #expect(reading.question(on: ["Please"], focus: nil) == nil)
        // The title of the step has gone from the screen: it is still the same page.
        var other = form
        (other.identifier, other.title) = ("other", .plain("Evening"))
        let twins = self.reading(in: "en", [form, other])
        #expect(twins.question(on: ["Calm123"], focus: "Calm123", in: "form")?.step == "form")
        #expect(twins.question(on: ["Calm123"], focus: "Calm123", in: "other")?.step == "other")
        #expect(twins.question(on: ["EveningCalm123"], focus: "Calm123", in: "form")?.step == "other")
    }

    @Test func `what a page waits for is read from its last lines`() {
        let words = KnownWords(Wording(Language("en")))
        let request = { (lines: [String]) in words.request(in: lines, isScreen: true) }
        #expect(request(["  Welcome", "", "  Return go on   q leave"]) == .goOn)
        #expect(request(["  Return confirm   ← → choose"]) == .answer)
        #expect(request(["  F = even   J = odd answer   p pause"]) == .react("f"))
        #expect(request(["  Space tap"]) == .react(" "))
        #expect(request(["  You answer a few questions"]) == nil)
        #expect(request(["  p go on"]) == .resume)
        let said = { (line: String) in words.request(in: ["Welcome", line], isScreen: false) }
        #expect(said("Press Return to go on.") == .goOn)
        #expect(said("Choose a number from 1 to 9.") == .answer)
        #expect(said("Please take your time: you can go on in 2 s.") == .wait(2))
        #expect(said("Your pulse can be seen well.") == nil)
    }
}
