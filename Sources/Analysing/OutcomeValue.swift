import Datasets
import Participants
import Physiology
import StudyModel
import TextFormat

/// One value of an outcome: from one visit of a step, or from one answer.
struct OutcomeValue: Sendable {
    var participant: String
    var run: String
    var session: Int
    /// The number of the visit within the session, from 1.
    var place: Int
    var task: String
    var arm: String?
    var round: Round
    /// The round of the visit before it in the session.
    var before: Round?
    var value: Double
    /// The baseline; `nil` if the outcome is not relative to anything.
    var baseline: Double?
    /// The larger share of the intervals between beats that were corrected, of the value and its baseline, 0...1; 0
    /// where intervals do not count.
    var correctedShare = 0.0
    /// Whether the value, or its baseline, was not reached within the step's time.
    var isCensored = false
    /// The lowest share of a recording with samples, including the baseline's, 0...1. This and the next values are
    /// only set for a primary outcome.
    var coverage: Double?
    /// Whether the session was completed, with no step left early.
    var isPerProtocol = true
    /// The same value from later on, for heart rates if there is enough data.
    var later: Later?

    /// What may have differed between visits.
    struct Round: Hashable, Sendable {
        var condition: String?
        var clip: String?
        /// The values of the outcome's factors; empty if it names none, or if one has no value.
        var levels: [String] = []
    }

    /// A value that leaves out more of the step's beginning.
    struct Later: Sendable {
        var value: Double
        var baseline: Double?

        /// How many more seconds are left out.
        static let delay = 10.0
    }

    /// The value minus its baseline.
    var change: Double { value - (baseline ?? 0) }
}

/// A visit that was left out of an outcome, and why.
package struct OutcomeExclusion: Sendable {
    package var participant: String
    package var run: String
    package var reason: Reason
    /// The visit, as values have it.
    var session: Int
    var arm: String?
    var place: Int
    var round: OutcomeValue.Round

    /// Why a visit was left out.
    package enum Reason: String, Error, Sendable, CaseIterable {
        case declined = "the participant did not agree"
        case discarded = "the session was discarded"
        case leftEarly = "the step was left early"
        case replaced = "the experimenter repeated the step"
        case notHeard = "the clip was never heard"
        case fewBeats = "too few heart rates or intervals"
        case notRated = "no ratings"
        case notTapped = "no tap was near a beat"
        case clipHadHoles = "the clip had holes, so the beats at its taps are not known"
        case noReaction = "no key came in time"
        case wrongKey = "the key was wrong"
        case notAnswered = "not answered"
        case notEnded = "neither the condition nor the time ended the step"
        case noReference = "no visit of the step to which it is relative"
        case noReferenceValue = "the value to which it is relative is missing"
    }
}

/// Says what it means that values are missing because participants left; `nil` if nobody did.
///
/// - Parameter leavers: those who left a session before its end, or a step of whose values some are missing.
func dropoutWarning(_ leavers: Set<String>) -> String? {
    guard !leavers.isEmpty else { return nil }
    return
        "\(counted(leavers.count, "participant")) left the session or a step early, and values of theirs are missing. "
        + "If leaving depends on how somebody responds, the differences are biased, and no interval shows it."
}

/// The values of each outcome in one run.
struct OutcomesOfRun: Sendable {
    private(set) var values: [Outcome: [OutcomeValue]] = [:]
    private(set) var exclusions: [Outcome: [OutcomeExclusion]] = [:]

    init(_ run: RecordedRun, _ outcomes: [Outcome]) {
        for outcome in outcomes {
            // The same in every text of a study, whatever rank the text gives it.
            var key = outcome
            key.rank = .usual
            add(key, of: run, isPrimary: outcome.rank == .primary)
        }
    }

