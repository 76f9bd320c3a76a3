import Datasets
import Physiology
import StudyFile
import StudyModel
import TextFormat

extension Study {
    /// A warning about each outcome that no participant can have, because its steps are too short or their clips have no
    /// beats.
    func outcomesWithoutValue(at parsed: ParsedStudy) -> [Diagnostic] {
        zip(outcomes, parsed.outcomePlaces).compactMap { outcome, place in
            let tasks = tasks + arms.flatMap(\.tasks)
            let given = tasks.flatMap(\.placedSteps).filter { outcome.subject.steps.contains($0.path) }
                .map(\.step)
            let reasons = given.map { noValue(of: outcome.measure, in: $0) }
            guard let first = reasons.first, let reason = first, !reasons.contains(nil) else { return nil }
            return Diagnostic(
                .warning, .noValue,
                "no value of '\(outcome.measure.rawValue)' is possible for '\(outcome.subject.name)': \(reason)",
                at: place, help: outcome.measure.remedyForNoValue)
        }
    }

    /// Why a step never gives a value; `nil` if it can.
    private func noValue(of measure: Outcome.Measure, in step: Step) -> String? {
        switch measure {
        case .heartRate, .rmssd, .sdnn:
            guard let timing = step.facts.timing else { return nil }
            let longest = (timing.longest - (timing.stimulus?.onset ?? .zero)) / .seconds(1)
            guard longest <= measure.leastTime else { return nil }
            return
                "it is measured for at most \(plainNumber(longest)) s, of which the first \(plainNumber(HeartRateResponse.settling)) do not count"
        case .asynchrony, .tapConsistency:
            guard let use = step.active?.stimulus else { return "the step plays no clip" }
            let clips = clips(of: use.choice)
            return clips.isEmpty || clips.contains { $0.beats != nil } ? nil : "no clip of the step has beats"
        case .rating, .answer, .score, .recovery, .timeInBand, .reactionTime: return nil
        }
    }

    private func clips(of choice: Stimulus.Use.Choice) -> [Stimulus] {
        let set: Identifier
        switch choice {
        case .play(let clip): return [clip]
        case .draw(let name, _), .roundOf(let name), .answered(_, let name, _): set = name
        case .nearest(let nearest): set = nearest.set
        }
        return stimulusSets.first { $0.identifier == set }?.pool ?? []
    }
}

extension Outcome.Measure {
    /// No heart is so fast that a shorter step has a value, s.
    fileprivate var leastTime: Double {
        let shortestInterval = 0.25
        let isVariability = self == .rmssd || self == .sdnn
        return HeartRateResponse.settling
            + (isVariability ? shortestInterval * Double(StepHeart.fewestIntervals) : 0)
    }

    fileprivate var remedyForNoValue: String {
        switch self {
        case .heartRate: "make the step longer: half a minute gives a mean that can be relied on"
        case .rmssd, .sdnn: "make the step longer: a minute is the least for the variability of a heart"
        case .asynchrony, .tapConsistency: "give the clips 'beats' in their catalogue, or name another step"
        case .rating, .answer, .score, .recovery, .timeInBand, .reactionTime: "name another step"
        }
    }
}
