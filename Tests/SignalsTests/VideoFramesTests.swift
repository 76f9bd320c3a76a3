import Glibc
import Physiology
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Platform
@testable import Recordings
@testable import Signals

private let hasFFmpeg = unsafe system("command -v ffmpeg >/dev/null 2>&1") == 0

@Suite(.enabled(if: hasFFmpeg, "the program ffmpeg is not on this machine"))
struct VideoFramesTests {
    let folder = TemporaryFolder()

    /// Makes a clip; the arguments stand between `ffmpeg` and the file's name.
    private func clip(_ arguments: String, _ name: String = "clip.mkv") throws -> String {
        let path = "\(folder.path)/\(name)"
        try #require(unsafe system("ffmpeg -nostdin -v error \(arguments) \(path)") == 0)
        return path
    }

    /// A fingertip of 320 by 240 pixels at 30 frames a second, with the noise of a sensor: without any, a
    /// mean colour would leap from one whole number to the next.
    private func finger(_ rate: Int, seconds: Int) -> String {
        let wave = "pow(sin(PI*T*\(rate)/60),2)"
        return "-f lavfi -i \"color=c=black:s=64x48:r=30:d=\(seconds),format=gbrp,"
            + "geq=r='190-2*\(wave)+4*random(1)':g='60-4*\(wave)+4*random(2)':b='30-\(wave)+4*random(3)',"
            + "scale=320:240,noise=alls=6:allf=t\" "
            + "-c:v libx264 -preset ultrafast -crf 12"
    }

    private func frames(of path: String) throws -> [VideoFrames.Frame] {
        var frames = try VideoFrames(of: .file(path))
        var seen: [VideoFrames.Frame] = []
        while let frame = try frames.next() { seen.append(frame) }
        return seen
    }

    @Test func `every frame has its colour and its time`() throws {
        let path = try clip("-f lavfi -i color=c=0xC86432:s=36x18:r=25:d=0.4,format=bgra -c:v ffv1")
        let seen = try frames(of: path)
        #expect(seen.map(\.time) == (0..<10).map { Double($0 * 40_000) / 1_000_000 })
        #expect(seen.allSatisfy { $0.colour == MeanColour(red: 200, green: 100, blue: 50) })
    }

    @Test func `times are those of the frames, not of a steady rate`() throws {
        let path = try clip(
            "-f lavfi -i testsrc=s=64x48:r=100:d=1 -vf \"select='eq(n,0)+eq(n,7)+eq(n,9)+eq(n,40)+eq(n,99)'\" "
                + "-fps_mode passthrough -c:v ffv1")
        #expect(try frames(of: path).map(\.time) == [0, 0.07, 0.09, 0.4, 0.99])
    }

    @Test func `wide pictures have the same mean`() throws {
        let path = try clip(
            "-f lavfi -i gradients=s=1280x720:c0=0x804020:c1=0x402010:n=2:r=5:d=0.4,format=bgra -c:v ffv1")
        let small = try clip("-i \(path) -vf scale=640:-2:flags=area -c:v ffv1", "small.mkv")
        for (left, right) in zip(try frames(of: path), try frames(of: small)) {
            #expect(abs(left.colour.red - right.colour.red) < 0.1)
            #expect(abs(left.colour.blue - right.colour.blue) < 0.1)
        }
    }

    @Test(arguments: [72, 140])
    func `the pulse of a finger is found live within ten seconds`(rate: Int) throws {
        let recording = try PulseRecording(videoAt: try clip(finger(rate, seconds: 16)))
        let windows = PulseDetector().detectLive(in: recording.trace).windows
        #expect(windows.count == 4)
        for window in windows {
            #expect(window.reliable)
            #expect(abs(try #require(window.bpm) - Double(rate)) < 1)
        }
    }

    @Test(
        arguments: [
            "noise=alls=40:allf=t", "null", "crop=320:240:x='10+t*8':y=20",
        ])
    func `a picture without a finger has no heart rate`(scene: String) throws {
        let path = try clip(
            "-f lavfi -i \"mandelbrot=s=480x320:r=30:end_pts=1e9\" -t 1 -frames:v 1", "scene.png")
        let video = try clip(
            "-loop 1 -framerate 30 -t 14 -i \(path) -vf \"\(scene),scale=320:240\" -c:v libx264 -preset ultrafast"
        )
        let windows = PulseDetector().detect(in: try PulseRecording(videoAt: video).trace).windows
        #expect(!windows.isEmpty)
        #expect(windows.allSatisfy { !$0.reliable })
    }

    @Test func `says what is wrong with a file`() throws {
        let path = "\(folder.path)/none.mp4"
        let missing = #expect(throws: SourceFailure.self) { try PulseRecording(videoAt: path) }
        #expect(missing?.isBadData == false)
        #expect(missing?.description.hasSuffix("cannot be opened: No such file or directory") == true)
        #expect(writeFile([0, 1, 2, 3], to: path))
        let bad = #expect(throws: SourceFailure.self) { try PulseRecording(videoAt: path) }
        #expect(bad?.isBadData == true)
        #expect(bad?.description.contains("holds no video that ffmpeg can read") == true)
    }