    private mutating func add(_ outcome: Outcome, of run: RecordedRun, isPrimary: Bool) {
        let visits = run.visits(of: outcome.subject, outcome.measure)
        var before: OutcomeValue.Round?
        for (place, index) in visits.enumerated() {
            let round = run.round(of: outcome, at: index)
            defer { before = round }
            do throws(OutcomeExclusion.Reason) {
                let (value, baseline, correctedShare) = try run.values(of: outcome, at: index)
                var own = OutcomeValue(
                    participant: run.session.participant, run: run.session.run,
                    session: run.session.session, place: place + 1, task: run.session.task,
                    arm: run.session.arm, round: round, before: before, value: value,
                    baseline: baseline, correctedShare: correctedShare,
                    isCensored: run.isCensored(outcome, at: index))
                if isPrimary { run.describe(&own, of: outcome, at: index) }
                values[outcome, default: []].append(own)
            } catch {
                exclusions[outcome, default: []].append(
                    OutcomeExclusion(
                        participant: run.session.participant, run: run.session.run, reason: error,
                        session: run.session.session, arm: run.session.arm, place: place + 1, round: round))
            }
        }
    }
}

extension RecordedRun {
    /// The visits that give the measure. A score counts all rounds of its block so far, so only the last visit of each
    /// pass has its value.
    fileprivate func visits(of subject: Outcome.Subject, _ measure: Outcome.Measure) -> [Int] {
        let all = steps.indices.filter { steps[$0].gives(subject, measure) }
        guard measure == .score else { return all }
        return all.indices.filter { place in
            place == all.count - 1 || beginsPass(at: all[place + 1], after: all[place])
        }.map { all[$0] }
    }

    /// Whether a visit of a step belongs to another pass through its block than the visit of the step before it.
    private func beginsPass(at index: Int, after before: Int) -> Bool {
        let (own, last) = (steps[index], steps[before])
        guard own.name == last.name, own.outerRound == last.outerRound else { return true }
        if last.isReplaced || steps[before..<index].contains(where: \.wentBack) { return false }
        guard let round = own.round, let lastRound = last.round else { return true }
        return round <= lastRound
    }

    /// Records what other choices of values depend on.
    fileprivate func describe(_ value: inout OutcomeValue, of outcome: Outcome, at index: Int) {
        let other = outcome.reference.flatMap { reference($0, outcome.measure, of: index) }
        value.coverage = [steps[index].coverage, other.flatMap { steps[$0].coverage }].compactMap(\.self)
            .min()
        value.isPerProtocol =
            session.status == "completed" && (session.skippedSteps == 0 || outcome.measure == .duration)
        if [.heartRate, .rmssd, .sdnn].contains(outcome.measure),
            let later = try? values(of: outcome, at: index, delay: OutcomeValue.Later.delay)
        {
            value.later = .init(value: later.0, baseline: later.baseline)
        }
    }

    /// Whether a step of the outcome was over before its condition held, or before the participant ended it.
    fileprivate func isCensored(_ outcome: Outcome, at index: Int) -> Bool {
        guard [.recovery, .duration].contains(outcome.measure) else { return false }
        let other = outcome.reference.flatMap { reference($0, outcome.measure, of: index) }
        return [index, other].compactMap(\.self).contains { place in
            outcome.measure == .recovery ? steps[place].endedBy == "duration" : !steps[place].isEndedEarly
        }
    }

    /// The value of a visit, its baseline, and the share of the intervals that were corrected.
    ///
    /// - Parameter delay: how much more of the visit's beginning is left out, s.
    fileprivate func values(
        of outcome: Outcome, at index: Int, delay: Double = 0
    ) throws(OutcomeExclusion.Reason) -> (Double, baseline: Double?, correctedShare: Double) {
        if session.status == "declined" { throw .declined }
        if session.status == "discarded" { throw .discarded }
        let step = steps[index]
        if step.isReplaced { throw .replaced }
        if outcome.measure == .evokedRate { return (try evokedRate(at: index), nil, 0) }
        guard let subject = outcome.reference else {
            let (value, share) = try step.value(of: outcome.measure, outcome.subject, delay)
            return (value, nil, share)
        }
        guard let place = reference(subject, outcome.measure, of: index) else { throw .noReference }
        if outcome.measure == .heartRate { return try step.heartRate(relativeTo: steps[place], delay) }
        let (value, share) = try step.value(of: outcome.measure, outcome.subject, delay)
        do throws(OutcomeExclusion.Reason) {
            let (baseline, other) = try steps[place].value(of: outcome.measure, subject, isReference: true)
            return (value, baseline, max(share, other))
        } catch {
            throw .noReferenceValue
        }
    }

