package import StudyModel

/// What a camera saw of a fingertip since it last told; twice a second.
package struct CameraStatus: Hashable, Sendable {
    /// Frames that will not change any more, oldest first.
    package var frames: [Timed<PulseFrame>]
    /// How many frames came too late and were left out.
    package var dropped: Int
    /// How well the pulse is seen now, 0...1.
    package var quality: Double
    /// Whether it is seen well enough for a heart rate.
    package var isClear: Bool
    /// The moment that this is about.
    package var instant: RunInstant

    package init(
        frames: [Timed<PulseFrame>], dropped: Int, quality: Double, isClear: Bool, instant: RunInstant
    ) {
        self.frames = frames
        self.dropped = dropped
        self.quality = quality
        self.isClear = isClear
        self.instant = instant
    }

    /// What a source says that it lost where the camera works and there is no fingertip on it.
    package static let notSeen = "no pulse is seen; cover the lens with a fingertip and keep still"
}
