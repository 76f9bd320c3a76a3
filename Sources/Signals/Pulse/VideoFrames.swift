import Glibc
package import Physiology
import Platform
import Recordings
package import StudyModel
import TextFormat

/// The frames of a video file or a camera, each with its mean colour and the time at which it was taken.
///
/// The program ffmpeg decodes. It writes pixels to one pipe and, since pixels carry no time, a table of their time
/// stamps (its `framecrc` form) to another.
package struct VideoFrames: ~Copyable {
    /// One picture.
    package struct Frame: Hashable, Sendable {
        /// Seconds since the beginning of the recording, to the microsecond.
        package var time: Double
        package var colour: MeanColour
    }

    /// The file or camera to play.
    package enum Origin: Hashable, Sendable {
        case file(String)
        /// A Video4Linux device such as `/dev/video0`, and how it takes its pictures.
        case camera(String, CameraSettings = CameraSettings())

        var path: String {
            switch self {
            case .file(let path), .camera(let path, _): path
            }
        }
    }

    /// The result of a step.
    package enum Step: Hashable, Sendable {
        case frame(Frame)
        /// Nothing came within the time asked for.
        case silence
        /// The file has ended.
        case end
    }

    private let origin: Origin
    /// The name in messages.
    private let name: String
    private var program: ChildProgram
    private var pixels: [UInt8] = []
    private var table = FrameTable()
    private var errorOutput: [UInt8] = []
    private var colours: [MeanColour] = []
    private var openPipes: [Bool] = [true, true, true]
    private var hasBegun = false

    /// Begins to play.
    ///
    /// - Parameter name: the name of the file or device in messages; its path by default.
    /// - Throws: `SourceFailure` if the file, the device or ffmpeg is missing.
    package init(of origin: Origin, named name: String? = nil) throws(SourceFailure) {
        self.origin = origin
        self.name = name ?? origin.path
        let descriptor = unsafe open(origin.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Self.failure(toOpen: origin, named: self.name, errno)
        }
        close(descriptor)
        var form: String?
        if case .camera(let path, let settings) = origin {
            let asked = try CameraDriver.asking(path) { (driver) throws(SourceFailure) in
                try driver.apply(settings)
            }
            form = asked ?? nil
        }
        do { program = try ChildProgram(Self.command(for: origin, form: form)) } catch {
            throw error.code == ENOENT
                ? Self.noProgram : SourceFailure("ffmpeg cannot be started: \(systemMessage(error.code))")
        }
    }

    /// The failure that ffmpeg is missing.
    static let noProgram = SourceFailure(
        "the program ffmpeg, which reads videos and cameras, is not installed: apt-get install ffmpeg")

    /// Wider pictures are made smaller, which does not change the mean.
    private static let widest = 640

    /// - Parameter form: the form of a camera's pictures, if a certain one must be asked for.
    static func command(for origin: Origin, form: String?) -> [String] {
        let output = ["-fps_mode", "passthrough", "-enc_time_base", "1/1000000", "-flush_packets", "1"]
        var words = ["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-noautorotate"]
        switch origin {
        case .file(let path): words += ["-i", "file:\(path)"]
        case .camera(let path, let settings):
            words += ["-f", "v4l2"]
            if let form { words += ["-input_format", form] }
            if let size = settings.size { words += ["-video_size", "\(size)"] }
            if let rate = settings.rate { words += ["-framerate", "\(rate)"] }
            words += ["-i", path]
        }
        words += [
            "-filter_complex",
            "[0:v:0]scale=w='min(\(widest),iw)':h=-2:flags=area,format=bgra,split[pixels][times]",
            "-map", "[pixels]",
        ]
        words += output + ["-f", "rawvideo", "pipe:1", "-map", "[times]", "-c:v", "rawvideo"]
        return words + output + ["-f", "framecrc", "pipe:3"]
    }

    /// Waits for the next frame.
    ///
    /// - Parameter isOver: asked before each frame and several times a second; if it is true, this is the end.
    /// - Returns: `nil` at the end of a file.
    /// - Throws: `SourceFailure` if the file contains no video, or if the camera is busy or gone.
    package mutating func next(unless isOver: () -> Bool = { false }) throws(SourceFailure) -> Frame? {
        while !isOver() {
            // A signal between the check and the wait does not interrupt the wait.
            switch try step(within: 250) {
            case .frame(let frame): return frame
            case .end: return nil
            case .silence: continue
            }
        }
        return nil
    }

    /// Waits for the next frame for a limited time.
    ///
    /// - Parameter milliseconds: how long at most, each time that ffmpeg writes something; -1 for ever.
    /// - Throws: as `next`.
    package mutating func step(within milliseconds: Int32) throws(SourceFailure) -> Step {
        while true {
            if let time = table.times.first, let colour = colours.first {
                hasBegun = true
                table.times.removeFirst()
                colours.removeFirst()
                return .frame(Frame(time: time, colour: colour))
            }
            guard openPipes.contains(true) else { break }
            guard try read(within: milliseconds) else { return .silence }
        }
        try finish()
        return .end
    }

    /// The number of the program's process.
    var process: Int32 { program.process }

    /// Reads from the pipes, after waiting until one has data.
    ///
    /// - Returns: `false` if a signal came or the time was over.
    private mutating func read(within milliseconds: Int32) throws(SourceFailure) -> Bool {
        var polls = zip(program.outputs, openPipes).map { output, isOpen in
            pollfd(fd: isOpen ? output : -1, events: Int16(POLLIN), revents: 0)
        }
        guard unsafe poll(&polls, nfds_t(polls.count), milliseconds) > 0 else { return false }
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        for index in polls.indices where polls[index].revents != 0 {
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe Glibc.read(program.outputs[index], $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else {
                openPipes[index] = false
                continue
            }
            switch index {
            case 0: pixels += chunk[..<count]
            case 1: errorOutput += chunk[..<min(count, max(0, Self.longestErrorOutput - errorOutput.count))]
            case _: try table.take(chunk[..<count])
            }
        }
        measure()
        return true
    }

    private static let longestErrorOutput = 1 << 16

    private mutating func measure() {
        guard let size = table.frameSize else { return }
        var start = 0
        while pixels.count - start >= size {
            unsafe pixels.withUnsafeBytes { bytes in
                unsafe colours.append(
                    MeanColour(ofBGRA: UnsafeRawBufferPointer(rebasing: bytes[start..<start + size])))
            }
            start += size
        }
        pixels.removeFirst(start)
    }

    private mutating func finish() throws(SourceFailure) {
        let code = program.end()
        let words = String(decoding: errorOutput, as: UTF8.self)
        switch origin {
        case .camera: throw Self.cameraFailure(at: name, words, hasBegun: hasBegun)
        case .file:
            guard !hasBegun || code == nil else { return }
            throw SourceFailure(
                "\(quoted(name)) holds no video that ffmpeg can read: \(Self.lastLine(of: words))",
                isBadData: true)
        }
    }

    private static func failure(toOpen origin: Origin, named name: String, _ code: Int32) -> SourceFailure {
        switch origin {
        case .camera where [ENOENT, ENODEV, ENXIO].contains(code):
            SourceFailure("the camera \(quoted(name)) is not there: plug it in")
        case .camera where [EACCES, EPERM].contains(code): cameraFailure(at: name, denied, hasBegun: false)
        case .camera, .file:
            SourceFailure("\(quoted(name)) cannot be opened: \(systemMessage(code))")
        }
    }

    private static let denied = "Permission denied"

    /// What happened to a camera, from ffmpeg's words.
    static func cameraFailure(at path: String, _ words: String, hasBegun: Bool) -> SourceFailure {
        if words.contains("resource busy") {
            return SourceFailure(
                "the camera \(quoted(path)) is in use: close the other program that shows its picture")
        }
        if words.contains(denied) {
            return SourceFailure(
                "the camera \(quoted(path)) cannot be used without permission: add this user to the group 'video'"
            )
        }
        if hasBegun || words.contains("No such device") {
            return SourceFailure("the camera \(quoted(path)) was unplugged")
        }
        return SourceFailure("the camera \(quoted(path)) gives no picture: \(lastLine(of: words))")
    }

    private static func lastLine(of words: String) -> String {
        words.split(separator: "\n").last.map { quoted(String($0)) } ?? "ffmpeg does not say why"
    }
}

/// The table of time stamps, as `framecrc` writes it: `#name 0: value`, then a row of six numbers a frame.
struct FrameTable {
    /// Bytes of one frame, at four bytes a pixel, once it is known.
    private(set) var frameSize: Int?
    /// The times of the frames that nobody has taken yet, seconds.
    var times: [Double] = []
    private var unit = (numerator: 1.0, denominator: 1.0)
    private var rest: [UInt8] = []

    /// - Parameter bytes: the next bytes, regardless of line ends.
    mutating func take(_ bytes: some Collection<UInt8>) throws(SourceFailure) {
        rest += bytes
        guard let last = rest.lastIndex(of: UInt8(ascii: "\n")) else { return }
        let lines = rest[..<last].split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self)
        }
        rest.removeSubrange(...last)
        for line in lines { try read(line: line) }
    }

    private mutating func read(line: String) throws(SourceFailure) {
        let isHeader = line.hasPrefix("#")
        let words = line.split { " ,#:/x".contains($0) }
        if isHeader {
            guard words.count == 4 else { return }
            if words[0] == "tb", let numerator = Double(words[2]), let denominator = Double(words[3]) {
                unit = (numerator, denominator)
            } else if words[0] == "dimensions", let width = Int(words[2]), let height = Int(words[3]) {
                frameSize = 4 * width * height
            }
            return
        }
        guard words.count >= 5, let stamp = Double(words[2]), let size = Int(words[4]), size == frameSize
        else {
            throw SourceFailure(
                "the video changes its size, or ffmpeg prints something unknown: \(quoted(line))")
        }
        times.append(stamp * unit.numerator / unit.denominator)
    }
}
