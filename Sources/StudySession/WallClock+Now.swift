import Glibc
package import Results

extension WallClock {
    /// The wall clock now, with the zone that the machine (or the variable `TZ`) says.
    package static func now() -> WallClock {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        var seconds = time.tv_sec
        var local = unsafe tm()
        tzset()
        guard unsafe localtime_r(&seconds, &local) != nil else {
            return WallClock(
                seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec), utcOffset: 0, zone: "UTC")
        }
        let zone = unsafe local.tm_zone.map { unsafe String(cString: $0) } ?? "UTC"
        return WallClock(
            seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec),
            utcOffset: Int(unsafe local.tm_gmtoff),
            zone: zone)
    }
}
