import BundleReplay
import Datasets
import Physiology
import Results
import StudyModel
import StudySession
import TextFormat

/// The output of `entrain show` about one visit of a step.
struct StepSummary {
    let step: ResultBundle.Visit
    /// In order of time.
    let samples: [ResultBundle.HeartRate]
    private let heartRate: HeartRateSummary?
    private let mean: HeartRateMean?
    private let variability: VariabilityFindings?
    /// The heart's response to the step's clip.
    private let response: HeartRateResponse?
    private let agreement: CurveComparison?
    private let taps: TapSummary?
    /// The lowest share of a recording's time with samples, 0...1.
    private let coverage: Double?
    /// The waveform whose beats are its intervals.
    private let detected: WaveBeats?
    private let refusedSeconds: Double?
    private let breathing: Breathing?

    /// - Parameters:
    ///   - place: where the step stands in the bundle.
    ///   - rest: the last step with heart rates since the clip before.
    ///   - expected: the heart rate that its study expects.
    ///   - taps: what was tapped, apart where a pause was between.
    init(
        of step: ResultBundle.Visit, _ hearts: BundleHearts, at place: Int,
        after rest: ResultBundle.Rest?, expecting expected: ExpectedCourse?, _ taps: [[TapSummary.Tap]]
    ) {
        let (samples, beats) = (hearts.rates[place], hearts.beats[place])
        self.step = step
        self.samples = samples
        (detected, breathing) = (hearts.detected[place], hearts.breathing[place])
        refusedSeconds = hearts.refusedSeconds[place]
        self.taps = step.taps(taps)
        heartRate = HeartRateSummary(times: samples.map(\.runOffset), rates: samples.map(\.value))
        mean = HeartRateMean(
            of: samples.map { ($0.runOffset, $0.value) }, beats.ended,
            in: step.start...max(step.start, step.end))
        variability = VariabilityFindings(IntervalStretches(beats))
        response = rest.flatMap { step.response(of: samples, beats, after: $0) }
        agreement = expected?.comparison(of: samples)
        coverage = step.recordings.filter(\.isHeartRate).map(\.coverage).min()
    }

    private var clip: String? { step.clip?.identifier }

    /// How often the participant moved each rating. A pause or a long file splits a rating into several recordings.
    private var ratings: [(recorder: String, changes: Int)] {
        let rated = step.recordings.filter { $0.rating != nil }
        return Dictionary(grouping: rated, by: \.recorder).sorted { $0.key < $1.key }.map { recorder, parts in
            (recorder, parts.reduce(0) { $0 + ($1.rating?.changes ?? 0) })
        }
    }

    /// A line for each recorder of anything but heart rates, intervals, ratings, taps and displays.
    private var others: [String] {
        let recorded = step.recordings.filter {
            !$0.isHeartRate && !$0.isIntervals && $0.rating == nil && $0.taps == nil && $0.biofeedback == nil
        }
        return Dictionary(grouping: recorded, by: \.recorder).sorted { $0.key < $1.key }.map {
            recorder, parts in
            let count = parts.reduce(0) { $0 + $1.sampleCount }
            let gaps = parts.reduce(0) { $0 + $1.gaps.count }
            let isSound = parts.contains { !$0.holdsItems && !$0.holdsColumns }
            let kind = isSound ? "frame" : "sample"
            let channels = parts.compactMap(\.waves).first.map { [$0.words] } ?? []
            let reasons = parts.compactMap(\.reason).prefix(1).map { printable($0) }
            return "    \(recorder): "
                + ([counted(count, kind)] + channels + [counted(gaps, "gap")] + reasons).joined(
                    separator: ", ")
        }
    }

