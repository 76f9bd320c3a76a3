import Physiology

/// How a participant's heart answered one clip.
package struct ClipResponse: Sendable {
    package var participant: String
    package var run: String
    package var clip: String
    package var mood: String?
    /// Beats per minute of the music.
    package var tempo: Double?
    /// Mean heart rate of the rest before it, 1/min.
    package var baseline: Double
    /// Mean heart rate in the clip minus that of the rest before it, 1/min.
    package var change: Double
    /// The share of the clip in which samples came, 0...1.
    package var coverage: Double?
    /// How RMSSD changed; `nil` where one side has too few intervals.
    package var variability: VariabilityChange?
}

/// How RMSSD changed from the rest to the clip.
package struct VariabilityChange: Hashable, Sendable {
    /// RMSSD in the clip minus that of the rest before it, ms.
    package var change: Double
    /// Whether it may be compared with that of usual recordings.
    package var validity: Validity

    /// What an RMSSD is worth.
    package enum Validity: String, Hashable, Sendable {
        case valid
        /// One side has less than 60 s of intervals (Munoz et al. 2015, doi 10.1371/journal.pone.0138921).
        case ultraShort
    }

    /// So many seconds of intervals make an RMSSD that may be compared.
    package static let shortestValid = 60.0
    /// An RMSSD of fewer intervals is not taken.
    package static let fewestIntervals = 10

    /// - Parameters:
    ///   - rest: seconds between beats, in order.
    ///   - clip: the same.
    init?(from rest: [Double], to clip: [Double]) {
        guard rest.count >= Self.fewestIntervals, clip.count >= Self.fewestIntervals,
            let before = Self.rmssd(rest), let during = Self.rmssd(clip)
        else { return nil }
        change = during - before
        validity =
            min(rest.reduce(0, +), clip.reduce(0, +)) < Self.shortestValid ? .ultraShort : .valid
    }

    private static func rmssd(_ intervals: [Double]) -> Double? {
        HeartRateSummary(times: [0], rates: [0], rrIntervals: intervals)?.rmssd
    }
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

/// What one run says of its clips.
struct RunResponses: Sendable {
    var run: String
    var study: String
    var participant: String
    var status: String
    private(set) var responses: [ClipResponse] = []
    private(set) var exclusions: [Exclusion] = []

    /// So much of a clip's beginning does not count: the heart has not answered yet. Seconds.
    static let settling = 5.0
    /// A mean of fewer samples is not taken.
    static let fewestSamples = 5

    init(_ recorded: RecordedRun) {
        run = recorded.run
        study = recorded.study
        participant = recorded.participant
        status = recorded.status
        for (index, step) in recorded.steps.enumerated() {
            guard let clip = step.stimulus else { continue }
            do throws(NoResponse) {
                responses.append(try response(to: clip, at: index, in: recorded.steps))
            } catch {
                exclusions.append(
                    Exclusion(participant: participant, run: run, clip: clip, reason: error.reason))
            }
        }
    }

    private struct NoResponse: Error { var reason: Exclusion.Reason }

    private func response(
        to clip: String, at index: Int, in steps: [RecordedRun.Step]
    ) throws(NoResponse) -> ClipResponse {
        let step = steps[index]
        if status == "discarded" { throw NoResponse(reason: .discarded) }
        if step.isSkipped { throw NoResponse(reason: .leftEarly) }
        guard let onset = step.onset else { throw NoResponse(reason: .notHeard) }
        let between = steps[..<index].reversed().prefix { $0.stimulus == nil }
        guard let rest = between.first(where: { !$0.samples.isEmpty }) else {
            throw NoResponse(reason: .noBaseline)
        }
        guard let baseline = Self.mean(rest.samples) else { throw NoResponse(reason: .fewInBaseline) }
        let heard = onset + Self.settling...max(onset + Self.settling, step.end)
        guard let mean = Self.mean(step.samples.filter({ heard.contains($0.offset) })) else {
            throw NoResponse(reason: .fewInClip)
        }
        return ClipResponse(
            participant: participant, run: run, clip: clip, mood: step.mood, tempo: step.tempo,
            baseline: baseline, change: mean - baseline, coverage: step.coverage,
            variability: VariabilityChange(
                from: rest.bestIntervals { _ in true },
                to: step.bestIntervals { heard.contains($0) }))
    }

    /// Weighted by time; `nil` below the fewest samples.
    private static func mean(_ samples: [(offset: Double, rate: Double)]) -> Double? {
        guard samples.count >= fewestSamples else { return nil }
        let sorted = samples.sorted { $0.offset < $1.offset }
        return HeartRateSummary(times: sorted.map(\.offset), rates: sorted.map(\.rate), rrIntervals: [])?.mean
    }
}

extension RecordedRun.Step {
    /// The intervals of the recorder that has most of them, in order, where their ends are wanted.
    fileprivate func bestIntervals(where isWanted: (Double) -> Bool) -> [Double] {
        let best = intervals.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
        return (best?.value ?? []).filter { isWanted($0.offset) }.sorted { $0.offset < $1.offset }
            .map(\.length)
    }
}
