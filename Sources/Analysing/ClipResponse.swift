import Datasets
import Participants
package import Physiology
import StudyModel

/// How a participant's heart responded to one clip.
package struct ClipResponse: Sendable {
    package var participant: String
    package var run: String
    /// The number of the participant's session.
    package var session: Int
    /// The position of the clip within the session, from 1.
    package var place: Int
    /// The clip that was heard before it in the session.
    package var before: HeardClip?
    /// The step that played it, and the number of its visit.
    package var step: String
    package var visit: Int
    package var clip: String
    package var mood: String?
    /// Beats per minute of the music.
    package var tempo: Double?
    /// The response relative to the last 60 s of the rest before it.
    package var heartRate: HeartRateResponse
    /// The share of the clip that has samples, 0...1.
    package var coverage: Double?
    /// How RMSSD changed; `nil` if one side has too few intervals.
    package var variability: VariabilityChange?
    /// The course of the heart rate from the clip's onset, second by second; `nil` if nobody asked for it.
    package var course: HeartRateCourse?

    /// Mean heart rate during the clip minus that of the rest before it, 1/min.
    package var change: Double { heartRate.change }
    /// What was heard.
    package var heard: HeardClip { HeardClip(name: clip, mood: mood, tempo: tempo) }
}

/// A clip, with what its catalogue says about it.
package struct HeardClip: Hashable, Sendable {
    package var name: String
    package var mood: String?
    /// Beats per minute of the music.
    package var tempo: Double?
}

/// How RMSSD changed from the rest to the clip.
package struct VariabilityChange: Hashable, Sendable {
    /// RMSSD during the clip minus that of the rest before it, ms.
    package var change: Double
    /// RMSSD in the rest, ms.
    package var baseline: Double
    /// Whether it may be compared with RMSSD of longer recordings.
    package var validity: Validity

    /// How comparable an RMSSD is.
    package enum Validity: String, Hashable, Sendable {
        case valid
        /// One side has less than 60 s of intervals (Munoz et al. 2015, doi 10.1371/journal.pone.0138921).
        case ultraShort
    }

    /// Artefacts are corrected on both sides.
    init?(from rest: IntervalStretches, to clip: IntervalStretches) {
        guard min(rest.count, clip.count) >= StepHeart.fewestIntervals,
            let before = HeartRateVariability(rest.stretches),
            let during = HeartRateVariability(clip.stretches),
            let restful = HeartRateVariability(rest.corrected.stretches),
            let listening = HeartRateVariability(clip.corrected.stretches)
        else { return nil }
        change = listening.rmssd - restful.rmssd
        baseline = restful.rmssd
        validity = before.isUltraShort || during.isUltraShort ? .ultraShort : .valid
    }
}

/// A clip that was left out of an analysis, and why.
package struct Exclusion: Sendable {
    package var participant: String
    package var run: String
    package var clip: String
    package var reason: Reason

    /// Why a clip was left out.
    package enum Reason: String, Sendable, CaseIterable {
        case declined = "the participant did not agree"
        case discarded = "the session was discarded"
        case leftEarly = "the clip was left early"
        case replaced = "the experimenter repeated the step"
        case notHeard = "the clip was never heard"
        case noBaseline = "no rest with heart rates between it and the clip before"
        case fewInBaseline = "fewer than 5 samples in the last 60 s of the rest"
        case fewInClip = "fewer than 5 samples in the clip after its first 5 s"
    }
}

/// The responses of one run.
struct RunResponses: Sendable {
    let session: RecordedSession
    private(set) var responses: [ClipResponse] = []
    private(set) var exclusions: [Exclusion] = []
    /// Ratings second by second while clips were heard; empty without `withCourse`.
    private(set) var ratings: [RatedClip] = []
    /// The run's steps, if several participants took part at once.
    let sharedSteps: [SharedStep]
    let outcomes: OutcomesOfRun
    let baseline: [(question: String, answer: Characteristic.Answer)]
    /// The titles of the clips that have one, by clip.
    let clipTitles: [String: String]

