import Results
import StudyModel
import StudyTesting
import Testing

@testable import Analysing
@testable import Datasets
@testable import Participants
@testable import Physiology
@testable import Statistics

@Suite struct GroupContrastsTests {
    private static let groups = [
        ("a", [71.2, 64.5, 69.9, 73.1, 66.0], [60.0, 55, 63, 66, 58]),
        ("b", [75.5, 70.2, 79.8, 68.4, 74.1, 77.7], [62.0, 60, 68, 57, 61, 66]),
        ("c", [60.1, 66.6, 62.4, 64.9], [52.0, 58, 55, 59]),
    ]

    private func members(_ names: String, isAdjusted: Bool = false) -> [GroupContrasts.Member] {
        Self.groups.filter { names.contains($0.0) }.flatMap { name, values, baselines in
            zip(values, baselines).map { value, baseline in
                isAdjusted
                    ? .init(group: name, value: value - baseline, baseline: baseline)
                    : .init(group: name, value: value)
            }
        }
    }

    private func isNear(_ found: Double?, _ wanted: Double) -> Bool {
        found.map { abs($0 - wanted) <= 1e-9 * max(1, abs(wanted)) } ?? false
    }

    /// By SciPy 1.11: `stats.ttest_ind(a, b, equal_var=False)` with its `confidence_interval()`.
    @Test func `two groups are compared as Welch does`() throws {
        let found = try #require(GroupContrasts(members("ab")))
        #expect(found.method == .welch && found.contrasts.count == 1 && found.omnibus == nil)
        let contrast = found.contrasts[0]
        #expect(isNear(contrast.estimate, -5.343333333333334) && isNear(contrast.t, -2.2286707473078815))
        #expect(isNear(contrast.degrees, 8.999017872252821) && isNear(contrast.p, 0.05281440287648893))
        #expect(isNear(contrast.interval.lowerBound, -10.767042009218834))
        #expect(contrast.participants == 11 && contrast.correctedP == contrast.p)
    }

    /// By statsmodels: `anova_oneway([a, b, c], use_var="unequal", welch_correction=True)`; pairs as above.
    @Test func `three groups are compared by Welch's F`() throws {
        let found = try #require(GroupContrasts(members("abc")))
        #expect(found.method == .welch && isNear(found.omnibus?.f, 10.507797515862068))
        #expect(
            isNear(found.omnibus?.denominator, 7.893462165139642)
                && isNear(found.omnibus?.p, 0.00595615016779887))
        try expect(
            found.contrasts,
            [
                (-5.3433333333333195, 2.3975427235215445, 8.999017872252821, 0.052814402876489426),
                (5.440000000000012, 2.1477740414981574, 6.996458225021866, 0.0390859248952955),
                (10.783333333333331, 2.2785838682050827, 7.991628110085459, 0.0014824530908907453),
            ])
        #expect(isNear(found.contrasts[0].correctedP, 2 * 0.0390859248952955))
    }

    private func expect(
        _ contrasts: [ConditionContrasts.Contrast], _ wanted: [(Double, Double, Double, Double)]
    ) throws {
        #expect(contrasts.count == wanted.count)
        for (contrast, (estimate, error, degrees, p)) in zip(contrasts, wanted) {
            #expect(isNear(contrast.estimate, estimate) && isNear(contrast.error, error))
            #expect(isNear(contrast.degrees, degrees) && isNear(contrast.p, p))
        }
    }

    /// By explicit matrices of all values in NumPy: Tests/DatasetsTests/outcomes_agreement.py has the formulas.
    @Test func `groups are adjusted for what the values are relative to, and have variances of their own`()
        throws
    {
        let found = try #require(GroupContrasts(members("abc", isAdjusted: true)))
        #expect(found.method == .adjusted && isNear(found.omnibus?.f, 12.244705361284662))
        #expect(
            isNear(found.omnibus?.denominator, 7.464920656173071)
                && isNear(found.omnibus?.p, 0.004394751898526102))
        try expect(
            found.contrasts,
            [
                (-3.6088511560693632, 0.9653293969965079, 7.106370485318577, 0.007080843981988127),
                (1.4925578034682125, 1.0495649899435084, 7.117051489910472, 0.19731569386473882),
                (5.101408959537576, 1.0455408799016503, 10.472031347884704, 0.0005622232005867052),
            ])
    }

    @Test func `says nothing of one group, of one participant, or where nothing varies`() {
        #expect(GroupContrasts(members("a")) == nil && GroupContrasts([]) == nil)
        #expect(GroupContrasts(members("ab") + [.init(group: "z", value: 1)]) == nil)
        let same = ["a", "a", "b", "b"].map { GroupContrasts.Member(group: $0, value: 3) }
        #expect(GroupContrasts(same) == nil)
        // The baseline tells the arms apart wholly: then nothing is known of the arms.
        let told = ["a", "a", "b", "b"].enumerated().map { place, name in
            GroupContrasts.Member(group: name, value: Double(place), baseline: name == "a" ? 1 : 2)
        }
        #expect(GroupContrasts(told).map { $0.contrasts.count } ?? 0 <= 1)
    }

    @Test(
        arguments: [
            ([], []), ([0.2], [0.2]), ([0.04, 0.01, 0.03], [0.06, 0.03, 0.06]), ([0.9, 0.8], [1, 1]),
        ] as [([Double], [Double])])
    func `Holm corrects each for those that are left`(values: [Double], wanted: [Double]) {
        #expect(zip(correctedAfterHolm(values), wanted).allSatisfy { isNear($0, $1) })
    }
}

