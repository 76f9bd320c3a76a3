package import TextFormat

/// A minute of a local calendar, as a clock on the wall shows it.
package struct LocalMoment: Hashable, Sendable {
    /// Calendar days since 1970-01-01.
    package var day: Int
    /// Minutes since midnight.
    package var minute: Int

    package init(day: Int, minute: Int) { (self.day, self.minute) = (day, minute) }

    package var date: CivilDate { CivilDate(daysSince1970: day) }
}

extension WallClock {
    /// The local day and minute at the run's start.
    package var moment: LocalMoment {
        let (day, second) = CivilDate.split(Int(seconds) + utcOffset)
        return LocalMoment(day: day, minute: second / 60)
    }
}
