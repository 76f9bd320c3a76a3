import Allocating
import ArgumentParser
import BundleReplay
import Console
import Platform
import Results
import SessionPorts
import StudyEngine
import StudyModel
import TextFormat

package struct AllocationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allocation",
        abstract: "Allocates participants to arms: the secret, the ledger, and what a design is worth.",
        discussion: """
            'create' makes a folder with a secret and an empty ledger, and prints the line that the study needs. \
            'entrain run --ledger' allocates each participant at the step of type allocation. After the last participant, \
            'reveal' derives every allocation again from the secret.
            """,
        subcommands: [
            AllocationSimulate.self, AllocationCreate.self, AllocationChance.self, AllocationVerify.self,
            AllocationUnblind.self, AllocationCorrect.self, AllocationEnd.self, AllocationReveal.self,
        ])
}

struct AllocationCreate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes the secret and the ledger of a study.",
        discussion: """
            The folder is for those who run sessions, and for nobody else: only its owner can read it. Keep it on a disk of \
            this machine, outside of the study's folder and of the results. Back it up: without the secret nobody can be allocated. \
            A study with 'method: list' needs --list: a CSV file with the columns 'slot', 'arm' and one for each question of \
            'stratify'. The folder has a copy of it; put the file itself away. A study with 'blocks: hidden' needs --blocks: the \
            sizes stay in the folder. With --codes, only these codes are allocated.
            """)

    @Argument(help: "The study file.", completion: .file(extensions: ["yaml", "yml"]))
    var study: String

    @Option(name: [.customShort("o"), .customLong("out")], help: "The new folder.", completion: .directory)
    var folder: String

    @Option(help: "The list of slots, with 'method: list'.", completion: .file(extensions: ["csv"]))
    var list: String?

    @Option(
        help: "The participants' codes, one in each line; without it, any code is allocated.",
        completion: .file(extensions: ["txt"]))
    var codes: String?

    @OptionGroup var hidden: HiddenBlocks

    func run() throws {
        try reporting {
            let checked = try CheckedStudy(reading: study)
            let study = try checked.study()
            guard var design = AllocationDesign(of: study) else {
                throw StudyFailure.noAllocation
            }
            guard design.allocation.commitment == nil else {
                throw StudyFailure(
                    "the study names the secret of its allocation already; to make another one, take the key 'commitment' out",
                    .usage)
            }
            let listed = try study.list(in: list, for: design)
            let sizes = try hidden.sizes(for: design)
            let sealed = listed?.bytes ?? sizes.map(Ledger.text(of:))
            let beside = listed != nil ? ", the list" : sizes != nil ? ", the sizes of blocks" : ""
            let secret = randomBytes(32)
            let commitment = AllocationDesign.commitment(to: secret, sealed: sealed ?? [])
            design.allocation.commitment = commitment
            try Ledger.create(
                at: folder, for: design, secret: secret, sealed: sealed,
                codes: codes.map(ParticipantCodes.init(reading:))?.bytes,
                time: WallClock.now().date(of: .start))
            for line in listed?.summary(of: design) ?? [] { Output.remark("\(printable(line))") }
            Output.remark(
                "\(printable(folder)): a secret\(beside) and an empty ledger. Add this line to 'allocation:' in the study:"
            )
            Output.say("  commitment: \(commitment)")
        }
    }
}

struct AllocationSimulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Shows how balanced and how predictable a design is.",
        discussion: """
            The design of the study is simulated many times, with invented secrets and answers that are all equally frequent. \
            The guess is the best that anybody can make who knows the design, and the arms and answers of all participants so far, but \
            not the secret: a good design lets few guesses be right. Of a list, only the ratio of its arms is known. \
            A study with 'method: list' needs --list: then only the answers are invented. One with 'blocks: hidden' needs \
            --blocks, and the guess is of somebody who knows the sizes.
            """)

    @Argument(help: "The study file.", completion: .file(extensions: ["yaml", "yml"]))
    var study: String

    @Option(help: "How many participants a study has.")
    var participants = 60

    @Option(help: "How many studies are simulated.")
    var trials = 1_000

    @Option(help: "Another seed gives other studies.")
    var seed: UInt64 = 1

    @Option(help: "The list of slots, with 'method: list'.", completion: .file(extensions: ["csv"]))
    var list: String?

    @OptionGroup var hidden: HiddenBlocks

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func validate() throws {
        guard (2...10_000).contains(participants) else {
            throw ValidationError("--participants takes 2 to 10000")
        }
        guard (1...100_000).contains(trials) else { throw ValidationError("--trials takes 1 to 100000") }
    }

    func run() throws {
        try reporting {
            let study = try CheckedStudy(reading: study).study()
            guard let told = AllocationDesign(of: study) else { throw StudyFailure.noAllocation }
            let design = try hidden.sizes(for: told).flatMap(told.dealing) ?? told
            let simulation = AllocationSimulation(
                design, levels: design.levels ?? [], participants: participants,
                trials: trials, seed: seed, list: try study.list(in: list, for: design))
            switch format {
            case .json: Output.say(json: simulation.json(of: design))
            case .text: Output.emit(.lines(simulation.lines(of: design).joined(separator: "\n") + "\n"))
            }
        }
    }
}

