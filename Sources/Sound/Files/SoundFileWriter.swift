import CSndFile

/// A sound file that is written piece by piece.
@safe package final class SoundFileWriter {
    private let handle: OpaquePointer
    private let path: String

    package enum Format: Hashable, Sendable {
        /// WAV of 32-bit floats: exactly what is heard.
        case exactWAV
        /// WAV of 16-bit integers.
        case wav
        /// FLAC of 16-bit integers.
        case flac

        fileprivate var code: Int32 {
            switch self {
            case .exactWAV: Int32(SF_FORMAT_WAV | SF_FORMAT_FLOAT)
            case .wav: Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
            case .flac: Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
            }
        }
    }

    /// Creates the file, or empties an existing one.
    package init(writing path: String, _ format: Format, rate: Int, channels: Int) throws(SoundFailure) {
        var info = SF_INFO()
        info.samplerate = Int32(rate)
        info.channels = Int32(channels)
        info.format = format.code
        guard let handle = unsafe sf_open(path, Int32(SFM_WRITE), &info) else {
            throw SoundFailure("cannot write the sound file '\(path)': \(unsafe SoundFile.reason(nil))")
        }
        unsafe self.handle = handle
        self.path = path
        // The peak chunk contains the time of day. Without it, the same sound gives the same bytes.
        unsafe sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
        unsafe sf_command(handle, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
    }

    deinit { unsafe sf_close(handle) }

    /// Appends whole frames of interleaved samples.
    package func write(_ samples: [Float]) throws(SoundFailure) {
        let written = unsafe sf_write_float(handle, samples, Int64(samples.count))
        guard written == samples.count else {
            throw SoundFailure("cannot write the sound: \(unsafe SoundFile.reason(handle)) (\(path))")
        }
    }

    /// Makes the file readable even if the program is killed.
    package func flush() { unsafe sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0) }
}