    /// The lines for people.
    var lines: [String] {
        var head = "  \(step.identifier)"
        if step.visit > 1 { head += " (visit \(step.visit))" }
        if let reason = step.skipReason { head += "  left early: \(reason)" }
        if let first = step.repeats { head += "  repeats step \(first)" }
        if let end = step.endedBy { head += "  ended by \(end)" }
        for answer in step.answers where answer.prompt == nil { head += "  \(answer.words)" }
        let heading =
            [head] + step.programLines + (step.clip.map { ["    clip name: \($0.name)"] } ?? [])
            + (step.trialLines + step.standstillsInWords).map { "    \($0)" }
            + (step.changesInWords.map { ["    clip: \($0)"] } ?? [])
        let rated =
            step.sourceLines + others + step.displayLines + step.cueLines + step.promptLines
            + step.reactionLines
            + ratings.map { "    \($0.recorder): moved \(counted($0.changes, "time"))" }
            + (taps.map { ["    \($0.line(hasClip: step.clip != nil))"] } ?? [])
            + step.marks.map {
                "    marked at \(oneDecimal($0.offset)) s, \($0.title): \(printable($0.remark))"
            }
        let seconds = refusedSeconds ?? 0
        let poor = seconds > 0 ? ["    ECG: \(oneDecimal(seconds)) s too poor for beats"] : []
        let breath = poor + (breathing.map { ["    \($0.line)"] } ?? [])
        guard let heartRate, let mean else { return heading + rated + breath }
        var lines =
            heading + rated + [
                "    heart rate \(whole(heartRate.minimum)) … \(oneDecimal(mean.rate)) … "
                    + "\(whole(heartRate.maximum)) per minute\(remark(of: mean)), \(heartRate.sampleCount) \(hasDetectedRates ? "beats" : "samples")"
                    + (coverage.map { ", \(whole($0 * 100)) % covered" } ?? "")
            ]
        if let response { lines.append("    " + response.line) }
        if let agreement { lines.append("    " + agreement.line) }
        if let variability { lines.append("    " + variability.line) }
        lines += breath
        return lines + ["    " + sparkline(samples.map(\.value), width: 60)]
    }

    /// Whether the heart rates are those of the detected beats.
    private var hasDetectedRates: Bool { detected != nil && samples.first?.source == detected?.source }

    /// What the rate was worked out from, and the other rate if there is one.
    private func remark(of mean: HeartRateMean) -> String {
        let from = detected.map { ", detected in the \(printable($0.source))" } ?? ""
        return (hasDetectedRates ? mean.origin.words : mean.remark) + (mean.origin == .intervals ? from : "")
    }

    var json: JSON {
        var members: [String: JSON] = ["identifier": .text(step.identifier)]
        members["endedBy"] = step.endedBy.map { .text($0) }
        members["program"] = step.program.map(\.json)
        (members["prompts"], members["trial"]) = (step.promptsJSON, step.trial?.json)
        (members["reaction"], members["sources"]) = (step.reactionJSON, step.sourcesJSON)
        members["clip"] = clip.map { .text($0) }
        members["clipTempo"] = step.meanTempo.map { .real($0) }
        members["clipTitle"] = step.clip?.title.map { .text($0) }
        if let heartRate, let mean {
            members["heartRate"] = [
                "minimum": .real(heartRate.minimum), "mean": .real(mean.rate),
                "maximum": .real(heartRate.maximum), "samples": .integer(heartRate.sampleCount),
                "meanFrom": .text(mean.origin.rawValue),
                "beatsFrom": .text(detected?.source ?? "recorded"),
                "intervalMean": mean.byIntervals.map { .real($0) } ?? .null,
                "notifiedMean": mean.notified.map { .real($0) } ?? .null,
            ]
        }
        members["refusedSeconds"] = refusedSeconds.map { .real($0) }
        members["breathing"] = breathing?.json
        if let variability { members["variability"] = .members(variability.members) }
        if let response { members["response"] = response.json }
        if let agreement { members["expected"] = agreement.json }
        if let coverage { members["coverage"] = .real(coverage) }
        if !step.marks.isEmpty {
            members["marks"] = .list(
                step.marks.map {
                    .members([
                        "by": $0.author.map { .text($0) }, "control": $0.control.map { .text($0) },
                        "kind": .text($0.kind), "offset": .real($0.offset),
                        "severity": $0.severity.map { .text($0) }, "text": .text($0.text),
                    ])
                })
        }
        if !step.repeatedCues.isEmpty {
            members["repeatedCues"] = .members(step.repeatedCues.mapValues { .integer($0.count) })
        }
        if let taps { members["taps"] = taps.json }
        if !ratings.isEmpty {
            members["ratings"] = .list(
                ratings.map { ["recorder": .text($0.recorder), "changes": .integer($0.changes)] })
        }
        return .members(members)
    }
}

