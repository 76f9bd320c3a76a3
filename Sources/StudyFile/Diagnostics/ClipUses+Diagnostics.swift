import StudyModel
import TextFormat

/// What was measured in a clip's file.
package struct ClipFigures: Hashable, Sendable {
    package var length: Duration
    /// Integrated loudness by EBU R 128, LUFS; `nil` if it could not be measured, or if the clip is silent.
    package var loudness: Double?
    /// The highest level, dB relative to full scale: the true peak, or the highest sample.
    package var peak: Double
    /// How long it is digitally silent at its beginning.
    package var leadIn: Duration
    /// Whether one of its two channels is digitally silent.
    package var hasDeadChannel: Bool
    /// Whether its loudest waves were cut off before their level was lowered, or are at full scale.
    package var isClipped: Bool
    /// Lower-case hexadecimal.
    package var sha256: String

    /// The peak of a file without any sound, dB: less than half a step of 24 bits.
    package static let silence = -144.0

    package init(
        length: Duration, loudness: Double?, peak: Double, leadIn: Duration = .zero,
        hasDeadChannel: Bool = false, isClipped: Bool = false, sha256: String
    ) {
        (self.leadIn, self.hasDeadChannel, self.isClipped) = (leadIn, hasDeadChannel, isClipped)
        self.length = length
        self.loudness = loudness
        self.peak = peak
        self.sha256 = sha256
    }
}

extension ClipUses {
    /// What is wrong with the study's clips.
    ///
    /// - Parameter figures: by the clips' paths; clips without figures are not judged.
    package func diagnostics(_ figures: [String: ClipFigures]) -> [Diagnostic] {
        entries.flatMap { entry in figures[entry.clip.path].map { Self.findings(entry, $0) } ?? [] }
            + twins(figures)
            + pools.filter { !isBroughtToOneLoudness($0) }.compactMap { Self.difference(in: $0, figures) }
            + plays.flatMap { Self.findings($0, figures) }
    }

    /// A warning at each clip whose sound another clip before it has.
    private func twins(_ figures: [String: ClipFigures]) -> [Diagnostic] {
        var first: [String: Identifier] = [:]
        return entries.compactMap { entry in
            let sound = figures[entry.clip.path]?.sha256 ?? entry.clip.path
            guard !sound.isEmpty, let other = first[sound] else {
                first[sound] = entry.clip.identifier
                return nil
            }
            return Diagnostic(
                .warning, .clipTwice, "'\(entry.clip.identifier)' has the same sound as '\(other)'",
                at: entry.file,
                help:
                    "name the file that is meant; if both are meant, say so with 'expect: {clip-twice: REASON}' in the study"
            )
        }
    }

    /// The diagnostic for a clip whose sound cannot be read.
    package func diagnostic(unreadable entry: Entry, _ reason: String) -> Diagnostic {
        Diagnostic(
            .error, .unreadableFile, reason, at: entry.file,
            help: "write a file that can be decoded: WAV, FLAC, Ogg Vorbis, Opus or MP3")
    }

    /// Whether every step that plays a clip of the pool sets its loudness.
    private func isBroughtToOneLoudness(_ pool: Pool) -> Bool {
        let own = plays.filter { play in play.clips.contains { pool.clips.contains($0) } }
        return !own.isEmpty && own.allSatisfy { $0.loudness != nil }
    }

    /// How much clips of one pool may differ, LU.
    private static let tolerance = 1.0
    /// A recommended true peak, dB.
    private static let headroom = Playback.highestPeak

