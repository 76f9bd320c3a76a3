import Glibc
import Hashing
import Platform

/// The measurements of a clip's file: its length, its loudness, and its checksum.
package struct ClipMeasurement: Hashable, Sendable {
    package var length: Duration
    /// Integrated loudness by EBU R 128, LUFS; `nil` without libebur128, or if the clip is silent.
    package var loudness: Double?
    /// The true peak, dB relative to full scale; without libebur128, the highest sample.
    package var peak: Double
    /// How long the file is digitally silent at its beginning; all of it if it has no sound.
    package var leadIn = Duration.zero
    /// Whether one of the two channels is digitally silent, and the other is not.
    package var hasDeadChannel = false
    /// Whether its loudest waves were cut off.
    package var isClipped = false
    /// Lower-case hexadecimal.
    package var sha256: String

    /// Whether this machine can measure loudness.
    package static var canMeasureLoudness: Bool { LoudnessMeter.isThere }

    /// Measures a file, or returns the earlier measurement if the file is the same.
    package init(of path: String) throws(SoundFailure) {
        let memory = ClipMemory(of: path)
        if let known = memory?.recall() {
            self = known
            return
        }
        let file = try SoundFile(reading: path)
        let meter = LoudnessMeter(rate: file.rate)
        var highest: Float = 0
        var frames: Int64 = 0
        var firstSound: Int64?
        var isHeard = (left: false, right: false)
        var tops = FlatTops()
        while true {
            let samples = file.read(16_384)
            meter?.add(samples)
            tops.add(samples)
            for (place, sample) in samples.enumerated() where sample != 0 {
                if firstSound == nil { firstSound = frames + Int64(place / 2) }
                if place % 2 == 0 { isHeard.left = true } else { isHeard.right = true }
                if abs(sample) > highest { highest = abs(sample) }
            }
            frames += Int64(samples.count / 2)
            if samples.count < 16_384 * 2 { break }
        }
        if let problem = file.problem { throw SoundFailure(problem) }
        length = .frames(frames, at: file.rate)
        leadIn = .frames(firstSound ?? frames, at: file.rate)
        hasDeadChannel = isHeard.left != isHeard.right
        isClipped = tops.areCut(in: length)
        loudness = meter?.loudness
        let top = meter.map { max($0.peak, Double(highest)) } ?? Double(highest)
        peak = max(-200, 20 * log10(max(top, 1e-10)))
        sha256 = try Self.sum(of: path)
        memory?.keep(self)
    }

    init(
        length: Duration, loudness: Double?, peak: Double, leadIn: Duration = .zero,
        hasDeadChannel: Bool = false, isClipped: Bool = false, sha256: String
    ) {
        (self.length, self.loudness, self.peak, self.sha256) = (length, loudness, peak, sha256)
        (self.leadIn, self.hasDeadChannel, self.isClipped) = (leadIn, hasDeadChannel, isClipped)
    }

    /// The lower-case hexadecimal SHA-256 of a file.
    package static func sum(of path: String) throws(SoundFailure) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SoundFailure("cannot read the file '\(path)': \(systemMessage(errno))")
        }
        defer { close(descriptor) }
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        while true {
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw SoundFailure("cannot read the file '\(path)': \(systemMessage(errno))")
            }
            if count == 0 { return SHA256.hexadecimal(digest: hash.finish()) }
            hash.update(count == buffer.count ? buffer : Array(buffer[..<count]))
        }
    }
}

/// Looks for waves that were cut off at one level: several equal samples at the highest level of the file, after a steep
/// rise. A soft sound has equal samples at its tops too, but rises to them by a step or two of its resolution, and a
/// square wave is nothing but tops.
struct FlatTops {
    private var highest: Float = 0
    /// Tops that are at `highest`.
    private var tops = 0
    /// Samples in them.
    private var flat = 0
    private var samples = 0
    private var runs = [Run](repeating: Run(), count: 2)

    private struct Run {
        var level: Float = 0
        var length = 0
        /// How much the level changed at its beginning.
        var rise: Float = 0
    }

    /// Fewer tops than this may be chance.
    private static let fewest = 5.0
    /// Four steps of 16 bits: a sound so soft rises by such steps anyway.
    private static let leastRise: Float = 4 / 32_768

    /// Whether waves were cut off, at least twice a second.
    func areCut(in length: Duration) -> Bool {
        Double(tops) >= max(Self.fewest, 2 * (length / .seconds(1))) && flat * 20 < samples * 19
    }

    /// - Parameter stereo: samples, left and right in turn.
    mutating func add(_ stereo: some Collection<Float>) {
        for (place, sample) in stereo.enumerated() {
            let channel = place % 2
            samples += 1
            guard sample != runs[channel].level else {
                runs[channel].length += 1
                continue
            }
            end(runs[channel])
            runs[channel] = Run(level: sample, length: 1, rise: abs(sample - runs[channel].level))
        }
    }

    private mutating func end(_ run: Run) {
        let level = abs(run.level)
        if level > highest { (highest, tops, flat) = (level, 0, 0) }
        guard level == highest, run.length >= 3, run.rise > max(0.01 * level, Self.leastRise) else { return }
        tops += 1
        flat += run.length
    }
}
