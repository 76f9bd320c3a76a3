import StudyModel

/// What becomes of prompts and reactions, as markers: `ask QUESTION`, `answer QUESTION`, `miss QUESTION` and `react
/// STEP`. What was answered stays in the bundle, because everybody in the network could read it.
struct PromptMarking {
    private struct Asked: Hashable {
        var ordinal: Int
        var place: Int
        var number: Int
        var question: Identifier
    }

    private var open: Asked?

    /// - Parameter step: the step of a presentation.
    mutating func marks(
        of event: Event, _ effects: [Effect], at now: RunInstant, step: (Presentation) -> Step
    ) -> [RunMarking.Mark] {
        var marks: [RunMarking.Mark] = []
        if case .answered(let answers) = event {
            for given in answers {
                if let press = given.reaction?.press {
                    marks.append(.init(text: "react \(given.question)", instant: press.instant))
                } else if given.question == open?.question {
                    marks.append(.init(text: "answer \(given.question)", instant: now))
                    open = nil
                }
            }
        }
        for effect in effects {
            switch effect {
            case .show(let presentation):
                let asked = presentation.prompt.flatMap { prompt in
                    step(presentation).active.map { active in
                        Asked(
                            ordinal: presentation.ordinal, place: prompt.place, number: prompt.number,
                            question: active.question(of: prompt).identifier)
                    }
                }
                guard asked != open else { continue }
                marks += missed(at: now)
                if let asked { marks.append(.init(text: "ask \(asked.question)", instant: now)) }
                open = asked
            case .deliver(let result) where result.ordinal == open?.ordinal:
                marks += missed(at: result.end)
                open = nil
            case .deliver, .play, .end, .wake, .record, .stopRecording, .stopPlaying, .cue, .allocate:
                continue
            }
        }
        return marks
    }

    private func missed(at instant: RunInstant) -> [RunMarking.Mark] {
        open.map { [.init(text: "miss \($0.question)", instant: instant)] } ?? []
    }
}
