import SessionPorts
import StudyModel

/// What is played: the clip that the player holds, and what is heard of it and of the one before.
struct SoundDesk {
    /// How much later than planned every sound is heard.
    let delay: Duration
    /// Whether sounds are heard at all.
    let isAudible: Bool
    /// Whether the run ends if nothing can be heard any more.
    let isRequired: Bool
    var voice: ClipVoice?
    /// What is heard of the last two clips, for taps and reactions.
    private(set) var heard: [HeardClip] = []
    /// Clips that were stopped and whose outcome the player was not yet asked for, by their voice.
    private var ending: Set<Int> = []
    /// The cues that the player was asked to place, by their voice.
    private var cues: [Int: CueKey] = [:]
    /// The voices of cues whose own moment is still to come.
    private var early: [CueKey: Int] = [:]
    /// How many sounds have been placed.
    private var count = 0

    init(_ player: any StimulusPlayer, isRequired: Bool) {
        (delay, isAudible, self.isRequired) = (player.delay, player.isAudible, isRequired)
    }

    /// The clip of that voice, if it is still the one that plays.
    func playing(_ number: Int) -> ClipVoice? { voice.flatMap { $0.number == number ? $0 : nil } }

    /// - Parameters:
    ///   - key: the cue that it is, if it is one.
    ///   - isEarly: whether the cue's own moment is still to come.
    mutating func place(
        _ sound: Sound, for key: CueKey? = nil, isEarly: Bool = false, at instant: RunInstant
    ) -> Shell.Chore {
        count += 1
        cues[count] = key
        if isEarly, let key { early[key] = count }
        return .place(sound, as: count, at: instant)
    }

    /// The cue of that voice, which the player has just placed.
    mutating func soundedCue(_ number: Int) -> CueKey? { cues.removeValue(forKey: number) }

    /// The moment of a cue has come.
    ///
    /// - Returns: whether the player had it before.
    mutating func isGiven(_ key: CueKey) -> Bool { early.removeValue(forKey: key) != nil }

    /// The voices of cues whose moments do not come any more, but for those of that visit.
    mutating func takeBackCues(except ordinal: Int?) -> [Int] {
        let gone = early.filter { $0.key.ordinal != ordinal }
        for key in gone.keys { early[key] = nil }
        return gone.values.sorted()
    }

    /// The player holds a clip, and said where it placed it.
    mutating func hold(_ next: ClipVoice) {
        voice = next
        guard next.playback.problem == nil else { return }
        let heardNext = HeardClip(
            ordinal: next.sound.ordinal, clip: next.clip, loops: next.sound.settings.loops,
            onset: next.playback.onset, position: next.sound.position)
        heard = heard.suffix(1) + [heardNext]
    }

    /// The clip that plays is stopped at a moment, and is heard as much later as its beginning was.
    mutating func release(_ current: ClipVoice, at instant: RunInstant) {
        voice = nil
        let end = instant.advanced(by: delay)
        change(heardOf: current.sound.ordinal) { $0.end = end }
    }

    /// The clip of a visit has changed, as the player says.
    ///
    /// - Returns: its end, if it still plays.
    mutating func take(_ changes: [Playback.Change], of ordinal: Int, length: Duration?) -> [Shell.Chore] {
        if let last = heard.lastIndex(where: { $0.ordinal == ordinal }) { heard[last].changes += changes }
        guard let voice, voice.sound.ordinal == ordinal else { return [] }
        self.voice?.changes += changes
        self.voice?.length = length
        return self.voice?.naturalEnd.map { [.later($0, .sound(.ends(voice.number)))] } ?? []
    }

    private mutating func change(heardOf ordinal: Int, _ body: (inout HeardClip) -> Void) {
        guard let last = heard.lastIndex(where: { $0.ordinal == ordinal && $0.end == nil }) else { return }
        body(&heard[last])
    }

    /// The outcome of a stopped clip is to be asked for.
    mutating func awaitOutcome(of number: Int) { ending.insert(number) }

    /// - Returns: whether the outcome was asked for and had not come.
    mutating func hasOutcome(_ number: Int) -> Bool { ending.remove(number) != nil }

    /// The clip of a visit that is heard at a moment, or that begins within a second of it.
    func clip(at instant: RunInstant, in ordinal: Int?) -> HeardClip? {
        heard.last { clip in
            clip.onset <= instant.advanced(by: .seconds(1)) && clip.end.map { instant < $0 } != false
                && clip.ordinal == ordinal
        }
    }
}
