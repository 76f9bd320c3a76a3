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
        while true {
            let samples = file.read(16_384)
            meter?.add(samples)
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
        loudness = meter?.loudness
        let top = meter.map { max($0.peak, Double(highest)) } ?? Double(highest)
        peak = max(-200, 20 * log10(max(top, 1e-10)))
        sha256 = try Self.sum(of: path)
        memory?.keep(self)
    }

    init(
        length: Duration, loudness: Double?, peak: Double, leadIn: Duration = .zero,
        hasDeadChannel: Bool = false, sha256: String
    ) {
        (self.length, self.loudness, self.peak, self.sha256) = (length, loudness, peak, sha256)
        (self.leadIn, self.hasDeadChannel) = (leadIn, hasDeadChannel)
    }

    /// The lower-case hexadecimal SHA-256 of a file.
    package static func sum(of path: String) throws(SoundFailure) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SoundFailure("cannot read the sound file '\(path)': \(systemMessage(errno))")
        }
        defer { close(descriptor) }
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        while true {
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw SoundFailure("cannot read the sound file '\(path)': \(systemMessage(errno))")
            }
            if count == 0 { return SHA256.hexadecimal(digest: hash.finish()) }
            hash.update(count == buffer.count ? buffer : Array(buffer[..<count]))
        }
    }
}
