/// What a measure of outcomes is, said once: checks, analyses, simulations, pages and reports read it.
package struct MeasureFacts: Sendable {
    /// What gives the number.
    package enum Giver: String, Sendable {
        case step, question, score
    }

    /// What simulated participants make of it.
    package enum Simulation: Sendable {
        case hearts, taps, reactions
        /// They answer by chance, and last as chance has it.
        case chance
    }

    package var giver = Giver.step
    /// What is measured of what, for the study's author.
    package var description: String
    /// Its name before that of what it is taken of, for several values and for one: `Ratings in`, `rating in`.
    package var names: (plural: String, singular: String)
    /// The unit in words; empty for a number without one.
    package var unit = ""
    /// The unit as a symbol.
    package var symbol = ""
    /// Decimal places.
    package var places = 1
    /// How people write the unit of an effect.
    package var spellings: [String] = []
    /// What a step or question lacks, if the measure cannot be taken of it.
    package var absence: String
    /// What to write so that it can.
    package var remedy: String
    /// How a value comes about, for the protocol page; `%` stands for what it is taken of.
    package var sentence: String
    /// How values came about, for the methods of a report; `nil` if nothing is to be said.
    package var method: String?
    package var simulation: Simulation

    /// How a value comes about, for the protocol page.
    package func sentence(of name: String) -> String { sentence.replacing("%", with: name) }
}

extension Outcome.Measure {
    package var facts: MeasureFacts {
        switch self {
        case .heartRate: .heartRate
        case .rmssd: .variability("RMSSD")
        case .sdnn: .variability("SDNN")
        case .rating: .rating
        case .answer: .answer
        case .score: .score
        case .recovery: .recovery
        case .timeInBand: .timeInBand
        case .asynchrony: .asynchrony
        case .tapConsistency: .tapConsistency
        case .reactionTime: .reactionTime
        case .duration: .duration
        case .evokedRate: .evokedRate
        }
    }
}

extension MeasureFacts {
    fileprivate static let heartRate = MeasureFacts(
        description: "of a step", names: ("Heart rates in", "heart rate in"), unit: "per minute",
        symbol: "1/min", places: 2, spellings: ["bpm", "/min", "1/min", "per minute"],
        absence: "has no recorder of heart rates or intervals",
        remedy: "add 'recorders: [{type: heartRate, identifier: heartRate}]' to the step",
        sentence:
            "It is the mean heart rate from 5 s after the start of %, or of its clip, to the end.",
        method:
            "Heart rates are means weighted by time, from 5 s after the onset of a clip or step to its end: by the intervals "
            + "between beats if these cover it, otherwise by the notified rates. The last 60 s of the rest to which they are relative count.",
        simulation: .hearts)

    fileprivate static func variability(_ name: String) -> MeasureFacts {
        MeasureFacts(
            description: "of a step",
            names: ("\(name)s in", "\(name) in"),
            unit: "ms", symbol: "ms", spellings: ["ms"],
            absence: "has no recorder of heart rates or intervals",
            remedy: "add 'recorders: [{type: rrIntervals, identifier: beats}]' to the step",
            sentence:
                "It is the \(name) of at least 10 intervals of %, with artefacts corrected.",
            method:
                "Variability is that of intervals between beats with artefacts corrected, and no difference is taken across a gap.",
            simulation: .hearts)
    }

    fileprivate static let rating = MeasureFacts(
        description: "the mean of a continuous rating", names: ("Ratings in", "rating in"), places: 2,
        absence: "has no recorder of a rating", remedy: "add a recorder of type 'rating' to the step",
        sentence: "It is the mean of the regular samples of the rating.",
        method: "A rating is the mean of its regular samples over the step.", simulation: .chance)

    fileprivate static let answer = MeasureFacts(
        giver: .question, description: "of a question with a number",
        names: ("Answers to", "answer to"), places: 2, absence: "has no answer that is a number",
        remedy: "ask with a scale, a number, yes or no, or choices whose values are numbers",
        sentence: "It is the answer to %.", simulation: .chance)

    fileprivate static let score = MeasureFacts(
        giver: .score, description: "of a score", names: ("Scores", "score"), places: 2,
        absence: "is no score", remedy: "compute it under 'scores', or write 'measure: answer'",
        sentence:
            "It is the score %; within a block, its last value of each pass through the block.",
        simulation: .chance)

