/// What a study is meant to find out: a number that a step, a question or a score gives each time.
public struct Outcome: Hashable, Sendable {
    public var rank: Rank
    public var measure: Measure
    public var subject: Subject
    /// What the outcome is compared with: the same measure of another step or question.
    public var reference: Subject?
    /// The columns of conditions, or attributes of clips, whose values are compared, at most two; empty compares
    /// whatever the design varies. Of two, it is asked whether the effect of the first depends on the second.
    public var factors: [Identifier]

    /// With more levels than this, nobody could read all pairs.
    package static let mostLevels = 24

    /// How important the study says it is.
    public enum Rank: String, Hashable, Sendable, CaseIterable {
        case primary, secondary
        /// The study names no outcomes; this is one that such a study usually has.
        case usual
    }

    /// What is measured.
    public enum Measure: String, Hashable, Sendable, CaseIterable {
        /// Mean heart rate of a step, 1/min.
        case heartRate
        /// From the intervals between beats in a step, ms.
        case rmssd, sdnn
        /// Mean of a continuous rating over a step, on its scale.
        case rating
        /// The answer to a question, as a number; of a prompt, the mean of its answers in a visit.
        case answer
        case score
        /// How long a step lasted until its condition ended it, s.
        case recovery
        /// Share of a step's measured time in which the heart rate was as expected, percent.
        case timeInBand
        /// Mean of the taps' moments less their beats', ms.
        case asynchrony
        /// From the onset to the right key of a reaction, ms.
        case reactionTime
        /// Length of the mean of the taps' phases as unit vectors, 0...1.
        case tapConsistency
        /// How long a step lasted that the participant may end, s.
        case duration
        /// Mean heart rate in the 5 s after a step's onset minus that in the 2 s before it, 1/min.
        case evokedRate
    }

    /// What gives the number.
    public struct Subject: Hashable, Sendable {
        /// The name in the study: a step, a question or a score, or `step.question` or `step.dimension`.
        public var name: String
        /// The steps, each with the identifiers of its blocks before it, joined by `.`.
        public var steps: [String]
        /// The question, the score or the dimension of a rating.
        public var item: Identifier?

        public init(name: String, steps: [String], item: Identifier? = nil) {
            (self.name, self.steps, self.item) = (name, steps, item)
        }
    }

    public init(
        rank: Rank, measure: Measure, subject: Subject, reference: Subject? = nil,
        by factors: [Identifier] = []
    ) {
        (self.rank, self.measure) = (rank, measure)
        (self.subject, self.reference, self.factors) = (subject, reference, factors)
    }
}

extension Study {
    /// Everything that a measure can be taken of, under each of its names, in the order of the file.
    package func subjects(of measure: Outcome.Measure) -> [Outcome.Subject] {
        var subjects: [Outcome.Subject] = []
        for given in tasks.flatMap({ $0.subjects(of: measure) }) {
            guard let known = subjects.firstIndex(where: { $0.name == given.name }) else {
                subjects.append(given)
                continue
            }
            let new = given.steps.filter { !subjects[known].steps.contains($0) }
            subjects[known].steps += new
        }
        return subjects
    }
}

extension Study.Task {
    /// A step with its place, and everything that records during it.
    package struct PlacedStep {
        package var step: Step
        /// The identifiers of its blocks and of the step itself, joined by `.`.
        package var path: String
        package var recorders: [RecorderConfiguration]
    }

    /// All steps except blocks, including those within blocks.
    package var placedSteps: [PlacedStep] {
        steps.enumerated().flatMap { place, step in
            let spanning = recorders.filter { span in
                guard let from = steps.firstIndex(where: { $0.identifier == span.from }),
                    let to = steps.firstIndex(where: { $0.identifier == span.to })
                else { return false }
                return from <= place && place <= to
            }
            return step.placed(below: "", spanning.map(\.recorder))
        }
    }

    fileprivate func subjects(of measure: Outcome.Measure) -> [Outcome.Subject] {
        let placed = placedSteps
        switch measure {
        case .heartRate, .rmssd, .sdnn, .evokedRate:
            return placed.filter { $0.records(.heartRate) || $0.records(.rrIntervals) }.map(\.subject)
        case .duration:
            return placed.filter { $0.step.facts.timing?.timer.isSkippable == true }.map(\.subject)
        case .recovery: return placed.filter { $0.step.active?.until != nil }.map(\.subject)
        case .timeInBand:
            return placed.filter { $0.step.active?.expected != nil && $0.records(.heartRate) }.map(\.subject)
        case .rating: return placed.flatMap(\.ratings)
        case .asynchrony, .tapConsistency: return placed.filter { $0.records(.taps) }.map(\.subject)
        case .reactionTime: return placed.filter { $0.step.active?.reaction != nil }.map(\.subject)
        case .score:
            return scores.flatMap { score in
                placed.filter { $0.step.identifier == score.step }
                    .map { .init(name: score.identifier.text, steps: [$0.path], item: score.identifier) }
            }
        case .answer:
            let asked = placed.flatMap { place in
                place.step.questions.filter(\.format.isNumeric).map {
                    (place: place, question: $0.identifier)
                }
            }
            return asked.flatMap { place, question -> [Outcome.Subject] in
                let isAlone = asked.count { $0.question == question } == 1
                let short = Outcome.Subject(name: question.text, steps: [place.path], item: question)
                var long = short
                long.name = "\(place.step.identifier).\(question)"
                return question == place.step.identifier ? [short] : isAlone ? [short, long] : [long]
            }
        }
    }
}

extension Study.Task.PlacedStep {
    fileprivate var subject: Outcome.Subject { .init(name: step.identifier.text, steps: [path]) }

    /// Each dimension, and the step itself if it has only one.
    fileprivate var ratings: [Outcome.Subject] {
        let dimensions = recorders.compactMap(\.rating).flatMap(\.dimensions).map(\.name)
        let named = dimensions.map { name in
            Outcome.Subject(name: "\(step.identifier).\(name)", steps: [path], item: name)
        }
        guard let only = dimensions.first, dimensions.count == 1 else { return named }
        return [Outcome.Subject(name: step.identifier.text, steps: [path], item: only)] + named
    }

    fileprivate func records(_ signal: Signal) -> Bool { recorders.contains { $0.signal == signal } }
}

extension Step {
    fileprivate func placed(
        below block: String, _ outer: [RecorderConfiguration]
    ) -> [Study.Task.PlacedStep] {
        let path = block + identifier.text
        let all = recorders + outer
        guard let block = self.block else { return [.init(step: self, path: path, recorders: all)] }
        return block.ownSteps.flatMap { $0.placed(below: path + ".", all) }
    }
}
