import Patterns
import SessionPorts
import StudyModel
import Testing
import TextFormat

@testable import SessionPorts
@testable import Terminal

@Suite struct WordingTests {
    static let languages = Wording.words.files.keys.sorted()

    @Test(arguments: languages)
    func `every language says every phrase and nothing else, with the same places to fill`(tag: String) {
        let (texts, english) = (Wording.words.texts(in: tag), Wording.words.texts(in: "en"))
        #expect(Set(texts.keys) == Set(Phrase.allCases.map(\.rawValue)))
        for (key, text) in texts {
            let places = [text, english[key] ?? ""].map { text in ["%1", "%2"].filter(text.contains) }
            #expect(places[0] == places[1], "\(key)")
            #expect(!text.trimmed.isEmpty && text.safe() == text, "\(key)")
        }
    }

    @Test func `sentences differ between languages`() {
        let same = Phrase.allCases.filter { phrase in
            let texts = Self.languages.compactMap { Wording.words.texts(in: $0)[phrase.rawValue] }
            return Wording(nil)(phrase).count > 12 && Set(texts).count < texts.count
        }
        #expect(same == [])
    }

    @Test(arguments: [
        ("fr", "Étape 2 sur 5"), ("de-AT", "Schritt 2 von 5"), ("ES", "Paso 2 de 5"), ("nl", "Step 2 of 5"),
    ])
    func `speaks the participant's language, or English`(tag: String, words: String) {
        #expect(Wording(Language(tag))(.stepOf, "2", "5") == words)
    }

    @Test func `what is filled in is not filled again`() {
        #expect(Wording(nil)(.numberBetween, "%2", "100%") == "Choose a number from %2 to 100%")
    }

    @Test(arguments: [
        ("", 0), ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2),
        ("❤", 1),
        ("\u{200B}", 0), ("ｶﾅ", 2), ("한글", 4), ("한글".decomposedHangul, 4),
    ])
    func `a character takes its columns`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(arguments: [
        ("one two three", 7, ["one two", "three"]),
        ("supercalifragilistic", 6, ["superc", "alifra", "gilist", "ic"]),
        ("a\n\nb", 5, ["a", "", "b"]), ("日本語です", 4, ["日本", "語で", "す"]), ("日", 1, ["…"]), ("", 4, [""]),
    ])
    func `text is broken at spaces, and within words where it must be`(
        text: String, width: Int, lines: [String]
    ) {
        #expect(text.wrapped(to: width) == lines)
    }

    @Test(arguments: [
        ("[A-Z]{2}[0-9]+", "AB12", true), ("[A-Z]{2}[0-9]+", "AB12x", false), ("a|ab", "ab", true),
        (".{3}", "é日👍", true),
        (".{2}", "é", false), ("x*", "", true), ("(", "anything", true),
        ("[[:alpha:]_]+", "ab_é", false), ("^a$|^b$", "b", true), (".", "\n", true), ("\\w+", "a1", true),
    ])
    func `a pattern must match the whole answer`(pattern: String, text: String, matches: Bool) {
        #expect(Pattern.matches(pattern, text) == matches)
    }

    @Test(arguments: ["(.*a.{500}b)*x", "(a|aa)*(a|aa)*b", "((a*)*)*b"])
    func `no pattern takes long`(pattern: String) {
        // The C library takes minutes for the first of them.
        #expect(!Pattern.matches(pattern, String(repeating: "a", count: 20_000)))
    }

    @Test(arguments: [
        (1.0, 0, "1"), (-0.04, 1, "0.0"), (7.25, 1, "7.3"), (-12.5, 2, "-12.50"), (0.05, 2, "0.05"),
    ])
    func `numbers show their decimals`(number: Double, decimals: Int, text: String) {
        #expect(number.shown(decimals) == text)
    }
}

extension String {
    /// The syllables of 한글 as single letters.
    fileprivate var decomposedHangul: String { "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}" }
}
