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
    /// The calls of a run that nothing happens to, and the folder that they were below.
    let log: FaultLog
    private let root: String
    /// More options of `entrain run`: what stands in for the study's sources, and the arm.
    let options: [String]
    /// Whether the study is the drill's own.
    let isOwn: Bool
    /// What its screen said.
    let screen: Judge.Screen
    /// The samples of each of its visits.
    let whole: [Int]
    /// Whether sound can be tried: the drill's own study, on a machine where PulseAudio starts.
    let hasSound: Bool

    /// Runs the study once with nothing broken, to learn its calls.
    ///
    /// - Throws: `FileFailure` where that run does not end as it should.
    package init(
        _ study: String, isOwn: Bool, with program: Program, in folder: String, seed: UInt64,
        options: [String] = []
    ) throws(FileFailure) {
        (self.study, self.isOwn, self.options) = (study, isOwn, options)
        self.program = program
        self.seed = seed
        try Folder.make(folder)
        guard let full = realPath(folder) else {
            throw FileFailure("open", folder, .system(code: errno))
        }
        self.folder = full
        let site = try CaseFolder(named: "whole", in: self.folder)
        let outcome = try program.run(
            Self.arguments(study, out: site.output, options: options),
            faults: site.faults(["log=\(site.log)"]),
            in: site.scratch)
        guard outcome.code == 0 else {
            throw FileFailure(
                "run", study,
                .malformed("it ends with \(outcome.code ?? -1) unbroken: \(outcome.errorOutput.suffix(400))"))
        }
        root = site.disk
        log = FaultLog(parsing: try Folder(site.folder).read("log"))
        screen = Judge.Screen(outcome.said)
        let names = try Judge.bundles(in: site.output)
        guard let name = names.first, log.callCount > 0 else {
            throw FileFailure(
                "run", study, .malformed("its calls cannot be seen: is the library preloaded?"))
        }
        let bundle = try ResultBundle(at: "\(site.output)/\(name)")
        whole = bundle.visits.map { Judge.sampleCount(of: $0, in: bundle) }
        hasSound = try isOwn ? SoundCard.isThere(in: site.scratch) : false
        try site.remove()
    }

    static func arguments(
        _ study: String, out: String, speed: String = "max", options: [String] = []
    ) -> [String] {
        [
            "run", study, "--participant", "P01", "--seed", "1", "--auto", "--plain", "--speed", speed,
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
        let calls = 1...log.callCount
        var campaigns: [[DrillCase.Fault]] = [calls.map { .kill(call: $0) }]
        campaigns.append(
            stride(from: 2, through: log.callCount, by: 2).map {
                .killRecovery(call: $0, recoveryCall: 1 + chance.index(below: 40))
            })
        campaigns.append((0..<40).map { _ in .killAt(milliseconds: 30 + chance.index(below: 3000)) })
        for mode in PowerCut.allCases {
            campaigns.append(
                log.records.indices.flatMap { index in
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
        campaigns.append([.short(bytes: 7), .short(bytes: 64), .slow(milliseconds: 20)])
        campaigns.append(
            [-86400, 3600, -1].map { .clock(seconds: $0, call: 1 + chance.index(below: log.callCount)) })
        campaigns.append(MonitorFault.allCases.map { .monitor($0) })
        if hasSound { campaigns.append(SoundFault.allCases.map { .sound($0) }) }
        if isOwn {
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

    /// The name of the study that the drill brings with it.
    package static let ownStudyName = "drill.yaml"

    private func count(of kinds: [FaultRecord.Kind]) -> Int {
        log.records.count { $0.number > 0 && kinds.contains($0.kind) }
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
        let judge = Judge(program: program, whole: whole, isThorough: isThorough)
        switch fault {
        case .kill(let call):
            let outcome = try start(site, ["kill=\(call)"])
            return try judged(outcome, [137, 0], by: judge, at: site)
        case .killRecovery(let call, let recoveryCall):
            let outcome = try start(site, ["kill=\(call)"])
            _ = try program.run(
                ["recover", site.output], faults: site.faults(["kill=\(recoveryCall)"]), in: site.scratch)
            return try judged(outcome, [137, 0], by: judge, at: site)
        case .killAt(let milliseconds):
            let outcome = try program.run(
                arguments(out: site.output, speed: "60"), in: site.scratch,
                atMost: .milliseconds(milliseconds))
            // What it had recorded by then differs from run to run.
            return try Judge(program: program, whole: [], isThorough: isThorough).violations(
                in: site.output, after: Judge.Screen(outcome.said), mustHoldShown: true, scratch: site.scratch
            )
        case .cut(let mode, let record, let variant):
            return try judgedCut(mode, after: record, variant, leaving: [], by: judge, at: site)
        case .fail(let error, let call, let isLasting):
            let outcome = try start(
                site,
                [
                    "calls=\(error.calls.map { "\($0)" }.joined(separator: ","))",
                    "fail=\(call)\(isLasting ? "+" : ""):\(error.code)",
                ])
            // A disk that takes nothing more cannot take what began after that.
            return try judged(outcome, [74, 0], by: judge, at: site, mustHoldShown: !isLasting)
        case .short(let bytes):
            return try judged(start(site, ["short=\(bytes)"]), [0], by: judge, at: site)
        case .slow(let milliseconds):
            return try judged(start(site, ["slow=\(milliseconds * 1000)"]), [0], by: judge, at: site)
        case .clock(let seconds, let call):
            return try judged(start(site, ["clock=\(call):\(seconds)"]), [0], by: judge, at: site)
        case .source(let source): return try judgedSource(source, at: site)
        case .monitor(let monitor): return try judgedMonitor(monitor, at: site)
        case .sound(let sound): return try judgedSound(sound, at: site)
        case .terminal(let milliseconds):
            return try judgedTerminal(
                hangingUp: milliseconds > 0 ? .milliseconds(milliseconds) : nil, at: site)
        }
    }

    private func start(_ site: CaseFolder, _ faults: [String]) throws(FileFailure) -> Program.Outcome {
        try program.run(
            arguments(out: site.output), faults: site.faults(faults), in: site.scratch)
    }

    func judged(
        _ outcome: Program.Outcome, _ codes: [Int], by judge: Judge, at site: CaseFolder,
        mustHoldShown: Bool = true
    ) throws(FileFailure) -> [String] {
        guard let code = outcome.code else { return ["the run hangs"] }
        var violations: [String] = []
        if !codes.contains(code) {
            violations.append("the run ends with \(code): \(outcome.errorOutput.suffix(300))")
        }
        let said = Judge.Screen(outcome.said)
        if code == 0, said != screen {
            violations.append("the run ends with 0, but its screen differs from that of an undisturbed run")
        }
        return try violations
            + judge.violations(
                in: site.output, after: said, mustHoldShown: mustHoldShown, scratch: site.scratch)
    }

    /// - Parameter omitted: records that are left out: a sync that the program forgot, say.
    func judgedCut(
        _ mode: PowerCut, after record: Int, _ variant: Int, leaving omitted: Set<Int>, by judge: Judge,
        at site: CaseFolder
    ) throws(FileFailure) -> [String] {
        var model = DiskModel()
        var said = ""
        for (index, call) in log.records.enumerated() where index <= record && !omitted.contains(index) {
            model.apply(call, below: root)
            if call.kind == .say { said += String(decoding: call.bytes, as: UTF8.self) }
        }
        var chance = SplitMix64(seed: seed &+ UInt64(record) &* 1_000_003 &+ UInt64(variant))
        let disk = try Folder(site.disk)
        for (path, bytes) in model.state(mode, chance: &chance) {
            if let bytes {
                try disk.write(bytes, to: path, isDurable: false)
            } else {
                try disk.makeFolder(path)
            }
        }
        return try judge.violations(
            in: site.output, after: Judge.Screen(said), mustHoldShown: false, scratch: site.scratch)
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

    func remove() throws(FileFailure) { try above.removeAll(name) }
}
