import Platform
import Results
import StudyModel
import TextFormat

/// Looks at what a broken run left, with the list of what its screen had said.
struct Judge {
    let program: Program
    /// Who takes part in the run: first the one who is asked.
    var people = [Drill.participant]
    /// The visits of a run of the same study to which nothing happens, in order, by participant.
    var whole: [String: [WholeVisit]] = [:]
    /// What the sources really give, by participant, as far as the drill knows.
    var hearts: [String: TrueHeart] = [:]
    /// Whether tables and exports are tried too; they take most of the time.
    var isThorough: Bool

    /// A visit of a run to which nothing happens.
    struct WholeVisit: Hashable {
        var samples: Int
        var recorderErrors: [String]
    }

    /// What must be in a result, besides what every result must have.
    struct Demand {
        /// What a disk did to the run.
        enum Disk { case good, failing, cut }

        var disk = Disk.good
        /// Whether steps that were shown must be there, not only those that were saved: they need not be after a power
        /// cut.
        var holdsShown = true
        /// Whether the run said that it had ended well, so that nothing at all may be missing.
        var endedWell = false
        /// Readings that must be there, by participant.
        var readings: [String: [TrueHeart.Reading]] = [:]
        /// How long after the run its source may have begun, seconds of the run: 0 in virtual time.
        var latestOrigin = 0.0
        /// When the run began, seconds since 1970; `nil` if anything may stand there.
        var start: ClosedRange<Double>?
    }

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
    func violations(
        in output: String, after screen: Screen, demanding demand: Demand = Demand(), scratch: String
    ) throws(FileFailure) -> [String] {
        let names = try Self.bundles(in: output)
        guard !names.isEmpty else {
            return screen.saved > 0 || demand.readings.values.contains { !$0.isEmpty }
                ? ["nothing is left of a run that had said 'Saved' or had recorded"] : []
        }
        var violations: [String] = []
        if demand.endedWell, names.contains(where: { $0.hasSuffix(".running") }) {
            violations.append("the run ends with 0, but its bundle is not sealed")
        }
        let copy = "\(scratch)/copy"
        _ = try Program.run(["cp", "-a", output, copy], in: scratch)
        violations += try ended(["recover", output], scratch)
        let open = try Program.run(["find", output, "-mindepth", "1", "-perm", "/077"], in: scratch)
        if open.code != 0 || !open.said.isEmpty {
            violations.append("not only its owner can read: \(open.said.prefix(300))")
        }
        let left = try Self.bundles(in: output)
        if left.isEmpty, screen.saved == 0 { return violations }
        guard 1...people.count ~= left.count, !demand.endedWell || left.count == people.count,
            !left.contains(where: { $0.hasSuffix(".running") })
        else {
            return violations + ["after the recovery there is: \(left.joined(separator: ", "))"]
        }
        let bundles = left.map { "\(output)/\($0)" }
        violations += try ended(["verify"] + bundles, scratch)
        var missing = people
        for bundle in bundles { violations += wrong(with: bundle, screen, demand, &missing) }
        let isDemanded = missing.first == people.first && screen.saved > 0
        for person in missing where isDemanded || demand.readings[person]?.isEmpty == false {
            violations.append("nothing is left of \(person)")
        }
        _ = try program.run(["recover", copy], in: scratch)
        let difference = try Program.run(["diff", "-rq", output, copy], in: scratch)
        if difference.code != 0 {
            violations.append("recovering a copy gives other bytes: \(difference.said)")
        }
        if isThorough {
            violations += try ended(["collate", output, "--out", "\(scratch)/tables"], scratch)
            violations += try ended(
                ["export"] + bundles + ["--to", "bids", "--include-simulated", "--out", "\(scratch)/bids"],
                scratch)
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

    /// - Parameter missing: loses the participant of the bundle.
    private func wrong(
        with path: String, _ screen: Screen, _ demand: Demand, _ missing: inout [String]
    ) -> [String] {
        let bundle: ResultBundle
        do throws(FileFailure) { bundle = try ResultBundle(at: path) } catch { return [error.description] }
        let person = bundle.manifest.participant
        guard let place = missing.firstIndex(of: person) else { return ["\(person) is in it by mistake"] }
        missing.remove(at: place)
        // The screen speaks of the one who is asked.
        let screen = person == people.first ? screen : Screen("")
        let (whole, heart) = (whole[person] ?? [], hearts[person])
        var found = self.missing(from: bundle, screen, demand, whole)
        for (index, visit) in bundle.visits.enumerated() {
            // What a failing disk has cost is no violation where the result tells it.
            let isTold = !visit.recorderErrors.isEmpty || visit.isSkipped
            let isSaved = index < screen.saved
            let isWhole =
                switch demand.disk {
                case .good: true
                case .failing: !isTold
                case .cut: isSaved && !isTold
                }
            let count = visit.sampleCount
            if isSaved, !isTold, index < whole.count, count != whole[index].samples {
                found.append(
                    "the screen called '\(visit.identifier)' saved, but it has \(count) of \(whole[index].samples) samples"
                )
            }
            found +=
                heart?.problems(in: visit, of: bundle, isWhole: isWhole, latestOrigin: demand.latestOrigin)
                ?? []
        }
        let demanded = demand.readings[person] ?? []
        let lost = heart?.missing(demanded, from: bundle, latestOrigin: demand.latestOrigin) ?? []
        if let first = lost.first {
            found.append(
                "\(lost.count) of \(demanded.count) readings are lost that had arrived a second before, from "
                    + "\(first.offset) s on")
        }
        if !Self.hasAscendingTimes(bundle) { found.append("times in the journal run back") }
        if let start = demand.start, !start.contains(Double(bundle.manifest.start.seconds)) {
            found.append("it began at \(start), and the result says \(bundle.manifest.start.seconds)")
        }
        return found
    }

    private func missing(
        from bundle: ResultBundle, _ screen: Screen, _ demand: Demand, _ whole: [WholeVisit]
    ) -> [String] {
        var found: [String] = []
        let visits = bundle.visits
        if visits.count < screen.saved {
            found.append("the screen called \(screen.saved) steps saved, but the result has \(visits.count)")
        }
        let begun = screen.isSaving ? screen.shown : screen.shown - 1
        if demand.holdsShown, visits.count < begun {
            found.append("\(begun) steps had begun, but the result has \(visits.count)")
        }
        if demand.endedWell,
            bundle.manifest.isRecovered
                || !whole.isEmpty && visits.map(\.recorderErrors) != whole.map(\.recorderErrors)
        {
            found.append("the run ends with 0, but something is lost")
        }
        return found
    }

    private static func hasAscendingTimes(_ bundle: ResultBundle) -> Bool {
        let lines = (try? bundle.contents(of: "journal.jsonl"))?.split(separator: UInt8(ascii: "\n")) ?? []
        let times = lines.dropFirst().map { (try? JSON(parsing: Array($0)))?["t"]?.integer }
        return zip(times, times.dropFirst()).allSatisfy { earlier, later in
            if let earlier, let later { earlier <= later } else { false }
        }
    }
}

extension ResultBundle.Visit {
    /// How many samples its recordings hold; verifying compares this with the files.
    var sampleCount: Int { recordings.reduce(0) { $0 + $1.sampleCount } }
}
