import CSndFile
package import Results

extension HeldSound {
    /// What a sound file really holds: it is decoded to its end, because its header may say something else.
    ///
    /// - Returns: `nil` if it is no sound file.
    package init?(decoding path: String) {
        var info = SF_INFO()
        guard let handle = unsafe sf_open(path, Int32(SFM_READ), &info) else { return nil }
        defer { unsafe sf_close(handle) }
        self.init(frames: 0, rate: Double(info.samplerate))
        let piece = 65_536
        var samples = [Int16](repeating: 0, count: piece * Int(info.channels))
        while case let got = unsafe sf_readf_short(handle, &samples, Int64(piece)), got > 0 { frames += got }
    }
}
