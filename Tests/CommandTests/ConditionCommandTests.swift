import StudyTesting
import Testing

/// Conditions, their values and silence from the study to the result.
@Suite struct ConditionCommandTests {
    private let program = Program()
    private static let study = """
        entrain: 1
        study: {identifier: tapping, title: Tapping, seed: 1}
        stimuli: {sounds: {catalogue: sounds.yaml}}
        conditions:
          tempi: {file: tempi.csv, columns: {tempo: number, wait: duration}}
        tasks:
          - identifier: Task
            steps:
              - type: block
                identifier: series
                forEach: tempi
                order: {draw: shuffle, notFirst: quiet, notLast: quiet}
                steps:
                  - type: active
                    identifier: tap
                    title: Tap at {tempo}.
                    duration: $wait
                    stimulus: {play: $sound}
                    goTo: {clip: series, attribute: tempo, is: eq, value: 999, target: end}
              - {type: completion, identifier: end}
        """

    private func write() {
        _ = program.write(Self.study, "tapping.yaml")
        _ = program.write(
            "identifier,tempo,wait,sound\nslow,60,3 s,hush\nquiet,0,4 s,hush\nfast,120,5 s,hush\n",
            "tempi.csv")
        _ = program.write("entrain: 1\nclips: [{identifier: hush, silence: 3 s}]\n", "sounds.yaml")
    }

    @Test func `a run has the rounds of its plan, and verifies without the folder that it came from`() throws
    {
        write()
        #expect(program.run("check tapping.yaml").code == 0)
        let plan = program.run("plan tapping.yaml --participant P01").output.split(separator: "\n")
        #expect(plan.filter { $0.contains("(round ") }.count == 3)
        #expect(plan.contains { $0.contains("(round 2: quiet)") })
        #expect(program.run("run tapping.yaml --participant P01 --auto --speed max --out out").code == 0)
        let bundle = try #require(program.lines(of: "ls -d out/*").first)
        _ = program.lines(of: "rm tempi.csv sounds.yaml")
        #expect(program.run("verify \(bundle)").output.hasPrefix("\(bundle): whole\n"))
        let asked =
            "import json; r=json.load(open('\(bundle)/result.json')); "
            + "print(*[round(s['userInfo']['plannedDuration']) for s in r['results'] "
            + "if 'plannedDuration' in s['userInfo']])"
        let lasted = program.lines(of: "python3 -c \"\(asked)\"")
        #expect(lasted == ["3 4 5"] || lasted == ["5 4 3"])
    }

    @Test func `tables name the rounds of outer blocks as the plan drew them`() throws {
        _ = program.write(
            "entrain: 1\nclips: [{identifier: a, silence: 1 s}, {identifier: b, silence: 2 s}]\n", "s.yaml")
        _ = program.write(
            """
            entrain: 1
            study: {identifier: nested, title: Nested, seed: 4}
            stimuli: {pair: {catalogue: s.yaml}}
            conditions:
              days: {rows: [{identifier: wet}, {identifier: dry}]}
              tempi: {rows: [{identifier: slow, tempo: 60}, {identifier: fast, tempo: 120}, {identifier: odd, tempo: 7}]}
            tasks:
              - identifier: Task
                steps:
                  - type: block
                    identifier: day
                    forEach: days
                    order: {draw: shuffle}
                    steps:
                      - type: block
                        identifier: part
                        forEach: tempi
                        order: {draw: shuffle}
                        steps:
                          - type: block
                            identifier: pieces
                            forEach: pair
                            order: {draw: shuffle}
                            steps: [{type: active, identifier: hear, title: Hear, duration: 1 s, stimulus: {from: pair}}]
                  - {type: completion, identifier: end}
            """, "nested.yaml")
        #expect(program.run("run nested.yaml --participant P01 --auto --speed max --out out").code == 0)
        #expect(program.run("collate out --out data").code == 0)
        let bundle = try #require(program.lines(of: "ls -d out/*").first)
        let judge = """
            import csv, glob, json
            drawn = {d['stream']: d['chosen'] for d in json.load(open('\(bundle)/plan.json'))['draws']}
            rows = [r for f in glob.glob('data/steps/**/*.csv', recursive=True) for r in csv.DictReader(open(f)) if r['step'].endswith('hear')]
            at = lambda block, n: drawn[f'order/Task/{block}/{n}']
            for i, r in enumerate(rows):
                day, part, piece = i // 6, i // 2 % 3, i % 2
                assert r['outermost_condition'] == at('day', 1)[day] and r['outermost_round'] == str(day + 1), r
                assert r['outer_condition'] == at('day.part', day + 1)[part] and r['outer_round'] == str(part + 1), r
                assert r['stimulus'] == at('day.part.pieces', i // 2 + 1)[piece] and r['round'] == str(piece + 1), r
            print(len(rows), 'rows')
            """
        let script = program.write(judge, "judge.py")
        #expect(program.lines(of: "python3 \(script) 2>&1") == ["12 rows"])
    }

    @Test func `the second implementation draws the same`() {
        let script = "\(Program.root)Tests/StudyEngineTests/second_implementation.py"
        let said = program.lines(of: "python3 \(script) \(Program.executables)/entrain 250 4000 2>&1")
        #expect(said.count == 4 && said.first?.contains(" draws are the same") == true, "\(said)")
    }
}