/// The sizes of blocks that a study hides.
struct HiddenBlocks: ParsableArguments {
    @Option(
        help: ArgumentHelp("The sizes of blocks, with 'blocks: hidden', such as 4,6.", valueName: "sizes"))
    var blocks: String?

    /// - Returns: `nil` if the study hides none.
    func sizes(for design: AllocationDesign) throws -> [Int]? {
        let isHidden = design.allocation.method == .blocks([])
        guard isHidden == (blocks != nil) else {
            throw StudyFailure(
                isHidden
                    ? "the study hides the sizes of its blocks: name them with --blocks, such as --blocks 4,6"
                    : "the study hides no sizes of blocks: write 'blocks: hidden', or leave --blocks out",
                .usage)
        }
        return try blocks.map { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let sizes = parts.compactMap { Int($0.filter { $0 != " " }) }
            guard sizes.count == parts.count, design.dealing(sizes) != nil else {
                let sum = design.arms.map(\.ratio).reduce(0, +)
                throw StudyFailure(
                    "--blocks takes sizes between commas, each a multiple of \(sum) up to 1000, such as \(2 * sum),\(3 * sum)",
                    .usage)
            }
            return sizes
        }
    }
}

extension StudyFailure {
    static let noAllocation = StudyFailure(
        "the study allocates nobody: it has no key 'allocation' (see 'entrain explain allocation-step')",
        .badStudy)
}

extension Study {
    /// Reads the list of slots.
    ///
    /// - Returns: `nil` if the allocation has none.
    fileprivate func list(in path: String?, for design: AllocationDesign) throws -> AllocationList? {
        guard design.allocation.method == .list else {
            guard path == nil else {
                throw StudyFailure(
                    "the study's allocation uses no list: write 'method: list', or leave --list out", .usage)
            }
            return nil
        }
        guard let path else {
            throw StudyFailure("the study's arms come from a list: name the CSV file with --list", .usage)
        }
        return try AllocationList(
            NewFile.read(path), from: path, for: design,
            levels: design.levels)
    }
}

extension AllocationList {
    /// How many slots there are, one line for all and one for each stratum.
    fileprivate func summary(of design: AllocationDesign) -> [String] {
        let arms = design.arms.map { "\(slots(of: $0.identifier)) in \($0.identifier)" }
        return ["the list has \(counted(count, "slot")), \(listed(arms))"]
            + (design.allocation.factors.isEmpty
                ? [] : strata.map { "  \(Self.words(for: $0.levels)): \(counted($0.slots, "slot"))" })
    }
}

extension AllocationSimulation {
    fileprivate func lines(of design: AllocationDesign) -> [String] {
        let largestShare =
            Double(design.arms.map(\.ratio).max() ?? 1) / Double(design.arms.map(\.ratio).reduce(0, +))
        let arms = design.arms.map {
            $0.ratio == 1 ? $0.identifier.text : "\($0.identifier) (ratio \($0.ratio))"
        }
        var lines = [
            "\(design.study): \(trials) simulated studies, each of \(participants) participants in \(listed(arms))",
            "right guesses of the next arm: \(percent(guessed)) by somebody who knows the design and everybody so far; \(percent(largestShare)) without knowing anybody",
            "largest arm minus smallest arm: \(tenths(spread.mean)) on average, at most \(tenths(spread.largest))",
        ]
        if !design.allocation.factors.isEmpty {
            lines.append(
                "the same among those with one answer: \(tenths(spreadInLevels.mean)) on average, at most \(tenths(spreadInLevels.largest))"
            )
        }
        if design.allocation.method == .list {
            lines.append("participants who find no slot in the list: \(tenths(withoutSlot)) on average")
        } else if design.arms.allSatisfy({ $0.places != nil }) {
            lines.append("participants who find no place: \(tenths(withoutSlot)) on average")
        }
        return lines
    }

    fileprivate func json(of design: AllocationDesign) -> JSON {
        [
            "study": .text(design.study.text), "participants": .integer(participants),
            "trials": .integer(trials),
            "guessed": .real(guessed), "spread": spread.json, "spreadInLevels": spreadInLevels.json,
            "withoutSlot": .real(withoutSlot),
        ]
    }

    private func percent(_ share: Double) -> String { "\(tenths(100 * share)) %" }

    private func tenths(_ number: Double) -> String { plainNumber((number * 10).rounded() / 10) }
}

extension AllocationSimulation.Spread {
    fileprivate var json: JSON { ["mean": .real(mean), "largest": .real(largest)] }
}
