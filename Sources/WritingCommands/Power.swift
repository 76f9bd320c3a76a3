import Analysing
import ArgumentParser
import BundleReplay
import Console
import Datasets
import Exports
import Glibc
import Results
import Statistics
import StudyEngine
import StudyFile
import StudyModel
import TextFormat

package struct Power: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power",
        abstract: "Estimates how many participants a study needs, by simulating the whole study many times.",
        discussion: """
            It rehearses the study with participants whose hearts differ as those of adults do, and on whom \
            music has no effect on average. It analyses each rehearsed study as the primary outcome of its \
            'outcomes' says: once as it is, and once with the effect added to that outcome. The share of \
            studies with p of at most 0.05 is the power, or, without the effect, the share of false \
            findings. Both have a 95 % interval, because the number of simulated studies is limited.

            The effect is added to the values of one condition, clip, task, session or arm; --in names it if \
            there are more than two. If the outcome is only relative to another step, the effect is added to \
            all values. Numbers of participants are a range, such as 12...60, of which up to nine are tried, \
            or a list, such as 12,24,36.

            If rules or screening look at answers, --answers says what participants answer.
            """)

    @OptionGroup var options: StudyOptions

    // An effect may begin with a minus.
    @Option(
        parsing: .unconditional, help: "The effect in the outcome's unit, such as 2bpm, -5ms, 0.5.")
    var effect: String

    @Option(
        help: ArgumentHelp(
            "How much people differ in the effect: its standard deviation, in percent of the effect.",
            valueName: "percent"))
    var differing = 50

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp(
            "The condition, clip, task, session or arm that has the effect.", valueName: "name"))
    var place: String?

    @Option(help: "How many participants, such as 12...60 or 12,24,36.")
    var participants: ParticipantNumbers

    @Option(
        help:
            "How many sessions each participant has; default: one, or one for each task if the study orders its tasks."
    )
    var sessions: Int?

    @Option(help: "How many studies are simulated.")
    var studies = 200

    @Option(
        help: "A file with answers by question; all other answers are left to chance.",
        completion: .file(extensions: ["yaml", "yml"]))
    var answers: String?

    @Option(
        name: [.customShort("o"), .customLong("out")], help: "A new page with a chart.",
        completion: .file(extensions: ["html"]))
    var file: String?

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func validate() throws {
        guard (20...100_000).contains(studies) else { throw ValidationError("--studies takes 20 to 100000") }
        guard (0...1000).contains(differing) else { throw ValidationError("--differing takes 0 to 1000") }
        guard (1...100).contains(sessions ?? 1) else { throw ValidationError("--sessions takes 1 to 100") }
    }

    func run() async throws {
        try await reporting {
            if let file { try NewFile.mustBeNew(file) }
            let checked = try options.load()
            let whole = try checked.study()
            guard let outcome = whole.outcomes.first(where: { $0.rank == .primary }) else {
                throw StudyFailure(
                    "the study names no primary outcome: add 'outcomes' (see 'entrain explain outcomes')",
                    .badStudy)
            }
            let seed = options.seed(of: whole)
            let arms = whole.inEachArm
            let asked = try options.task.map { [try arms[0].task(named: $0)] } ?? arms[0].tasks
            let answers = try answers.map { try ParsedAnswers(file: $0, to: asked) }
            var simulation = PowerSimulation(
                of: outcome, effect: try size(of: outcome), differing: Double(differing) / 100, in: place,
                participants: participants.counts)
            var (seeds, chance) = (SplitMix64(seed: seed), SplitMix64(seed: ~seed))
            for number in 1...studies {
                let study = try await simulated(checked, arms, outcome, answers, seed: seeds.next())
                do throws(PowerProblem) { try simulation.add(study, using: &chance) } catch {
                    throw StudyFailure(error.description, error.isUsage ? .usage : .badStudy)
                }
                if number % max(1, studies / 10) == 0, number < studies, isatty(STDERR_FILENO) == 1 {
                    Output.remark("\(number) of \(studies) studies")
                }
            }
            let name = whole.identifier.text
            if let file {
                let page = PowerReport(simulation, of: name, seed: seed).html
                try NewFile.write(Array(page.utf8), to: file)
            }
            switch format {
            case .json: Output.say(json: simulation.json(of: name, seed: seed))
            case .text: Output.emit(.lines(simulation.text(of: name, seed: seed)))
            }
        }
    }

    /// One study with the largest number of participants that is tried.
    private func simulated(
        _ checked: CheckedStudy, _ arms: [Study], _ outcome: Outcome, _ answers: ParsedAnswers?, seed: UInt64
    ) async throws -> SimulatedStudy {
        let folder = try TemporaryFolder(inMemory: true)
        defer { withExtendedLifetime(folder) {} }
        let members = (1...(participants.counts.max() ?? 1)).map { Cohort.Member(number: $0) }
        let earlier = RehearsedAnswers()
        for session in 1...(sessions ?? arms[0].orderedSessions) {
            for (task, members) in try arms[0].groups(
                of: members, doing: options.task, session: session, seed: seed)
            {
                var cohort = Cohort(
                    checked: checked, document: try checked.document(), studies: arms, task: task, seed: seed,
                    session: session, language: nil,
                    answers: answers, answersMusic: false)
                cohort.earlier = earlier
                _ = try await cohort.rehearse(members, output: folder.path)
            }
        }
        return try await SimulatedStudy(in: folder.path, of: outcome, participants: members.map(\.code))
    }

    /// - Throws: if it is not a number in the outcome's unit.
    private func size(of outcome: Outcome) throws(StudyFailure) -> Double {
        let number = effect.prefix { !($0.isLetter || $0 == "/" || $0 == " ") }
        let unit = String(effect.dropFirst(number.count).drop { $0 == " " })
        guard let size = Double(number), size.isFinite, size != 0, abs(size) < 1e9,
            unit.isEmpty || outcome.measure.facts.spellings.contains(unit)
        else {
            let example = "2" + (outcome.measure.facts.spellings.first ?? "")
            throw StudyFailure(
                "'\(printable(effect))' is not an effect on the \(Quantity(of: outcome).singular): write it like \(example)",
                .usage)
        }
        return size
    }
}

