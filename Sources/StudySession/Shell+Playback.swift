import Results
import StudyModel

extension Shell {
    mutating func play(_ played: PlayedStimulus, at instant: RunInstant, from position: Duration) -> [Chore] {
        let next = Playback(played: played, begin: instant, position: position)
        playback = next
        let stretch = Input.Stretch(ordinal: played.ordinal, begin: instant)
        return [.later(instant, .clipBegins(stretch))]
            + (next.naturalEnd.map { [.later($0, .clipEnds(stretch))] } ?? [])
    }

    mutating func stopPlaying(_ ordinal: Int, at instant: RunInstant) -> [Chore] {
        guard let current = playback, current.played.ordinal == ordinal else { return [] }
        playback = nil
        circumstances.musicEnergy = nil
        guard let report = current.report(stoppedAt: instant) else { return [] }
        return logPosition(of: current, at: instant) + handle(.played(report), at: instant)
    }

    mutating func clipBegins(_ stretch: Input.Stretch, at now: RunInstant) -> [Chore] {
        guard let current = playing(stretch) else { return [] }
        playback?.hasBegun = true
        circumstances.musicEnergy =
            current.played.drawn.stimulus.attributes["energy"].flatMap(Double.init) ?? 0.5
        let report = PlaybackReport(ordinal: stretch.ordinal, onset: stretch.begin)
        return notePosition(stretch, at: now) + handle(.played(report), at: now)
    }

    mutating func clipEnds(_ stretch: Input.Stretch, at now: RunInstant) -> [Chore] {
        guard let current = playing(stretch) else { return [] }
        return stopPlaying(stretch.ordinal, at: current.naturalEnd ?? now)
    }

    /// Notes the position in the clip, now and every second from now on.
    func notePosition(_ stretch: Input.Stretch, at now: RunInstant) -> [Chore] {
        guard let current = playing(stretch), !positionRecorders.isEmpty else { return [] }
        let second = (stretch.begin.duration(to: now) / .seconds(1)).rounded(.down) + 1
        let next = stretch.begin.advanced(by: .seconds(second))
        return logPosition(of: current, at: now) + [.later(next, .position(stretch))]
    }

    private func playing(_ stretch: Input.Stretch) -> Playback? {
        playback.flatMap { $0.played.ordinal == stretch.ordinal && $0.begin == stretch.begin ? $0 : nil }
    }

    private var positionRecorders: [RecorderKey] {
        recordings.values.filter { $0.configuration.kind == .stimulusPosition }.map(\.key)
            .sorted { ($0.ordinal, $0.segment) < ($1.ordinal, $1.segment) }
    }

    private func logPosition(of current: Playback, at now: RunInstant) -> [Chore] {
        let position = current.position + max(current.begin.duration(to: now), .zero)
        let clip = current.played.drawn.stimulus.identifier
        return positionRecorders.map {
            .write(.append($0, .position(stimulus: clip, position: position, at: now)))
        }
    }
}
