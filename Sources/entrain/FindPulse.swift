import ArgumentParser
import Devices
import Physiology
import StudySession

struct FindPulse: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pulse",
        abstract: "Finds beats and heart rate in what a camera saw of a fingertip.",
        discussion: """
            A FILE is a table with the columns time,R,G,B (milliseconds and the mean colour of each frame), one \
            with a time and a single signal of a finger clip, or, with --rate, only the signal; '-' is standard \
            input. A window whose signal carries no clear pulse keeps its estimate and is marked as not reliable.
            """)

    @Argument(help: "A table of frames.", completion: .file(extensions: ["csv"]))
    var file: String

    @Option(help: "How beats are found; 'elgendi' and 'hueTroughs' are for comparison.")
    var method = PulseDetector.Method.periodTrack

    @Option(help: ArgumentHelp("Length of the windows, 2 to 600.", valueName: "seconds"))
    var window = 10.0

    @Option(help: ArgumentHelp("From one window to the next, 0.1 to 600.", valueName: "seconds"))
    var hop = 2.0

    @Flag(help: "Use only what came before each window's end, as during a run.")
    var live = false

    @Option(help: ArgumentHelp("Rows per second of a table without times.", valueName: "hz"))
    var rate: Double?

    @Option(help: "'json' for programs, 'csv' for tables, 'text' for people.")
    var format = PulseFormat.json

    func validate() throws {
        guard (2...600).contains(window) else { throw ValidationError("--window is 2 to 600 seconds") }
        guard (0.1...600).contains(hop) else { throw ValidationError("--hop is 0.1 to 600 seconds") }
        guard rate.map((1...10_000).contains) ?? true else {
            throw ValidationError("--rate is 1 to 10000 rows per second")
        }
    }

    func run() throws {
        try reporting {
            let recording = try PulseRecording(tableAt: file, rate: rate)
            let detector = PulseDetector(method: method, window: window, hop: hop)
            let pulse = live ? detector.detectLive(in: recording.trace) : detector.detect(in: recording.trace)
            Output.emit(PulseReport(of: pulse, in: recording.trace).rendered(as: format))
        }
    }
}

extension PulseDetector.Method: ExpressibleByArgument {}

/// How `entrain pulse` prints what it found.
enum PulseFormat: String, ExpressibleByArgument, CaseIterable {
    case json
    case csv
    case text
}
