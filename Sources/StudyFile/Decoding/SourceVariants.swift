import StudyModel

/// Where signals come from.
enum SourceVariants {
    static let all = Variants<SourceConfiguration>(
        name: "source", noun: "source", common: .of(Field.comment),
        variants: [simulated, replay, camera] + LiveSourceVariants.all)

    private static let restingRate = Field(
        "restingRate", .number(30...220), usual: 64, "Resting rate",
        "Heart rate at rest, beats per minute.",
        example: 64)
    private static let maximumRate = Field(
        "maximumRate", .number(30...240), usual: 185, "Highest rate",
        "Highest heart rate, beats per minute; above restingRate.", example: 185)
    private static let musicResponse = Field(
        "musicResponse", .number(-30...30), usual: 1.5, "Response to music",
        "How much music of full energy changes the rate, beats per minute.", example: 1.5)
    private static let variability = Field(
        "variability", .number(0...3), usual: 1, "Variability",
        "Relative size of the natural variability; 1 is a typical adult, 0 a metronome.", example: 1)
    private static let dropouts = Field(
        "dropouts", .number(0...1), usual: 0, "Drop-outs", "Share of the notifications that are lost.",
        example: 0.02)
    private static let duplicates = Field(
        "duplicates", .number(0...1), usual: 0, "Duplicates",
        "Share of the notifications that arrive twice.",
        example: 0.01)
    private static let contactLoss = Field(
        "contactLoss", .number(0...1), usual: 0, "Loss of contact",
        "Share of the time without skin contact.",
        example: 0.05)

    private static let simulated = Variants<SourceConfiguration>.Variant(
        word: "simulated", description: "a simulated heart",
        fields: .of(restingRate, maximumRate, musicResponse, variability, dropouts, duplicates, contactLoss)
    ) { fields in
        let usual = SimulatedSource()
        let heart = SimulatedSource(
            restingRate: fields[restingRate] ?? usual.restingRate,
            maximumRate: fields[maximumRate] ?? usual.maximumRate,
            musicResponse: fields[musicResponse] ?? usual.musicResponse,
            variability: fields[variability] ?? usual.variability,
            dropouts: fields[dropouts] ?? usual.dropouts, duplicates: fields[duplicates] ?? usual.duplicates,
            contactLoss: fields[contactLoss] ?? usual.contactLoss)
        if heart.maximumRate <= heart.restingRate {
            let isMaximumGiven = fields.node(maximumRate) != nil
            fields.reading.report(
                .outOfRange, "the highest rate must be above the resting rate",
                at: isMaximumGiven ? fields.place(of: maximumRate) : fields.place(of: restingRate),
                help:
                    "\(DecimalText.text(heart.maximumRate)) is not above \(DecimalText.text(heart.restingRate))"
            )
        }
        return .simulated(heart)
    }

    private static let file = Field(
        "file", .path, isRequired: true, "File", "The recording to play again; relative to the study file.",
        example: "../Media/rest.csv")

    private static let replay = Variants<SourceConfiguration>.Variant(
        word: "replay", description: "a recording, played again with its own timing",
        fields: .of(file)
    ) { fields in fields.mediaPath(file).map { .replay(path: $0) } }

    private static let device = Field(
        "device", .devicePath, "Device", "The camera, as the system names it.", example: "/dev/video0")
    private static let video = Field(
        "file", .path, "File",
        "A video of a fingertip, played as fast as it was filmed; relative to the study file.",
        example: "../Media/finger.mp4")

    private static let camera = Variants<SourceConfiguration>.Variant(
        word: "camera", description: "a fingertip on a camera, or a video of one",
        fields: .of(device, video), rules: [.exactlyOne(["device", "file"])]
    ) { fields in
        if let device = fields[device] { return .camera(.device(device)) }
        return fields.mediaPath(video).map { .camera(.file(path: $0)) }
    }
}