    private static func findings(_ entry: Entry, _ figures: ClipFigures) -> [Diagnostic] {
        var found: [Diagnostic] = []
        let name = entry.clip.identifier
        if let sum = entry.clip.sha256, sum != figures.sha256 {
            found.append(
                Diagnostic(
                    .warning, .clipChanged, "'\(name)' is not the file that the catalogue describes",
                    at: entry.sum,
                    help: Help(
                        "bring the file back; if this one is meant, write 'sha256: \(figures.sha256)'")))
        }
        if let length = entry.clip.duration, abs(length / .seconds(1) - figures.length / .seconds(1)) > 0.5 {
            let measured = "\(seconds(figures.length)) s"
            found.append(
                Diagnostic(
                    .warning, .clipDuration, "'\(name)' lasts \(measured), not \(seconds(length)) s",
                    at: entry.duration,
                    help: Help("write '\(measured)', or bring back the file that is meant")))
        }
        found += silences(name, at: entry.file, figures)
        if entry.clip.duration == nil {
            found += [entry.clip.beatsBeyond(figures.length)].compactMap(\.self).map {
                Diagnostic(.warning, .attributeValue, $0.message, at: entry.duration, help: $0.help)
            }
        }
        if figures.isClipped, figures.peak <= 0 {
            found.append(
                Diagnostic(
                    .warning, .clipDistorted, "'\(name)' is distorted: its loudest waves are cut off flat",
                    at: entry.file,
                    help: "bring a recording that was not clipped: a lower level does not mend it"))
        }
        if figures.peak > 0 {
            found.append(
                Diagnostic(
                    .warning, .clipDistorted,
                    "'\(name)' is distorted: its peaks reach \(decibels(figures.peak)) dB above full scale",
                    at: entry.file,
                    help: "lower its level by \(decibels(figures.peak - headroom)) dB"))
        }
        return found
    }

    /// Silence where sound is expected: everywhere, at the beginning, or on one side.
    private static func silences(
        _ name: Identifier, at file: TextPlace, _ figures: ClipFigures
    ) -> [Diagnostic] {
        var found: [Diagnostic] = []
        if figures.peak <= ClipFigures.silence {
            found.append(
                Diagnostic(
                    .warning, .clipSilent, "'\(name)' is silent: every sample is zero", at: file,
                    help:
                        "bring the right file; for silence, write 'silence: \(seconds(figures.length)) s' in its place"
                ))
        }
        for (isFound, words, help) in [
            (
                figures.peak > ClipFigures.silence && figures.leadIn >= .seconds(1),
                "begins with \(seconds(figures.leadIn)) s of digital silence",
                "cut it off, or let the steps begin behind it with 'start: \(seconds(figures.leadIn)) s'"
            ),
            (
                figures.hasDeadChannel, "has one channel without any sound",
                "bring a file with sound on both sides; if one side is meant, say so with 'expect: {clip-silent: REASON}' in the study"
            ),
        ] where isFound {
            found.append(Diagnostic(.warning, .clipSilent, "'\(name)' \(words)", at: file, help: help))
        }
        return found
    }

    private static func difference(in pool: Pool, _ figures: [String: ClipFigures]) -> Diagnostic? {
        let measured = pool.clips.compactMap { clip in
            figures[clip.path]?.loudness.map { (clip: clip.identifier, loudness: $0 + clip.gain) }
        }
        guard let softest = measured.min(by: { $0.loudness < $1.loudness }),
            let loudest = measured.max(by: { $0.loudness < $1.loudness }),
            loudest.loudness - softest.loudness > tolerance
        else { return nil }
        return Diagnostic(
            .warning, .clipLoudness,
            "the clips are not equally loud: '\(softest.clip)' has "
                + "\(decibels(softest.loudness)) LUFS, '\(loudest.clip)' \(decibels(loudest.loudness)) LUFS",
            at: pool.place, help: "bring them to one loudness, within \(decibels(tolerance)) LU")
    }

