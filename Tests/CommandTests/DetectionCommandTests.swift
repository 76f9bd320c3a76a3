import StudyTesting
import Testing

/// Signals and noise, old and new, from the run to the tables.
@Suite struct DetectionCommandTests {
    private let program = Program()

    private func path(_ name: String) -> String { "\(Program.root)Studies/protocols/\(name).yaml" }

    /// Reads the tables, and works out each score again with Python's normal distribution.
    private static let judge = #"""
        import csv, glob, json, sys
        from statistics import NormalDist
        z = NormalDist().inv_cdf
        rows = lambda table: [r for p in glob.glob(f'tables/{table}/**/*.csv', recursive=True) for r in csv.DictReader(open(p))]
        steps = {(s['run'], s['step'], s['visit']): s for s in rows('steps')}
        passes, given = {}, {}
        for a in rows('answers'):
            s = steps[a['run'], a['step'], a['visit']]
            place = a['run'], s['outer_round']
            if a['class'] == 'ORKChoiceQuestionResult' and a['question'] == sys.argv[1]:
                values = json.loads(s['condition_values'] or s['attributes'])
                right = values[sys.argv[2]]
                isSignal = right != 'none' if len(sys.argv) == 3 else right == sys.argv[3]
                word = a['answer']
                counts = passes.setdefault(place, {(k, y): 0 for k in (True, False) for y in (True, False)})
                if len(sys.argv) > 3 and not word: continue
                counts[isSignal, bool(word) if len(sys.argv) == 3 else word == sys.argv[3]] += 1
                assert a['right'] != 'TRUE' or bool(word) == (right != 'none'), a
            elif a['question'] in ('sensitivity', 'hits', 'falseAlarms'):
                if a['value']: given.setdefault((place, a['question']), {})[int(a['visit'])] = float(a['value'])
        for place, n in passes.items():
            last = lambda name: (lambda all: all[max(all)])(given[place, name])
            signals, noise = n[True, True] + n[True, False], n[False, True] + n[False, False]
            share = lambda yes, all: (yes + .5) / (all + 1)
            d = z(share(n[True, True], signals)) - z(share(n[False, True], noise))
            assert abs(last('sensitivity') - d) < 1e-9, (place, n, d)
            assert (last('hits'), last('falseAlarms')) == (n[True, True], n[False, True]), (place, n)
        print(len(passes), 'passes,', sum(sum(n.values()) > 0 for n in passes.values()), 'judged')
        """#

    @Test(
        arguments: [
            ("two-back-under-music", "letter key", "18 passes, 18 judged"),
            ("old-and-new-melodies", "recognised seen old", "6 passes, 6 judged"),
        ])
    func `a second calculation from the tables gives the same d′`(name: String, words: String, said: String) {
        #expect(program.run("rehearse \(path(name)) --participants 6 --seed 7 --out bundles").code == 0)
        #expect(program.run("collate bundles --out tables").code == 0)
        let script = program.write(Self.judge, "judge.py")
        #expect(program.lines(of: "python3 \(script) \(words) 2>&1") == [said])
    }

    @Test func `a rejection is right, and no analysis counts it as missing`() {
        let study = path("two-back-under-music")
        let pressing = program.write("{letter: space}", "answers.yaml")
        _ = program.run(
            "rehearse \(study) --participants 4 --seed 7 --answers \(pressing) --out bundles")
        #expect(program.run("show bundles/*").output.contains("after the planned start of the step, wrong"))
        #expect(program.run("collate bundles --out tables").code == 0)
        let always = program.run("analyse --include-simulated tables").output
        #expect(always.contains("Left out: the key was wrong (192)."), "\(always)")
        _ = program.run("rehearse \(study) --participants 4 --seed 7 --out others")
        #expect(program.run("show others/*").output.contains("no key came in time, right"))
        let rejected = program.lines(
            of: "grep -oh '\"reaction\":{\"ignoredKeys\":0,\"right\":true}' others/*/result.json")
        #expect(rejected.count > 150)
    }
}
