import CSndFile

/// A sound file that is read from its beginning, or from any frame, piece by piece.
///
/// Belongs to the thread that made it.
@safe final class SoundFile {
    /// Frames per second.
    let rate: Int
    /// How many channels a frame has.
    let channels: Int
    /// Length in frames.
    let length: Int64
    private let handle: OpaquePointer

    /// - Parameter path: WAV, FLAC, Ogg (Vorbis, Opus), MP3 or whatever else libsndfile reads.
    init(reading path: String) throws(SoundFailure) {
        var info = SF_INFO()
        guard let handle = unsafe sf_open(path, Int32(SFM_READ), &info) else {
            throw SoundFailure("cannot read the sound file '\(path)': \(unsafe Self.reason(nil))")
        }
        unsafe self.handle = handle
        rate = Int(info.samplerate)
        channels = Int(info.channels)
        length = info.frames
        guard (4_000...384_000).contains(rate), (1...32).contains(channels), length >= 0,
            length < .max / 1_000_000
        else { throw SoundFailure("'\(path)' has \(channels) channels at \(rate) Hz: not supported") }
    }

    deinit { unsafe sf_close(handle) }

    /// Goes to a frame; beyond the end there is nothing to read.
    func seek(to frame: Int64) { unsafe sf_seek(handle, min(frame, length), Int32(SEEK_SET)) }

    /// The next frames as interleaved stereo, at most `count`; fewer only at the end.
    ///
    /// One channel is heard on both sides; of more than two the first two are.
    func read(_ count: Int) -> [Float] {
        var samples = [Float](repeating: 0, count: count * channels)
        let got = Int(unsafe sf_readf_float(handle, &samples, Int64(count)))
        if channels == 2 { return got == count ? samples : Array(samples[..<(got * 2)]) }
        let right = channels > 1 ? 1 : 0
        var stereo = [Float](repeating: 0, count: got * 2)
        for frame in 0..<got {
            stereo[frame * 2] = samples[frame * channels]
            stereo[frame * 2 + 1] = samples[frame * channels + right]
        }
        return stereo
    }

    /// The library's words for what went wrong.
    static func reason(_ handle: OpaquePointer?) -> String {
        guard let words = unsafe sf_strerror(handle) else { return "no reason given" }
        return unsafe String(cString: words)
    }
}
