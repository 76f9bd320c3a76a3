import ArgumentParser
import Console
import Drill
import Platform
import Results
import TextFormat

package struct DrillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drill",
        abstract: "Breaks runs on purpose and checks that nothing is lost.",
        discussion: """
            Runs a study again and again with a simulated participant. Each run is killed, loses its power, \
            or meets a full or failing disk, a clock that is changed or a source that misbehaves. The drill \
            then recovers and verifies what is left. It also plants mistakes into the program, and must find them.

            The exit code is 65 if anything was lost, and 70 if the drill did not find the mistakes that it planted. Results are also in \
            drill.json and drill.xml (JUnit) in the output folder. Without a study, the drill uses a short one of its own.
            """)

    @Argument(help: "Study files.", completion: .file(extensions: ["yaml", "yml"]))
    var studies: [String] = []

    @Option(
        name: [.customShort("o"), .customLong("out")], help: "A new folder for the drill's results.",
        completion: .directory)
    var output = "drill"

    @Option(help: "The time that the drill may take, such as 90s, 10min or 2h.")
    var budget = TimeOption(seconds: 600)

    @Option(help: "The seed of the drill's random choices.")
    var seed: UInt64 = 1

    @Option(
        name: .customLong("case"),
        help: "Only this case, as a report names it, such as kill/137. Can be repeated.")
    var cases: [String] = []

    @Option(
        name: .customLong("source"),
        help: ArgumentHelp(
            "Replace a source of the study, as with 'entrain run'. Live sources must be replaced. Can be repeated.",
            valueName: "name=spec"))
    var sources: [String] = []

    @Option(help: "The participant's arm, for a study with arms.")
    var arm: String?

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "Another participant who takes part in each run. Can be repeated.", valueName: "code"))
    var companions: [String] = []

    @Option(
        help: "The program to test, such as an older version; default: this one.", completion: .file())
    var program: String?

    func validate() throws {
        if studies.isEmpty, arm != nil || !sources.isEmpty {
            throw ValidationError("--source and --arm are for studies that you name")
        }
    }

    func run() async throws {
        Interruption.ignoreBrokenPipes()
        let chosen = try cases.map { name in
            guard let found = DrillCase(named: name) else {
                throw ValidationError(
                    "'\(printable(name))' is not a case: a report names them, such as kill/137")
            }
            return found
        }
        let report = try await reporting {
            let subject = Program(at: program ?? ProgramFolder.program, library: try ProgramFolder.faults())
            try NewFile.mustBeNew(output)
            try Folder.make(output)
            let folder = try Folder(output)
            try folder.write(Drill.ownStudy, to: Drill.ownStudyName, isDurable: false)
            var drills: [Drill] = []
            let ownStudy = "\(output)/\(Drill.ownStudyName)"
            let cutsPower = chosen.isEmpty || chosen.contains(where: \.cutsPower)
            let own = try Drill(
                ownStudy, isOwn: true, with: subject, in: "\(output)/own", seed: seed, cutsPower: cutsPower)
            if studies.isEmpty {
                if companions.isEmpty { drills.append(own) }
                if chosen.isEmpty || !companions.isEmpty {
                    drills.append(
                        try Drill(
                            ownStudy, isOwn: true, with: subject, in: "\(output)/together", seed: seed,
                            options: (companions.isEmpty ? ["P02"] : companions).flatMap { ["--with", $0] },
                            cutsPower: cutsPower))
                }
            }
            for (index, file) in studies.enumerated() {
                drills.append(
                    try Drill(
                        file, isOwn: false, with: subject, in: "\(output)/\(index + 1)", seed: seed,
                        options: sources.flatMap { ["--source", $0] } + (arm.map { ["--arm", $0] } ?? [])
                            + companions.flatMap { ["--with", $0] }))
            }
            let report = try await Drill.run(
                drills, cases: chosen.isEmpty ? nil : chosen, plantingInto: own, within: budget.duration
            ) {
                tried, all in
                Output.progress("\(tried) of \(all)")
            }
            Output.progress(nil)
            try folder.write(report.json.encoded(), to: "drill.json", isDurable: false)
            try folder.write(Array(report.junit.utf8), to: "drill.xml", isDurable: false)
            return report
        }
        Output.emit(.lines(report.text))
        if !report.failures.isEmpty { throw ExitCode.badData }
        if !report.missedControls.isEmpty { throw ExitCode.broken }
    }
}
