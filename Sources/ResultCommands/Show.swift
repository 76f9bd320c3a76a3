import ArgumentParser
import BundleReplay
import Console
import Datasets
import Participants
import Physiology
import Platform
import Results
import SessionPorts
import StudyModel
import TextFormat

package struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows what bundles hold: steps, clips, heart rates and how punctual the run was.",
        discussion: """
            In JSON, one bundle is an object, and several are a list. With --recording, every item that a recorder kept is \
            shown: as a table with a small picture, or in JSON as one object a line.
            """)

    @Argument(help: "Result bundles, or folders with bundles at any depth.", completion: .directory)
    var bundles: [String]

    @Option(
        help: ArgumentHelp("Show what this recorder kept, item by item.", valueName: "recorder"))
    var recording: String?

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func run() async throws {
        let search = try reporting { try BundleSearch.given(bundles) }
        for line in search.leftOut.lines(unsealed: "left out") { Output.remark("\(line)") }
        if let recording { return try list(recording, in: search.bundles) }
        let (tasks, format, isOne) = (TasksOfBundles(), format, search.bundles.count == 1)
        var failure: (any Error)?
        var separator: TerminalText = format == .json && !isOne ? "[" : ""
        try await inOrder(search.bundles, share: 8) {
            path -> Result<(text: TerminalText, run: String), any Error> in
            Result {
                let summary = try BundleSummary(of: ResultBundle(at: path), tasks)
                let text: TerminalText =
                    format == .json ? .json(summary.json.encoded()) : .lines(summary.text)
                return (text, summary.manifest.runUUID)
            }
        } _: { path, outcome in
            do {
                let (text, run) = try reporting { try outcome.get() }
                Output.emit(separator + text)
                separator = format == .json ? "," : "\n"
                if ResultBundle.folderName(of: path) != run {
                    Output.remark(
                        "note: the folder \(printable(path)) has another name than its run, \(run)")
                }
            } catch {
                failure = failure ?? error
            }
        }
        if format == .json { Output.emit(isOne ? "\n" : separator == "[" ? "[]\n" : "]\n") }
        if let failure { throw failure }
    }

    private func list(_ recorder: String, in bundles: [String]) throws {
        for (place, path) in bundles.enumerated() {
            let listing = try reporting {
                try RecordingListing(of: recorder, in: ResultBundle(at: path))
            }
            switch format {
            case .json: Output.emit(.lines(listing.lines))
            case .text:
                if bundles.count > 1 {
                    Output.emit(.lines((place > 0 ? "\n" : "") + printable(path) + "\n"))
                }
                Output.emit(.lines(listing.text))
            }
        }
    }
}

/// The output of `entrain show` about a bundle.
struct BundleSummary {
    let manifest: Manifest
    let steps: [StepSummary]
    let timing: TimingSummary
    let quality: RunQuality
    /// Which of the study's limits it misses; `nil` if there are no limits.
    let shortfalls: [String]?
    /// When nobody sat at it, s since its start.
    let interruptions: [Range<Double>]

    init(of bundle: ResultBundle, _ tasks: TasksOfBundles) throws(FileFailure) {
        manifest = bundle.manifest
        interruptions = bundle.interruptions
        let task = tasks.task(of: bundle)
        let expected = ExpectedRates(of: task)
        quality = RunQuality(of: bundle.visits)
        shortfalls = task?.quality.map(quality.shortfalls)
        let hearts = try BundleHearts(of: bundle)
        var steps: [StepSummary] = []
        var rest: ResultBundle.Rest?
        for (index, step) in bundle.visits.enumerated() {
            let summary = StepSummary(
                of: step, hearts, at: index, after: rest, expecting: expected[step],
                try bundle.taps(of: step))
            steps.append(summary)
            if step.clip != nil {
                rest = nil
            } else if let next = ResultBundle.Rest(of: step, summary.samples, hearts.beats[index]) {
                rest = next
            }
        }
        self.steps = steps
        timing = TimingSummary(of: bundle.visits)
    }

