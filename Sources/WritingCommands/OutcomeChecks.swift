import BundleReplay
import Console
import Datasets
import Physiology
import StudyEngine
import StudyFile
import StudyModel
import StudySession
import TextFormat

extension Study {
    /// A warning about each outcome that is compared with nothing: one value a participant, and one arm.
    func outcomesWithoutComparison(at parsed: ParsedStudy) -> [Diagnostic] {
        guard arms.count < 2, sessions.count < 2 else { return [] }
        return zip(outcomes, parsed.outcomePlaces).compactMap { outcome, place in
            guard outcome.reference == nil, outcome.factors.isEmpty, !outcome.measure.isComparison,
                outcome.subject.steps.count == 1,
                tasks.allSatisfy({ task in
                    task.steps.allSatisfy { !compares($0, Set(outcome.subject.steps), "") }
                })
            else { return nil }
            return Diagnostic(
                .warning, .outcomeBaseline,
                "nothing is compared with '\(outcome.subject.name)': each participant has one value, and there is one arm",
                at: place,
                help:
                    "add 'relativeTo', arms, or a block with 'forEach'; if sessions are compared, list them under 'sessions'"
            )
        }
    }

    /// Whether a step, or one within it, has its value under several conditions or with several clips.
    private func compares(_ step: Step, _ paths: Set<String>, _ above: String) -> Bool {
        let path = above + step.identifier.text
        guard let block = step.block else {
            guard paths.contains(path), let choice = step.active?.stimulus?.choice else { return false }
            return clips(of: choice.clips).count > 1
        }
        let isRound = paths.contains { $0.hasPrefix(path + ".") }
        let count = block.set.map { rounds($0)?.pool.count ?? 2 } ?? block.repetitions
        return isRound && count > 1 && block.staircase == nil
            || block.ownSteps.contains { compares($0, paths, path + ".") }
    }

    /// A warning about each outcome that no participant can have, because its steps are too short or their clips have no
    /// beats.
    func outcomesWithoutValue(at parsed: ParsedStudy) -> [Diagnostic] {
        zip(outcomes, parsed.outcomePlaces).compactMap { outcome, place in
            let tasks = tasks + arms.flatMap(\.tasks)
            let given = tasks.flatMap(\.placedSteps).filter { outcome.subject.steps.contains($0.path) }
                .map(\.step)
            let reasons = given.map { noValue(of: outcome.measure, in: $0) }
            guard let first = reasons.first, let reason = first, !reasons.contains(where: { $0 == nil })
            else { return nil }
            return Diagnostic(
                .warning, .noValue,
                "\(reason.extent) of '\(outcome.measure.rawValue)' is possible for '\(outcome.subject.name)': \(reason.words)",
                at: place, help: outcome.measure.remedyForNoValue)
        }
    }

    /// Why a step never, or not always, gives a value; `nil` if nothing speaks against it.
    private func noValue(of measure: Outcome.Measure, in step: Step) -> MissingValue? {
        switch measure {
        case .heartRate, .rmssd, .sdnn:
            guard let timing = step.facts.timing else { return nil }
            let longest = (timing.longest - (timing.stimulus?.onset ?? .zero)) / .seconds(1)
            let measured =
                "it is measured for at most \(plainNumber(longest)) s, of which the first \(plainNumber(HeartRateResponse.settling)) do not count"
            if longest <= measure.leastTime(ofBeats: 0.25) { return MissingValue(words: measured) }
            guard longest <= measure.leastTime(ofBeats: 0.6) else { return nil }
            return MissingValue(
                extent: "hardly any value",
                words: measured + "; \(StepHeart.fewestIntervals) intervals take more at 100 beats per minute"
            )
        case .asynchrony, .tapConsistency:
            guard let played = step.facts.clips else { return MissingValue(words: "the step plays no clip") }
            let clips = clips(of: played)
            let silent = clips.filter { $0.beats == nil }
            guard !silent.isEmpty else { return nil }
            guard silent.count < clips.count else {
                return MissingValue(words: "no clip of the step has beats")
            }
            let names = listed(silent.map { "'\($0.identifier)'" })
            return MissingValue(
                extent: "not every value", words: "\(names) \(silent.count == 1 ? "has" : "have") no beats")
        case .rating, .answer, .score, .recovery, .timeInBand, .reactionTime, .duration, .evokedRate:
            return nil
        }
    }
}

/// Why values are missing.
private struct MissingValue {
    var extent = "no value"
    var words: String
}

extension Outcome.Measure {
    /// Whether a single value says something, because it is a distance from what was expected or heard.
    fileprivate var isComparison: Bool {
        [.timeInBand, .asynchrony, .tapConsistency, .evokedRate].contains(self)
    }

    /// A shorter step has no value with such an interval between beats, s.
    fileprivate func leastTime(ofBeats interval: Double) -> Double {
        let isVariability = self == .rmssd || self == .sdnn
        return HeartRateResponse.settling + (isVariability ? interval * Double(StepHeart.fewestIntervals) : 0)
    }

    fileprivate var remedyForNoValue: String {
        switch self {
        case .heartRate: "make the step longer: half a minute gives a mean that can be relied on"
        case .rmssd, .sdnn: "make the step longer: a minute is the least for the variability of a heart"
        case .asynchrony, .tapConsistency: "give the clips 'beats' in their catalogue, or name another step"
        case .rating, .answer, .score, .recovery, .timeInBand, .reactionTime, .duration, .evokedRate:
            "name another step"
        }
    }
}
