import ArgumentParser
import BundleReplay
import Console
import Glibc
import MonitorClient
import Participants
import Physiology
import Recordings
import Results
import Signals
import Sound
import StudyModel
import TextFormat

package struct Variability: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hrv",
        abstract: "Computes the heart-rate variability of intervals or of a bundle.",
        discussion: """
            A FILE holds intervals between beats in milliseconds, one a line or separated by spaces or commas. It may also \
            be a recording with intervals that 'entrain import' understands, or an ECG, in which Entrain detects the beats; \
            '-' is standard input. For a bundle, every step is shown. Everything is computed twice: from the intervals as they are, and with artefacts corrected \
            (Lipponen and Tarvainen 2019). LF and HF need 120 s without a gap. --window and --hop show how it changes \
            over time, such as --window 60 --hop 5. --against compares the beats and intervals with those of another \
            recording of the same heart, such as those of a watch with an ECG; FILE is the one that is right, and --as, \
            --time and --rate are said of it.
            """)

    @Argument(help: "Intervals, a recording, a result bundle or a folder with bundles.", completion: .file())
    var file: String

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    @Flag(help: "Remove slow trends before the spectrum is computed (smoothness priors, Tarvainen 2002).")
    var detrend = false

    @Option(help: ArgumentHelp("Compute it in windows of so many seconds, 10 or more.", valueName: "seconds"))
    var window: Double?

    @Option(help: ArgumentHelp("With --window: seconds from one window to the next.", valueName: "seconds"))
    var hop: Double?

    @Option(
        help: ArgumentHelp("Another recording of the same heart: how far the two agree.", valueName: "file"),
        completion: .file())
    var against: String?

    @Option(
        help: ArgumentHelp(
            "With --against: an SVG file to draw the differences to (Bland and Altman).", valueName: "file"))
    var plot: String?

    @OptionGroup var guidance: GuideOptions

    func validate() throws {
        if let window, !(10...86_400).contains(window) {
            throw ValidationError("--window takes 10 to 86400 seconds")
        }
        if let hop, !(0.1...86_400).contains(hop) {
            throw ValidationError("--hop takes 0.1 to 86400 seconds")
        }
        if hop != nil, window == nil { throw ValidationError("--hop belongs to --window") }
        if plot != nil, against == nil { throw ValidationError("--plot belongs to --against") }
        if against != nil, window != nil { throw ValidationError("--window does not go with --against") }
    }

    func run() throws {
        try reporting {
            if let against {
                try reportAgreement(with: against)
            } else if isFolder(file) {
                guard window == nil else {
                    throw StudyFailure(
                        "--window takes a file of intervals; a bundle is shown step by step", .usage)
                }
                try report(BundleSearch.given([file]).bundles)
            } else {
                try report(IntervalList(contentsOf: file, guidance.guide))
            }
        }
    }

    private func report(_ list: IntervalList) throws {
        for warning in list.reading.warnings { Output.remark("\(warning)") }
        guard let findings = VariabilityFindings(list.intervals, isDetrended: detrend) else {
            throw SourceFailure(
                "\(printable(file)): \(list.intervals.count) intervals are too few: variability needs 3 that follow "
                    + "each other", isBadData: true)
        }
        switch format {
        case .json:
            for line in list.reading.changes { Output.remark("\(line)") }
            var members = findings.members
            members["understood"] = .texts(list.reading.assumptions)
            if !list.reading.doubts.isEmpty {
                members["verdict"] = "doubtful"
                members["doubts"] = .texts(list.reading.doubts)
            }
            if let ecg = list.reading.ecg { members["ecg"] = ecg.json }
            if window != nil { members["windows"] = .list(windows(of: list).map { .members($0.json) }) }
            Output.say(json: JSON.members(members))
        case .text:
            let head =
                ["understood as " + list.reading.assumptions.joined(separator: "; ")] + list.reading.changes
            let over = windows(of: list).map(\.line)
            let title =
                over.isEmpty ? [] : ["", "from s  intervals  per minute   RMSSD    SDNN    SD1    SD2"]
            Output.emit(.lines((findings.lines + head + title + over).joined(separator: "\n") + "\n"))
        }
    }

    /// The result for each window; empty without `--window`.
    private func windows(of list: IntervalList) -> [WindowFindings] {
        guard let window else { return [] }
        return list.intervals.windows(of: window, every: hop ?? window).compactMap { part in
            VariabilityFindings(part.intervals, isDetrended: detrend).map {
                WindowFindings(start: part.start, findings: $0)
            }
        }
    }

    /// A folder with bundles is a list in JSON, as with `entrain show`.
    private func report(_ bundles: [String]) throws {
        let isOne = bundles == [file]
        var list: [JSON] = []
        for path in bundles {
            let found = try BundleVariability(of: ResultBundle(at: path), isDetrended: detrend)
            switch format {
            case .json: list.append(isOne ? found.json : ["bundle": .text(path), "variability": found.json])
            case .text: Output.emit(.lines((isOne ? "" : "\(printable(path))\n") + found.text))
            }
        }
        if format == .json { Output.say(json: isOne ? list[0] : .list(list)) }
    }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension DetectedECG {
    var json: JSON {
        [
            "channel": .text(channel), "samplingRate": .real(samplingRate), "beats": .integer(beats),
            "detectedBy": .text("entrain"), "seconds": .real(seconds),
            "missingSeconds": .real(missingSeconds), "coveredSeconds": .real(coveredSeconds),
            "refusedSeconds": .real(refusedSeconds),
            "segments": .list(
                segments.map {
                    [
                        "start": .real(($0.start * 1000).rounded() / 1000), "seconds": .real($0.seconds),
                        "quality": .real(($0.quality * 1000).rounded() / 1000),
                    ]
                }),
        ]
    }
}

