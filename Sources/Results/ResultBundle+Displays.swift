public import StudyModel

extension ResultBundle {
    /// One item of a file of what was displayed: it was shown from this moment on.
    public struct Display: Hashable, Sendable {
        /// What is displayed: `heartRate`, `rmssd`, `sdnn` or `pacer`.
        public var display: String
        /// What was shown.
        public var shown: Biofeedback.Shown
        /// The unit of its number in UCUM; `nil` if it is no number.
        public var unit: String?
        /// Seconds since the run's start.
        public var runOffset: Double
        /// The recorder that recorded it.
        public var recorder: String
    }
}
