/// Puts the samples of frames on our own clock.
///
/// A frame has the device's time of its last sample. It never arrives before that, and some arrive soon after it; so the
/// least delay of the last minutes is the difference between the clocks, which may drift slowly.
package struct FrameClock: Hashable, Sendable {
    /// How far clocks may drift apart, seconds per second.
    private static let drift = 100e-6
    /// A sensor's clock that jumps by more than this was set, seconds.
    private static let jump = 5.0
    /// So many frames in a row that come later than this, in seconds, prove that the sensor's clock was set back.
    private static let (latest, patience) = (1.0, 20)

    /// The least delay, when it was seen, by the device's clock.
    private var least: (delay: Double, at: Double)?
    /// The time of the last sample, by the device's clock.
    private var last: Double?
    private var step: Double
    /// How many frames in a row came too late, and the least delay of them.
    private var late = (count: 0, least: Double.infinity)
    /// How much later than the clocks explain a frame came at most, seconds.
    package private(set) var largestResidual = 0.0
    /// How often the sensor's clock began anew or was set.
    package private(set) var breaks = 0

    /// - Parameter rate: samples per second.
    package init(rate: Double) { step = 1 / max(rate, 1e-3) }

    package static func == (left: FrameClock, right: FrameClock) -> Bool {
        left.least?.delay == right.least?.delay && left.last == right.last && left.step == right.step
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(last) }

    private mutating func begin(delay: Double, at stamp: Double) {
        if least != nil { breaks += 1 }
        (least, last, late) = ((delay, stamp), nil, (0, .infinity))
    }

    /// When the samples of a frame were taken.
    ///
    /// - Parameters:
    ///   - stamp: of the last sample, by the device's clock, s.
    ///   - count: how many samples, at least one.
    ///   - arrival: by our clock, s.
    /// - Returns: seconds by our clock, none later than the arrival.
    package mutating func times(stamp: Double, count: Int, arrival: Double) -> [Double] {
        let delay = arrival - stamp
        // A strap's clock begins anew where the strap has left the skin.
        if let known = least, stamp >= last ?? stamp, abs(delay - known.delay) < Self.jump {
            let allowed = known.delay + Self.drift * max(0, stamp - known.at)
            least = delay <= allowed ? (delay, stamp) : known
            largestResidual = max(largestResidual, delay - allowed)
            late = delay - allowed > Self.latest ? (late.count + 1, min(late.least, delay)) : (0, .infinity)
            if late.count == Self.patience { begin(delay: late.least, at: stamp) }
        } else {
            begin(delay: delay, at: stamp)
        }
        let offset = least.map { $0.delay + Self.drift * max(0, stamp - $0.at) } ?? delay
        // From one frame to the next the device counted its own samples.
        if let last, stamp > last {
            let told = (stamp - last) / Double(count)
            if abs(told / step - 1) < 0.2 { step += 0.1 * (told - step) }
            let start = abs(told / step - 1) < 0.2 ? last + told : stamp - Double(count - 1) * step
            let even = count > 1 ? (stamp - start) / Double(count - 1) : 0
            self.last = stamp
            return (0..<count).map { min(start + Double($0) * even + offset, arrival) }
        }
        last = stamp
        return (0..<count).map { min(stamp - Double(count - 1 - $0) * step + offset, arrival) }
    }
}
