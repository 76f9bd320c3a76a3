import Results
import StudyModel

extension Shell {
    mutating func play(_ played: PlayedStimulus, at instant: RunInstant, from position: Duration) -> [Chore] {
        let earlier = playback.flatMap { $0.played.ordinal == played.ordinal ? $0.onset : nil }
        let next = Playback(played: played, begin: instant, position: position, onset: earlier)
        playback = next
        var chores: [Chore] = [
            .later(instant, .playback(ordinal: played.ordinal, begin: instant, begins: true))
        ]
        if let end = next.naturalEnd {
            chores.append(.later(end, .playback(ordinal: played.ordinal, begin: instant, begins: false)))
        }
        return chores
    }

    mutating func stopPlaying(_ ordinal: Int, at instant: RunInstant) -> [Chore] {
        guard let current = playback, current.played.ordinal == ordinal else { return [] }
        circumstances.musicEnergy = nil
        let chores = logPosition(of: current, at: instant)
        guard let report = current.report(stoppedAt: instant) else { return chores }
        return chores + take(.event(.played(report)), at: instant)
    }

    mutating func notePlayback(of ordinal: Int, begin: RunInstant, begins: Bool, at now: RunInstant)
        -> [Chore]
    {
        guard var current = playback, current.played.ordinal == ordinal, current.begin == begin,
            isRunning(ordinal)
        else { return [] }
        guard begins else { return stopPlaying(ordinal, at: current.naturalEnd ?? now) }
        let isFirst = current.onset == nil
        let onset = current.onset ?? begin
        current.onset = onset
        playback = current
        circumstances.musicEnergy =
            current.played.drawn.stimulus.attributes["energy"].flatMap(Double.init) ?? 0.5
        let chores = notePosition(of: ordinal, begin: begin, at: now)
        guard isFirst else { return chores }
        return chores + take(.event(.played(PlaybackReport(ordinal: ordinal, onset: onset))), at: now)
    }

    /// Notes the position in the clip, now and every second from now on.
    mutating func notePosition(of ordinal: Int, begin: RunInstant, at now: RunInstant) -> [Chore] {
        guard let current = playback, current.played.ordinal == ordinal, current.begin == begin,
            isRunning(ordinal),
            recordings.values.contains(where: { $0.configuration.kind == .stimulusPosition }),
            current.naturalEnd.map({ now < $0 }) != false
        else { return [] }
        let next = begin.advanced(by: .seconds((begin.duration(to: now) / .seconds(1)).rounded(.down) + 1))
        return logPosition(of: current, at: now) + [.later(next, .position(ordinal: ordinal, begin: begin))]
    }

    private func logPosition(of current: Playback, at now: RunInstant) -> [Chore] {
        guard current.onset != nil, now >= current.begin else { return [] }
        let position = current.position + current.begin.duration(to: now)
        let clip = current.played.drawn.stimulus.identifier
        return recordings.values.filter { $0.configuration.kind == .stimulusPosition }.map(\.key).sorted()
            .map { .write(.append($0, .position(position, clip: clip, at: now))) }
    }

    private func isRunning(_ ordinal: Int) -> Bool {
        guard let presentation, presentation.ordinal == ordinal, case .running = presentation.phase else {
            return false
        }
        return true
    }
}
