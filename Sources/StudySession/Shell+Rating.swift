import Results
import SessionPorts
import StudyEngine
import StudyModel

/// The mark of a rating. It keeps its position during pauses.
struct RatingMark {
    let ordinal: Int
    var values: [Double]
}

extension Shell {
    /// Records the position of the mark, and plans the samples.
    mutating func beginRating(
        _ scale: RatingScale, _ key: RecorderKey, from start: RunInstant
    ) -> [Chore] {
        if recordings.marks[key.recorder]?.ordinal != key.ordinal {
            recordings.marks[key.recorder] = RatingMark(ordinal: key.ordinal, values: scale.start)
        }
        return keep(.start, in: key, at: start, arrival: start)
            + [.later(start.advanced(by: scale.interval), .recorder(key, .ratingDue(1)))]
    }

    /// A sample is due. If it could not be taken in time because the program was stopped, it is left out.
    mutating func ratingDue(_ key: RecorderKey, _ number: Int, at now: RunInstant) -> [Chore] {
        guard let recording = recordings.running(key),
            let scale = recording.configuration.rating
        else { return [] }
        let time = recording.start.duration(to: now)
        let isLate = time - scale.interval * number > scale.interval
        let instant = isLate ? now : recording.start.advanced(by: scale.interval * number)
        let next = isLate ? Int(time / scale.interval) + 1 : number + 1
        let due = recording.start.advanced(by: scale.interval * next)
        return pretendToRate(scale, key, at: instant)
            + keep(.sample, in: key, at: instant, arrival: max(now, instant))
            + [.later(due, .recorder(key, .ratingDue(next)))]
    }

    /// Takes a movement of the mark, also shortly after the recording's end if the key was pressed before it.
    mutating func take(_ rated: Rated, at now: RunInstant) -> [Chore] {
        let open = recordings.recording(by: rated.recorder, in: rated.ordinal, at: rated.instant)
        guard let open, recordings.marks[rated.recorder] != nil else { return [] }
        recordings.marks[rated.recorder]?.values = rated.values
        return keep(.change, in: open.key, at: rated.instant, arrival: max(now, rated.instant))
    }

    /// A control moved the mark, of the rating that it belongs to.
    mutating func move(
        _ position: Timed<ControlPosition>, by source: Identifier, at now: RunInstant
    ) -> [Chore] {
        guard let open = recordings.rating(by: source, at: position.instant),
            let dimensions = open.configuration.rating?.dimensions,
            let before = recordings.marks[open.key.recorder]?.values
        else { return [] }
        var values = before
        let shares = [position.value.horizontal, position.value.vertical]
        for (place, share) in shares.prefix(dimensions.count).enumerated() {
            if let share { values[place] = dimensions[place].value(at: share) }
        }
        guard values != before else { return [] }
        recordings.marks[open.key.recorder]?.values = values
        return keep(.change, in: open.key, at: position.instant, arrival: max(now, position.instant))
            + show(values, of: open.key)
    }

    private func keep(
        _ kind: RatedPosition.Kind, in key: RecorderKey, at instant: RunInstant, arrival: RunInstant
    ) -> [Chore] {
        guard let mark = recordings.marks[key.recorder] else { return [] }
        let position = Timed(
            SignalValue.rating(RatedPosition(mark.values, kind)), at: instant, arrival: arrival)
        return [.write(.append(key, .sample(position)))]
    }

    /// The simulated participant's movement of the mark.
    private mutating func pretendToRate(
        _ scale: RatingScale, _ key: RecorderKey, at instant: RunInstant
    ) -> [Chore] {
        guard let mark = recordings.marks[key.recorder],
            let values = autopilot?.rate(on: scale, from: mark.values)
        else { return [] }
        recordings.marks[key.recorder]?.values = values
        return keep(.change, in: key, at: instant, arrival: instant) + show(values, of: key)
    }

    /// Moves the mark on the screen, if it is this rating's.
    private func show(_ values: [Double], of key: RecorderKey) -> [Chore] {
        let recorders = presentation.map { run.entry(for: $0).step.recorders }
        return recorders?.shownRating?.recorder == key.recorder ? [.update(.rated(values))] : []
    }
}
