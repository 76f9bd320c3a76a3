import Hashing
import StudyEngine
import StudyModel
import Testing

/// Steps that end when a condition has held for a time.
@Suite struct UntilTests {
    private static let calm = Navigation.Condition(
        subject: .heartRate(.init(.last(.seconds(10)))), comparison: .lt, value: .number(80))

    private func sitting(
        holding: Double = 20, atLeast: Double = 0, of seconds: Double = 60, cues: [Cue] = [],
        waits: Bool = false, _ condition: Navigation.Condition = calm
    ) throws -> Sitting {
        var active = ActiveStep(duration: .seconds(seconds), cues: cues)
        active.timer.waitsAtFinish = waits
        active.until = ActiveStep.Until(condition, holding: .seconds(holding), atLeast: .seconds(atLeast))
        let step = Step(identifier: "recover", recorders: [], kind: .active(active))
        return try Sitting([step, read("after"), thanks])
    }

    private func wake(_ segment: Int = 1) -> Event {
        .woke(Wake(ordinal: 1, segment: segment, moment: .until))
    }

    @Test func `ends at the planned moment when the condition has held for its time`() throws {
        var sitting = try sitting()
        #expect(
            sitting.tell(.observed(70), at: 1) == [
                .wake(Wake(ordinal: 1, segment: 1, moment: .until), at: .seconds(21))
            ])
        for second in 2...20 { #expect(sitting.tell(.observed(70), at: Double(second)).isEmpty) }
        #expect(sitting.tell(wake(), at: 21.002).shown?.section == 1)
        let result = try #require(sitting.results.first)
        #expect(result.end == .seconds(21) && result.endedBy == .until && result.skip == nil)
        #expect(result.plannedDuration == .seconds(60) && result.actualDuration == .seconds(21))
        #expect(result.lateness["end"] == .seconds(21.002) - .seconds(21))
        #expect(sitting.run.ways == [Way(path: ["recover"], list: .until, rule: 0)])
    }

