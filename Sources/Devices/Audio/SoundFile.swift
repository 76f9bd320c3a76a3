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
    private let path: String
    private let handle: OpaquePointer
    private var position: Int64 = 0
    /// Where there was nothing more to read though the file says that it is longer.
    private var rupture: Int64?

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
        self.path = path
        guard (4_000...384_000).contains(rate), length < .max / 1_000_000 else {
            throw SoundFailure("the sound file '\(path)' has \(rate) frames a second: not supported")
        }
        guard (1...2).contains(channels) else {
            throw SoundFailure("the sound file '\(path)' has \(channels) channels: mix it down to one or two")
        }
        guard length > 0 else { throw SoundFailure("the sound file '\(path)' is empty: no sound is in it") }
    }

    deinit { unsafe sf_close(handle) }

    /// Goes to a frame; beyond the end there is nothing to read.
    func seek(to frame: Int64) {
        position = min(frame, length)
        unsafe sf_seek(handle, position, Int32(SEEK_SET))
    }

    /// Why less could be read than the file says that it holds, if so.
    var problem: String? {
        rupture.map { frame in
            "the sound file '\(path)' is damaged: of its \(length / Int64(rate)) s only the first "
                + "\(frame * 1000 / Int64(rate)) ms can be read"
        }
    }

    /// Reads on to the end, and says nothing of it.
    ///
    /// - Throws: `SoundFailure` where the file is damaged.
    func readThrough() throws(SoundFailure) {
        try AudioSystem.withoutChatter { () throws(SoundFailure) in
            while read(16_384).count == 16_384 * 2 {}
            if let problem { throw SoundFailure(problem) }
        }
    }

    /// The next frames as interleaved stereo, at most `count`; fewer only at the end.
    ///
    /// One channel is heard on both sides.
    func read(_ count: Int) -> [Float] {
        var samples = [Float](repeating: 0, count: count * channels)
        let got = Int(unsafe sf_readf_float(handle, &samples, Int64(count)))
        position += Int64(got)
        // The length of an MP3 is known to some frames of the code only.
        if got < count, length - position > rate / 10 { rupture = position }
        if channels == 2 { return got == count ? samples : Array(samples[..<(got * 2)]) }
        return samples[..<got].flatMap { [$0, $0] }
    }

    /// The library's words for what went wrong.
    static func reason(_ handle: OpaquePointer?) -> String {
        guard let words = unsafe sf_strerror(handle) else { return "no reason given" }
        return unsafe String(cString: words)
    }
}
