import StudyModel
import TextFormat

/// Music that goes on over several steps.
enum MusicShape {
    /// Music with the places of its names.
    struct Draft {
        var identifier: Located<Identifier>
        var from: Located<Identifier>
        var to: Located<Identifier>
        var use: Stimulus.Use?
        /// Clips that the participant chooses.
        var chosenClips: [ChosenClip] = []
    }

    static let shape = Shape<Draft>(
        name: "music", title: "Music", description: "A clip that goes on over several steps.",
        fields: .of(identifier, from, to, stimulus, Field.comment)
    ) { fields in
        let (name, use) = (fields[identifier], fields[stimulus])
        let (from, to) = (fields[from], fields[to])
        var chosen: [ChosenClip] = []
        swap(&chosen, &fields.reading.context.chosenClips)
        guard let name, let from, let to else { return nil }
        return Draft(identifier: name, from: from, to: to, use: use, chosenClips: chosen)
    }

    private static let identifier = Field(
        "identifier", Kind<Identifier>.identifier.located, isRequired: true, "Identifier",
        "The music's name, unique in the task.", example: "background")
    private static let from = Field(
        "from", Kind<Identifier>.identifier.located, isRequired: true, "From",
        "The step of the task's own list with whose start the music begins.", example: "listen")
    private static let to = Field(
        "to", Kind<Identifier>.identifier.located, isRequired: true, "To",
        "The step of the task's own list with whose end the music stops.", example: "pleasant")
    private static let stimulus = Field(
        "stimulus", .mapping(StimulusShape.inTask), isRequired: true, "Stimulus",
        "Which clip it is, and how it is played, as in an active step.",
        example: ["from": "clips", "draw": "random"])
}

extension TaskSteps {
    /// The music of the task, with its steps looked up; reports music that would play at the same time as another clip.
    ///
    /// - Parameter worked: the task's scores.
    func music(_ drafts: [MusicShape.Draft], _ worked: [AnswerScore]) -> [SpanningMusic] {
        var taken: [(range: ClosedRange<Int>, name: Identifier)] = []
        return drafts.compactMap { draft in
            guard let span = span(from: draft.from, to: draft.to), let use = draft.use else { return nil }
            if let other = taken.first(where: { $0.range.overlaps(span) }) {
                reading.report(
                    .musicOverlap, "'\(other.name)' still plays when '\(draft.identifier.value)' begins",
                    at: draft.from.range,
                    help: "let one end before the other begins: only one clip is heard at a time")
            }
            taken.append((span, draft.identifier.value))
            let playing = self.drafts[span].flatMap(\.withInner).first(where: \.playsClip)
            if let name = playing?.identifier {
                reading.report(
                    .musicOverlap,
                    "'\(draft.identifier.value)' still plays when the step '\(name.value)' plays a clip of its own",
                    at: name.range,
                    help: "take the 'stimulus' out of the step, or let the music end before it")
            }
            for chosen in draft.chosenClips {
                check(chosen, of: self.drafts[span.lowerBound], at: span.lowerBound, worked)
            }
            let timed = self.drafts[span].reduce(Duration.zero) { sum, draft in
                guard case .active(let active)? = draft.step?.kind else { return sum }
                return sum + active.duration
            }
            if timed > .zero { reading.context.rememberPlay(use, for: timed, at: draft.from.range, reading) }
            return SpanningMusic(
                identifier: draft.identifier.value, from: draft.from.value, to: draft.to.value, use: use)
        }
    }
}
