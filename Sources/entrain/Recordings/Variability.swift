import ArgumentParser
import Glibc
import MonitorClient
import Physiology
import Platform
import Recordings
import Results
import Signals
import Sound
import StudyModel
import StudySession
import TextFormat

struct Variability: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hrv",
        abstract: "Computes the heart-rate variability of intervals or of a bundle.",
        discussion: """
            A FILE holds intervals between beats in milliseconds, one a line or separated by spaces or commas. It may also \
            be a recording with intervals that 'entrain import' understands; '-' is standard input. For a bundle, every \
            step is shown. Everything is computed twice: from the intervals as they are, and with artefacts corrected \
            (Lipponen and Tarvainen 2019). LF and HF need 120 s without a gap.
            """)

    @Argument(help: "Intervals, a recording or a result bundle.", completion: .file())
    var file: String

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    @OptionGroup var guidance: GuideOptions

    func run() throws {
        try reporting {
            if isFolder(file) {
                report(try BundleVariability(of: ResultBundle(at: file)))
            } else {
                try report(IntervalList(contentsOf: file, guidance.guide))
            }
        }
    }

    private func report(_ list: IntervalList) throws {
        guard let findings = VariabilityFindings(list.intervals) else {
            throw SourceFailure(
                "\(printable(file)): \(list.intervals.count) intervals are too few: variability needs 3 that follow "
                    + "each other", isBadData: true)
        }
        switch format {
        case .json:
            if list.skipped > 0 { Output.remark("left out: \(list.skipped) without a reading") }
            if list.areSeconds { Output.remark("the values are so small that they were taken for seconds") }
            Output.say(json: JSON.members(findings.members))
        case .text:
            let head =
                ["understood as " + list.assumptions.joined(separator: "; ")]
                + (list.skipped > 0 ? ["left out: \(list.skipped) without a reading"] : [])
            Output.emit(.lines((findings.lines + head).joined(separator: "\n") + "\n"))
        }
    }

    private func report(_ bundle: BundleVariability) {
        switch format {
        case .json: Output.say(json: bundle.json)
        case .text: Output.emit(.lines(bundle.text))
        }
    }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension VariabilityFindings {
    /// The keys of `entrain hrv`.
    var members: [String: JSON] {
        var members = raw.members
        members["gaps"] = .integer(gaps)
        var fixed = corrected.members
        var found: [String: JSON] = ["count": .integer(artefacts.count)]
        for kind in IntervalCorrection.Artefact.Kind.allCases {
            found[kind.rawValue] = .integer(artefacts.count { $0.kind == kind })
        }
        found["places"] = .list(
            artefacts.map { ["index": .integer($0.index), "kind": .text($0.kind.rawValue)] })
        fixed["artefacts"] = .members(found)
        members["corrected"] = .members(fixed)
        return members
    }

    /// For people.
    var lines: [String] {
        var lines = ["               as it is  corrected"]
        func line(_ name: String, _ unit: String, _ value: (Findings) -> Double?) {
            guard let raw = value(raw), let corrected = value(corrected) else { return }
            lines.append(
                padded(name, to: 11) + padded(oneDecimal(raw), to: 12, isRight: true)
                    + padded(oneDecimal(corrected), to: 11, isRight: true)
                    + "  " + unit)
        }
        lines.append(
            padded("intervals", to: 11) + padded("\(raw.time.count)", to: 12, isRight: true)
                + padded("\(corrected.time.count)", to: 11, isRight: true))
        line("heart rate", "per minute") { $0.time.heartRate }
        line("mean NN", "ms") { $0.time.meanNN }
        line("SDNN", "ms") { $0.time.sdnn }
        line("RMSSD", raw.time.isUltraShort ? "ms, ultra-short (below 60 s)" : "ms") { $0.time.rmssd }
        line("SDSD", "ms") { $0.time.sdsd }
        line("pNN50", "%") { $0.time.pnn50 }
        line("LF", "ms²") { $0.frequency?.lf }
        line("HF", "ms²") { $0.frequency?.hf }
        line("LF/HF", "") { $0.frequency?.ratio }
        if corrected.frequency == nil {
            lines.append("no LF and HF: they need \(whole(FrequencyDomain.shortestDuration)) s without a gap")
        }
        let kinds = IntervalCorrection.Artefact.Kind.allCases.compactMap { kind in
            let count = artefacts.count { $0.kind == kind }
            return count > 0 ? "\(count) \(kind.words)" : nil
        }
        lines.append("artefacts: " + (kinds.isEmpty ? "none" : kinds.joined(separator: ", ")))
        if gaps > 0 { lines.append("gaps: \(gaps); no difference is taken across one") }
        return lines
    }
}

extension VariabilityFindings.Findings {
    fileprivate var members: [String: JSON] {
        var members: [String: JSON] = [
            "count": .integer(time.count), "meanNN": .real(time.meanNN), "sdnn": .real(time.sdnn),
            "rmssd": .real(time.rmssd), "sdsd": .real(time.sdsd), "pnn50": .real(time.pnn50),
            "heartRate": .real(time.heartRate), "seconds": .real(time.duration),
            "ultraShort": .boolean(time.isUltraShort),
        ]
        if let frequency {
            members["lf"] = .real(frequency.lf)
            members["hf"] = .real(frequency.hf)
            members["lfhf"] = .real(frequency.ratio)
        }
        return members
    }
}

extension IntervalCorrection.Artefact.Kind {
    fileprivate var words: String {
        switch self {
        case .ectopic: "ectopic"
        case .extra: "extra"
        case .missed: "missed"
        case .longShort: "long or short"
        }
    }
}
