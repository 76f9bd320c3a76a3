import Testing

@testable import StudyModel

@Suite struct AlarmRuleTests {
    @Test(arguments: [
        (AlarmRule.above(170, for: .seconds(10)), "heart rate above 170 bpm for 10 s"),
        (.below(37.5, for: .milliseconds(2500)), "heart rate below 37.5 bpm for 2.5 s"),
        (.signalLost(for: .seconds(8)), "signal lost for 8 s"),
        (.microphoneSilent(for: .seconds(3600)), "microphone silent for 3600 s"), (.runDead, "run dead"),
    ])
    func `a rule is read as it is said`(rule: AlarmRule, words: String) {
        #expect(rule.words == words)
        #expect(AlarmRule(words: words) == rule)
    }

    @Test(arguments: [
        "", "run", "run dead for 5 s", "run dead dead", "heart rate above 170 for 10 s",
        "heart rate above 170 bpm",
        "heart rate above 170 bpm for 10", "heart rate above 301 bpm for 10 s",
        "heart rate above -1 bpm for 10 s",
        "heart rate above nan bpm for 10 s", "heart rate above 170 bpm for 0 s", "signal lost",
        "signal lost for s",
        "signal lost for 0.4 s", "signal lost for 3601 s", "signal lost for 1e3 s",
        "signal lost for 10 s please",
        "microphone silent for ever s", "heart rate runDead 170 bpm for 10 s",
        "heart rate signalLost 170 bpm for 10 s",
    ])
    func `words that are no rule are none`(words: String) {
        #expect(AlarmRule(words: words) == nil)
    }
}
