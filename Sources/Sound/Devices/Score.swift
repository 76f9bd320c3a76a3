package import StudyModel

/// Every sound that a plan may play, independent of the output's rate.
package struct Score: Sendable {
    let clips: [String: ClipFile]
    /// What was measured in the clips, by path, if a step brings clips to a loudness.
    let measured: [String: ClipMeasurement]
    /// Whether clips must be measured, which this machine cannot do.
    private let lacksLoudness: Bool
    /// Whether the tempo of files changes, which this machine cannot do.
    private let lacksStretching: Bool
    /// Words that were spoken ahead of the run, by text.
    let speech: [String: SpokenWords]
    /// Clips whose file is not the one that the catalogue describes.
    package let changed: [Identifier]
    /// Words that could not be spoken, in the order of the plan.
    package let unspoken: [String]
    private let hasTones: Bool

    /// Opens every clip of a plan, and turns its words into samples.
    ///
    /// - Parameters:
    ///   - language: the participant's language.
    ///   - folder: the folder of the study file; the clips' paths are relative to it.
    ///   - speak: turns words into samples; `nil` if there is no voice for them.
    /// - Throws: `SoundFailure` if a clip cannot be decoded.
    package init(
        of plan: RunPlan, language: Language?, folder: String,
        speak: (_ words: String, _ language: Language?) -> SpokenWords?
    ) throws(SoundFailure) {
        var clips: [String: ClipFile] = [:]
        var measured: [String: ClipMeasurement] = [:]
        var changed: [Identifier] = []
        let isMeasured = plan.bringsClipsToALoudness || plan.limitsLoudness
        for clip in plan.clips where clips[clip.path] == nil && clip.hasFile {
            let path = clip.path
            let place = path.hasPrefix("/") ? path : folder + "/" + path
            let file = try SoundFile(reading: place)
            let isKnown = try clip.sha256.map { sum throws(SoundFailure) in
                try sum == ClipMeasurement.sum(of: place)
            }
            if isKnown == false { changed.append(clip.identifier) }
            // A clip that is not known to be intact is read to its end.
            if isKnown != true { try file.readThrough() }
            if isMeasured { measured[path] = try ClipMeasurement(of: place) }
            clips[path] = ClipFile(
                path: place, length: file.length, rate: file.rate, identity: FileIdentity(of: place))
        }
        var speech: [String: SpokenWords] = [:]
        var unspoken: [String] = []
        var hasTones = plan.clips.contains { $0.isClicks || $0.tone != nil }
        for signal in plan.cueSignals {
            switch signal {
            case .bell: continue
            case .sound: hasTones = true
            case .say(let text):
                let words = text.text(in: language)
                guard speech[words] == nil, !unspoken.contains(words) else { continue }
                guard TextReference.all(in: words).isEmpty else {
                    unspoken.append(words)
                    continue
                }
                speech[words] = speak(words, language)
                if speech[words] == nil { unspoken.append(words) }
            }
        }
        (self.clips, self.speech, self.unspoken, self.hasTones) = (clips, speech, unspoken, hasTones)
        self.changed = changed
        self.measured = measured
        lacksLoudness = isMeasured && !measured.isEmpty && !ClipMeasurement.canMeasureLoudness
        lacksStretching = plan.changesTempo && !clips.isEmpty && !TempoStretcher.isThere
    }

    init(
        clips: [String: ClipFile], measured: [String: ClipMeasurement] = [:],
        speech: [String: SpokenWords], hasTones: Bool
    ) {
        (self.clips, self.speech, unspoken, self.hasTones) = (clips, speech, [], hasTones)
        (self.measured, lacksLoudness, lacksStretching) = (measured, false, false)
        changed = []
    }

    /// A score of the program's own tones alone.
    package static var tones: Score { Score(clips: [:], speech: [:], hasTones: true) }

    /// A score of one clip.
    ///
    /// - Parameter clip: its path is where the file lies.
    package init(playing clip: Stimulus) throws(SoundFailure) {
        guard clip.hasFile else {
            self = .tones
            return
        }
        let path = clip.path
        let file = try SoundFile(reading: path)
        self.init(
            clips: [path: ClipFile(path: path, length: file.length, rate: file.rate)], speech: [:],
            hasTones: false)
    }

    /// Whether there is nothing to play.
    package var isEmpty: Bool { clips.isEmpty && speech.isEmpty && unspoken.isEmpty && !hasTones }

    /// The score itself, if this machine has the libraries that playing it takes.
    package func withLibraries() throws(SoundFailure) -> Score {
        guard !lacksStretching else { throw SoundFailure(SoundFeed.lack) }
        guard !lacksLoudness else {
            throw SoundFailure(
                "the study measures how loud its clips are, which needs \(SoundLibraries.loudness)"
            )
        }
        return self
    }

    /// The output's rate, frames per second: the highest rate of the clips, but not so low that speech and tones
    /// suffer.
    var preferredRate: Int { clips.values.map(\.rate).filter { $0 >= 44_100 }.max() ?? 48_000 }
}

/// Words as samples.
package struct SpokenWords: Hashable, Sendable {
    /// One channel.
    var samples: [Float]
    /// Frames per second.
    var rate: Int

    /// Interleaved stereo at another rate.
    func stereo(at rate: Int) -> [Float] {
        let both = samples.flatMap { [$0, $0] }
        guard rate != self.rate else { return both }
        var resampler = Resampler(from: self.rate, to: rate)
        resampler.put(both, isLast: true)
        return resampler.drain()
    }
}

extension RunPlan {
    /// Every clip that may be heard.
    fileprivate var clips: [Stimulus] {
        let planned = allEntries.flatMap { entry -> [Stimulus] in
            switch entry.stimulus {
            case .clip(let drawn): [drawn.stimulus]
            case .answered(_, let set, let otherwise), .nearest(_, let set, let otherwise):
                set.pool + [otherwise?.stimulus].compactMap(\.self)
            case .next, nil: []
            }
        }
        let dealt = inEachArm.flatMap(\.decks).lazy.flatMap(\.clips).map(\.stimulus)
        return Set(planned).union(dealt).sorted { $0.path < $1.path }
    }

    fileprivate var bringsClipsToALoudness: Bool { plays { $0.loudness != nil } }

    /// Whether a sound check limits how loud sounds are.
    fileprivate var limitsLoudness: Bool {
        inEachArm.flatMap(\.sections).contains { section in
            if case .measured(.some)? = section.step.soundCheck?.purpose { true } else { false }
        }
    }

    fileprivate var changesTempo: Bool { plays { $0.following?.changesTempo == true } }

    /// Whether a clip may be played with such settings.
    private func plays(_ isSo: (Playback.Settings) -> Bool) -> Bool {
        allEntries.contains { entry in
            if let music = entry.music { return isSo(music.use.settings) }
            return if case .active(let step) = entry.step.kind {
                step.stimulus.map { isSo($0.settings) } ?? false
            } else {
                false
            }
        }
    }

    fileprivate var cueSignals: [Cue.Signal] {
        allEntries.flatMap { entry -> [Cue.Signal] in
            if case .active(let step) = entry.step.kind { step.cues.map(\.signal) } else { [] }
        }
    }
}
