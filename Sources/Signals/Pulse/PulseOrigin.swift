import Glibc
package import Physiology
package import Recordings
package import StudyModel

/// The kind of input in which a pulse is to be found.
package enum PulseOrigin: Hashable, Sendable {
    /// Text with one row for each frame. Also anything that cannot be opened, so that reading it gives the reason.
    case table
    case video
    /// A character device, such as `/dev/video0`.
    case camera

    /// Looks at a path and, if it is a file, at its beginning.
    package init(at path: String) {
        var status = stat()
        self = .table
        guard path != "-", unsafe stat(path, &status) == 0 else { return }
        switch status.st_mode & S_IFMT {
        case S_IFCHR: self = .camera
        case S_IFREG: if Self.holdsNoText(path) { self = .video }
        case _: return
        }
    }

    /// Whether a file contains bytes that no text has. Compressed files and UTF-16 are left to the reader of
    /// tables, which reports them.
    private static func holdsNoText(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var beginning = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(descriptor, &beginning, beginning.count)
        let bytes = beginning.prefix(max(0, count))
        let forms: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [0x1F, 0x8B], [0x50, 0x4B]]
        guard !forms.contains(where: { bytes.starts(with: $0) }) else { return false }
        return bytes.contains { $0 < 0x09 || 0x0E..<0x20 ~= $0 }
    }
}

extension PulseRecording {
    /// Plays a video file to its end.
    ///
    /// - Throws: `SourceFailure`, which blames the data if the file is not a video.
    package init(videoAt path: String) throws(SourceFailure) {
        var frames = try VideoFrames(of: .file(path))
        var seen: [VideoFrames.Frame] = []
        while let frame = try frames.next() { seen.append(frame) }
        self.init(PulseTrace(seen))
    }
}

extension PulseTrace {
    /// The trace of a video's frames.
    package init(_ frames: [VideoFrames.Frame]) {
        self.init(
            times: frames.map(\.time), red: frames.map(\.colour.red), green: frames.map(\.colour.green),
            blue: frames.map(\.colour.blue))
    }
}