/// Numbers of participants, as `--participants` takes them.
struct ParticipantNumbers: ExpressibleByArgument {
    let counts: [Int]

    private static let allowed = 2...2_000
    private static let mostOfRange = 9

    init?(argument: String) {
        let argument = argument.filter { $0 != " " }
        let ends = argument.replacing("…", with: "...").split(
            separator: "...", omittingEmptySubsequences: false)
        let isRange = ends.count == 2
        let numbers = (isRange ? ends : argument.split(separator: ",", omittingEmptySubsequences: false))
            .map { Int($0) }
        guard !numbers.isEmpty, numbers.count <= 50,
            numbers.allSatisfy({ $0.map(Self.allowed.contains) ?? false })
        else { return nil }
        let known = numbers.compactMap(\.self)
        guard isRange, let first = known.first, let last = known.last else {
            counts = known
            return
        }
        guard first < last else { return nil }
        let step = (last - first + Self.mostOfRange - 2) / (Self.mostOfRange - 1)
        counts = Array(stride(from: first, to: last, by: step)) + [last]
    }
}

extension Study {
    /// How many sessions each participant has if the study orders its tasks; otherwise 1.
    fileprivate var orderedSessions: Int {
        if !sessions.isEmpty { return sessions.count }
        return switch nextTask {
        case nil, .menu: 1
        case .fixed, .shuffle, .latinSquare, .williams: tasks.count
        }
    }
}

extension PowerProblem {
    /// Whether another command line solves it, rather than another study.
    fileprivate var isUsage: Bool {
        switch self {
        case .noConditions, .unknownCondition, .severalConditions: true
        case .noValues, .nothingToCompare, .noAnswer: false
        }
    }
}
