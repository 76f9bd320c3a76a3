import StudyModel

/// Music while it goes on over several steps.
struct RunningMusic: Sendable {
    var music: SpanningMusic
    /// The visit with which it began, whose result has the clip.
    var ordinal: Int
    /// The pass through the block whose clip it is.
    var pass: Int?
}

/// Music that went on when a run ended before its time.
struct ResumedMusic: Sendable {
    var music: SpanningMusic
    var clip: DrawnStimulus
    /// Where in the clip it stopped.
    var position: Duration
}

extension TaskRun {
    /// Whether the clip of a visit goes on when its step is over.
    package func isMusic(_ ordinal: Int) -> Bool { music?.ordinal == ordinal }

    /// The music of an earlier step, as a continued run would resume it.
    func interruptedMusic(at now: RunInstant) -> ResumedMusic? {
        guard let music else { return musicToResume }
        let isOnShow = visit?.result.ordinal == music.ordinal
        // A step with which it begins plays it from its beginning again.
        guard !isOnShow || visit?.entry.music == nil,
            var clip = isOnShow ? visit?.clip : musicPlace.flatMap({ left[$0].clip })
        else { return nil }
        if clip.isPlaying { clip.stop(at: now) }
        return clip.plannedPosition.map {
            ResumedMusic(music: music.music, clip: clip.drawn, position: $0)
        }
    }

    /// Gives a visit its clip: its own, the music that begins with it, or the music with which a continued run goes on.
    ///
    /// - Parameter again: the clip that it played before; `nil` deals one, if it plays any.
    mutating func giveClip(to next: inout Visit, playing again: DrawnStimulus?, at now: RunInstant) {
        let entry = next.entry
        if let resumed = musicToResume, resumed.music.isOwn, !entry.path.contains(resumed.music.to) {
            musicToResume = nil
        }
        if let resumed = musicToResume, entry.stimulus == nil {
            musicToResume = nil
            next.music = resumed.music
            next.clip = Visit.Clip(
                resumed.clip, loops: resumed.music.use.settings.loops, from: resumed.position)
            return
        }
        // Who comes back to the step with which the music began hears it go on.
        guard entry.music == nil || music?.music != entry.music, let clip = again ?? deal(to: next, at: now)
        else { return }
        next.music = entry.music
        guard let request = next.stimulus else { return }
        next.clip = Visit.Clip(clip, loops: request.settings.loops, from: request.start)
        memory.rememberPlayed(clip, by: entry.step.identifier)
    }

    /// Asks the player to play the music of a step that is not timed.
    mutating func playMusic(from instant: RunInstant, into effects: inout [Effect]) {
        guard let visit, let music = visit.music, visit.clip?.start == nil else { return }
        let onset = visit.clip?.first == music.use.start ? music.use.onset : .zero
        play(at: instant.advanced(by: onset), into: &effects)
    }

    /// Asks the player to play the clip of the step on show.
    mutating func play(at instant: RunInstant, into effects: inout [Effect]) {
        guard let visit, var clip = visit.clip, let request = visit.stimulus,
            let position = clip.play(at: instant)
        else { return }
        self.visit?.clip = clip
        // Only one clip is heard at a time, whichever way the run took here.
        if let music, music.ordinal != visit.result.ordinal {
            stopMusic(to: nil, at: instant, into: &effects)
        }
        beginSoundCheck(visit.entry.step)
        if let own = visit.music {
            music = RunningMusic(
                music: own, ordinal: visit.result.ordinal, pass: visit.entry.pass(through: own))
        }
        effects.append(
            .play(
                clip.drawn, leveled(request.settings, in: visit), ordinal: visit.result.ordinal, at: instant,
                from: position))
    }

    /// Music of a step that was left pauses with the step on show.
    mutating func pauseMusic(at instant: RunInstant, into effects: inout [Effect]) {
        guard let place = musicPlace, left[place].clip?.isPlaying == true else { return }
        left[place].clip?.stop(at: instant)
        effects.append(.stopPlaying(ordinal: left[place].result.ordinal, at: instant))
    }

    /// Music that paused goes on.
    mutating func resumeMusic(at instant: RunInstant, into effects: inout [Effect]) {
        guard let music, let place = musicPlace, var clip = left[place].clip, !clip.isPlaying,
            let position = clip.play(at: instant)
        else { return }
        left[place].clip = clip
        effects.append(
            .play(
                clip.drawn, leveled(music.music.use.settings, in: left[place]), ordinal: music.ordinal,
                at: instant, from: position))
    }

    /// Stops the clip of a block when the run goes to an entry that is not in this pass through it.
    mutating func stopClipOfBlock(
        before entry: RunPlan.Entry, at instant: RunInstant, into effects: inout [Effect]
    ) {
        guard let music, let pass = music.pass, entry.pass(through: music.music) != pass else { return }
        stopMusic(to: nil, at: instant, into: &effects)
    }

    /// Stops the music that plays up to a section.
    ///
    /// - Parameter section: `nil` stops it in any case.
    mutating func stopMusic(to section: Int?, at instant: RunInstant, into effects: inout [Effect]) {
        let name = section.map { plan.sections[$0].step.identifier }
        if name != nil, musicToResume?.music.to == name { musicToResume = nil }
        guard let music, name == nil || music.music.to == name else { return }
        pauseMusic(at: instant, into: &effects)
        self.music = nil
    }

    /// The place of the music's visit among those that were left.
    private var musicPlace: Int? {
        music.flatMap { music in left.firstIndex { $0.result.ordinal == music.ordinal } }
    }
}

extension RunPlan.Entry {
    /// The number of the pass through the block whose clip a music is; `nil` if the entry is not in it.
    fileprivate func pass(through music: SpanningMusic) -> Int? {
        guard music.isOwn else { return nil }
        return blocks.first { $0.step.identifier == music.to }?.pass
    }
}