@Suite struct OutcomeTests {
    private static let answer = Outcome(
        rank: .primary, measure: .answer, subject: .init(name: "after.mood", steps: ["after"], item: "mood"),
        reference: .init(name: "before.mood", steps: ["before"], item: "mood"))

    private func run(
        _ participant: String, session: Int = 1, arm: String? = nil, status: String = "completed",
        _ steps: [RecordedRun.Step]
    ) -> RecordedRun {
        var session = RecordedSession(
            run: "\(participant)-\(session)", study: "s", task: "task", participant: participant,
            session: session, text: StudyText(revision: 1, sha256: ""), origin: .recorded, manifest: "",
            start: "2026-11-21T09:00:00.000Z", duration: 60, status: status, isRecovered: false,
            isClockAdjusted: false, samples: 0, beats: 0)
        session.arm = arm
        return RecordedRun(session: session, steps: steps)
    }

    private func asked(
        _ name: String, _ value: Double?, visit: Int = 1, round: Int? = nil, condition: String? = nil
    ) -> RecordedRun.Step {
        RecordedRun.Step(
            name: name, visit: visit, isSkipped: false, end: 1, round: round, condition: condition,
            answers: [.init(question: "mood", value: value)])
    }

    private func study(_ runs: [RecordedRun], _ outcomes: [Outcome]) -> StudyResponse {
        var random = SeededRandom(seed: 1)
        return StudyResponse(
            of: "s", runs.map { RunResponses($0, outcomes: outcomes) }, outcomes: outcomes, drawnFlips: 99,
            using: &random)
    }

    private static let before = [5.0, 6, 4, 7, 5, 6]
    private static let after = [6.0, 8, 4, 9, 6, 7]

    private func prePost(arms: [String] = []) -> [RecordedRun] {
        Self.before.indices.map { place in
            run(
                "P\(place)", arm: arms.isEmpty ? nil : arms[place % arms.count],
                [asked("before", Self.before[place]), asked("after", Self.after[place])])
        }
    }

    /// By SciPy: `stats.ttest_rel(after, before)`.
    @Test func `the same question at two steps is tested in pairs`() throws {
        let found = try #require(study(prePost(), [Self.answer]).outcomes.first)
        guard case .change(let difference, let contrast?) = found.finding else {
            Issue.record("\(found.finding)")
            return
        }
        #expect(difference.count == 6 && abs(contrast.t - 3.7962830118264836) < 1e-9)
        #expect(abs(contrast.p - 0.01267660247801449) < 1e-9 && contrast.degrees == 5)
        #expect(abs(contrast.interval.lowerBound - 0.3766802161747148) < 1e-9)
        #expect(found.correctedP == nil && found.exclusions.isEmpty && found.values == 6)
    }

    @Test func `arms are compared before anything else, each participant once`() throws {
        let runs = prePost(arms: ["m", "q"])
        let found = try #require(study(runs, [Self.answer]).outcomes.first)
        guard case .arms(let groups) = found.finding else {
            Issue.record("\(found.finding)")
            return
        }
        #expect(groups.method == .adjusted && groups.groups.map(\.participants) == [3, 3])
        #expect(found.title == "Primary outcome, answer to after.mood minus before.mood")
        let alone = study(Array(runs.prefix(2)), [Self.answer]).outcomes.first
        #expect(alone?.remarks.isEmpty == false)
    }

