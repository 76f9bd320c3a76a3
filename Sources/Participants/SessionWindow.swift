import Results
package import StudyModel
import TextFormat

/// When a session may begin, on calendar days of the lab.
package struct SessionWindow: Hashable, Sendable {
    /// The first day, counted from 1970-01-01; `nil` if it may be on any day.
    package var firstDay: Int?
    /// The last day; `nil` if there is none.
    package var lastDay: Int?
    /// Minutes since midnight, both ends included, beyond 1,439 on the next day; `nil` for any time.
    package var between: ClosedRange<Int>?

    /// Where a moment lies.
    package enum Position: Sendable {
        case early, within, late
        /// On one of the days, at another time of it.
        case otherTime
    }

    /// - Parameters:
    ///   - opening: the minutes of the day in which it may begin.
    ///   - earlier: the day of the session that it comes after.
    package init(of session: Study.Session, opening: ClosedRange<Int>?, after earlier: Int?) {
        between = opening
        guard let earlier else { return }
        firstDay = earlier + (session.after?.days?.lowerBound ?? 0)
        lastDay = session.after?.days.map { earlier + $0.upperBound }
    }

    /// The moment as one of the day to which a session counts: before the end of a window over midnight that is the day
    /// before, and the minute is beyond 1,439.
    package static func placed(_ moment: LocalMoment, in between: ClosedRange<Int>?) -> LocalMoment {
        guard let between, moment.minute + 1_440 <= between.upperBound else { return moment }
        return LocalMoment(day: moment.day - 1, minute: moment.minute + 1_440)
    }

    package func position(of moment: LocalMoment) -> Position {
        let moment = Self.placed(moment, in: between)
        if let firstDay, moment.day < firstDay { return .early }
        if let lastDay, moment.day > lastDay { return .late }
        guard let between, !between.contains(moment.minute) else { return .within }
        return moment.day == lastDay && moment.minute > between.upperBound ? .late : .otherTime
    }

    /// The first moment from now on at which it may begin; `nil` if it is over.
    package func opening(from now: LocalMoment) -> LocalMoment? {
        guard position(of: now) != .within else { return now }
        let now = Self.placed(now, in: between)
        let minute = between?.lowerBound ?? 0
        var day = max(firstDay ?? now.day, now.day)
        if day == now.day, now.minute > minute { day += 1 }
        guard lastDay.map({ day <= $0 }) ?? true else { return nil }
        return LocalMoment(day: day, minute: minute)
    }

    /// The day on which a clock shows the window's first minute, which may be beyond midnight.
    private func shown(_ day: Int?) -> Int? { day.map { $0 + (between?.lowerBound ?? 0) / 1_440 } }

    /// Such as `2026-11-29 to 2026-12-01, 16:00 to 20:00`.
    package var words: String {
        var days = "any day"
        if let firstDay = shown(firstDay) {
            let first = CivilDate(daysSince1970: firstDay).text
            days =
                shown(lastDay).map {
                    $0 == firstDay ? first : "\(first) to \(CivilDate(daysSince1970: $0).text)"
                } ?? "from \(first) on"
        }
        return days
            + (between.map {
                ", \(Study.Session.time($0.lowerBound)) to \(Study.Session.time($0.upperBound))"
            } ?? "")
    }

    var json: JSON {
        let days = [("firstDay", shown(firstDay)), ("lastDay", shown(lastDay))].compactMap { key, day in
            day.map { (key, JSON.text(CivilDate(daysSince1970: $0).text)) }
        }
        let times = between.map {
            [
                ("from", JSON.text(Study.Session.time($0.lowerBound))),
                ("to", .text(Study.Session.time($0.upperBound))),
            ]
        }
        return .members(Dictionary(uniqueKeysWithValues: days + (times ?? [])))
    }
}
