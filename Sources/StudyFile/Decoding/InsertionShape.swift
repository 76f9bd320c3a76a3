import StudyModel
import TextFormat

/// Steps that come once in each pass through a block, at a drawn place among its rounds.
enum InsertionShape {
    /// An insertion, with its place in the file.
    struct Draft {
        var steps: [StepDraft]
        var isAnywhere: Bool
        var place: SourceRange
    }

    static let shape = Shape<Draft>(
        name: "insertion", title: "Insertion",
        description: "Steps that come once in each pass, at a drawn place among the rounds.",
        fields: .of(place, steps)
    ) { fields in
        let (place, steps) = (fields[place], fields[steps])
        guard let steps else { return nil }
        return Draft(
            steps: steps, isAnywhere: place ?? false, place: fields.place(of: Self.place).firstCharacter)
    }

    private static let place = Field(
        "place", .word([("between", false), ("anywhere", true)]), usual: "between", "Place",
        "Between two rounds; or anywhere, also before the first and after the last.", example: "anywhere")
    private static let steps = Field(
        "steps", .list(.variants(StepVariants.ofThirdBlock), atLeast: 1, noun: "step"), isRequired: true,
        "Steps", "The steps, which belong to no round.",
        example: [["type": "active", "identifier": "silence", "duration": "2 min"]])
}