/// The variability of one window.
private struct WindowFindings {
    /// The window's start, in seconds of intervals since the first.
    var start: Double
    var findings: VariabilityFindings

    var json: [String: JSON] {
        var members = findings.members
        members["start"] = .real((start * 1e6).rounded() / 1e6)
        return members
    }

    /// The line for the corrected intervals.
    var line: String {
        let (time, plot) = (findings.corrected.time, findings.corrected.nonlinear)
        return padded(oneDecimal(start), to: 6, isRight: true)
            + padded("\(time.count)", to: 11, isRight: true)
            + padded(oneDecimal(time.heartRate), to: 12, isRight: true)
            + [time.rmssd, time.sdnn, plot.sd1, plot.sd2].map { padded(oneDecimal($0), to: 8, isRight: true) }
            .joined()
            + (findings.verdict == .usable ? "" : "  " + findings.verdict.rawValue)
    }
}

extension VariabilityFindings.Verdict {
    /// The warning; `nil` if there is none.
    func warning(_ share: Double) -> String? {
        switch self {
        case .usable: nil
        case .manyCorrected:
            "careful: \(oneDecimal(100 * share)) % of the intervals were corrected, more than 5 %: look at the recording "
                + "before you use these figures"
        case .irregular:
            "no verdict: the intervals follow no rhythm, as in atrial fibrillation or if the values are not intervals; "
                + "variability then says nothing about the autonomic nervous system"
        }
    }
}

extension VariabilityFindings {
    /// The keys of `entrain hrv`.
    var members: [String: JSON] {
        var members = raw.members
        members["gaps"] = .integer(gaps)
        members["verdict"] = .text(verdict.rawValue)
        members["correctedShare"] = .real(correctedShare)
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

    /// The lines for people.
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
        line("SD1", "ms") { $0.nonlinear.sd1 }
        line("SD2", "ms") { $0.nonlinear.sd2 }
        line("DFA α1", "") { $0.nonlinear.alpha1 }
        line("SampEn", "") { $0.nonlinear.sampleEntropy }
        line("VLF", "ms²") { $0.frequency?.vlf }
        line("LF", "ms²") { $0.frequency?.lf }
        line("HF", "ms²") { $0.frequency?.hf }
        line("total", "ms²") { $0.frequency?.total }
        line("LF", "% of LF and HF") { $0.frequency?.lfNormalized }
        line("LF/HF", "") { $0.frequency?.ratio }
        if corrected.frequency == nil {
            lines.append(
                "no LF and HF: "
                    + (corrected.time.sdnn < 1e-6
                        ? "the intervals do not vary"
                        : "they need \(whole(FrequencyDomain.shortestDuration)) s without a gap"))
        }
        let kinds = IntervalCorrection.Artefact.Kind.allCases.compactMap { kind in
            let count = artefacts.count { $0.kind == kind }
            return count > 0 ? "\(count) \(kind.words)" : nil
        }
        lines.append("artefacts: " + (kinds.isEmpty ? "none" : kinds.joined(separator: ", ")))
        if let warning = verdict.warning(correctedShare) { lines.append(warning) }
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
            "sd1": .real(nonlinear.sd1), "sd2": .real(nonlinear.sd2),
        ]
        if let alpha1 = nonlinear.alpha1 { members["dfaAlpha1"] = .real(alpha1) }
        if let entropy = nonlinear.sampleEntropy { members["sampleEntropy"] = .real(entropy) }
        if let frequency {
            if let vlf = frequency.vlf, let total = frequency.total {
                members["vlf"] = .real(vlf)
                members["totalPower"] = .real(total)
            }
            members["lfNormalized"] = .real(frequency.lfNormalized)
            members["hfNormalized"] = .real(frequency.hfNormalized)
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
