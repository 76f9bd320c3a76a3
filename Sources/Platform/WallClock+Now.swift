import Glibc
package import StudyModel
import TextFormat

extension WallClock {
    /// The wall clock now, in the zone of the machine or of the variable `TZ`.
    package static func now() -> WallClock {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return local(time)
    }

    /// A wall clock in the machine's zone.
    package static func local(secondsSince1970 seconds: Double) -> WallClock {
        local(timespec(tv_sec: Int(seconds.rounded(.down)), tv_nsec: 0))
    }

    /// The seconds since 1970-01-01T00:00:00Z when a local clock shows a moment. If summer time leaves the moment out, one
    /// hour later.
    package static func seconds(at moment: LocalMoment) -> Int64 {
        let date = moment.date
        var local = unsafe tm()
        unsafe local.tm_year = Int32(date.year - 1900)
        unsafe local.tm_mon = Int32(date.month - 1)
        unsafe local.tm_mday = Int32(date.day)
        unsafe local.tm_hour = Int32(moment.minute / 60)
        unsafe local.tm_min = Int32(moment.minute % 60)
        unsafe local.tm_isdst = -1
        return Int64(unsafe mktime(&local))
    }

    private static func local(_ time: timespec) -> WallClock {
        var seconds = time.tv_sec
        var local = unsafe tm()
        tzset()
        guard unsafe localtime_r(&seconds, &local) != nil else {
            return WallClock(
                seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec), utcOffset: 0, zone: "UTC")
        }
        let abbreviation = unsafe local.tm_zone.map { unsafe String(cString: $0) } ?? "UTC"
        let offset = Int(unsafe local.tm_gmtoff)
        let zone = ZoneName.of(
            offset: offset, abbreviation: abbreviation, variable: ZoneName.variable,
            link: ZoneName.link)
        return WallClock(
            seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec), utcOffset: offset, zone: zone)
    }
}
