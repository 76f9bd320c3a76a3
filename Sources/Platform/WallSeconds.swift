import Glibc

/// Seconds since 1970, by the machine's clock.
@Sendable package func wallSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