    @Test func `a file of sound alone is no video`() throws {
        let path = try clip("-f lavfi -i sine=d=1", "sound.wav")
        let bad = #expect(throws: SourceFailure.self) { try PulseRecording(videoAt: path) }
        #expect(bad?.isBadData == true)
    }

    @Test func `who wants to stop is heard though frames keep coming`() throws {
        let path = try clip("-f lavfi -i testsrc=s=64x48:r=30:d=20 -c:v ffv1")
        var frames = try VideoFrames(of: .file(path))
        var asked = 0
        while try frames.next(unless: {
            asked += 1
            return asked > 5
        }) != nil {}
        #expect(asked == 6)
    }

    @Test func `a recording may be left before its end`() throws {
        let path = try clip("-f lavfi -i testsrc=s=320x240:r=30:d=20 -c:v libx264 -preset ultrafast")
        var frames = try VideoFrames(of: .file(path))
        #expect(try frames.next()?.time == 0)
    }
}

@Suite struct ChildProgramTests {
    @Test func `a program that is dropped has ended`() throws {
        let process: pid_t
        do {
            let program = try ChildProgram(["yes"])
            process = program.process
            #expect(kill(process, 0) == 0)
            _ = consume program
        }
        #expect(kill(process, 0) == -1)
    }

    @Test func `tells how a program ended`() throws {
        var program = try ChildProgram(["sh", "-c", "printf x >&3; exit 7"])
        #expect(program.end() == 7)
        var byte: UInt8 = 0
        #expect(unsafe read(program.outputs[2], &byte, 1) == 1)
        #expect(byte == UInt8(ascii: "x"))
        // A program that another test just starts holds the other end until it is loaded.
        var end = pollfd(fd: program.outputs[2], events: Int16(POLLIN), revents: 0)
        #expect(unsafe poll(&end, 1, -1) == 1)
        #expect(unsafe read(program.outputs[2], &byte, 1) == 0)
    }

    @Test func `a program that is not there is an error`() {
        let failure = #expect(throws: ChildProgram.Failure.self) { _ = try ChildProgram(["no-such-program"]) }
        #expect(failure?.code == ENOENT)
    }
}

@Suite struct CameraFailureTests {
    @Test(
        arguments: [
            ("/dev/video0: Device or resource busy", false, "is in use: close the other program"),
            ("/dev/video0: Permission denied", false, "group 'video'"),
            ("/dev/video0: No such device", false, "was unplugged"),
            ("", true, "was unplugged"),
            ("", false, "gives no picture: ffmpeg does not say why"),
            ("a\nNot a video capture device.\n", false, "gives no picture: 'Not a video capture device.'"),
        ])
    func `says what became of a camera`(words: String, hasBegun: Bool, told: String) {
        let failure = VideoFrames.cameraFailure(at: "/dev/video0", words, hasBegun: hasBegun)
        #expect(!failure.isBadData)
        #expect(failure.description.hasPrefix("the camera '/dev/video0' "))
        #expect(failure.description.contains(told))
    }

    @Test func `a camera that is not there`() {
        let failure = #expect(throws: SourceFailure.self) {
            _ = try VideoFrames(of: .camera("/dev/no-video"))
        }
        #expect(failure?.isBadData == false)
    }
}

@Suite struct FrameTableTests {
    static let text = """
        #software: Lavf59.27.100
        #tb 0: 1/1000
        #dimensions 0: 4x2
        0,          0,          0,    33,   32, 0x016c2f28
        0,         33,         35,    33,   32, 0xf9f55cb2

        """

    @Test(arguments: [1, 7, 1000])
    func `is read in pieces of any length`(length: Int) throws {
        var table = FrameTable()
        let bytes = Array(Self.text.utf8)
        for start in stride(from: 0, to: bytes.count, by: length) {
            try table.take(bytes[start..<min(bytes.count, start + length)])
        }
        #expect(table.frameSize == 32)
        #expect(table.times == [0, 0.035])
    }

    @Test(arguments: ["0, 66, 66, 33, 64, 0x1\n", "0, 66\n", "what\n"])
    func `refuses a row that does not fit`(row: String) {
        var table = FrameTable()
        #expect(throws: SourceFailure.self) { try table.take((Self.text + row).utf8) }
    }
}

@Suite struct MeanColourTests {
    @Test(arguments: [1, 3, 16, 17, 4096, 4112, 4113, 100_003])
    func `is the mean, whatever the size`(count: Int) {
        var random = SeededRandom(seed: UInt64(count))
        let bytes = (0..<4 * count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let mean = unsafe bytes.withUnsafeBytes { unsafe MeanColour(ofBGRA: $0) }
        let sums = (0..<3).map { lane in
            stride(from: lane, to: bytes.count, by: 4).reduce(0) { $0 + Int(bytes[$1]) }
        }
        #expect(mean.blue == Double(sums[0]) / Double(count))
        #expect(mean.green == Double(sums[1]) / Double(count))
        #expect(mean.red == Double(sums[2]) / Double(count))
    }

    @Test func `white stays white`() {
        let white = [UInt8](repeating: 255, count: 4 * 640 * 480)
        let mean = unsafe white.withUnsafeBytes { unsafe MeanColour(ofBGRA: $0) }
        #expect(mean == MeanColour(red: 255, green: 255, blue: 255))
    }
}
