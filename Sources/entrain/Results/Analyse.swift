import ArgumentParser
import Datasets
import Results
import StudyEngine
import TextFormat

struct Analyse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says whether clips changed the heart rate, by how much, and how sure that is.",
        discussion: """
            For each clip: the mean heart rate from 5 s after its onset to its end, minus that of the rest before it, \
            both weighted by time; and the same for RMSSD, marked where a side has less than 60 s of intervals. Over \
            participants, each with the mean of their clips: the difference with its 95 % interval, Cohen's dz, p by \
            flipping signs (all flips up to 16 participants, 99999 drawn ones above), and how many participants a next \
            study needs. By tempo, mood and clip. What was left out or is missing is counted and named.
            """)

    @Argument(help: "Datasets, bundles, or folders with bundles.", completion: .directory)
    var paths: [String]

    @Option(help: "The seed of the sign flips.")
    var seed: UInt64 = 1

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func run() async throws {
        let analysis = try await reporting {
            var random = SplitMix64(seed: seed)
            return try await Analysis(of: paths, using: &random)
        }
        switch format {
        case .json: Output.say(String(decoding: analysis.json(seed: seed).encoded(), as: UTF8.self))
        case .text: Output.emit(analysis.text)
        }
        if !analysis.damaged.isEmpty { throw ExitCode.badData }
    }
}