    fileprivate static let recovery = MeasureFacts(
        description: "how long a step lasted until its 'until' ended it",
        names: ("Times to the end of", "time to the end of"), unit: "s", symbol: "s",
        spellings: ["s"], absence: "has no 'until' that could end it",
        remedy: "add 'until' to the step",
        sentence:
            "It is the time until the condition ended %. If the condition did not hold in time, all of the step's time counts.",
        method:
            "A time of recovery is how long the step lasted until its condition held, or all of its time if that did not happen (restricted mean).",
        simulation: .chance)

    fileprivate static let timeInBand = MeasureFacts(
        description: "of a step with an expected heart rate",
        names: ("Times in the expected band in", "time in the expected band in"), unit: "%",
        symbol: "%", spellings: ["%"],
        absence: "has no 'expected' heart rate, or no recorder of heart rates",
        remedy: "add 'expected' and a recorder of type 'heartRate' to the step",
        sentence:
            "It is the share of the measured time of % in which the heart rate was within the expected band.",
        method:
            "The time in the expected band is its share of the step's measured time, without pauses; gaps of more than 5 s do not count as measured.",
        simulation: .hearts)

    fileprivate static let asynchrony = MeasureFacts(
        description: "of the taps in a step",
        names: ("Asynchronies of taps in", "asynchrony of taps in"),
        unit: "ms", symbol: "ms", spellings: ["ms"], absence: "has no recorder of taps",
        remedy: tapRemedy,
        sentence:
            "It is the mean time from the nearest beat of the clip to each tap in %, below zero if the taps come first.",
        method: tapMethod, simulation: .taps)

    fileprivate static let tapConsistency = MeasureFacts(
        description: "of the taps in a step",
        names: ("Consistencies of taps in", "consistency of taps in"), places: 3,
        absence: "has no recorder of taps", remedy: tapRemedy,
        sentence:
            "It is the length of the mean of the taps' phases as unit vectors in %: 1 if all taps have the same phase, near 0 without one.",
        method: tapMethod, simulation: .taps)

    fileprivate static let reactionTime = MeasureFacts(
        description: "of a step with a reaction", names: ("Reaction times in", "reaction time in"),
        unit: "ms", symbol: "ms", spellings: ["ms"], absence: "has no 'reaction'",
        remedy: "add 'reaction: {keys: [space]}' to the step",
        sentence:
            "It is the time from the onset in % to the right key; times of wrong keys, and missing ones, are left out.",
        method:
            "A reaction time is the moment of the right key minus the onset of the sound as it was heard, with the sound device's delay, "
            + "or minus the planned start of a step without a clip. Wrong and missing reactions are left out.",
        simulation: .reactions)

    fileprivate static let duration = MeasureFacts(
        description: "how long a step lasted that the participant may end",
        names: ("Durations of", "duration of"),
        unit: "s", symbol: "s", spellings: ["s"], absence: "is nothing that the participant may end",
        remedy: "add 'timer: {skip: true}' to the step",
        sentence:
            "It is how long % lasted, without pauses, until the participant ended it. If they did not, all of its time counts.",
        method:
            "The duration of a step is how long it lasted, without pauses, until the participant ended it, or all of its time if they did not (restricted mean).",
        simulation: .chance)

    fileprivate static let evokedRate = MeasureFacts(
        description: "the change of the heart rate in the 5 s after the onset of a step or its clip",
        names: ("Evoked changes of the heart rate in", "evoked change of the heart rate in"),
        unit: "per minute",
        symbol: "1/min", places: 2, spellings: ["bpm", "/min", "1/min", "per minute"],
        absence: "has no recorder of heart rates or intervals",
        remedy:
            "record intervals over the whole block: 'recorders: [{type: rrIntervals, identifier: beats, from: …, to: …}]'",
        sentence:
            "It is the mean heart rate in the 5 s after the start of %, or of its clip, minus that in the 2 s before, even beyond the step.",
        method:
            "An evoked change of the heart rate is the mean of the 5 s after the onset minus that of the 2 s before. The rate of a second is that of "
            + "the intervals between beats that held in it, each weighted by how long it did (Graham 1978), with artefacts corrected.",
        simulation: .hearts)

    fileprivate static let tapRemedy = "add 'recorders: [{type: taps, identifier: taps}]' to the step"
    fileprivate static let tapMethod =
        "A tap's asynchrony is its moment minus that of the clip's nearest beat as it was heard, with the sound device's delay. "
        + "Consistency is the length of the mean of the taps' phases as unit vectors, with the time between two beats as a full turn."
}