extension HeartRateMean.Origin {
    /// The words that follow a rate.
    fileprivate var words: String {
        switch self {
        case .intervals: " by the intervals"
        case .notified: " as notified"
        }
    }
}

extension HeartRateMean {
    /// What the rate was worked out from, and the other rate if there is one.
    fileprivate var remark: String {
        guard origin == .intervals, let notified else { return origin.words }
        return origin.words + " (notified \(oneDecimal(notified)))"
    }
}

extension ResultBundle.Visit {
    /// What the step's program measured, and what went wrong with it.
    fileprivate var programLines: [String] {
        guard let program else { return [] }
        let names = Set(program.samples.map(\.name)).sorted()
        let measured = names.map { name in
            "    \(name): \(counted(program.samples.count { $0.name == name }, "sample")) of the program"
        }
        return measured + program.problems.map { "    \(printable($0))" }
    }
}

extension ResultBundle.Visit {
    /// The questions that were asked during the step, each with its askings.
    fileprivate var prompts: [(question: String, askings: [ResultBundle.Answer])] {
        let asked = answers.filter { $0.prompt != nil }
        return Dictionary(grouping: asked, by: \.question).sorted { $0.key < $1.key }.map {
            question, askings in
            (question, askings.sorted { ($0.prompt?.number ?? 0) < ($1.prompt?.number ?? 0) })
        }
    }

    fileprivate var promptLines: [String] {
        prompts.map { question, askings in
            let missed = askings.count { $0.prompt?.isTimedOut == true }
            return "    \(question), asked \(counted(askings.count, "time")): "
                + askings.map { $0.text == nil ? "–" : $0.words }.joined(separator: "  ")
                + (missed > 0 ? "  (\(missed) missed)" : "")
        }
    }

    fileprivate var reactionLines: [String] {
        answers.compactMap(\.reaction).map { reaction in
            guard let time = reaction.time else {
                return "    reaction: "
                    + ["no key came in time", reaction.remark].filter { !$0.isEmpty }.joined(separator: ", ")
            }
            return "    reaction: \(whole(time * 1000)) ms \(reaction.remark)"
        }
    }

    /// The reaction, for programs.
    fileprivate var reactionJSON: JSON? {
        answers.compactMap(\.reaction).last.map { reaction in
            .members([
                "ignoredKeys": .integer(reaction.ignoredKeys), "key": reaction.key.map { .text($0) },
                "measuredFrom": reaction.measuredFrom.map { .text($0) },
                "right": reaction.isRight.map { .boolean($0) }, "time": reaction.time.map { .real($0) },
            ])
        }
    }

    /// Every asking, for programs.
    fileprivate var promptsJSON: JSON? {
        let asked = prompts.flatMap(\.askings)
        guard !asked.isEmpty else { return nil }
        return .list(
            asked.map { asking in
                .members([
                    "answer": asking.number.map { .real($0) } ?? asking.text.map { .text($0) } ?? .null,
                    "endedBy": asking.prompt.map { .text($0.endedBy) },
                    "number": asking.prompt.map { .integer($0.number) },
                    "planned": asking.prompt.map { .real($0.planned) }, "question": .text(asking.question),
                    "shown": asking.prompt?.shown.map { .real($0) },
                ])
            })
    }
}

extension ResultBundle.Program {
    fileprivate var json: JSON {
        [
            "problems": .texts(problems),
            "samples": .list(
                samples.map {
                    ["name": .text($0.name), "offset": .real($0.offset), "value": .real($0.value)]
                }),
        ]
    }
}

