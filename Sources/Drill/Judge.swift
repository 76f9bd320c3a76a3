import Platform
import Results

/// Looks at what a broken run left, with the list of what its screen had said.
struct Judge {
    let program: Program
    /// What a run of the same study records if nothing happens to it: samples of each visit, in order.
    let whole: [Int]
    /// Whether tables and exports are tried too; they take most of the time.
    var isThorough: Bool

    /// What a screen said of steps.
    struct Screen: Hashable {
        var shown: Int
        /// Whether the steps are over: before, the last one may have been shown a moment before it was written down.
        var isSaving: Bool
        var saved: Int
        var isOver: Bool

        /// - Parameter text: what a run said in plain mode, as far as it got.
        init(_ text: some StringProtocol) {
            let lines = text.split(whereSeparator: \.isNewline)
            shown = lines.count { $0.hasPrefix("Step ") && $0.contains(" of ") }
            isSaving = lines.contains { $0.hasPrefix("Saving. ") }
            saved = lines.count { $0.hasPrefix("Saved: ") }
            isOver = lines.contains { $0.hasPrefix("Your data are saved in ") }
        }
    }

    /// What is wrong with the remains in the output folder `output`, in sentences; they are recovered on the way.
    ///
    /// - Parameters:
    ///   - shown: whether steps that were shown must be in the result, not only those that were saved: they need not
    ///     be after a power cut.
    func violations(
        in output: String, after screen: Screen, mustHoldShown: Bool, scratch: String
    ) throws(FileFailure) -> [String] {
        let names = try Self.bundles(in: output)
        guard !names.isEmpty else {
            return screen.saved > 0 ? ["nothing is left of a run that had said 'Saved'"] : []
        }
        let copy = "\(scratch)/copy"
        _ = try Program.run(["cp", "-a", output, copy], in: scratch)
        var violations = try ended(["recover", output], scratch)
        let left = try Self.bundles(in: output)
        if left.isEmpty, screen.saved == 0 { return violations }
        guard left.count == 1, let name = left.first, !name.hasSuffix(".running") else {
            return violations + ["after the recovery there is: \(left.joined(separator: ", "))"]
        }
        let bundle = "\(output)/\(name)"
        violations += try ended(["verify", bundle], scratch)
        violations += missing(from: bundle, screen, mustHoldShown)
        _ = try program.run(["recover", copy], in: scratch)
        let difference = try Program.run(["diff", "-rq", output, copy], in: scratch)
        if difference.code != 0 {
            violations.append("recovering a copy gives other bytes: \(difference.said)")
        }
        if isThorough {
            violations += try ended(["collate", output, "--out", "\(scratch)/tables"], scratch)
            violations += try ended(
                ["export", bundle, "--to", "bids", "--include-simulated", "--out", "\(scratch)/bids"], scratch
            )
        }
        return violations
    }

    /// The folders of runs in an output folder, without hidden ones; empty if the folder was never made.
    static func bundles(in output: String) throws(FileFailure) -> [String] {
        do {
            return try Folder(output).entries().map(\.name).filter { !$0.hasPrefix(".") }
        } catch  where error.isNotFound {
            return []
        }
    }

    /// What is wrong with how a command on the remains ends.
    private func ended(
        _ arguments: [String], _ scratch: String
    ) throws(FileFailure) -> [String] {
        let outcome = try program.run(arguments, in: scratch)
        guard let code = outcome.code else { return ["'\(arguments[0])' hangs"] }
        if code == 0 { return [] }
        let last = outcome.errorOutput.isEmpty ? outcome.said : outcome.errorOutput
        return ["'\(arguments[0])' ends with \(code): \(last.prefix(300))"]
    }

    private func missing(from path: String, _ screen: Screen, _ mustHoldShown: Bool) -> [String] {
        let bundle: ResultBundle
        do throws(FileFailure) { bundle = try ResultBundle(at: path) } catch { return [error.description] }
        var found: [String] = []
        let visits = bundle.visits
        if visits.count < screen.saved {
            found.append("the screen called \(screen.saved) steps saved, but the result has \(visits.count)")
        }
        let begun = screen.isSaving ? screen.shown : screen.shown - 1
        if mustHoldShown, visits.count < begun {
            found.append("\(begun) steps had begun, but the result has \(visits.count)")
        }
        for (index, visit) in visits.prefix(screen.saved).enumerated() where index < whole.count {
            let count = Self.sampleCount(of: visit, in: bundle)
            // What a failing disk has cost is no violation where the result tells it.
            if count != whole[index], visit.recorderErrors.isEmpty, !visit.isSkipped {
                found.append(
                    "the screen called '\(visit.identifier)' saved, but it has \(count) of \(whole[index]) samples"
                )
            }
        }
        return found
    }

    /// How many items lie in the recordings of a visit.
    static func sampleCount(of visit: ResultBundle.Visit, in bundle: ResultBundle) -> Int {
        visit.recordings.reduce(0) { sum, recording in
            sum + ((try? bundle.items(in: recording).count) ?? 0)
        }
    }
}