    /// The change after the onset of a step. It reaches into the steps around it.
    private func evokedRate(at index: Int) throws(OutcomeExclusion.Reason) -> Double {
        let step = steps[index]
        if step.isSkipped { throw .leftEarly }
        if step.stimulus != nil, step.onset == nil { throw .notHeard }
        let intervals = steps.flatMap(\.intervals).map { (time: $0.offset, length: $0.value) }
        guard
            let change = HeartRateCourse.evoked(
                at: step.onset ?? step.start, by: intervals.sorted { $0.time < $1.time })
        else { throw .fewBeats }
        return change
    }

    /// What may have differed between a visit and others.
    fileprivate func round(of outcome: Outcome, at index: Int) -> OutcomeValue.Round {
        let step = steps[index]
        let levels = { (sources: [[String: String]]) in
            let found = outcome.factors.compactMap { factor in
                sources.lazy.compactMap { $0[factor.text] }.first
            }
            return found.count == outcome.factors.count ? found : []
        }
        if outcome.measure == .score, step.round != nil {
            // It counts all rounds of its block, whose conditions it therefore does not have.
            return OutcomeValue.Round(condition: step.outerCondition, levels: levels([step.outerValues]))
        }
        let answer = step.answers.first { $0.question == outcome.subject.item?.text }
        let clip = step.stimulus ?? answer?.clip
        // A clip may be heard several times, and be new only once.
        let heard = clip.flatMap { name in
            steps[...index].last { $0.stimulus == name } ?? steps.first { $0.stimulus == name }
        }
        return OutcomeValue.Round(
            condition: step.condition, clip: clip,
            levels: levels([step.values, heard?.clipValues ?? [:]]))
    }

    /// The visit that another is relative to: of the same round if both are in one block, otherwise the last one
    /// before it, otherwise the first one after it.
    private func reference(_ subject: Outcome.Subject, _ measure: Outcome.Measure, of index: Int) -> Int? {
        let own = steps[index]
        let all = visits(of: subject, measure).filter { $0 != index && !steps[$0].isReplaced }
        let inRound = all.filter {
            !own.block.isEmpty && steps[$0].block == own.block && steps[$0].round == own.round
        }
        if let nearest = inRound.min(by: { abs($0 - index) < abs($1 - index) }) { return nearest }
        return all.last { $0 < index } ?? all.first
    }
}

extension RecordedRun.Step {
    /// The identifiers of its blocks; empty outside of blocks.
    fileprivate var block: Substring {
        name.lastIndex(of: ".").map { name[..<$0] } ?? ""
    }

    fileprivate func gives(_ subject: Outcome.Subject, _ measure: Outcome.Measure) -> Bool {
        guard subject.steps.contains(name) else { return false }
        // Nobody was to react, and nobody did.
        if measure == .reactionTime, answers.contains(where: \.isRightlyWithheld) { return false }
        return measure.facts.giver == .step || answers.contains { $0.question == subject.item?.text }
    }

    private var heart: StepHeart {
        StepHeart(
            rates: rates.map { ($0.offset, $0.value) }, intervals: intervals.map { ($0.offset, $0.value) },
            onset: onset ?? start, end: end)
    }

