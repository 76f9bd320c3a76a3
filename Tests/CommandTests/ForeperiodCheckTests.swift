import Testing

/// Reactions that come before a held key can be told.
@Suite struct ForeperiodCheckTests {
    private let program = Program()

    private func warns(_ steps: String...) -> Bool {
        let between = steps.map { "          - {\($0)}\n" }.joined()
        _ = program.write(
            """
            entrain: 1
            study: {identifier: s, title: T}
            tasks:
              - identifier: Task
                steps:
                  - type: block
                    identifier: lights
                    repeat: 8
                    steps:
            \(between)          - {type: active, identifier: light, title: Press!, duration: 2 s, reaction: {keys: [space]}}
                  - {type: completion, identifier: end, title: End}
            """, "study.yaml")
        let checked = program.run("check study.yaml")
        #expect(checked.code == 0, "\(checked)")
        return checked.output.contains("short-foreperiod")
    }

    @Test(arguments: [
        ("type: active, identifier: wait, title: Wait, duration: 200 ms", true),
        ("type: active, identifier: wait, title: Wait, duration: {from: 100 ms, to: 2 s}", true),
        ("type: active, identifier: wait, title: Wait, duration: 700 ms", false),
        ("type: active, identifier: wait, title: Wait, duration: 200 ms, timer: {start: onConfirm}", false),
        ("type: instruction, identifier: wait, title: Wait", false),
        ("type: active, identifier: other, title: Other, duration: 2 s, reaction: {keys: [a]}", true),
    ])
    func `all that is between two reactions with a key counts together`(between: String, isShort: Bool) {
        #expect(warns(between) == isShort)
    }

    @Test func `two steps of half the time are long enough`() {
        let wait = { (number: Int) in "type: active, identifier: wait\(number), title: Wait, duration: 350 ms"
        }
        #expect(warns(wait(1)))
        #expect(!warns(wait(1), wait(2)))
    }
}
