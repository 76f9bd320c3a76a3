import Physiology

/// How a participant's heart answered one clip.
package struct ClipResponse: Sendable {
    package var participant: String
    package var clip: String
    package var mood: String?
    /// Mean heart rate in the clip minus that of the rest before it, 1/min.
    package var change: Double
}

/// A clip that was not taken into an analysis, and why.
package struct Exclusion: Sendable {
    package var participant: String
    package var run: String
    package var clip: String
    package var reason: Reason

    /// Why a clip was left out.
    package enum Reason: String, Sendable, CaseIterable {
        case discarded = "the session was discarded"
        case leftEarly = "the clip was left early"
        case notHeard = "the clip was never heard"
        case noBaseline = "no rest with heart rates between it and the clip before"
        case fewInBaseline = "fewer than 5 samples in the rest"
        case fewInClip = "fewer than 5 samples in the clip after its first 5 s"
    }
}

extension RecordedRun {
    /// So much of a clip's beginning does not count: the heart has not answered yet. Seconds.
    static let settling = 5.0
    /// A mean of fewer samples is not taken.
    static let fewestSamples = 5

    /// The responses to the run's clips, and the clips that have none.
    func responses() -> (responses: [ClipResponse], exclusions: [Exclusion]) {
        var responses: [ClipResponse] = []
        var exclusions: [Exclusion] = []
        for (index, step) in steps.enumerated() {
            guard let clip = step.stimulus else { continue }
            switch change(at: index) {
            case .success(let change):
                responses.append(
                    ClipResponse(participant: participant, clip: clip, mood: step.mood, change: change))
            case .failure(let reason):
                exclusions.append(
                    Exclusion(participant: participant, run: run, clip: clip, reason: reason.reason))
            }
        }
        return (responses, exclusions)
    }

    private struct NoChange: Error { var reason: Exclusion.Reason }

    private func change(at index: Int) -> Result<Double, NoChange> {
        let step = steps[index]
        if status == "discarded" { return .failure(NoChange(reason: .discarded)) }
        if step.isSkipped { return .failure(NoChange(reason: .leftEarly)) }
        guard let onset = step.onset else { return .failure(NoChange(reason: .notHeard)) }
        let between = steps[..<index].reversed().prefix { $0.stimulus == nil }
        guard let rest = between.first(where: { !$0.samples.isEmpty }) else {
            return .failure(NoChange(reason: .noBaseline))
        }
        guard let baseline = Self.mean(rest.samples) else {
            return .failure(NoChange(reason: .fewInBaseline))
        }
        let heard = step.samples.filter { onset + Self.settling <= $0.offset && $0.offset <= step.end }
        guard let mean = Self.mean(heard) else { return .failure(NoChange(reason: .fewInClip)) }
        return .success(mean - baseline)
    }

    /// Weighted by time; `nil` below the fewest samples.
    private static func mean(_ samples: [(offset: Double, rate: Double)]) -> Double? {
        guard samples.count >= fewestSamples else { return nil }
        let sorted = samples.sorted { $0.offset < $1.offset }
        return HeartRateSummary(times: sorted.map(\.offset), rates: sorted.map(\.rate), rrIntervals: [])?.mean
    }
}