    @Test func `rounds are compared within participants, and take their reference from their own round`()
        throws
    {
        let outcome = Outcome(
            rank: .secondary, measure: .answer, subject: .init(name: "q", steps: ["b.q"], item: "mood"),
            reference: .init(name: "r", steps: ["b.r"], item: "mood"))
        var runs: [RecordedRun] = []
        for person in 0..<6 {
            var steps: [RecordedRun.Step] = []
            let order: [String] = person % 2 == 0 ? ["x", "y"] : ["y", "x"]
            for (place, condition) in order.enumerated() {
                let noise = Double((person + 1) * (place + 2) % 5) / 10
                let value = Double(10 * place + person) + noise + (condition == "x" ? 2 : 0)
                let reference = Double(10 * place) + Double(person * person % 3) / 9
                // The reference comes after in its round.
                for (name, number) in [("b.q", value), ("b.r", reference)] {
                    steps.append(
                        asked(name, number, visit: place + 1, round: place + 1, condition: condition))
                }
            }
            runs.append(run("P\(person)", steps))
        }
        let response = study(runs, [outcome])
        let found = try #require(response.outcomes.first)
        guard case .conditions(let contrasts) = found.finding else {
            Issue.record("\(found.finding) \(found.remarks)")
            return
        }
        #expect(contrasts.factor == .condition && contrasts.conditions == ["x", "y"])
        #expect(abs(contrasts.contrasts[0].estimate - 2) < 1, "\(contrasts.contrasts)")
        #expect(found.correctedP == nil, "it is the only one of its rank")
    }

    @Test func `sessions are compared where nothing else differs, and one group has its mean`() throws {
        let outcome = Outcome(
            rank: .usual, measure: .score, subject: .init(name: "mood", steps: ["q"], item: "mood"))
        var runs: [RecordedRun] = []
        for person in 0..<5 {
            for session in 1...3 {
                let value = Double(person + session) + Double(person * session % 4) / 5
                runs.append(run("P\(person)", session: session, [asked("q", value)]))
            }
        }
        let found = try #require(study(runs, [outcome]).outcomes.first)
        guard case .conditions(let contrasts) = found.finding else {
            Issue.record("\(found.finding)")
            return
        }
        #expect(contrasts.factor == .session && contrasts.contrasts.count == 3)
        let once = try #require(study(runs.filter { $0.session.session == 1 }, [outcome]).outcomes.first)
        guard case .mean(let mean) = once.finding else {
            Issue.record("\(once.finding)")
            return
        }
        #expect(mean.count == 5 && once.p == nil)
    }

