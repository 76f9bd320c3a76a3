import StudyModel
import Testing

@Suite struct PlaceholderTests {
    @Test(arguments: [
        ("Tap at {tempo} bpm", "Tap at 60 bpm"), ("{tempo}{tempo}", "6060"), ("{other}", "{other}"),
        ("{", "{"), ("{tempo", "{tempo"), ("{ tempo}", "{ tempo}"), ("{{tempo}}", "{60}"), ("", ""),
        ("}{", "}{"),
        ("{té}", "{té}"), ("{a.b}", "deep"),
    ])
    func `fills in what is known and leaves the rest`(text: String, filled: String) {
        #expect(Placeholder.filled(text) { ["tempo": "60", "a.b": "deep"][$0] } == filled)
    }
}
