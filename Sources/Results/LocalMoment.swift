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
        let total = Int(seconds) + utcOffset
        let second = ((total % 86_400) + 86_400) % 86_400
        return LocalMoment(day: (total - second) / 86_400, minute: second / 60)
    }
}
