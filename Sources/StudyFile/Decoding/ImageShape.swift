import StudyModel
import TextFormat

/// Pictures that are shown with steps and choices.
enum ImageShape {
    static let ofStep = Field(
        "image", .mapping(shape), "Picture", "A picture below the texts.",
        example: ["file": "faces/calm.png", "alternative": "A calm face"])
    static let ofChoice = Field(
        "image", path, "Picture",
        "A picture below the text, a PNG or JPEG; relative to the study file. The text is what is read in its place.",
        example: "faces/calm.png")

    private static let shape = Shape<StepImage>(
        name: "image", title: "Picture",
        description: "A picture, and the words for those who do not see it.", fields: .of(file, alternative)
    ) { fields in
        let (path, words) = (fields[file], fields[alternative])
        guard let path, let words else { return nil }
        return StepImage(path: path, alternative: words)
    }

    private static let file = Field(
        "file", path, isRequired: true, "File", "A PNG or JPEG; relative to the study file.",
        example: "faces/calm.png")
    private static let alternative = Field(
        "alternative", .filledText, isRequired: true, "Alternative text",
        "What is read in its place, aloud, by lines and where the terminal shows no pictures.",
        example: "A calm face")

    /// The normal path of a file that is there.
    private static let path = Kind<String>(
        schema: Kind<String>.path.schema,
        read: { node, reading in
            guard let path = Kind<String>.path.read(node, reading) else { return nil }
            // Of a value that no round has, that was said already.
            if !reading.unknownValues.contains(node.range), let problem = reading.context.library.image(path)
            {
                reading.report(problem, path: path, at: node.range)
            }
            return FilePath.normal(path)
        })
}
