import Datasets
import Physiology
import Results
import StudyModel
import TextFormat

/// The output of `entrain hrv` about a bundle.
struct BundleVariability {
    struct StepFindings {
        var identifier: String
        var visit: Int
        var findings: VariabilityFindings
        var breathing: Breathing?
        /// The waveform in which the beats were detected, if they were.
        var detected: WaveBeats?
        /// How much of its ECG was too poor for beats, seconds; `nil` without one.
        var refusedSeconds: Double?

        var lines: [String] {
            (detected.map { ["beats detected in the \(printable($0.source))\(poor)"] } ?? []) + findings.lines
                + (breathing.map { [$0.line] } ?? [])
        }

        private var poor: String {
            refusedSeconds.flatMap { $0 > 0 ? "; \(oneDecimal($0)) s too poor for beats" : nil } ?? ""
        }
    }

    /// The result for the whole run; `nil` if there are too few intervals.
    let findings: VariabilityFindings?
    private let run: RunDescription
    let steps: [StepFindings]

    /// - Parameter isDetrended: whether slow trends are removed before the spectrum is computed.
    init(of bundle: ResultBundle, isDetrended: Bool) throws {
        let hearts = try BundleHearts(of: bundle)
        run = bundle.manifest.run
        var steps: [StepFindings] = []
        for (place, (step, beats)) in zip(bundle.visits, hearts.beats).enumerated() {
            guard let findings = VariabilityFindings(IntervalStretches(beats), isDetrended: isDetrended)
            else { continue }
            steps.append(
                StepFindings(
                    identifier: step.identifier, visit: step.visit, findings: findings,
                    breathing: hearts.breathing[place], detected: hearts.detected[place],
                    refusedSeconds: hearts.refusedSeconds[place]))
        }
        findings = VariabilityFindings(
            IntervalStretches(hearts.beats.flatMap(\.self)), isDetrended: isDetrended)
        self.steps = steps
    }

    var json: JSON {
        var members = findings?.members ?? ["count": 0]
        members["steps"] = .list(
            steps.map { step in
                var members = step.findings.members
                members["identifier"] = .text(step.identifier)
                members["visit"] = .integer(step.visit)
                members["breathing"] = step.breathing?.json
                members["refusedSeconds"] = step.refusedSeconds.map { .real($0) }
                if let detected = step.detected { members[detected.signal.name] = .text(detected.source) }
                return .members(members)
            })
        return .members(members.merging(run.originMembers) { $1 })
    }

    var text: String {
        guard let findings else { return "no intervals between beats were recorded\n" }
        var lines = [printable(run.originText), ""]
        for step in steps {
            lines.append(step.identifier + (step.visit > 1 ? " (visit \(step.visit))" : ""))
            lines += step.lines.map { "  " + $0 } + [""]
        }
        lines.append("the whole run")
        lines += findings.lines.map { "  " + $0 }
        return lines.joined(separator: "\n") + "\n"
    }
}
