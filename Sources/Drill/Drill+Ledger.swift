import Glibc
import Platform
import Results
import StudyModel
import TextFormat

/// A person who types is allocated to an arm, the run is broken, and the person goes on with it.
extension Drill {
    /// How a run that allocates is broken.
    package enum LedgerFault: String, CaseIterable, Hashable, Sendable { case kill, fail }

    /// What is typed at each step of the study.
    private static let typed = [[""], ["1"], [], ["two words", "33", ""], [], ["9"], [""]]
    /// How the answers stand in the result; the program of the study gives one of them.
    private static let answered = [
        "sex": "female", "words": "two words", "age": "33.0", "hits": "3.0", "effort": "9",
    ]

    /// - Parameter call: the call before which the run is killed, or that fails.
    func judgedLedger(_ fault: LedgerFault, _ call: Int, at site: CaseFolder) throws(FileFailure) -> [String]
    {
        let (scratch, ledger) = (try Folder(site.scratch), "\(site.disk)/ledger")
        let text = PackageResources.drill_ledger_yaml
        try scratch.write(text, to: "draft.yaml", isDurable: false)
        let made = try program.run(
            ["allocation", "create", "\(site.scratch)/draft.yaml", "--out", ledger], in: site.scratch)
        let commitment = made.said.split(whereSeparator: \.isWhitespace).last ?? ""
        let study = String(decoding: text, as: UTF8.self)
            .replacing("  stratify: [sex]\n", with: "  stratify: [sex]\n  commitment: \(commitment)\n")
        try scratch.write(Array(study.utf8), to: "study.yaml", isDurable: false)
        let words = [
            "run", "\(site.scratch)/study.yaml", "--participant", "P01", "--plain", "--out", site.output,
            "--ledger", ledger,
        ]
        let broken = fault == .kill ? "kill=\(call)" : "fail=\(call):\(EIO)"
        let outcome = try type(words, from: 0, faults: site.faults(mistake + [broken]), at: site)
        guard let code = outcome.code, [0, 74, 130, 137].contains(code) else {
            return ["the run ends with \(outcome.code ?? -1): \(outcome.errorOutput.suffix(300))"]
        }
        let judge = Judge(program: program, isThorough: false)
        // What is typed comes so fast that the screen is ahead of the disk by some steps.
        let demand = Judge.Demand(
            disk: fault == .kill ? .good : .failing, holdsShown: false, endedWell: code == 0)
        var violations = try judge.violations(
            in: site.output, after: Judge.Screen(outcome.said), demanding: demand, scratch: site.scratch)
        // A run that is broken between the ledger and its journal has no arm, until the person goes on with it.
        violations += try disagreements(with: code == 0 ? ledger : nil, at: site)
        guard violations.isEmpty, fault == .kill else { return violations }
        return try goneOn(words, with: ledger, at: site)
    }

    /// What is wrong if the person goes on with a run that was killed.
    private func goneOn(
        _ words: [String], with ledger: String, at site: CaseFolder
    ) throws(FileFailure) -> [String] {
        var (step, options): (Int, [String]) = (0, ["--same-person"])
        let left = try Judge.bundles(in: site.output)
        if let name = left.first {
            let bundle = try ResultBundle(at: "\(site.output)/\(name)")
            guard bundle.manifest.status != .completed else { return [] }
            (step, options) = (bundle.visits.count { !$0.isSkipped }, ["--resume"])
        }
        let outcome = try type(words + options, from: step, faults: nil, at: site)
        guard outcome.code == 0 else {
            return [
                "going on ends with \(outcome.code ?? -1): \(outcome.said.suffix(200)) \(outcome.errorOutput.suffix(300))"
            ]
        }
        var violations = try disagreements(with: ledger, at: site)
        for name in try Judge.bundles(in: site.output) where !left.contains(name) {
            let bundle = try ResultBundle(at: "\(site.output)/\(name)")
            let missing = Set(Self.answered.keys).subtracting(
                bundle.visits.flatMap(\.answers).map(\.question))
            if !missing.isEmpty {
                violations.append("after going on there is no answer to \(missing.sorted())")
            }
        }
        return violations
    }

    /// Runs as somebody who types what the steps from one on ask.
    private func type(
        _ words: [String], from step: Int, faults: String?, at site: CaseFolder
    ) throws(FileFailure) -> Program.Outcome {
        let lines = Self.typed.dropFirst(step).joined().map { $0 + "\n" }.joined()
        let name = "typed-\(faults == nil ? 2 : 1)"
        try Folder(site.scratch).write(Array(lines.utf8), to: name, isDurable: false)
        return try Program.run(
            ["sh", "-c", "exec \"$@\" <\"$0\"", "\(site.scratch)/\(name)"] + program.words(faults: faults)
                + words,
            in: site.scratch)
    }

    /// In what the bundles differ from the ledger and from what was typed.
    private func disagreements(with ledger: String?, at site: CaseFolder) throws(FileFailure) -> [String] {
        var violations: [String] = []
        let bundles = try Judge.bundles(in: site.output)
        if let ledger {
            let verified = try program.run(
                ["allocation", "verify", ledger, "--results", site.output], in: site.scratch)
            if verified.code != 0 {
                violations.append("the ledger is wrong: \(verified.errorOutput) \(verified.said)")
            }
        }
        for name in bundles {
            let path = "\(site.output)/\(name)"
            let whole = try program.run(["verify", path], in: site.scratch)
            if whole.code != 0 { violations.append("'verify' ends with \(whole.code ?? -1): \(whole.said)") }
            let visits = try ResultBundle(at: path).visits
            for answer in visits.filter({ !$0.isSkipped }).flatMap(\.answers)
            where answer.words != Self.answered[answer.question] {
                violations.append(
                    "'\(answer.question)' is '\(answer.words)' in the result, and this was not typed")
            }
        }
        return violations
    }
}