    /// The value, and the share of the intervals that were corrected for it.
    fileprivate func value(
        of measure: Outcome.Measure, _ subject: Outcome.Subject, _ delay: Double = 0,
        isReference: Bool = false
    ) throws(OutcomeExclusion.Reason) -> (Double, correctedShare: Double) {
        if isSkipped, measure.facts.giver == .step, measure != .duration || !isEndedEarly { throw .leftEarly }
        if measure == .heartRate {
            let mean = try heartRate(delay)
            return (mean.rate, mean.correctedShare)
        }
        guard measure == .rmssd || measure == .sdnn else {
            return (try value(of: measure, subject.item?.text), 0)
        }
        let (variability, share) = try variability(delay, wholly: isReference)
        return (measure == .rmssd ? variability.rmssd : variability.sdnn, share)
    }

    /// A value that needs no intervals between beats.
    private func value(of measure: Outcome.Measure, _ item: String?) throws(OutcomeExclusion.Reason) -> Double
    {
        switch measure {
        case .heartRate, .rmssd, .sdnn, .evokedRate: throw .fewBeats
        case .rating:
            let values = ratings.filter { $0.dimension == item }.map(\.value)
            guard !values.isEmpty else { throw .notRated }
            return values.mean
        case .answer:
            // A prompt may be asked several times in a visit.
            let values = answers.filter { $0.question == item }.compactMap(\.value)
            guard !values.isEmpty else { throw .notAnswered }
            return values.mean
        case .score:
            guard let value = answers.last(where: { $0.question == item })?.value else {
                throw .notAnswered
            }
            return value
        case .duration:
            guard let lasted else { throw .notEnded }
            return lasted
        case .recovery:
            // A condition that did not hold in time counts with all of the time; see Decisions.
            guard ["until", "duration"].contains(endedBy), let lasted else { throw .notEnded }
            return lasted
        case .timeInBand:
            guard let inBand else { throw .fewBeats }
            return inBand * 100
        case .reactionTime:
            guard let reaction = answers.last(where: { $0.reaction != nil })?.reaction else {
                throw .noReaction
            }
            guard reaction.isRight else { throw .wrongKey }
            return reaction.time * 1000
        case .asynchrony, .tapConsistency:
            guard isClipWhole else { throw .clipHadHoles }
            let taps = TapSummary([taps])
            guard let asynchrony = taps.meanAsynchrony, let consistency = taps.vectorLength else {
                throw .notTapped
            }
            return measure == .asynchrony ? asynchrony * 1000 : consistency
        }
    }

    /// Mean rate from 5 s after the start or the clip's onset, weighted by time, 1/min.
    private func heartRate(_ delay: Double) throws(OutcomeExclusion.Reason) -> HeartRateMean {
        if stimulus != nil, onset == nil { throw .notHeard }
        guard let mean = heart.mean(delay: delay) else { throw .fewBeats }
        return mean
    }

    fileprivate func heartRate(
        relativeTo reference: RecordedRun.Step, _ delay: Double
    ) throws(OutcomeExclusion.Reason) -> (Double, baseline: Double?, correctedShare: Double) {
        if isSkipped { throw .leftEarly }
        if stimulus != nil, onset == nil { throw .notHeard }
        do throws(HeartRateResponse.Missing) {
            let response = try HeartRateResponse(
                rest: reference.measured(until: reference.end), restEnd: reference.end,
                stretch: measured(until: end), start: (onset ?? start) + delay)
            return (response.mean, response.baseline, response.correctedShare)
        } catch {
            switch error {
            case .baseline: throw .noReferenceValue
            case .stretch: throw .fewBeats
            }
        }
    }

    /// - Parameter wholly: whether the first seconds count too, as they do in a rest.
    private func variability(
        _ delay: Double, wholly: Bool
    ) throws(OutcomeExclusion.Reason) -> (HeartRateVariability, correctedShare: Double) {
        guard let found = heart.variability(delay: delay, wholly: wholly) else { throw .fewBeats }
        return found
    }
}
