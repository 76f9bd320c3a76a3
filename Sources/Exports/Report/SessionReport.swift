package import BundleReplay
import Datasets
import Physiology
package import Platform
package import Results
package import StudyModel
import TextFormat

/// A page about one run: heart rate, steps, clips and gaps, its timing, the draws, and the quality of the data.
package struct SessionReport {
    private let run: ExportedRun
    private let draws: [Draw]
    private let expected: ExpectedRates
    private let beats: BeatsChart
    private let title: String
    /// The titles of steps that have one, by path.
    private let titles: [String: String]

    /// - Parameters:
    ///   - expected: the heart rates that the study expects.
    ///   - study: the run's study, for the titles of its steps; `nil` shows what the result calls them.
    /// - Throws: `FileFailure` if the bundle is not as it was sealed.
    package init(of bundle: ResultBundle, expected: ExpectedRates, in study: Study? = nil)
        throws(FileFailure)
    {
        let source = try ExportSource(of: bundle)
        do {
            run = try ExportedRun(source)
            beats = try BeatsChart(of: run)
            draws = bundle.manifest.isPseudonymised ? [] : try bundle.plan().draws
        } catch {
            throw FileFailure("read", bundle.path, .malformed("\(error)"))
        }
        self.expected = expected
        title = study?.title.text(in: study?.languages.first) ?? run.source.study
        let task = run.source.task
        let placed = (study?.tasks ?? []).filter { $0.identifier.text == task }.flatMap(\.placedSteps)
        titles = placed.reduce(into: [:]) { titles, placed in
            // A title with a value of the round differs from visit to visit.
            let title = placed.step.title?.text(in: study?.languages.first)
            titles[placed.path] = title.flatMap { $0.contains("{") ? nil : $0 }
        }
    }

    /// The page.
    package var html: String {
        let source = run.source
        var page = ReportPage(
            title: "\(title), participant \(source.participant), session \(source.session)")
        if source.origin != .recorded {
            page.addWarnings(["This run is not known to come from a participant: \(source.originText)."])
        }
        page.addSection(
            "Heart rate",
            "<p class=\"answer\">\(HTML.escaped(answer))</p>\n"
                + HeartRateChart(of: run, expected: expected, titles: titles, answer).html)
        page.addSection("Beats", note: beats.note, beats.html)
        page.addSection("The run", facts)
        page.addSection(
            "Steps",
            note:
                "Beginnings are given since the run's start. Means are those of the intervals if they cover a step, otherwise of "
                + "the rates as notified.", steps)
        page.addSection(
            "Timing", note: timingNote, HTML.details("Each moment", TimingChart(of: run, timingNote).html))
        page.addSection("Draws", HTML.details("What was drawn, and from how many", drawTable))
        page.addSection("Data quality", quality)
        page.add(
            "<footer>Run \(HTML.cell(source.run)), study file SHA-256 "
                + "\(HTML.cell(source.studySHA256)), entrain \(HTML.cell(source.program)).</footer>\n")
        return page.text
    }

    /// The heart rate of the whole run, in a sentence.
    private var answer: String {
        let samples = run.mainSamples
        let rates = samples.map(\.value)
        guard let low = rates.min(), let high = rates.max() else { return "No heart rate was recorded." }
        let mean = HeartRateMean(
            of: samples.map { ($0.runOffset, $0.value) }, run.mainIntervals,
            in: 0...max(run.source.duration, 0))
        return
            "The heart rate was \(mean.map { Axis.decimals($0.rate, 1) } ?? "–") per minute on average, and between "
            + "\(Axis.decimals(low, 0)) and \(Axis.decimals(high, 0)) all the time."
    }

    private var facts: String {
        let source = run.source
        let samples = run.mainSamples
        return HTML.facts([
            ("Study", "\(source.study), revision \(source.revision)"), ("Task", source.task),
            ("Participant", source.participant), ("Session", "\(source.session)"),
            ("Origin", source.originText), ("Began", began),
            ("Lasted", "\(Axis.time(source.duration)) (min:s)"),
            (
                "Ended",
                source.status + (source.isRecovered ? ", recovered after a crash" : "")
                    + (source.isClockAdjusted ? ", the clock was changed during the run" : "")
            ),
            (
                "Heart rates",
                samples.isEmpty
                    ? "none"
                    : "\(samples.count)\(from), mean \(mean(samples, in: 0...max(source.duration, 0))) per minute\(others)"
            ),
        ])
    }

    /// The source of the heart rates that are shown, if there are several.
    private var from: String {
        let sources = run.heart.sources
        return sources.count > 1 ? " from \(sources[0].name)" : ""
    }

    /// The sources that are not shown.
    private var others: String {
        run.heart.sources.dropFirst().map { "; \($0.count) from \($0.name) not shown" }.joined()
    }

    /// Date, time and offset from UTC.
    private var began: String {
        let time = run.time(0)
        return "\(time.prefix(10)) \(time.dropFirst(11).prefix(8)) \(time.suffix(6))"
    }

    /// The mean, and what it was worked out from.
    private func mean(_ samples: [ResultBundle.HeartRate], in span: ClosedRange<Double>) -> String {
        let mean = HeartRateMean(
            of: samples.map { ($0.runOffset, $0.value) }, run.mainIntervals, in: span)
        return mean.map {
            Axis.decimals($0.rate, 1) + ($0.origin == .intervals ? " (intervals)" : " (notified)")
        }
            ?? "–"
    }

    private var steps: String {
        let rows = zip(run.steps, run.mainSamplesOfSteps).map { step, samples -> [String] in
            let rates = samples.map(\.value)
            let range = rates.min().flatMap { low in
                rates.max().map { "\(Axis.decimals(low, 0))–\(Axis.decimals($0, 0))" }
            }
            return [
                "\(step.ordinal)",
                HTML.named(titles[step.path], step.path) + (step.visit > 1 ? " (\(step.visit))" : ""),
                Axis.time(step.start), Axis.decimals(step.end - step.start, 1),
                HTML.cell(step.clip.map { $0.title ?? $0.identifier } ?? "–"),
                samples.isEmpty ? "–" : mean(samples, in: step.start...max(step.start, step.end)),
                range ?? "–", rates.isEmpty ? "–" : "\(rates.count)",
                HTML.cell(remarks(on: step)),
            ]
        }
        return HTML.table(
            [
                ("#", true), ("step", false), ("began, min:s", true), ("lasted, s", true), ("clip", false),
                ("mean, 1/min", true), ("range, 1/min", true), ("samples", true),
                ("answers and remarks", false),
            ], rows)
    }

    private func remarks(on step: ResultBundle.Visit) -> String {
        var remarks = step.answers.map { answer in
            let place = answer.prompt.map { " at \(Axis.time($0.planned))" } ?? ""
            let name = answer.question == step.identifier ? "" : "\(answer.question)\(place): "
            let unit = answer.unit.map { " \($0)" } ?? ""
            return name + (answer.text.map { $0 + unit } ?? "not answered")
        }
        if step.isSkipped { remarks.append("left early" + (step.skipReason.map { ": \($0)" } ?? "")) }
        if !step.pauses.isEmpty { remarks.append("paused \(step.pauses.count) times") }
        remarks += step.marks.map { "\($0.title) at \(Axis.time($0.offset)): \($0.remark)" }
        if let changes = step.changesInWords { remarks.append(changes) }
        if let problem = step.clip?.problem { remarks.append(problem) }
        if let underruns = step.clip?.underruns, underruns > 0 { remarks.append("\(underruns) underruns") }
        return (remarks + step.standstillsInWords + step.problems).joined(separator: "; ")
    }

    private var timingNote: String {
        let late = run.steps.flatMap { step in
            step.lateness.map { (titles[step.path] ?? step.path, $0.moment, $0.seconds) }
        }
        guard let worst = late.max(by: { abs($0.2) < abs($1.2) }), let middle = median(late.map { abs($0.2) })
        else {
            return "No moment was planned."
        }
        return "\(late.count) planned moments; half of them within "
            + "\(Axis.decimals(middle * 1000, 2)) ms, the worst "
            + "\(Axis.decimals(worst.2 * 1000, 2)) ms (\(worst.1) of “\(worst.0)”)."
    }

    private var drawTable: String {
        let rows = draws.map { draw -> [String] in
            [
                HTML.cell(draw.stream), HTML.cell(draw.method), "\(draw.pool.count)",
                HTML.cell(draw.chosen.joined(separator: " → ")), draw.row.map { "\($0)" } ?? "–",
            ]
        }
        return HTML.table(
            [("stream", false), ("method", false), ("pool", true), ("chosen", false), ("row", true)], rows)
    }

    private var quality: String {
        let rows = run.steps.flatMap { step in
            step.recordings.map { recording -> [String] in
                let gaps = recording.gaps.map {
                    "\(Axis.time($0.span.lowerBound)) for "
                        + "\(Axis.decimals($0.span.length, 1)) s: \($0.reason)"
                }
                let items = run.items(of: recording)
                let count = items.count
                return [
                    "\(step.ordinal)", HTML.cell(recording.recorder), Axis.time(recording.start),
                    Axis.decimals(recording.end - recording.start, 1), "\(count)",
                    Axis.decimals(recording.coverage * 100, 0), "\(recording.lateSamples)",
                    "\(recording.droppedSamples)",
                    HTML.cell((gaps + (recording.reason.map { [$0] } ?? [])).joined(separator: "; ")),
                ]
            }
        }
        return HTML.table(
            [
                ("step", true), ("recorder", false), ("began, min:s", true), ("lasted, s", true),
                ("items", true),
                ("covered, %", true), ("late", true), ("dropped", true), ("gaps and remarks", false),
            ], rows)
    }
}
