import Glibc
import Hashing
package import Platform
import Results
import StudyEngine

/// Breaks runs of a study in every way that a machine can, and looks at what is left.
package struct Drill: Sendable {
    /// The study's file.
    package let study: String
    /// Where the drill works, and where it leaves what it found.
    package let folder: String
    package let seed: UInt64
    let program: Program
    /// A run that nothing happens to, in virtual time.
    let undisturbed: RecordedRun
    /// The run whose power fails. In the drill's own study it takes its time, as real runs do: samples are
    /// synced by the clock.
    let powered: RecordedRun
    /// A mistake that every run of the program makes, as `ENTRAIN_FAULTS` says it.
    let mistake: [String]
    /// Who takes part: first the one who is asked.
    let people: [String]
    /// What the sources really give, by participant, as far as this is known.
    let hearts: [String: TrueHeart]
    /// More options of `entrain run`: what stands in for the study's sources, the arm and companions.
    let options: [String]
    /// Whether the study is the drill's own.
    let isOwn: Bool
    /// Whether sound can be tried: the drill's own study, on a machine where PulseAudio starts.
    let hasSound: Bool

    /// Who is asked in every run.
    static let participant = "P01"
    /// Seconds of the run of the drill's own study per second, where its power fails or it is killed by the clock.
    private static let ownSpeed = 4

    /// Runs the study once with nothing broken, to learn its calls.
    ///
    /// - Parameter cutsPower: whether the calls are needed of a run whose power fails, too.
    /// - Throws: `FileFailure` where that run does not end as it should.
    package init(
        _ study: String, isOwn: Bool, with program: Program, in folder: String, seed: UInt64,
        options: [String] = [], cutsPower: Bool = true
    ) throws(FileFailure) {
        try self.init(
            study, isOwn: isOwn, with: program, in: folder, seed: seed, options: options, mistake: [],
            cutsPower: cutsPower)
    }

    init(
        _ study: String, isOwn: Bool, with program: Program, in folder: String, seed: UInt64,
        options: [String], mistake: [String], cutsPower: Bool
    ) throws(FileFailure) {
        (self.study, self.isOwn, self.options, self.mistake) = (study, isOwn, options, mistake)
        self.program = program
        let people =
            [Self.participant] + zip(options, options.dropFirst()).filter { $0.0 == "--with" }.map(\.1)
        self.people = people
        hearts = isOwn ? Dictionary(uniqueKeysWithValues: people.map { ($0, TrueHeart(of: $0)) }) : [:]
        self.seed = seed
        try Folder.make(folder)
        guard let full = realPath(folder) else {
            throw FileFailure("open", folder, .system(code: errno))
        }
        self.folder = full
        hasSound = try isOwn && mistake.isEmpty && people.count == 1 ? SoundCard.isThere(in: full) : false
        undisturbed = try RecordedRun(
            { Self.arguments(study, out: $0, options: options) }, mistake, by: program,
            at: CaseFolder(named: "undisturbed", in: full))
        guard isOwn, cutsPower else {
            powered = undisturbed
            return
        }
        powered = try RecordedRun(
            { Self.arguments(study, out: $0, speed: "\(Self.ownSpeed)", options: options) }, mistake,
            by: program,
            at: CaseFolder(named: "powered", in: full))
    }

    static func arguments(
        _ study: String, out: String, speed: String = "max", options: [String] = []
    ) -> [String] {
        [
            "run", study, "--participant", participant, "--seed", "1", "--auto", "--plain", "--speed", speed,
            "--out", out,
        ] + options
    }

    /// The arguments for a run of this drill's study.
    func arguments(out: String, speed: String = "max") -> [String] {
        Self.arguments(study, out: out, speed: speed, options: options)
    }

    /// Everything that can be done to the run, so mixed that each part of it has its share from the first on.
    func cases() -> [DrillCase] {
        var chance = SplitMix64(seed: seed)
        let log = undisturbed.log
        let calls = 1...log.callCount
        var campaigns: [[DrillCase.Fault]] = [calls.map { .kill(call: $0) }]
        campaigns.append(
            stride(from: 2, through: log.callCount, by: 2).map {
                .killRecovery(call: $0, recoveryCall: 1 + chance.index(below: 40))
            })
        campaigns.append((0..<40).map { _ in .killAt(milliseconds: 30 + chance.index(below: 3500)) })
        for mode in PowerCut.allCases {
            campaigns.append(
                powered.log.records.indices.flatMap { index in
                    (1...(mode == .least ? 1 : 2)).map {
                        .cut(mode, record: index, variant: $0)
                    }
                })
        }
        for error in FaultError.allCases {
            let count = count(of: error.calls)
            for isLasting in [false, true] where count > 0 {
                campaigns.append((1...count).map { .fail(error: error, call: $0, isLasting: isLasting) })
            }
        }
        campaigns.append(
            (1...count(of: [.sync])).map { .failCut(sync: $0, variant: 1 + chance.index(below: 99)) })
        campaigns.append([.short(bytes: 7), .short(bytes: 64), .slow(milliseconds: 20)])
        campaigns.append(
            [-86400, 3600, -1].map { .clock(seconds: $0, call: 1 + chance.index(below: log.callCount)) })
        campaigns.append(MonitorFault.allCases.map { .monitor($0) })
        if hasSound { campaigns.append(SoundFault.allCases.map { .sound($0) }) }
        if isOwn, people.count == 1 {
            campaigns += LedgerFault.allCases.map { fault in
                (1...Self.ledgerCalls).map { .ledger(fault, call: $0) }
            }
            campaigns.append(SourceFault.allCases.map { .source($0) })
            campaigns.append(
                [.terminal(milliseconds: 0)]
                    + (0..<20).map { _ in .terminal(milliseconds: 100 + chance.index(below: 3000)) })
        }
        for index in campaigns.indices { chance.shuffle(&campaigns[index]) }
        // By share, not by number: a part of three cases has its second one in the middle of the drill.
        return campaigns.flatMap { campaign in
            campaign.enumerated().map { (Double($0.offset) / Double(campaign.count), $0.element) }
        }
        .sorted { $0.0 < $1.0 }.map { DrillCase($0.1) }
    }

    /// About how many calls a run makes that allocates.
    private static let ledgerCalls = 180

    /// The name of the study that the drill brings with it.
    package static let ownStudyName = "drill.yaml"

    private func count(of kinds: [FaultRecord.Kind]) -> Int {
        undisturbed.log.records.count { $0.number > 0 && kinds.contains($0.kind) }
    }

    /// Does one thing to a run, and says in sentences what is wrong then; its folder stays where something is.
    func violations(of drillCase: DrillCase, isThorough: Bool) throws(FileFailure) -> [String] {
        let site = try CaseFolder(named: drillCase.description.replacing("/", with: "-"), in: folder)
        let violations = try judged(drillCase.fault, at: site, isThorough)
        if violations.isEmpty { try site.remove() }
        return violations
    }

    private func judged(
        _ fault: DrillCase.Fault, at site: CaseFolder, _ isThorough: Bool
    ) throws(FileFailure) -> [String] {
        var judge = judge(isThorough: isThorough)
        judge.whole = undisturbed.whole
        switch fault {
        case .unbroken:
            // A whole second stands in the result.
            let began = wallSeconds() - 1
            return try judged(
                start(site, []), [0], by: judge, at: site, demanding: Judge.Demand(start: began...began + 60))
        case .kill(let call):
            let outcome = try start(site, ["kill=\(call)"])
            return try judged(outcome, [137, 0], by: judge, at: site)
        case .killRecovery(let call, let recoveryCall):
            let outcome = try start(site, ["kill=\(call)"])
            _ = try program.run(
                ["recover", site.output], faults: site.faults(mistake + ["kill=\(recoveryCall)"]),
                in: site.scratch)
            return try judged(outcome, [137, 0], by: judge, at: site)
        case .killAt(let milliseconds): return try judgedKill(after: milliseconds, isThorough, at: site)
        case .cut(let mode, let record, let variant):
            return try judgedCut(mode, of: powered, after: record, variant, by: judge, at: site)
        case .failCut(let sync, let variant):
            return try judgedCut(afterSync: sync, variant, by: judge, at: site)
        case .fail(let error, let call, let isLasting):
            let outcome = try start(
                site,
                [
                    "calls=\(error.calls.map { "\($0)" }.joined(separator: ","))",
                    "fail=\(call)\(isLasting ? "+" : ""):\(error.code)",
                ])
            // A disk that takes nothing more cannot take what began after that.
            return try judged(
                outcome, [74, 0], by: judge, at: site,
                demanding: Judge.Demand(disk: .failing, holdsShown: !isLasting))
        case .short(let bytes):
            return try judged(start(site, ["short=\(bytes)"]), [0], by: judge, at: site)
        case .slow(let milliseconds):
            return try judged(start(site, ["slow=\(milliseconds * 1000)"]), [0], by: judge, at: site)
        case .clock(let seconds, let call):
            return try judged(start(site, ["clock=\(call):\(seconds)"]), [0], by: judge, at: site)
        case .source(let source): return try judgedSource(source, at: site)
        case .monitor(let monitor): return try judgedMonitor(monitor, at: site)
        case .sound(let sound): return try judgedSound(sound, at: site)
        case .ledger(let fault, let call): return try judgedLedger(fault, call, at: site)
        case .terminal(let milliseconds):
            return try judgedTerminal(
                hangingUp: milliseconds > 0 ? .milliseconds(milliseconds) : nil, at: site)
        }
    }

    private func start(_ site: CaseFolder, _ faults: [String]) throws(FileFailure) -> Program.Outcome {
        try program.run(
            arguments(out: site.output), faults: site.faults(mistake + faults), in: site.scratch)
    }

    func judged(
        _ outcome: Program.Outcome, _ codes: [Int], by judge: Judge, at site: CaseFolder,
        demanding demand: Judge.Demand = Judge.Demand()
    ) throws(FileFailure) -> [String] {
        guard let code = outcome.code else { return ["the run hangs"] }
        var violations: [String] = []
        if !codes.contains(code) {
            violations.append("the run ends with \(code): \(outcome.errorOutput.suffix(300))")
        }
        let said = Judge.Screen(outcome.said)
        if code == 0, said != undisturbed.screen {
            violations.append("the run ends with 0, but its screen differs from that of an undisturbed run")
        }
        var demand = demand
        demand.endedWell = code == 0
        return try violations
            + judge.violations(in: site.output, after: said, demanding: demand, scratch: site.scratch)
    }

    /// Kills a run while its clock goes 60 times as fast; that of the drill's own study less, so that what must be left
    /// can be told to the second.
    private func judgedKill(
        after milliseconds: Int, _ isThorough: Bool, at site: CaseFolder
    ) throws(FileFailure) -> [String] {
        let speed = isOwn ? Self.ownSpeed : 60
        let end = wallSeconds() + Double(milliseconds) / 1000
        let outcome = try program.run(
            arguments(out: site.output, speed: "\(speed)"),
            faults: site.faults(mistake + ["log=\(site.log)"]),
            in: site.scratch, atMost: .milliseconds(milliseconds))
        let said = try site.calls().said()
        // What else it had recorded by then differs from run to run.
        return try judge(isThorough: isThorough).violations(
            in: site.output, after: Judge.Screen(outcome.said),
            demanding: Judge.Demand(
                readings: demanded(said, until: end, speed: Double(speed)), latestOrigin: Double(speed)),
            scratch: site.scratch)
    }

    /// A judge who knows the hearts, but not what an undisturbed run leaves.
    func judge(isThorough: Bool) -> Judge {
        Judge(program: program, people: people, hearts: hearts, isThorough: isThorough)
    }

    private func demanded(
        _ said: [(time: Double, line: Substring)], until end: Double, speed: Double
    ) -> [String: [TrueHeart.Reading]] {
        hearts.mapValues { $0.demanded(said: said, until: end, speed: speed) }
    }

    /// The power fails just before the call that follows a call.
    func judgedCut(
        _ mode: PowerCut, of run: RecordedRun, after record: Int, _ variant: Int, by judge: Judge,
        at site: CaseFolder
    ) throws(FileFailure) -> [String] {
        var (model, judge) = (DiskModel(), judge)
        judge.whole = run.whole
        let calls = run.log.records.prefix(record + 1)
        for call in calls { model.apply(call, below: run.root) }
        var chance = SplitMix64(seed: seed &+ UInt64(record) &* 1_000_003 &+ UInt64(variant))
        let disk = try Folder(site.disk)
        for (path, bytes) in model.state(mode, chance: &chance) {
            if let bytes {
                try disk.write(bytes, to: path, isDurable: false)
            } else {
                try disk.makeFolder(path)
            }
        }
        let said = run.log.said(after: calls.count)
        let end = (run.log.records.dropFirst(calls.count).first ?? calls.last)?.time ?? 0
        let (isPaced, speed) = (run.root == powered.root, Double(Self.ownSpeed))
        let demand = Judge.Demand(
            disk: .cut, holdsShown: false,
            readings: isPaced ? demanded(said, until: end, speed: speed) : [:],
            latestOrigin: isPaced ? speed : 0)
        return try judge.violations(
            in: site.output, after: Judge.Screen(said.map(\.line).joined(separator: "\n")), demanding: demand,
            scratch: site.scratch)
    }

    /// A sync fails, and the power at some call after that.
    private func judgedCut(
        afterSync sync: Int, _ variant: Int, by judge: Judge, at site: CaseFolder
    ) throws(FileFailure) -> [String] {
        let outcome = try start(
            site, ["calls=sync,syncAll", "fail=\(sync):\(EIO)", "log=\(site.log)"])
        var run = undisturbed
        (run.log, run.root) = (try site.calls(), site.disk)
        guard let code = outcome.code else { return ["the run hangs"] }
        guard [0, 74].contains(code),
            let failed = run.log.records.firstIndex(where: { $0.result < 0 && $0.kind == .sync })
        else { return ["the run ends with \(code), but sync \(sync) failed"] }
        var chance = SplitMix64(seed: seed &+ UInt64(variant))
        let record = failed + chance.index(below: run.log.records.count - failed)
        let mode: PowerCut = variant.isMultiple(of: 2) ? .least : .any
        return try judgedCut(
            mode, of: run, after: record, variant, by: judge, at: CaseFolder(named: "cut", in: site.folder))
    }
}

/// The folder in which one case is tried.
struct CaseFolder {
    let folder: String
    private let name: String
    private let above: Folder

    /// What the faults are for.
    var disk: String { "\(folder)/disk" }
    var output: String { "\(disk)/results" }
    var scratch: String { "\(folder)/scratch" }
    var log: String { "\(folder)/log" }

    init(named name: String, in folder: String) throws(FileFailure) {
        self.name = name
        self.folder = "\(folder)/\(name)"
        above = try Folder(folder)
        if above.exists(name) { try above.removeAll(name) }
        for path in [name, "\(name)/disk", "\(name)/scratch"] { try above.makeFolder(path) }
    }

    func faults(_ faults: [String]) -> String { (["root=\(disk)"] + faults).joined(separator: ";") }

    /// The calls that the preloaded library recorded; none if it had no time to.
    func calls() throws(FileFailure) -> FaultLog {
        let within = try Folder(folder)
        return FaultLog(parsing: within.exists("log") ? try within.read("log") : [])
    }

    func remove() throws(FileFailure) { try above.removeAll(name) }
}
