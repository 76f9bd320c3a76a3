/// What the reliable windows of the last minute say about the next one.
///
/// A finger that lies still sends waves of much the same height, and no mean over a window jumps. What begins to
/// move it does both, however regular it is.
struct PulseHistory: Sendable {
    /// What is known about the period.
    var track: PeriodTrack.Memory?
    private var windows: [(end: Double, height: Double, rate: Double, channel: Int)] = []

    /// Older windows say nothing: a finger may lie otherwise, and a heart beat otherwise. Seconds.
    private static let memory = 60.0
    /// So many windows are needed for a usual height.
    private static let fewest = 5
    /// Waves of more than this many times the lower quartile of the heights are not the pulse's.
    private static let largestGrowth = 3.0
    /// The mean rate moves by at most this much from window to window, beats per minute, …
    private static let largestJump = 15.0
    /// … and by so much more for each second between them.
    private static let jumpPerSecond = 1.0

    /// Forgets the windows, because the finger was lifted.
    mutating func forget() { windows = [] }

    /// Whether a window that is reliable by itself contradicts those before it; if not, it is remembered.
    ///
    /// - Parameters:
    ///   - end: of the window, seconds.
    ///   - height: root mean square of the pulse in the window, in the channel's unit.
    ///   - rate: beats per minute.
    mutating func contradicts(end: Double, height: Double, rate: Double, channel: Int) -> Bool {
        windows.removeAll { $0.end <= end - Self.memory }
        let isJump =
            windows.last.map {
                abs(rate - $0.rate) > Self.largestJump + Self.jumpPerSecond * (end - $0.end)
            } ?? false
        let heights = windows.filter { $0.channel == channel }.map(\.height)
        let isHigh =
            heights.count >= Self.fewest && height > Self.largestGrowth * quantile(0.25, of: heights)
        if !isJump && !isHigh { windows.append((end, height, rate, channel)) }
        return isJump || isHigh
    }
}
