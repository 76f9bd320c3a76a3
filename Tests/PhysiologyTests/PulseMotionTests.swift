import Glibc
import Testing

@testable import Physiology

/// A pulse in which green follows blood eight times as much as red, while the light changes 114 times a minute.
@Suite struct PulseMotionTests {
    /// - Parameter share: how far the light changes, as a share of all colours.
    private func reliable(share: Double) -> [Pulse.Window] {
        let finger = SyntheticFinger(rate: 72, seconds: 60)
        let light = finger.times.map { 1 + share * sin(114.0 / 60 * 2 * .pi * $0) }
        func colour(_ level: Double, _ blood: Double) -> [Double] {
            zip(finger.signal, light).map { level * (1 - blood * $0) * $1 }
        }
        let trace = PulseTrace(
            times: finger.times, red: colour(200, 0.003), green: colour(50, 0.024), blue: colour(20, 0.01))
        return PulseDetector().detect(in: trace).windows.filter(\.reliable)
    }

    @Test func `a pulse in steady light is found in every window`() {
        let windows = reliable(share: 0)
        #expect(windows.count == 26)
        #expect(windows.allSatisfy { abs(($0.bpm ?? 0) - 72) < 1 })
    }

    @Test(arguments: [0.03, 0.1, 0.3])
    func `light that changes in a rhythm is no pulse`(share: Double) {
        #expect(!reliable(share: share).contains { abs(($0.bpm ?? 0) - 114) < 20 })
    }
}
