import CSndFile
import Glibc
import Platform

/// A sound file that is read from its beginning, or from any frame, piece by piece.
///
/// Belongs to the thread that made it.
@safe package final class SoundFile {
    /// Frames per second.
    package let rate: Int
    /// How many channels a frame has.
    package let channels: Int
    /// Length in frames.
    package let length: Int64
    private let path: String
    private let handle: OpaquePointer
    /// Where the bytes come from: the path, or that of a descriptor.
    private let place: String
    private let identity: FileIdentity?
    private let isCut: Bool
    /// Whether the decoder writes warnings to standard error, as that for MP3 does.
    private let isChatty: Bool
    private var hasGarbage = false
    private var position: Int64 = 0
    /// The frame at which the data ended, although the file claims to be longer.
    private var rupture: Int64?

    /// - Parameters:
    ///   - path: WAV, FLAC, Ogg (Vorbis, Opus), MP3 or any other format that libsndfile reads.
    ///   - held: the file's descriptor, in case its path has changed or is gone.
    package init(reading path: String, held: Int32? = nil) throws(SoundFailure) {
        let place = held.map { "/dev/fd/\($0)" } ?? path
        identity = FileIdentity(of: place)
        guard identity != nil else {
            throw SoundFailure("cannot read the sound file '\(path)': \(systemMessage(errno))")
        }
        var info = SF_INFO()
        let opened = unsafe StandardError.silenced { unsafe sf_open(place, Int32(SFM_READ), &info) }
        guard let handle = unsafe opened else {
            throw SoundFailure(
                "cannot read the sound file '\(path)': \(unsafe Self.reason(nil)) "
                    + "WAV, FLAC, Ogg (Vorbis, Opus) and MP3 can be read.")
        }
        unsafe self.handle = handle
        rate = Int(info.samplerate)
        channels = Int(info.channels)
        length = info.frames
        (self.path, self.place) = (path, place)
        isChatty = info.format & Int32(SF_FORMAT_SUBMASK) == Int32(SF_FORMAT_MPEG_LAYER_III)
        isCut = Truncation.cuts(place)
        guard length < .max / 1_000_000 else {
            throw SoundFailure("the sound file '\(path)' is damaged: it is shorter than its header says")
        }
        guard (4_000...384_000).contains(rate) else {
            throw SoundFailure("the sound file '\(path)' has \(rate) frames a second: not supported")
        }
        guard (1...2).contains(channels) else {
            throw SoundFailure("the sound file '\(path)' has \(channels) channels: mix it down to one or two")
        }
        guard length > 0 else { throw SoundFailure("the sound file '\(path)' has no sound in it") }
    }

    deinit { unsafe sf_close(handle) }

    /// Goes to a frame; beyond the end there is nothing to read.
    package func seek(to frame: Int64) {
        position = min(frame, length)
        unsafe sf_seek(handle, position, Int32(SEEK_SET))
    }

    /// The name of the file in messages.
    package var name: String { "the sound file '\(path)'" }

    /// Why only part of the file can be heard, if so.
    package var problem: String? {
        if let rupture {
            let (had, whole) = (rupture * 1000 / Int64(rate), length * 1000 / Int64(rate))
            return "\(name) is damaged: only \(had) ms of its \(whole) ms can be read"
        }
        if isCut { return "\(name) is damaged: it is shorter than its header says" }
        if hasGarbage { return "\(name) is damaged: some samples are not numbers" }
        guard let identity, let now = FileIdentity(of: place), identity.isRewritten(now) else { return nil }
        return "\(name) was written to while it was read"
    }

    /// Whether it differs from the file that was seen before.
    package func differs(from known: FileIdentity?) -> Bool { known != nil && known != identity }

    /// Reads the rest of the file.
    ///
    /// - Throws: `SoundFailure` if the file is damaged.
    package func readThrough() throws(SoundFailure) {
        while read(16_384).count == 16_384 * 2 {}
        if let problem { throw SoundFailure(problem) }
    }

    /// The next frames as interleaved stereo, at most `count`; fewer only at the end.
    ///
    /// A mono file is played on both sides.
    package func read(_ count: Int) -> [Float] {
        var samples = [Float](repeating: 0, count: count * channels)
        let got = isChatty ? StandardError.silenced { decode(&samples) } : decode(&samples)
        for index in samples.indices where !samples[index].isFinite {
            samples[index] = 0
            hasGarbage = true
        }
        position += Int64(got)
        // The length of an MP3 is only known to within some frames of its encoding.
        if got < count, length - position > rate / 10 { rupture = position }
        if channels == 2 { return got == count ? samples : Array(samples[..<(got * 2)]) }
        return samples[..<got].flatMap { [$0, $0] }
    }

    /// Fills complete frames, and returns how many.
    private func decode(_ samples: inout [Float]) -> Int {
        Int(unsafe sf_readf_float(handle, &samples, Int64(samples.count / channels)))
    }

    /// The library's words for what went wrong.
    package static func reason(_ handle: OpaquePointer?) -> String {
        guard let words = unsafe sf_strerror(handle) else { return "no reason given" }
        return unsafe String(cString: words)
    }
}
