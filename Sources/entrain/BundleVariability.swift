import Physiology
import Results

/// What `entrain hrv` says of a bundle.
struct BundleVariability {
    /// A step with intervals.
    struct StepFindings {
        var identifier: String
        var visit: Int
        var findings: VariabilityFindings
    }

    /// Of the whole run; `nil` where there are too few intervals.
    let findings: VariabilityFindings?
    let steps: [StepFindings]

    init(of bundle: ResultBundle) throws {
        var all: [ResultBundle.HeartRate] = []
        var steps: [StepFindings] = []
        for step in bundle.steps {
            let samples = try bundle.beatSamples(in: step)
            all += samples
            guard let findings = VariabilityFindings(IntervalStretches(samples)) else { continue }
            steps.append(
                StepFindings(
                    identifier: step.identifier, visit: step.userInfo["visit"]?.number.map { Int($0) } ?? 1,
                    findings: findings))
        }
        all.sort { ($0.runOffset, $0.arrivalOffset) < ($1.runOffset, $1.arrivalOffset) }
        findings = VariabilityFindings(IntervalStretches(all.withoutRepetitions))
        self.steps = steps
    }

    var json: JSON {
        var members = findings?.members ?? ["count": 0]
        members["steps"] = .list(
            steps.map { step in
                var members = step.findings.members
                members["identifier"] = .text(step.identifier)
                members["visit"] = .integer(step.visit)
                return .members(members)
            })
        return .members(members)
    }

    var text: String {
        guard let findings else { return "no intervals between beats were recorded\n" }
        var lines: [String] = []
        for step in steps {
            lines.append(step.identifier + (step.visit > 1 ? " (visit \(step.visit))" : ""))
            lines += step.findings.lines.map { "  " + $0 } + [""]
        }
        lines.append("the whole run")
        lines += findings.lines.map { "  " + $0 }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension ResultBundle {
    /// The samples of a step that have intervals, in order of time, each once; of several sources the first that
    /// has any.
    func beatSamples(in step: Step) throws(BundleFailure) -> [HeartRate] {
        var samples: [HeartRate] = []
        for file in step.files where file.isHeartRate {
            samples += try heartRates(in: file).filter { !$0.rrIntervals.isEmpty }
        }
        let source = samples.first?.source
        return samples.filter { $0.source == source }
            .sorted { ($0.runOffset, $0.arrivalOffset) < ($1.runOffset, $1.arrivalOffset) }.withoutRepetitions
    }
}

extension [ResultBundle.HeartRate] {
    /// Without samples that stand twice, as where two recorders listen to one source.
    fileprivate var withoutRepetitions: [ResultBundle.HeartRate] {
        var kept: [ResultBundle.HeartRate] = []
        for sample in self where kept.last != sample { kept.append(sample) }
        return kept
    }
}

extension IntervalStretches {
    /// Of a bundle's samples, in order of time.
    init(_ samples: [ResultBundle.HeartRate]) {
        self.init(times: samples.map(\.runOffset), intervals: samples.map(\.rrIntervals))
    }
}