    /// - Parameters:
    ///   - outcomes: the outcomes of its study.
    ///   - withCourse: whether each response gets a course, second by second.
    init(_ recorded: RecordedRun, outcomes: [Outcome] = [], withCourse: Bool = false) {
        session = recorded.session
        self.outcomes = OutcomesOfRun(recorded, outcomes)
        baseline = recorded.baseline
        clipTitles = recorded.steps.reduce(into: [:]) { titles, step in
            if let clip = step.stimulus, let title = step.stimulusTitle { titles[clip] = title }
        }
        let isGiven = session.status != "declined" && session.status != "discarded"
        sharedSteps = isGiven ? SharedStep.all(of: recorded) : []
        if withCourse, isGiven {
            ratings = recorded.steps.flatMap { RatedClip.all(of: $0, by: session.participant) }
        }
        for (index, step) in recorded.steps.enumerated() {
            guard let clip = step.stimulus else { continue }
            do throws(NoResponse) {
                responses.append(
                    try response(to: clip, at: index, in: recorded.steps, withCourse: withCourse))
            } catch {
                exclusions.append(
                    Exclusion(
                        participant: session.participant, run: session.run, clip: clip, reason: error.reason))
            }
        }
    }

    private struct NoResponse: Error { var reason: Exclusion.Reason }

    private func response(
        to clip: String, at index: Int, in steps: [RecordedRun.Step], withCourse: Bool
    ) throws(NoResponse) -> ClipResponse {
        let step = steps[index]
        if session.status == "declined" { throw NoResponse(reason: .declined) }
        if session.status == "discarded" { throw NoResponse(reason: .discarded) }
        if step.isReplaced { throw NoResponse(reason: .replaced) }
        if step.isSkipped { throw NoResponse(reason: .leftEarly) }
        guard let onset = step.onset else { throw NoResponse(reason: .notHeard) }
        let between = steps[..<index].reversed().filter { !$0.isReplaced }.prefix { $0.stimulus == nil }
        let measured = between.lazy.map { (rest: $0, measured: $0.measured(until: .infinity)) }
        guard
            let (rest, before) = measured.first(where: {
                !$0.measured.rates.isEmpty || !$0.measured.intervals.isEmpty
            })
        else { throw NoResponse(reason: .noBaseline) }
        let during = step.measured(until: step.end)
        let heartRate = try Self.heartRate(in: during, from: onset, after: before, until: rest.end)
        let earlier = steps[..<index].compactMap(\.heard)
        return ClipResponse(
            participant: session.participant, run: session.run, session: session.session,
            place: earlier.count + 1, before: earlier.last, step: step.name, visit: step.visit,
            clip: clip, mood: step.mood, tempo: step.tempo, heartRate: heartRate, coverage: step.coverage,
            variability: VariabilityChange(
                from: rest.stretches { _ in true },
                to: step.stretches { onset + HeartRateResponse.settling <= $0 && $0 <= step.end }),
            course: withCourse
                ? HeartRateCourse(
                    of: heartRate,
                    .init(
                        rates: before.rates + during.rates, intervals: before.intervals + during.intervals),
                    in: onset...max(onset, step.end)) : nil)
    }

    private static func heartRate(
        in stretch: HeartRateResponse.Measured, from onset: Double,
        after rest: HeartRateResponse.Measured, until restEnd: Double
    ) throws(NoResponse) -> HeartRateResponse {
        do {
            return try HeartRateResponse(rest: rest, restEnd: restEnd, stretch: stretch, start: onset)
        } catch {
            switch error {
            case .baseline: throw NoResponse(reason: .fewInBaseline)
            case .stretch: throw NoResponse(reason: .fewInClip)
            }
        }
    }
}

extension RecordedRun.Step {
    /// The clip, in part or whole.
    fileprivate var heard: HeardClip? {
        onset == nil ? nil : stimulus.map { HeardClip(name: $0, mood: mood, tempo: tempo) }
    }

    /// What was measured up to a moment, in order of time.
    func measured(until end: Double) -> HeartRateResponse.Measured {
        let inOrder = { (values: [RecordedRun.Value]) in
            values.filter { $0.offset <= end }.sorted { $0.offset < $1.offset }
        }
        return .init(
            rates: inOrder(rates).map { ($0.offset, $0.value) },
            intervals: inOrder(intervals).map { ($0.offset, $0.value) })
    }

    /// The intervals whose ends `isWanted` accepts.
    func stretches(where isWanted: (Double) -> Bool) -> IntervalStretches {
        let wanted = intervals.filter { isWanted($0.offset) }.sorted { $0.offset < $1.offset }
        return IntervalStretches(times: wanted.map(\.offset), intervals: wanted.map { [$0.value] })
    }
}
