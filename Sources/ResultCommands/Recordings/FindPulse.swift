import ArgumentParser
import BundleReplay
import Console
import Physiology
import Recordings
import Signals
import Sound
import StudyModel
import TextFormat

package struct FindPulse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pulse",
        abstract: "Finds beats and heart rate in a camera's pictures of a fingertip.",
        discussion: """
            A FILE is a video or a table; '-' is a table on standard input. A table has the columns time,R,G,B \
            (milliseconds and the mean colour of each frame), or a time and a single signal of a finger clip, or, \
            with --rate, only the signal. A camera such as /dev/video0 is read until Ctrl-C. Videos and cameras \
            need the program ffmpeg. In a terminal, a camera's pulse is shown as it goes, and with --watch a video's, \
            too; the result follows. A window without a clear pulse keeps its estimate and is marked as not \
            reliable.
            """)

    @Argument(help: "A table, a video or a camera.", completion: .file())
    var file: String

    @Option(help: "The method that finds beats; 'elgendi' and 'hueTroughs' are for comparison.")
    var method = PulseDetector.Method.periodTrack

    @Option(help: ArgumentHelp("Length of the windows, 2 to 600.", valueName: "seconds"))
    var window = 10.0

    @Option(help: ArgumentHelp("Time from one window to the next, 0.1 to 600.", valueName: "seconds"))
    var hop = 2.0

    @Flag(help: "For each window, use only the frames before its end, as during a run.")
    var live = false

    @Flag(
        inversion: .prefixedNo,
        help:
            "Show the pulse as it goes in this terminal, a video's at its own speed. Cameras are shown anyway."
    )
    var watch: Bool?

    @Option(help: ArgumentHelp("Rows per second of a table without times.", valueName: "hz"))
    var rate: Double?

    @OptionGroup var camera: CameraOptions

    @Option(help: "'json' for programs, 'csv' for tables, 'text' for people.")
    var format = PulseFormat.json

    func validate() throws {
        guard (2...600).contains(window) else { throw ValidationError("--window is 2 to 600 seconds") }
        guard (0.1...600).contains(hop) else { throw ValidationError("--hop is 0.1 to 600 seconds") }
        guard rate.map((1...10_000).contains) ?? true else {
            throw ValidationError("--rate is 1 to 10000 rows per second")
        }
    }

    func run() async throws {
        try await reporting {
            let detector = PulseDetector(method: method, window: window, hop: hop)
            let trace: PulseTrace
            let origin = PulseOrigin(at: file)
            guard origin == .camera || camera.settings.isEmpty else {
                throw StudyFailure(
                    "--size, --frame-rate, --lock-exposure and --torch are for a camera", .usage)
            }
            if watch == true, origin == .table || !PulseWatch.canShow {
                throw StudyFailure(
                    origin == .table
                        ? "--watch is for videos and cameras" : "--watch needs a terminal: leave it out",
                    .usage)
            }
            switch origin {
            case .video where watch == true:
                let path = try withoutRate()
                try CameraSource.check(videoAt: path)
                trace = try await PulseWatch(origin: .file(path), title: path).run()
            case .camera where watch ?? PulseWatch.canShow:
                let path = try withoutRate()
                trace = try await PulseWatch(origin: .camera(path, camera.settings), title: path).run()
            case .table: trace = try PulseRecording(tableAt: file, rate: rate).trace
            case .video: trace = try PulseRecording(videoAt: try withoutRate()).trace
            case .camera:
                let watch = CameraWatch(
                    path: try withoutRate(), settings: camera.settings, detector: detector
                ) { window in
                    if format == .text { Output.say("\(window.line)") }
                }
                trace = try watch.run()
                if format == .text { return }
            }
            let pulse = live ? detector.detectLive(in: trace) : detector.detect(in: trace)
            let report = PulseReport(of: pulse, in: trace).rendered(as: format)
            Output.emit(format == .json ? .json(Array(report.utf8)) : .lines(report))
        }
    }

    /// The file, whose frames have their own times.
    private func withoutRate() throws(StudyFailure) -> String {
        guard rate == nil else { throw StudyFailure("a video has its own times: leave out --rate", .usage) }
        return file
    }
}

extension PulseDetector.Method: ExpressibleByArgument {}

/// How `entrain pulse` prints its result.
enum PulseFormat: String, ExpressibleByArgument, CaseIterable {
    case json
    case csv
    case text
}

/// How a camera takes its pictures.
struct CameraOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The size of a camera's pictures, such as 640x480; 'entrain sources' lists what it offers.",
            valueName: "size"), transform: Self.size)
    var size: CameraSettings.Size?

    @Option(help: ArgumentHelp("Pictures a second of a camera, as it offers them.", valueName: "number"))
    var frameRate: Double?

    @Flag(help: "Keep a camera's exposure as it is, which makes the pulse clearer.")
    var lockExposure = false

    @Flag(help: "Switch on a camera's torch.")
    var torch = false

    private static func size(_ text: String) throws -> CameraSettings.Size {
        guard let size = CameraSettings.Size(text) else {
            throw ValidationError("a size is width, x and height in pixels, such as 640x480")
        }
        return size
    }

    func validate() throws {
        guard frameRate.map((1...1000).contains) ?? true else {
            throw ValidationError("--frame-rate is 1 to 1000 pictures a second")
        }
    }

    var settings: CameraSettings {
        CameraSettings(size: size, rate: frameRate, locksExposure: lockExposure, torch: torch ? true : nil)
    }
}
