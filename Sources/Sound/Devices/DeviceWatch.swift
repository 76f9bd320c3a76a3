/// Finds out whether a device is lost: it neither takes nor gives sound any more.
///
/// Only time in which somebody looked counts. After the program was suspended, the device gets the time to go on.
package struct DeviceWatch: Sendable {
    /// A device that does nothing for this long is lost, nanoseconds.
    private static let patience: Int64 = 2_000_000_000
    /// Between two looks, no more than this counts, nanoseconds.
    private static let glance: Int64 = 100_000_000

    private var last: Int64
    private var idle: Int64 = 0

    /// - Parameter now: nanoseconds of the monotonic clock.
    package init(at now: Int64) { last = now }

    /// Looks at the device, at least ten times a second.
    ///
    /// - Parameter hasMoved: whether it took or gave sound since the last look.
    /// - Returns: whether it is lost.
    package mutating func isLost(at now: Int64, hasMoved: Bool) -> Bool {
        idle = hasMoved ? 0 : idle + min(now - last, Self.glance)
        last = now
        return idle > Self.patience
    }
}