    @Test func `never ends before it must, and always at its duration`() throws {
        var early = try sitting(atLeast: 40)
        for second in 1...39 { early.tell(.observed(70), at: Double(second)) }
        #expect(early.results.isEmpty)
        #expect(
            early.tell(.observed(70), at: 40.5).shown?.section == 1, "another event comes before the wake")
        #expect(early.results.first?.end == .seconds(40) && early.results.first?.endedBy == .until)
        var late = try sitting()
        for second in 1...59 { late.tell(.observed(second % 15 == 0 ? 900 : 70), at: Double(second)) }
        late.timeIsUp(1, at: 60)
        #expect(late.results.first?.end == .seconds(60) && late.results.first?.endedBy == .duration)
    }

    @Test func `what is not seen does not hold`() throws {
        var unseen = try sitting(holding: 1)
        unseen.timeIsUp(1, at: 60)
        #expect(unseen.results.first?.endedBy == .duration)
        let whole = Navigation.Condition(
            subject: .heartRate(.init(.during("recover"))), comparison: .lt, value: .number(80))
        for condition in [Self.calm, whole, .not(.not(whole)), .any([whole, Self.calm])] {
            var gap = try sitting(condition)
            for second in 1...5 { gap.tell(.observed(70), at: Double(second)) }
            gap.tell(wake(), at: 21)
            #expect(gap.results.isEmpty, "nothing was seen for 16 s")
            #expect(gap.tell(.observed(70), at: 30).count == 1, "it begins again")
            for second in 31...50 { gap.tell(.observed(70), at: Double(second)) }
            #expect(gap.results.first?.end == .seconds(50))
        }
    }

    @Test func `the time begins again after a pause`() throws {
        var sitting = try sitting()
        for second in 1...15 { sitting.tell(.observed(70), at: Double(second)) }
        sitting.tell(.paused, at: 16)
        for second in 17...40 { sitting.tell(.observed(70), at: Double(second)) }
        sitting.tell(.resumed, at: 41)
        sitting.tell(wake(), at: 41)
        for second in 42...61 { sitting.tell(.observed(70), at: Double(second)) }
        #expect(sitting.results.isEmpty)
        sitting.tell(wake(2), at: 62)
        let result = try #require(sitting.results.first)
        #expect(result.end == .seconds(62) && result.actualDuration == .seconds(37))
    }

    @Test func `cues at the finish are given, and a step that waits at its end waits`() throws {
        let cues = [
            Cue(moment: .finish, signal: .bell), Cue(moment: .after(.seconds(60)), signal: .sound("tone")),
        ]
        var sitting = try sitting(cues: cues, waits: true)
        for second in 1...20 { sitting.tell(.observed(70), at: Double(second)) }
        let ending = sitting.tell(wake(), at: 21)
        #expect(ending.cues == [.bell] && ending.shown?.phase == .timeUp)
        sitting.tell(.confirmed, at: 25)
        #expect(sitting.results.first?.actualDuration == .seconds(21))
        #expect(sitting.results.first?.end == .seconds(25))
    }

    @Test func `a cue is given while its condition holds, and at most once in its time`() throws {
        let reward = Cue(moment: .whilst(Self.calm, every: .seconds(2)), signal: .sound("tone"))
        var sitting = try sitting(holding: 59, cues: [reward, Cue(moment: .finish, signal: .bell)])
        var wakes: [(wake: Wake, at: Double)] = []
        var given: [Double] = []
        func note(_ effects: [Effect], _ time: Double) {
            for effect in effects {
                if case .cue(.sound("tone"), CueKey(ordinal: 1, cue: 0)) = effect { given.append(time) }
                if case .wake(let wake, let due) = effect, wake.moment == .cue(0) {
                    wakes.append((wake, due.offset / .seconds(1)))
                }
            }
        }
        func observe(_ rate: Double, at time: Double) {
            while let next = wakes.firstIndex(where: { $0.at <= time }) {
                let (wake, due) = wakes.remove(at: next)
                note(sitting.tell(.woke(wake), at: due), due)
            }
            note(sitting.tell(.observed(rate), at: time), time)
        }
        for second in 1...5 { observe(90, at: Double(second)) }
        // The mean of the last 10 s falls below 80 with the eighth low value.
        for second in 6...15 { observe(70, at: Double(second)) }
        #expect(given == [11, 13, 15])
        sitting.tell(.paused, at: 15.5)
        observe(70, at: 18)
        #expect(given.count == 3, "nothing is given in a pause")
        sitting.tell(.resumed, at: 20)
        observe(70, at: 21)
        observe(900, at: 22)
        observe(70, at: 40)
        #expect(given == [11, 13, 15, 21, 40])
        observe(70, at: 58)
        #expect(
            given == [11, 13, 15, 21, 40, 42, 44, 46, 48, 58], "after 50 s nothing of the last 10 s is known")
        sitting.tell(.cueGiven(CueKey(ordinal: 1, cue: 0), heard: nil), at: 58)
        #expect(sitting.timeIsUp(1, segment: 2, at: 64.5).cues == [.bell])
        sitting.tell(.cueGiven(CueKey(ordinal: 1, cue: 1), heard: nil), at: 64.5)
        let result = try #require(sitting.results.first)
        #expect(result.repeatedCues == ["cue1": given.map { RunInstant.seconds($0) }])
    }

    /// Beats whose intervals swing once in ten: RMSSD is the square root of 2, times the sine of 18°, times the swing.
    private static func beats(_ count: Int, from start: Double, rmssd: Double) -> [(Double, Double)] {
        let sines = [
            0, 0.587785, 0.951057, 0.951057, 0.587785, 0, -0.587785, -0.951057, -0.951057, -0.587785,
        ]
        var now = start
        return (0..<count).map { beat in
            let interval = 0.8 + rmssd / 1000 / (2.0.squareRoot() * 0.309017) * sines[beat % 10]
            now += interval
            return (now, interval)
        }
    }

    @Test func `variability is that of a time, of a step, or their difference`() throws {
        let last = Navigation.HeartRate.Span.last(.seconds(20))
        let cases: [(Navigation.HeartRate, Double, Bool)] = [
            (.init(last, variability: .rmssd), 54, true), (.init(last, variability: .rmssd), 66, false),
            (.init(last, variability: .rmssd, relativeTo: .init(step: "rest", isShare: false)), 34, true),
            (.init(last, variability: .rmssd, relativeTo: .init(step: "rest", isShare: false)), 46, false),
            (.init(last, variability: .rmssd, relativeTo: .init(step: "rest", isShare: true)), 170, true),
            (.init(last, variability: .rmssd, relativeTo: .init(step: "rest", isShare: true)), 230, false),
            (.init(.during("recover"), variability: .sdnn), 80, true),
            (.init(.during("recover"), variability: .sdnn), 130, false),
            (.init(.during("never"), variability: .rmssd), 0, false),
            (.init(last, variability: .rmssd, relativeTo: .init(step: "never", isShare: false)), -99, false),
        ]
        for (rate, limit, holds) in cases {
            let condition = Navigation.Condition(
                subject: .heartRate(rate), comparison: .gt, value: .number(limit))
            let reward = Cue(moment: .whilst(condition, every: .seconds(60)), signal: .bell)
            let rest = Step(
                identifier: "rest", recorders: [], kind: .active(ActiveStep(duration: .seconds(60))))
            let recover = Step(
                identifier: "recover", recorders: [],
                kind: .active(ActiveStep(duration: .seconds(60), cues: [reward])))
            var sitting = try Sitting([rest, recover, thanks])
            for (end, interval) in Self.beats(70, from: 1, rmssd: 20) where end < 60 {
                sitting.tell(.beats([interval], end: .seconds(end)), at: end)
            }
            sitting.timeIsUp(1, at: 60)
            let cues = Self.beats(60, from: 61, rmssd: 60).flatMap { end, interval in
                sitting.tell(.beats([interval], end: .seconds(end)), at: end).cues
            }
            #expect(cues.count == (holds ? 1 : 0), "\(rate) > \(limit)")
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `ends where a record of what was seen says so`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var seen: [(time: Double, rate: Double)] = []
        var now = 0.0
        while now < 58 {
            now += random.index(below: 20) == 0 ? 14 + 4 * random.unit() : 1 + random.unit()
            seen.append((now, random.index(below: 25) == 0 ? 500 : 60 + Double(random.index(below: 30))))
        }
        seen.removeAll { $0.time >= 59 }
        var sitting = try sitting(atLeast: 30)
        var wakes: [(Wake, Double)] = []
        func note(_ effects: [Effect]) {
            for case .wake(let wake, let instant) in effects {
                wakes.append((wake, instant.offset / .seconds(1)))
            }
        }
        for (time, rate) in seen {
            for (wake, moment) in wakes where moment <= time { note(sitting.tell(.woke(wake), at: moment)) }
            wakes.removeAll { $0.1 <= time }
            note(sitting.tell(.observed(rate), at: time))
        }
        for (wake, moment) in wakes where moment <= 60 { sitting.tell(.woke(wake), at: moment) }
        sitting.timeIsUp(1, at: 60)
        let result = try #require(sitting.results.first)
        let expected = Self.end(seen)
        #expect(result.endedBy == (expected == nil ? .duration : .until))
        #expect(abs(result.end.offset / .seconds(1) - (expected ?? 60)) < 1e-6)
    }

    /// The first moment, 30 s or later, before which the mean of the last 10 s was below 80 for 20 s: by looking at
    /// every moment at which something was seen, and just before.
    private static func end(_ seen: [(time: Double, rate: Double)]) -> Double? {
        func holds(at time: Double, _ known: ArraySlice<(time: Double, rate: Double)>) -> Bool {
            let window = known.filter { $0.time > time - 10 }
            return !window.isEmpty && window.reduce(0) { $0 + $1.rate } / Double(window.count) < 80
        }
        for first in seen.indices where holds(at: seen[first].time, seen[...first]) {
            let due = max(seen[first].time + 20, 30)
            guard due < 60 else { return nil }
            var moments: [(Double, Int)] = []
            for index in seen.indices where index > first && seen[index].time <= due {
                moments += [(seen[index].time, index - 1), (seen[index].time, index)]
            }
            moments.append((due, moments.last?.1 ?? first))
            let isStart =
                first == 0 || !holds(at: seen[first - 1].time, seen[...(first - 1)])
                || !holds(at: seen[first].time, seen[..<first])
            if isStart, moments.allSatisfy({ holds(at: $0.0, seen[...$0.1]) }) { return due }
        }
        return nil
    }
}
