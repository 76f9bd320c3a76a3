import StudyModel
import TextFormat

extension Step {
    /// How long it lasts, in short; `nil` if the participant or an answer ends it.
    var briefTime: String? {
        guard let timing = facts.timing else { return timeLimit.map { "at most \($0.duration.words)" } }
        if let ending = timing.ending { return "until \(ending.words)" }
        return switch timing.drawnDuration {
        case .uniform(let range): "\(range.lowerBound.words) to \(range.upperBound.words)"
        case .oneOf(let durations): listed(durations.map(\.words), last: "or")
        case nil:
            timing.until == nil && !timing.isProgram
                ? timing.duration.words : "at most \(timing.duration.words)"
        }
    }

    /// What happens in it, one sentence each, without what it records and where the run goes next.
    ///
    /// - Parameter study: the study with its sets of clips.
    func sentences(in study: Study) -> [String] {
        var said = ownSentences(in: study)
        if let limit = timeLimit {
            said.append("The time for answering is \(limit.duration.words).")
            said.append(
                limit.keepsAnswers
                    ? "When it is over, the answer given so far counts."
                    : "When it is over, an answer that was not sent is missing.")
        }
        if leastTime > .zero { said.append("The step takes no input for its first \(leastTime.words).") }
        if isOptional { said.append("The participant may skip the step.") }
        for (question, value) in right.sorted(by: { $0.key < $1.key }) {
            switch value {
            case .answer(let value): said.append("The right answer to \(question) is \(value.words).")
            case .noKey: said.append("No key is right in \(question).")
            }
        }
        return said
    }

    private func ownSentences(in study: Study) -> [String] {
        let facts = facts
        let alone = facts.asked.filter { $0.place == .step }.map {
            "The answer is \($0.question.format.words)."
        }
        let special =
            [
                active?.sentences(in: study), soundCheck?.sentences(in: study), form?.sentences,
                program?.sentences, block?.sentences(in: study),
            ]
            .compactMap(\.self).joined()
        return facts.sentences + special + alone
    }
}

extension SoundCheck {
    fileprivate func sentences(in study: Study) -> [String] {
        switch purpose {
        case .volume:
            return use.sentences(in: study) + [
                "The participant hears each level that they choose.",
                "Everything is played at the level of the answer from then on.",
            ]
        case .measured(let limit):
            return [
                "A steady tone of 1 kHz is heard, \(plainNumber(-use.settings.gain - ReferenceTone.loudness)) dB below full scale.",
                "The experimenter enters its level at the ear, in dB(A).",
                limit.map { "No sound is louder at the ear than \(plainNumber($0)) dB(A) from then on." },
            ].compactMap(\.self)
        }
    }
}

extension Form {
    fileprivate var sentences: [String] {
        var said = ["The participant answers \(counted(questions.count, "question")), shown together."]
        if let order = order.words { said.append("The order of the questions is \(order).") }
        said += questions.map(\.sentence)
        if isReviewed { said.append("All answers are shown once more before they are sent.") }
        return said
    }
}

extension ProgramStep {
    fileprivate var sentences: [String] {
        var said = ["Another program works in this step: \(command.joined(separator: " "))."]
        said.append("It may run for \(duration.words).")
        said += values.map { "It gets the value '\($0.text)' for \($0.name)." }
        said += questions.map(\.sentence)
        let seen = Self.usualEnvironment + environment
        said.append("It gets these environment variables and no others: \(listed(seen)).")
        return said
    }
}

extension Block {
    fileprivate func sentences(in study: Study) -> [String] {
        var said: [String] = []
        if let set, let staircase {
            said += staircase.sentences(over: set)
        } else if let set {
            let pool = study.rounds(set)?.pool ?? []
            let each = repetitions == 1 ? "There is one round" : "There are \(repetitions) rounds"
            let noun = study.stimulusSet(set) == nil ? "condition" : "clip"
            let some = take.map { "\($0.count) drawn ones\($0.kinds) of " } ?? ""
            said.append("\(each) for each of \(some)the \(counted(pool.count, noun)) of \(set).")
            if let seenIn {
                said.append("A round is old if \(seenIn) took its \(noun), and otherwise new.")
            }
            said.append("The order of the rounds is \(order.words(of: pool.count))".asSentence)
        } else {
            said.append("There \(repetitions == 1 ? "is" : "are") \(counted(repetitions, "round")).")
        }
        if let insertion {
            let names = listed(insertion.steps.map(\.identifier.text))
            said.append(
                "\(names) \(insertion.steps.count == 1 ? "comes" : "come") once in each pass, at a drawn place "
                    + (insertion.isAnywhere ? "before, between or after the rounds." : "between two rounds."))
            said.append("Every such place is equally likely.")
        }
        guard let stimulus else { return said }
        return said + ["A clip goes on through all rounds."] + stimulus.sentences(in: study, of: "The block")
    }
}

extension String {
    /// With a full stop at the end.
    var asSentence: String { hasSuffix(".") ? self : self + "." }
}

extension Block.Take {
    /// Of what it takes one each, in words that follow a number; empty if any rows are taken.
    var kinds: String { each.map { ", one for each \($0)," } ?? "" }
}
