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
            fields: .of(device, size, rate, exposure, torch, video),
            rules: [.exactlyOne(["device", "file"])]
                + ["size", "rate", "exposure", "torch"].map { .atMostOne(["file", $0]) }
        ) { fields in
            let settings = CameraSettings(
                size: fields[size], rate: fields[rate], locksExposure: fields[exposure] ?? false,
                torch: fields[torch])
            if let device = fields[device] { return .camera(.device(device, settings)) }
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
        "file", .path, isRequired: true, "File",
        "The recording to play again, or a file of a result bundle; relative to the study file.",
        example: "../Media/rest.csv")
    private static let device = Field(
        "device", .devicePath, "Device", "The camera, as the system names it.", example: "/dev/video0")
    private static let size = Field(
        "size", .pictureSize, "Size", "The size of its pictures, pixels.", example: "640x480")
    private static let rate = Field(
        "rate", .perSecond, "Rate", "How many pictures it takes.", example: "30 /s")
    private static let exposure = Field(
        "exposure", .word([("automatic", false), ("locked", true)]), usual: "automatic", "Exposure",
        "Whether the exposure follows the brightness, or stays as it is, which makes the pulse clearer.",
        example: "locked")
    private static let torch = Field(
        "torch", .boolean, "Torch", "Whether its lamp shines; as the camera has it unless the study says.",
        example: true)
    private static let video = Field(
        "file", .path, "File",
        "A video of a fingertip, played as fast as it was filmed; relative to the study file.",
        example: "../Media/finger.mp4")
}

extension Kind<CameraSettings.Size> {
    /// `640x480`.
    fileprivate static var pictureSize: Kind {
        let schema: JSON = [
            "$comment": "width and height such as 640x480", "type": "string",
            "pattern": "^[1-9][0-9]{1,4}x[1-9][0-9]{1,4}$",
        ]
        return Kind(schema) { node, reading in
            guard let text = Kind<String>.text(atMost: 20).read(node, reading) else { return nil }
            if let size = CameraSettings.Size(text) { return size }
            reading.report(
                .wrongType, "'\(text)' is not the size of a picture", at: node.range,
                help: "write width, x and height in pixels, such as 640x480")
            return nil
        }
    }
}
