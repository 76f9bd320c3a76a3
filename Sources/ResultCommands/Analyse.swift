import Analysing
import ArgumentParser
import Console
import Datasets
import Exports
import Participants
import Results
import StudyEngine
import TextFormat

package struct Analyse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyse",
        abstract: "Answers a study's question, as its design allows, and says how sure the answer is.",
        discussion: """
            It analyses the 'outcomes' that the study names. If there are none, it analyses the usual ones, \
            and calls them exploratory: heart rates of timed steps, ratings, scores, and questions that are \
            answered with a number. The design decides how. Arms are compared by Welch's test, \
            adjusted for the values to which they are relative. Conditions, clips, tasks \
            and sessions are compared within participants by a mixed model. None of them assumes equal spread. A step or question relative to \
            another is compared in pairs. For one group, the mean is given. p is corrected after Holm among \
            all secondary outcomes, or among all exploratory ones.

            If participants heard several clips, it compares the clips with each other, and also moods and \
            bands of tempo. A mixed model with an intercept for each participant adjusts for session, place \
            in the session, the rest before and the clip before. It gives F and all contrasts, with 95 % \
            intervals, and p corrected after Holm. Sign flips test the same without assuming normal \
            distributions.

            It then compares each clip with its own rest. A heart that settles after the rest causes a \
            difference even if clips have no effect. For each clip, it takes the mean heart rate from 5 s \
            after the onset to the end, minus that of the rest before it, both weighted by time. It does the \
            same for RMSSD, and marks it if the clip or the rest has less than 60 s of intervals. Each \
            participant counts with the mean of their clips. Over participants, it gives the difference with \
            its 95 % interval, Cohen's dz, p by flipping signs (all flips for up to 16 participants, 99999 \
            random ones for more), and how many participants a next study needs; also by tempo, mood and \
            clip. It counts and names the values that were left out or are missing.

            Rehearsals, runs with --auto or --speed, and runs with a simulated or replayed heart do not come \
            from a participant: they are left out unless you ask for them. Runs of different texts of a \
            study are analysed separately.

            --registered analyses the outcomes that the study named when it was frozen, and takes runs of that \
            study only. All other findings of a registered study are called exploratory.
            """, aliases: ["analyze"])

    @Argument(help: "Datasets, bundles, or folders with bundles.", completion: .directory)
    var paths: [String]

    @OptionGroup var simulated: SimulatedRuns
    @OptionGroup var pooled: PooledRevisions
    @OptionGroup var registration: RegistrationOptions

    @Option(
        help: ArgumentHelp(
            "Follow each response second by second from the clip's onset, show the mean, and write every second to this CSV file.",
            valueName: "file"),
        completion: .file(extensions: ["csv"]))
    var overTime: String?

    @Option(
        help: ArgumentHelp(
            "Write what the outcomes are worked out from to this CSV file: a row for each visit, with its value or why it has none.",
            valueName: "file"),
        completion: .file(extensions: ["csv"]))
    var values: String?

    @Option(
        help: ArgumentHelp(
            "Write a new folder with the tables behind every figure, and scripts for R and Python that work the figures out again and say whether they agree.",
            valueName: "folder"),
        completion: .directory)
    var script: String?

    @Option(
        defaultAsFlag: 1000,
        help: ArgumentHelp(
            "Simulate so many studies like yours without an effect, analyse each in the same way, and say how often each outcome's test is wrong.",
            valueName: "studies"))
    var calibrate: Int?

    @Option(help: "The seed of the sign flips and of simulated studies.")
    var seed: UInt64 = 1

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func validate() throws {
        try registration.validate(seed: seed, pooled)
        guard (calibrate ?? 1) > 0 else { throw ValidationError("--calibrate needs at least one study") }
    }

    func run() async throws {
        let registered = try reporting { try registration.read() }
        let seed = registered?.seed ?? seed
        var analysis = try await reporting {
            for file in [overTime, values, script].compactMap(\.self) { try NewFile.mustBeNew(file) }
            var random = SplitMix64(seed: seed)
            return try await Analysis(
                of: paths,
                taking: RunSelection(
                    includesSimulated: simulated.includeSimulated, poolsRevisions: pooled.poolRevisions,
                    withCourses: overTime != nil, registered: registered),
                using: &random)
        }
        if let calibrate {
            try await analysis.calibrate(studies: calibrate) { SplitMix64(seed: seed &+ UInt64($0)) }
        }
        if let overTime { try reporting { try NewFile.write(analysis.courses, to: overTime) } }
        if let values { try reporting { try NewFile.write(analysis.values, to: values) } }
        if let script { try reporting { try NewFolder.write(analysis.script(seed: seed), to: script) } }
        switch format {
        case .json: Output.say(json: analysis.json(seed: seed))
        case .text: Output.emit(.lines(analysis.text))
        }
        if !analysis.leftOut.damaged.isEmpty { throw ExitCode.badData }
    }
}
