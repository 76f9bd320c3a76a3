import MonitorInterface
import StudyModel
import Testing

@testable import Monitor

@Suite struct AlarmWatchTests {
    private static let high = AlarmRule.above(170, for: .seconds(10))
    private static let low = AlarmRule.below(40, for: .seconds(10))
    private static let lost = AlarmRule.signalLost(for: .seconds(8))
    private static let silent = AlarmRule.microphoneSilent(for: .seconds(30))
    private static let all = [high, low, lost, silent, .runDead]

    /// Tells of what happens second by second, and notes which alarms begin (`+`) and end (`-`), and when.
    private func changes(
        _ rules: [AlarmRule] = all, standing: [AlarmRule.Kind: Double] = [:], until end: Int,
        _ news: (Int) -> [AlarmWatch.News]
    ) -> [String] {
        var watch = AlarmWatch(rules, standing: standing, from: 0)
        return (0...end).flatMap { second in
            for one in news(second) { watch.take(one, at: Double(second)) }
            return watch.judge(at: Double(second)).map {
                "\($0.begins ? "+" : "-")\($0.rule.kind) \(second)"
            }
        }
    }

    @Test func `a heart rate beyond a limit raises an alarm when it has lasted`() {
        let rates = { (second: Int) -> [AlarmWatch.News] in [.rate((5..<20).contains(second) ? 171 : 170)] }
        #expect(changes(until: 30, rates) == ["+above 15", "-above 20"])
        #expect(changes(until: 30) { [.rate((5..<15).contains($0) ? 171 : 120)] } == [])
        #expect(changes(until: 30) { [.rate($0 < 15 ? 39 : 40)] } == ["+below 10", "-below 15"])
    }

    @Test func `one reading within the limits begins the count anew`() {
        #expect(changes(until: 25) { [.rate($0 == 9 ? 160 : 180)] } == ["+above 20"])
    }

    @Test func `nothing counts that nobody has seen`() {
        // Beyond the limit before and after a gap of seven seconds; without the gap, it would have lasted.
        let rates = { (second: Int) -> [AlarmWatch.News] in
            (4..<10).contains(second) ? [.signOfLife] : [.rate(180)]
        }
        #expect(changes([Self.high], until: 19, rates) == [])
        #expect(changes([Self.high], until: 25, rates) == ["+above 20"])
        // One reading alone does not last, however long nothing comes after it.
        #expect(changes([Self.high], until: 60) { $0 == 0 ? [.rate(180)] : [.signOfLife] } == [])
    }

    @Test func `an alarm on the heart rate goes on until a reading is within the limit`() {
        let told = changes(until: 40) { second in
            switch second {
            case ...12: [.rate(180)]
            case 30...: [.rate(120)]
            default: [.signOfLife]
            }
        }
        #expect(told == ["+above 10", "+signalLost 20", "-above 30", "-signalLost 30"])
    }

    @Test func `a signal is lost only where there was one`() {
        #expect(changes(until: 60) { _ in [.signOfLife] } == [])
        #expect(changes(until: 60) { $0 < 5 ? [.rate(70)] : [.signOfLife] } == ["+signalLost 12"])
    }

    @Test func `a silent microphone raises an alarm while a step records sound`() {
        let said: [Int: MicrophoneState] = [3: .heard, 10: .silent, 50: .heard, 60: .silent, 70: .off]
        let told = changes(until: 120) { second in
            [.signOfLife] + (said[second].map { [.microphone($0)] } ?? [])
        }
        #expect(told == ["+microphoneSilent 39", "-microphoneSilent 50"])
    }

    @Test
    func `a run that gives no signs of life is dead within five seconds, and says nothing of its signals`() {
        let told = changes(until: 100) { (20..<90).contains($0) ? [] : [.rate(70)] }
        #expect(told == ["+runDead 24", "-runDead 90"])
    }

    @Test func `everything ends with the run, and nothing begins after it`() {
        let told = changes(until: 60) { second in
            second < 15 ? [.rate(180)] : second == 15 ? [.over] : []
        }
        #expect(told == ["+above 10", "-above 15"])
    }

    @Test func `a monitor that comes back goes on with what it had begun`() {
        // The run was dead before, and still is; or it lives.
        #expect(changes([.runDead], standing: [.runDead: -60], until: 20) { _ in [] } == [])
        #expect(
            changes([.runDead], standing: [.runDead: -60], until: 20) {
                $0 == 3 ? [.signOfLife] : []
            }
                == ["-runDead 3", "+runDead 8"])
        // While nobody watched, nobody was silent.
        #expect(changes([.runDead], until: 4) { _ in [] } == [])
        #expect(changes([.runDead], until: 5) { _ in [] } == ["+runDead 5"])
        #expect(changes([Self.lost], standing: [.signalLost: -60], until: 9) { _ in [.signOfLife] } == [])
    }

    @Test func `only what a rule is about raises an alarm`() {
        #expect(changes([Self.high], until: 60) { $0 < 5 ? [.rate(30)] : [] } == [])
        #expect(changes([], until: 60) { $0 < 5 ? [.rate(250)] : [] } == [])
    }
}
