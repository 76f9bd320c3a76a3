package import StudyModel

/// What the screen shows of a fingertip on a camera: what was seen of it since the last time; twice a second.
package struct CameraStatus: Hashable, Sendable {
    /// Frames that will not change any more, oldest first.
    package var frames: [Timed<PulseFrame>]
    /// How well the pulse is seen now, 0...1.
    package var quality: Double
    /// Whether it is seen well enough for a heart rate.
    package var isClear: Bool
    /// The moment that this is about.
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
