import ArgumentParser
import Datasets
import Results
import StudyEngine
import TextFormat

struct Analyse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Answers what a study is to find out, as its design allows, and how sure that is.",
        discussion: """
            It answers the 'outcomes' that the study names, or the usual ones of such a study, which it calls exploratory: heart \
            rates of timed steps, ratings, scores, and questions with a number. The design decides how. Arms are compared by \
            Welch's test, or by a linear model that adjusts for what the values are relative to; conditions, clips, tasks and \
            sessions within participants by a mixed model; a step or question relative to another in pairs; one group has its mean. \
            p is corrected after Holm for all secondary outcomes, or for all exploratory ones.

            If participants heard several clips, it compares the clips with each other, and so moods and bands of tempo: a mixed \
            model with an intercept for each participant adjusts for session, place in the session, the rest before and the clip \
            before. It gives F and all contrasts, with 95 % intervals, and p corrected after Holm. By sign flips it asks the same \
            without normal distributions.

            It then compares each clip with its own rest, which a heart that settles differs from with no effect of any clip. \
            For each clip, it takes the mean heart rate from 5 s after the onset to the end, minus that of the rest before \
            it, both weighted by time. It does the same for RMSSD, and marks it if the clip or the rest has less than 60 s \
            of intervals. Each participant counts with the mean of their clips. Over participants, it gives the difference \
            with its 95 % interval, Cohen's dz, p by flipping signs (all flips for up to 16 participants, 99999 random \
            ones for more), and how many participants a next study needs; also by tempo, mood and clip. It counts and \
            names what was left out or is missing.

            Rehearsals, runs with --auto or --speed, and runs of a simulated or replayed heart are not of a participant: they \
            are left out unless you ask for them. Runs of different texts of a study are analysed apart.
            """)

    @Argument(help: "Datasets, bundles, or folders with bundles.", completion: .directory)
    var paths: [String]

    @OptionGroup var simulated: SimulatedRuns
    @OptionGroup var pooled: PooledRevisions

    @Option(
        help: ArgumentHelp(
            "Follow each response second by second from the clip's onset, say the mean, and write every second to this CSV file.",
            valueName: "file"),
        completion: .file(extensions: ["csv"]))
    var overTime: String?

    @Option(help: "The seed of the sign flips.")
    var seed: UInt64 = 1

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func run() async throws {
        let analysis = try await reporting {
            if let overTime { try NewFile.mustBeNew(overTime) }
            var random = SplitMix64(seed: seed)
            return try await Analysis(
                of: paths,
                taking: RunSelection(
                    includesSimulated: simulated.includeSimulated, poolsRevisions: pooled.poolRevisions,
                    followsSeconds: overTime != nil),
                using: &random)
        }
        if let overTime { try reporting { try NewFile.write(analysis.courses, to: overTime) } }
        switch format {
        case .json: Output.say(json: analysis.json(seed: seed))
        case .text: Output.emit(.lines(analysis.text))
        }
        if !analysis.leftOut.damaged.isEmpty { throw ExitCode.badData }
    }
}