    private static func findings(_ play: Play, _ figures: [String: ClipFigures]) -> [Diagnostic] {
        var found: [Diagnostic] = []
        let known = play.clips.compactMap { clip in figures[clip.path].map { (clip.identifier, $0) } }
        let shortest = known.filter { !isSignal($0.1.length, in: play.span) }
            .min { $0.1.length < $1.1.length }
        if play.isDelayed, play.span < .seconds(1),
            let (name, _) = known.first(where: { $0.1.length - play.start > play.span })
        {
            found.append(
                Diagnostic(
                    .warning, .clipShort,
                    "'\(name)' is heard for \(plainNumber(play.span / .seconds(1))) s only: then the step ends",
                    at: play.place, help: "write an earlier 'onset', or a longer duration"))
        }
        if let (name, figures) = shortest, !play.loops, figures.length - play.start < play.span {
            found.append(
                Diagnostic(
                    .warning, .clipShort,
                    "'\(name)' lasts \(seconds(figures.length)) s, and it plays for \(seconds(play.span)) s"
                        + (play.start > .zero ? " from \(seconds(play.start)) s on" : ""),
                    at: play.place,
                    help:
                        "shorten the time, or use a longer clip; 'loop: true' begins the clip again, and 'expect: {clip-short: REASON}' says that the silence is meant"
                ))
        }
        return found + [raised(by: play, figures)].compactMap(\.self)
            + [play.loudness == nil ? distorted(by: play, figures) : tooLoud(for: play, figures)].compactMap(
                \.self)
    }

    /// Whether a sound is a tone or a word in its trial rather than music that ends too early.
    private static func isSignal(_ length: Duration, in span: Duration) -> Bool {
        length < .seconds(5) && length * 2 < span
    }

    /// The clip with the highest peaks, if the gains raise them above full scale.
    private static func distorted(by play: Play, _ figures: [String: ClipFigures]) -> Diagnostic? {
        let raised = play.clips.compactMap { clip in
            figures[clip.path].map { (clip: clip, peak: $0.peak, gain: play.gain + clip.gain) }
        }
        guard let highest = raised.max(by: { $0.peak + $0.gain < $1.peak + $1.gain }), highest.gain > 0,
            highest.peak <= 0, highest.peak + highest.gain > 0
        else { return nil }
        return Diagnostic(
            .warning, .clipDistorted,
            "with this gain '\(highest.clip.identifier)' is distorted: its peaks reach "
                + "\(decibels(highest.peak + highest.gain)) dB above full scale",
            at: play.place,
            help: "write a gain of at most \(decibels(headroom - highest.peak - highest.clip.gain)) dB")
    }

    /// The clip that is raised so much that the noise of its recording is heard.
    private static func raised(by play: Play, _ figures: [String: ClipFigures]) -> Diagnostic? {
        let gains = play.clips.compactMap { clip -> (clip: Identifier, gain: Double)? in
            guard let loudness = figures[clip.path]?.loudness else { return nil }
            return (clip.identifier, (play.loudness.map { $0 - loudness } ?? play.gain) + clip.gain)
        }
        guard let most = gains.max(by: { $0.gain < $1.gain }), most.gain > highestGain else { return nil }
        return Diagnostic(
            .warning, .clipLoudness,
            "'\(most.clip)' is raised by \(decibels(most.gain)) dB, and so is the noise of its recording",
            at: play.place, help: "bring a louder file, or a lower loudness")
    }

    /// By how much a clip may be raised, dB: beyond this, the noise of 16 bits is heard.
    private static let highestGain = 24.0

    /// The clip that most misses the loudness of its step, because its peaks would be clipped.
    private static func tooLoud(for play: Play, _ figures: [String: ClipFigures]) -> Diagnostic? {
        guard let target = play.loudness else { return nil }
        let missing = play.clips.compactMap { clip -> (clip: Identifier, missing: Double)? in
            guard let figures = figures[clip.path], let loudness = figures.loudness else { return nil }
            return (clip.identifier, figures.peak + target - loudness + clip.gain - headroom)
        }
        guard let worst = missing.max(by: { $0.missing < $1.missing }), worst.missing >= 0.05 else {
            return nil
        }
        return Diagnostic(
            .warning, .clipLoudness,
            "'\(worst.clip)' stays \(decibels(worst.missing)) dB softer than this: louder, its peaks would be clipped",
            at: play.place,
            help:
                "write a loudness of at most \(decibels(target - worst.missing - 0.05)) LUFS, which every clip reaches"
        )
    }

    /// The level, rounded to a tenth.
    private static func decibels(_ level: Double) -> String {
        let tenths = Int((level * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    private static func seconds(_ duration: Duration) -> String { decibels(duration / .seconds(1)) }
}
