import Sound
import Testing

/// When a device is taken for lost.
@Suite struct DeviceWatchTests {
    private static let look: Int64 = 50_000_000

    @Test func `a device that does nothing for two seconds is lost`() {
        var watch = DeviceWatch(at: 0)
        var now: Int64 = 0
        for _ in 1...40 {
            now += Self.look
            let isLost = watch.isLost(at: now, hasMoved: false)
            #expect(!isLost, "\(now)")
        }
        let isLost = watch.isLost(at: now + Self.look, hasMoved: false)
        #expect(isLost)
    }

    @Test func `a program that was suspended gives the device the time to go on`() {
        var watch = DeviceWatch(at: 0)
        let awake: Int64 = 3_600_000_000_000
        let looks = [
            (Self.look, true), (awake, false), (awake + Self.look, true), (awake + 30 * Self.look, false),
        ]
        let lost = looks.map { watch.isLost(at: $0.0, hasMoved: $0.1) }
        #expect(lost == [false, false, false, false])
    }
}
