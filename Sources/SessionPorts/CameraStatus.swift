package import StudyModel

/// What the screen shows about a fingertip on a camera: everything seen since the last update, twice a second.
package struct CameraStatus: Hashable, Sendable {
    /// Frames that will not change any more, oldest first.
    package var frames: [Timed<PulseFrame>]
    /// How well the pulse is seen now, 0...1.
    package var quality: Double
    /// Whether it is seen well enough for a heart rate.
    package var isClear: Bool
    /// The moment that the status is about.
    package var instant: RunInstant

    package init(
        frames: [Timed<PulseFrame>], quality: Double, isClear: Bool, instant: RunInstant
    ) {
        self.frames = frames
        self.quality = quality
        self.isClear = isClear
        self.instant = instant
    }
}
