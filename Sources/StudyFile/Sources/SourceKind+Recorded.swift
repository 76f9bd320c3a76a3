import StudyModel
import TextFormat

extension SourceKind {
    /// A recording, played again.
    static let replay = SourceKind(
        variant: .init(
            word: "replay", description: "a recording, played again with its own timing",
            fields: [recording.declaration]
        ) { fields in
            fields.mediaPath(recording).map { .replay(path: $0) }
        },
        spellings: [
            Spelling(
                word: "replay", form: "replay:FILE", meaning: "a recording with its own timing",
                examples: ["replay:FILE"], sample: .replay(path: "heart.csv")
            ) { path throws(SourceSpecProblem) in
                guard !path.isEmpty else {
                    throw SourceSpecProblem(
                        description:
                            "'replay' needs a recording: write replay:FILE, such as replay:heart.csv")
                }
                return .replay(path: path)
            }
        ])

    /// A fingertip on a camera.
    static let camera = SourceKind(
        variant: .init(
            word: "camera", description: "a fingertip on a camera, or a video of one",
            fields: [device.declaration, video.declaration], rules: [.exactlyOne(["device", "file"])]
        ) { fields in
            if let device = fields[device] { return .camera(.device(device)) }
            return fields.mediaPath(video).map { .camera(.file(path: $0)) }
        },
        spellings: [
            Spelling(
                word: "camera", form: "camera:/dev/video0",
                meaning: "a fingertip on a camera; camera:FILE for a video of one",
                examples: ["camera:/dev/video0", "camera:FILE"], sample: .camera(.device("/dev/video0"))
            ) { path throws(SourceSpecProblem) in
                guard !path.isEmpty else {
                    throw SourceSpecProblem(
                        description: "'camera' needs a device or a video: write camera:/dev/video0 or "
                            + "camera:FILE")
                }
                return .camera(path.hasPrefix("/dev/") ? .device(path) : .file(path: path))
            }
        ])

    private static let recording = Field(
        "file", .path, isRequired: true, "File", "The recording to play again; relative to the study file.",
        example: "../Media/rest.csv")
    private static let device = Field(
        "device", .devicePath, "Device", "The camera, as the system names it.", example: "/dev/video0")
    private static let video = Field(
        "file", .path, "File",
        "A video of a fingertip, played as fast as it was filmed; relative to the study file.",
        example: "../Media/finger.mp4")
}