    /// By R: `t.test(a, b)` of each participant's music minus quiet.
    @Test(arguments: [false, true])
    func `arms are compared in what conditions or sessions do`(bySession: Bool) throws {
        let outcome = Outcome(
            rank: .primary, measure: .answer, subject: .init(name: "q", steps: ["b.q"], item: "mood"))
        let arms: [(name: String, music: [Double], quiet: [Double])] = [
            ("a", [6, 7, 5, 8, 6.5], [4, 6, 5, 5, 4]), ("b", [5, 6, 4, 6, 7, 5], [5, 5.5, 4.5, 5, 7, 4]),
        ]
        var runs: [RecordedRun] = []
        for arm in arms {
            for (place, (music, quiet)) in zip(arm.music, arm.quiet).enumerated() {
                let person = "\(arm.name)\(place)"
                let steps = [
                    asked("b.q", music, visit: 1, round: 1, condition: bySession ? nil : "music"),
                    asked(
                        "b.q", quiet, visit: bySession ? 1 : 2, round: 2, condition: bySession ? nil : "quiet"
                    ),
                ]
                if bySession {
                    runs.append(run(person, session: 1, arm: arm.name, [steps[0]]))
                    runs.append(run(person, session: 2, arm: arm.name, [steps[1]]))
                } else {
                    runs.append(run(person, arm: arm.name, steps))
                }
            }
        }
        // Who went through one condition only counts in none of these differences.
        runs.append(run("a9", arm: "a", [asked("b.q", 9, condition: "music")]))
        let found = try #require(study(runs, [outcome]).outcomes.first)
        let within = try #require(found.armsByConditions)
        #expect(within.factor == (bySession ? .session : .condition) && within.pairs.count == 1)
        let contrast = try #require(within.contrasts.first)
        #expect(contrast.participants == 11 && abs(contrast.estimate - 1.3666666666666667) < 1e-12)
        #expect(abs(contrast.t - 2.30643019689834894) < 1e-9 && abs(contrast.p - 0.06313107270435094) < 1e-9)
        #expect(
            contrast.first == (bySession ? "(session 1 - session 2) in a" : "(music - quiet) in a")
                && contrast.second == "in b")
        #expect(found.lines.joined(separator: "\n").contains("difference of differences"))
    }

    @Test func `what was left out is told with its reason`() throws {
        let runs = [
            run("P1", [asked("before", 3), asked("after", nil)]),
            run("P2", [asked("before", nil), asked("after", 3)]),
            run("P3", [asked("after", 3)]),
            run("P4", status: "discarded", [asked("before", 3), asked("after", 4)]),
            run("P5", [asked("before", 3)]), run("P6", [asked("before", 3), asked("after", 4)]),
        ]
        let found = try #require(study(runs, [Self.answer]).outcomes.first)
        #expect(
            found.exclusions.map(\.reason) == [.notAnswered, .noReferenceValue, .noReference, .discarded])
        #expect(found.withoutValue == ["P1", "P2", "P3", "P4", "P5"] && found.participants == 1)
        #expect(found.p == nil)
        let notes = found.notes.joined(separator: " ")
        #expect(notes.contains("not answered (1)") && notes.contains("Without any value (5)"))
        #expect(
            notes.contains(
                "1 participant left the session or a step early, and values of theirs are missing."))
    }

    @Test func `a question that was asked once is no usual outcome`() {
        let outcome = Outcome(
            rank: .usual, measure: .answer, subject: .init(name: "mood", steps: ["q"], item: "mood"))
        let response = study([1.0, 2, 3].map { run("P\(Int($0))", [asked("q", $0)]) }, [outcome])
        #expect(response.outcomes.isEmpty && response.askedOnce == ["mood"])
    }

    @Test func `a condition that did not hold in time counts with all of the step's time`() throws {
        let outcome = Outcome(
            rank: .primary, measure: .recovery, subject: .init(name: "calm", steps: ["calm"]))
        var runs: [RecordedRun] = []
        let ends: [(Double, String?)] = [(40, "until"), (50, "until"), (90, "duration"), (20, nil)]
        for (end, cause) in ends {
            let step = RecordedRun.Step(
                name: "calm", visit: 1, isSkipped: false, end: end, lasted: end, endedBy: cause)
            runs.append(run("P\(Int(end))", [step]))
        }
        let found = try #require(study(runs, [outcome]).outcomes.first)
        guard case .mean(let mean) = found.finding else {
            Issue.record("\(found.finding)")
            return
        }
        #expect(mean.mean == 60 && found.censored == 1 && found.exclusions.map(\.reason) == [.notEnded])
        #expect(found.notes.joined().contains("In 1 of 3 values the condition did not hold"))
    }

    @Test(arguments: [Outcome.Measure.asynchrony, .tapConsistency])
    func `taps beside a clip with holes give no value, since nobody knows what was heard`(
        measure: Outcome.Measure
    ) throws {
        let outcome = Outcome(rank: .primary, measure: measure, subject: .init(name: "tap", steps: ["tap"]))
        let runs = [true, true, false].enumerated().map { number, isWhole in
            var step = RecordedRun.Step(
                name: "tap", visit: 1, isSkipped: false, isClipWhole: isWhole, end: 10)
            step.taps = (0..<8).map {
                .init(time: 0.5 * Double($0), beat: .init(asynchrony: 0.02, phase: 14.4))
            }
            return run("P\(number)", [step])
        }
        let found = try #require(study(runs, [outcome]).outcomes.first)
        #expect(found.exclusions.map(\.participant) == ["P2"])
        #expect(found.exclusions.map(\.reason) == [.clipHadHoles])
    }

    @Test func `the time in the expected band is a share of the measured time`() throws {
        let outcome = Outcome(
            rank: .primary, measure: .timeInBand, subject: .init(name: "ride", steps: ["ride"]))
        let runs = [0.5, 0.75, nil].enumerated().map { number, share in
            run(
                "P\(number)",
                [RecordedRun.Step(name: "ride", visit: 1, isSkipped: false, end: 60, inBand: share)])
        }
        let found = try #require(study(runs, [outcome]).outcomes.first)
        guard case .mean(let mean) = found.finding else {
            Issue.record("\(found.finding)")
            return
        }
        #expect(
            mean.mean == 62.5 && found.quantity.unit == "%" && found.exclusions.map(\.reason) == [.fewBeats])
    }
}
