import StudyModel
import Testing

@Suite struct IdentifierTests {
    @Test(arguments: ["a", "chill_preview_3", "P01", "A.b-c_9", String(repeating: "x", count: 64)])
    func `takes the letters that can stand in names`(text: String) {
        #expect(Identifier(text)?.text == text)
    }

    @Test(arguments: ["", " ", "a b", "a/b", "é", "a\n", "ä", "…", String(repeating: "x", count: 65)])
    func `refuses everything else`(text: String) {
        #expect(Identifier(text) == nil)
    }
}

@Suite struct LocalizedTextTests {
    private let both = LocalizedText.translated([
        .init(language: Language("en"), text: "Thank you!"), .init(language: Language("fr"), text: "Merci !"),
    ])

    @Test func `gives the words of a language, or the first`() {
        #expect(both.text(in: Language("fr")) == "Merci !")
        #expect(both.text(in: Language("de")) == "Thank you!")
        #expect(both.text(in: nil) == "Thank you!")
        #expect(LocalizedText.plain("Hello").text(in: Language("fr")) == "Hello")
    }

    @Test func `knows its languages`() {
        #expect(both.languages.map(\.tag) == ["en", "fr"])
        #expect(LocalizedText.plain("Hello").languages.isEmpty)
    }
}

@Suite struct RunInstantTests {
    @Test func `keeps moments to the nanosecond`() {
        let later = RunInstant.start.advanced(by: .milliseconds(1_500))
        #expect(later.nanoseconds == 1_500_000_000)
        #expect(RunInstant.nanoseconds(1_500_000_000) == later)
        #expect(later.duration(to: .start) == .milliseconds(-1_500))
        #expect(RunInstant.start < later)
    }

    @Test func `tells a length in seconds`() {
        #expect(Duration.milliseconds(-250).seconds == -0.25)
        #expect(Duration.milliseconds(-250).wholeNanoseconds == -250_000_000)
    }
}