extension ResultBundle.Clip {
    /// The title, if the catalogue gives one, and the identifier.
    fileprivate var name: String {
        title.map { "\(printable($0)) (\(identifier))" } ?? identifier
    }
}

extension ResultBundle {
    /// Heart rates of a step without a clip.
    struct Rest {
        /// Seconds since the run's start.
        var end: Double
        var samples: [HeartRate]
        var beats: [BundleHearts.Beats]

        /// `nil` if there are none.
        init?(of step: Visit, _ samples: [HeartRate], _ beats: [BundleHearts.Beats]) {
            guard !samples.isEmpty else { return nil }
            (end, self.samples, self.beats) = (step.end, samples, beats)
        }
    }
}

extension ResultBundle.Visit {
    fileprivate func response(
        of samples: [ResultBundle.HeartRate], _ beats: [BundleHearts.Beats], after rest: ResultBundle.Rest
    ) -> HeartRateResponse? {
        guard let onset = clip?.onset else { return nil }
        let end = clip?.end ?? .infinity
        do {
            return try HeartRateResponse(
                rest: .init(
                    rates: rest.samples.map { ($0.runOffset, $0.value) }, intervals: rest.beats.ended),
                restEnd: rest.end,
                stretch: .init(
                    rates: samples.filter { $0.runOffset <= end }.map { ($0.runOffset, $0.value) },
                    intervals: beats.ended.filter { $0.time <= end }), start: onset)
        } catch {
            return nil
        }
    }
}

extension HeartRateResponse {
    fileprivate var line: String {
        let sign = change < 0 ? "-" : "+"
        return "response \(sign)\(oneDecimal(abs(change))) per minute from \(oneDecimal(baseline)) at rest"
            + " (\(sign)\(oneDecimal(abs(percent))) %"
            + (z.map { ", \(sign)\(oneDecimal(abs($0))) standard deviations" } ?? "") + ")"
            + (hasShortBaseline ? ", of less than 30 s" : "") + origin.words
            + (origin == .intervals
                ? notifiedChange.map { " (notified \($0 < 0 ? "-" : "+")\(oneDecimal(abs($0))))" } ?? "" : "")
    }

    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "baseline": .real(baseline), "mean": .real(mean), "change": .real(change),
            "percent": .real(percent), "shortBaseline": .boolean(hasShortBaseline),
            "from": .text(origin.rawValue), "intervalChange": changeByIntervals.map { .real($0) } ?? .null,
            "notifiedChange": notifiedChange.map { .real($0) } ?? .null,
        ]
        if let z { members["z"] = .real(z) }
        return .members(members)
    }
}

extension CurveComparison {
    fileprivate var line: String {
        "expected: off by \(oneDecimal(meanAbsoluteError)) per minute on average, "
            + "\(oneDecimal(rootMeanSquareError)) root mean square, \(whole(100 * shareInBand)) % of the time within the band"
    }

    fileprivate var json: JSON {
        [
            "meanAbsoluteError": .real(meanAbsoluteError), "rootMeanSquareError": .real(rootMeanSquareError),
            "shareInBand": .real(shareInBand),
        ]
    }
}

extension VariabilityFindings {
    /// The corrected values in one line.
    fileprivate var line: String {
        let time = corrected.time
        var parts = [
            "RMSSD \(whole(time.rmssd)) ms" + (raw.time.isUltraShort ? " (ultra-short)" : ""),
            "SDNN \(whole(time.sdnn)) ms", "pNN50 \(whole(time.pnn50)) %",
        ]
        if let frequency = corrected.frequency { parts.append("LF/HF \(oneDecimal(frequency.ratio))") }
        parts.append("\(time.count) intervals")
        if !artefacts.isEmpty { parts.append("\(artefacts.count) of them corrected") }
        switch verdict {
        case .usable: break
        case .manyCorrected: parts.append("careful: more than 5 %")
        case .irregular: parts.append("no verdict: they follow no rhythm")
        }
        return parts.joined(separator: ", ")
    }
}