    var text: String {
        var lines = [
            "\(manifest.study) revision \(manifest.revision), task \(manifest.task), participant "
                + "\(printable(manifest.participant)), session \(manifest.run.sessionInWords)\(manifest.run.arm.inWords)",
            "\(manifest.start.date(of: .start)), \(seconds(manifest.duration.seconds)), "
                + "\(manifest.status.rawValue)\(manifest.isRecovered ? ", recovered" : "")"
                + "\(manifest.isClockAdjusted ? ", the clock was set meanwhile" : "")",
            printable(manifest.run.originText),
        ]
        lines += manifest.run.continues.map { ["continues the run \($0)"] } ?? []
        lines += interruptions.map {
            "interrupted from \(manifest.start.date(of: .start.advanced(by: .seconds($0.lowerBound)))) to "
                + "\(manifest.start.date(of: .start.advanced(by: .seconds($0.upperBound))))"
        }
        lines += manifest.run.gathering.map { ["\($0.text)"] } ?? []
        lines += manifest.run.yokedTo.map { ["clips yoked to the run \($0)"] } ?? []
        lines += manifest.repeatReason.map { ["a repeated session: \(printable($0))"] } ?? []
        lines += manifest.run.deviation.map { ["departed from the protocol: \(printable($0))"] } ?? []
        lines.append("")
        for step in steps { lines += step.lines }
        lines += ["", timing.line] + steps.map(\.step).staircaseLines
        if !quality.phrases.isEmpty { lines.append("quality: \(quality.phrases.joined(separator: ", "))") }
        lines += (shortfalls ?? []).map { "poor: \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }

    var json: JSON {
        var members: [String: JSON] = [
            "study": .text(manifest.study.text), "participant": .text(manifest.participant),
            "session": .integer(manifest.session), "status": .text(manifest.status.rawValue),
            "recovered": .boolean(manifest.isRecovered), "seconds": .real(manifest.duration.seconds),
            "steps": .list(steps.map(\.json)), "timing": timing.json, "quality": .members(quality.members),
        ]
        members["poor"] = shortfalls.map { .texts($0) }
        members["arm"] = manifest.run.arm.map { .text($0.text) }
        members["continues"] = manifest.run.continues.map { .text($0) }
        if !interruptions.isEmpty {
            members["interruptions"] = .list(
                interruptions.map { ["from": .real($0.lowerBound), "to": .real($0.upperBound)] })
        }
        members["sessionName"] = manifest.run.sessionName.map { .text($0.text) }
        members["sessionDay"] = manifest.run.sessionDay.map { .integer($0) }
        members["gathering"] = manifest.run.gathering?.json
        members["yokedTo"] = manifest.run.yokedTo.map { .text($0) }
        members["repeat"] = manifest.repeatReason.map { .text($0) }
        members["deviation"] = manifest.run.deviation.map { .text($0) }
        return .members(members.merging(manifest.run.originMembers) { $1 })
    }
}

extension RunDescription {
    /// Such as `2 (week1, day 7)`.
    var sessionInWords: String {
        let more = [sessionName?.text, sessionDay.map { "day \($0)" }].compactMap(\.self)
        return "\(session)" + (more.isEmpty ? "" : " (\(more.joined(separator: ", ")))")
    }
}

extension Gathering {
    /// Which of several participants this one was.
    fileprivate var text: String {
        place == 1
            ? "\(size) participants took part at once: this one first, who alone was asked (\(uuid))"
            : "\(size) participants took part at once: this one as number \(place), and only the first was asked (\(uuid))"
    }
}

extension RunDescription {
    /// Whether the run is of a participant, for the JSON of a command.
    var originMembers: [String: JSON] {
        ["origin": .text(origin.rawValue), "originNote": .text(originText)]
    }
}

/// How late the planned moments of a run were.
struct TimingSummary {
    /// How many planned moments there were.
    let count: Int
    /// The median distance of moments from their plan, seconds.
    let median: Double?
    /// Where the largest was, and its size with its sign.
    let worst: (step: String, moment: String, lateness: Double)?
    /// The lateness of the last planned moment, seconds.
    let last: Double?

    init(of visits: [ResultBundle.Visit]) {
        let all = visits.flatMap { visit in
            visit.lateness.map { (step: visit.identifier, moment: $0.moment, lateness: $0.seconds) }
        }
        count = all.count
        median = Physiology.median(all.map { abs($0.lateness) })
        worst = all.max { abs($0.lateness) < abs($1.lateness) }
        last = all.last?.lateness
    }

    var line: String {
        guard let worst, let last, let median else { return "no planned moments" }
        return "timing: \(count) planned moments, half of them within \(milliseconds(median)) ms, "
            + "the worst \(milliseconds(worst.lateness)) ms late (\(worst.moment) of \(worst.step)), "
            + "the last \(milliseconds(last)) ms"
    }

    var json: JSON {
        guard let worst, let last, let median else { return ["moments": 0] }
        return [
            "moments": .integer(count), "median": .real(median), "worst": .real(worst.lateness),
            "worstStep": .text(worst.step), "last": .real(last),
        ]
    }

}
