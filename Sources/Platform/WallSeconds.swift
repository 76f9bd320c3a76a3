import CPlatform
import Glibc

/// Seconds since 1970, by the machine's clock.
@Sendable package func wallSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Whether something synchronises the system's clock, such as a time server; `nil` if this is not known.
package var isWallClockKept: Bool? {
    let answer = entrain_clock_is_kept()
    return answer < 0 ? nil : answer == 1
}
