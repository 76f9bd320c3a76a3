import Glibc
import Testing

@testable import Physiology

@Suite struct PulseHistoryTests {
    /// Windows two seconds apart, the last of which ends at `end`, in all of which a finger lay still.
    private func still(_ count: Int = 6, until end: Double = 20) -> PulseHistory {
        var history = PulseHistory()
        for index in (0..<count).reversed() {
            let isStrange = history.contradicts(
                end: end - 2 * Double(index), height: 1 + 0.1 * Double(index), rate: 70, channel: 1)
            #expect(!isStrange)
        }
        return history
    }

    @Test(
        arguments: [
            (22.0, 1.0, 72.0, 1, false), (22, 2.9, 70, 1, false), (22, 4, 70, 1, true),
            (22, 0.1, 70, 1, false),
            (22, 1, 88, 1, true), (22, 1, 52, 1, true), (32, 1, 95, 1, false), (22, 4, 70, 0, false),
            (22, 1, 88, 0, true), (85, 4, 120, 1, false),
        ] as [(Double, Double, Double, Int, Bool)])
    func `a wave that grows and a rate that jumps contradict the last minute`(
        end: Double, height: Double, rate: Double, channel: Int, isStrange: Bool
    ) {
        var history = still()
        let found = history.contradicts(end: end, height: height, rate: rate, channel: channel)
        #expect(found == isStrange)
    }

    @Test func `after a lifted finger, and after few windows, nothing is unusual`() {
        var lifted = still()
        lifted.forget()
        var short = still(4)
        let found = [
            lifted.contradicts(end: 22, height: 9, rate: 120, channel: 1),
            short.contradicts(end: 22, height: 9, rate: 70, channel: 1),
        ]
        #expect(found == [false, false])
    }

    @Test(arguments: [false, true])
    func `what begins to move a finger is no pulse, whether green follows it or not`(isLive: Bool) {
        let finger = SyntheticFinger(rate: 72, seconds: 60)
        let motion = finger.times.map { $0 < 30 ? 0 : 8 * sin(114.0 / 60 * 2 * .pi * $0) }
        let signal = zip(finger.signal, motion).map { $0 + $1 }
        let trace = PulseTrace(
            times: finger.times, red: signal.map { 230 - 0.2 * $0 }, green: signal.map { 60 - $0 },
            blue: signal.map { 20 - 0.1 * $0 })
        let found = isLive ? PulseDetector().detectLive(in: trace) : PulseDetector().detect(in: trace)
        let reliable = found.windows.filter(\.reliable)
        #expect(reliable.count >= 10)
        #expect(reliable.allSatisfy { abs(($0.bpm ?? 0) - 72) < 2 })
    }

    /// A hundred times a second, seen 33.02 times a second: once a second, and nearly that at 33.3. At 30 it is ten
    /// times a second, so that what comes once a second there is a pulse.
    @Test(arguments: [(33.02, 0), (33.2, 0), (30.0, 26)])
    func `a lamp on the mains is no pulse, where a camera can see it so`(frames: Double, count: Int) {
        let times = (0..<Int(60 * frames)).map { Double($0) / frames }
        let rate = frames < 32 ? 1 : 100 - 3 * frames
        let light = times.map { sin(2 * .pi * rate * $0) }
        let trace = PulseTrace(
            times: times, red: light.map { 230 - 0.2 * $0 }, green: light.map { 60 - $0 },
            blue: light.map { 20 - 0.1 * $0 })
        #expect(PulseDetector().detect(in: trace).windows.count { $0.reliable } == count)
    }
}
