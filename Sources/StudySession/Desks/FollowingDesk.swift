import SessionPorts
import StudyModel

/// How clips follow the participant's heart, or what another participant's clips did.
struct FollowingDesk {
    /// The heart rates of the last minutes, in order.
    private var rates: [(rate: Double, instant: RunInstant)] = []
    /// The other run to which clips are yoked.
    private let yoke: Yoke?
    /// The visits with a clip that is yoked, by the step of the other run.
    private var yoked: [Identifier: [Int]] = [:]
    /// For how long the clip of a visit was heard before it went on.
    private var heardFor: [Int: Duration] = [:]
    /// How many beats of a visit's clip there are for each heartbeat, once that was chosen.
    private var beatsPerHeartbeat: [Int: Double] = [:]
    /// The tempo that each clip had last, by its visit: it has it again after a pause.
    private(set) var tempi: [Int: Double] = [:]

    /// For so long heart rates are remembered.
    private static let memory = Duration.seconds(600)

    init(_ yoke: Yoke?) { self.yoke = yoke }

    /// A heart rate came.
    mutating func remember(_ rate: Double, at now: RunInstant) {
        rates.removeAll { $0.instant < now.advanced(by: .zero - Self.memory) }
        rates.append((rate, now))
    }

    /// A clip was heard for so long before a pause.
    mutating func remember(_ time: Duration, of ordinal: Int) { heardFor[ordinal, default: .zero] += time }

    /// The mean heart rate of the time before a moment; `nil` if none came.
    private func rate(over time: Duration, before due: RunInstant) -> Double? {
        let first = due.advanced(by: .zero - time)
        let recent = rates.filter { $0.instant > first && $0.instant <= due }.map(\.rate)
        return recent.isEmpty ? nil : recent.mean
    }

    /// Adjusts a part of a clip to the mean heart rate. Without a heart rate, or a tempo of its own, it stays.
    ///
    /// - Returns: whether there was anything to adjust it to.
    mutating func adjust(
        _ part: Following.Part, of voice: inout ClipVoice, as following: Following, over time: Duration,
        at due: RunInstant
    ) -> Bool {
        guard let rate = rate(over: time, before: due) else { return false }
        switch part {
        case .tempo:
            guard let tempo = following.tempo, let own = voice.clip.tempo else { return false }
            let ordinal = voice.sound.ordinal
            let beats = beatsPerHeartbeat[ordinal] ?? tempo.perHeartbeat(at: rate, of: own)
            beatsPerHeartbeat[ordinal] = beats
            voice.tempo = tempo.factor(for: rate, of: own, perHeartbeat: beats)
            tempi[ordinal] = voice.tempo
        case .loudness: voice.followedGain = following.loudness?.gain(at: rate) ?? 0
        }
        return true
    }

    /// What another participant's clip did: each visit does what the same visit of the other run did, and further ones
    /// what the last did.
    ///
    /// - Returns: the turns, with the moments at which they are heard.
    mutating func turns(of voice: ClipVoice, as step: Identifier) -> [(turn: Yoke.Turn, instant: RunInstant)]
    {
        guard let courses = yoke?.courses[step], let last = courses.last else { return [] }
        let ordinal = voice.sound.ordinal
        if yoked[step]?.contains(ordinal) != true { yoked[step, default: []].append(ordinal) }
        let place = yoked[step]?.firstIndex(of: ordinal) ?? 0
        let course = place < courses.count ? courses[place] : last
        let heard = heardFor[ordinal] ?? .zero
        // What it was before a pause, it is again.
        let turns = [course.last { $0.time <= heard }].compactMap(\.self) + course.filter { $0.time > heard }
        return turns.map { ($0, voice.begin.advanced(by: max(.zero, $0.time - heard))) }
    }
}
